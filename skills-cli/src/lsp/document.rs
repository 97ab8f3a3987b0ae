//! A text that is open in the editor.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{TextDocumentContentChangeEvent as Change, TextEdit, Uri};
use skills_source::source::{Source, Span};

use super::place::Kind;
use super::position::{self, offset};

/// The mark that may be before a text in UTF-8.
const MARK: &str = "\u{feff}";

/// An open text.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) kind: Kind,
    pub(crate) version: i32,
    /// Where the file is on disk, with the symlinks above it resolved. It need not be saved yet.
    pub(crate) path: PathBuf,
    /// The text, as the editor has it.
    source: Arc<Source>,
    /// Whether the file on disk begins with a byte-order mark that the editor doesn't show.
    has_hidden_mark: bool,
}

impl Document {
    pub(crate) fn new(uri: Uri, kind: Kind, path: PathBuf, version: i32, text: String) -> Self {
        let has_hidden_mark = !text.starts_with(MARK) && begins_with_mark(&path);
        let source = Source::new("", text);
        Self { uri, kind, version, path, source, has_hidden_mark }
    }

    /// The text, as the editor has it.
    pub(crate) fn text(&self) -> &str {
        self.source.text()
    }

    /// The text without a byte-order mark, which is what the offsets of findings are for.
    pub(crate) fn body(&self) -> &str {
        &self.text()[self.mark_len()..]
    }

    /// The bytes that are judged.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mark = if self.has_hidden_mark { MARK } else { "" };
        [mark.as_bytes(), self.text().as_bytes()].concat()
    }

    /// Applies changes in their order, each to the text that the one before it left.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<Change>) {
        self.version = version;
        for change in changes {
            let text = match change {
                Change::TextDocumentContentChangeWholeDocument(whole) => whole.text,
                Change::TextDocumentContentChangePartial(part) => {
                    let start = offset(&self.source, part.range.start);
                    let end = offset(&self.source, part.range.end).max(start);
                    let text = self.source.text();
                    [&text[..start], &part.text, &text[end..]].concat()
                }
            };
            self.source = Source::new("", text);
        }
    }

    /// The range of a span of a finding, cut at the end of its first line.
    pub(crate) fn shown_range(&self, span: &Span) -> gen_lsp_types::Range {
        position::shown_range(&self.source, &self.in_text(span))
    }

    /// The range of a span of [`body`](Self::body).
    pub(crate) fn range(&self, span: &Span) -> gen_lsp_types::Range {
        position::range(&self.source, &self.in_text(span))
    }

    /// The byte offset in [`body`](Self::body) of a position.
    pub(crate) fn offset(&self, position: gen_lsp_types::Position) -> usize {
        offset(&self.source, position).saturating_sub(self.mark_len())
    }

    /// The smallest edit that makes `after` of the body; `None` if it is that already.
    pub(crate) fn edit_to(&self, after: &str) -> Option<TextEdit> {
        let before = self.body();
        if before == after {
            return None;
        }
        let pairs = before.char_indices().zip(after.chars());
        let start = pairs.take_while(|((_, a), b)| a == b).last().map_or(0, |((at, c), _)| at + c.len_utf8());
        let (old, new) = (&before[start..], &after[start..]);
        let same = old.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b);
        let len: usize = same.map(|(c, _)| c.len_utf8()).sum();
        let range = self.range(&(start..before.len() - len));
        Some(TextEdit { range, new_text: new[..new.len() - len].to_owned() })
    }

    fn mark_len(&self) -> usize {
        if self.text().starts_with(MARK) { MARK.len() } else { 0 }
    }

    fn in_text(&self, span: &Span) -> Span {
        let mark_len = self.mark_len();
        span.start + mark_len..span.end + mark_len
    }
}

#[allow(clippy::disallowed_methods, reason = "three bytes, to see what the editor leaves out of its text")]
fn begins_with_mark(path: &Path) -> bool {
    use std::io::Read as _;
    let mut start = [0; MARK.len()];
    path.is_file()
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == MARK.as_bytes()
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{Position, Range, TextDocumentContentChangePartial as Partial};

    use super::*;

    fn document(text: &str) -> Document {
        Document::new(Uri::from("file:///x"), Kind::Skill, PathBuf::from("/nowhere"), 0, text.to_owned())
    }

    fn change(range: ((u32, u32), (u32, u32)), text: &str) -> Change {
        let at = |(line, character)| Position { line, character };
        let range = Range { start: at(range.0), end: at(range.1) };
        #[allow(deprecated, reason = "old clients send it")]
        Change::from(Partial { range, range_length: None, text: text.to_owned() })
    }

    #[test]
    fn changes_are_applied_one_after_the_other() {
        let mut document = document("😀 one\r\n二 two\r\n");
        let changes = vec![
            change(((0, 2), (0, 3)), "-"),
            change(((1, 1), (2, 0)), "!\n"),
            change(((0, 0), (0, 2)), ""),
        ];
        document.change(7, changes);
        assert_eq!((document.text(), document.version), ("-one\r\n二!\n", 7));
        // A range that is upside down, or past the end, harms nothing.
        document.change(8, vec![change(((9, 9), (0, 0)), "end"), change(((0, 1), (0, 0)), "x")]);
        assert_eq!(document.text(), "-xone\r\n二!\nend");
    }

    #[test]
    fn an_edit_is_as_small_as_it_can_be() {
        let document = document("\u{feff}naïve 😀 text\n");
        let edit = document.edit_to("naïve 😁 text\n").expect("it differs");
        assert_eq!(
            (edit.range.start.character, edit.range.end.character, edit.new_text.as_str()),
            (7, 9, "😁")
        );
        assert_eq!(document.edit_to("naïve 😀 text\n"), None);
        let edit = document.edit_to("").expect("it differs");
        assert_eq!((edit.range.start.character, edit.range.end.line), (1, 1));
        let edit = document.edit_to("naïve 😀 text\n\n").expect("it differs");
        assert_eq!(edit.new_text, "\n");
    }
}
