//! Typing, as an editor tells of it: after every change the server must have the text that the editor has.
//!
//! The normal tests take the decisions from a seed, and the target `lsp_edits` of `fuzz/` from a fuzzer. It compiles this
//! file, `document.rs`, `place.rs` and `position.rs` as they are, since a program is no library.

use std::path::PathBuf;

use gen_lsp_types::{
    Position, Range, TextDocumentContentChangeEvent as Change, TextDocumentContentChangePartial as Partial,
    TextDocumentContentChangeWholeDocument as Whole, Uri,
};

use super::document::Document;
use super::place::Kind;

/// What an editor in JavaScript has: UTF-16 code units, with lines that end at LF, CRLF or CR. It shares no code with
/// the server.
#[derive(Debug, Clone)]
pub(crate) struct Editor(Vec<u16>);

/// What is typed most often, and what most often goes wrong.
const TYPED: [&str; 14] = [
    "a",
    "é",
    "😀",
    "👩\u{200d}💻",
    "中文",
    "\n",
    "\r\n",
    "\r",
    ": ",
    "---\n",
    "\u{feff}",
    "",
    "\t",
    "[x](y.md)",
];

/// Changes a text so often, and compares after each notification. `below` gives a number below its argument, which is
/// not 0.
pub(crate) fn leaves_the_same_text(start: &str, notifications: i32, below: &mut impl FnMut(usize) -> usize) {
    let mut editor = Editor::new(start);
    let uri = Uri::from("file:///s/SKILL.md");
    let mut document = Document::new(uri, Kind::Skill, PathBuf::from("/nowhere/x"), 0, editor.text());
    for version in 1..=notifications {
        let changes = (0..=below(3)).map(|_| editor.change(below)).collect();
        document.change(version, changes);
        assert_eq!((document.text(), document.version), (editor.text().as_str(), version));
    }
}

impl Editor {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.encode_utf16().collect())
    }

    pub(crate) fn text(&self) -> String {
        // Nothing below tears a pair of surrogates.
        String::from_utf16_lossy(&self.0)
    }

    /// Types something at a place, and returns both.
    pub(crate) fn insert(&mut self, below: &mut impl FnMut(usize) -> usize) -> (Position, &'static str) {
        let (at, position) = self.place(below);
        let text = TYPED[below(TYPED.len())];
        self.0.splice(at..at, text.encode_utf16());
        (position, text)
    }

    fn change(&mut self, below: &mut impl FnMut(usize) -> usize) -> Change {
        if below(64) == 0 {
            self.0 = TYPED[below(TYPED.len())].repeat(1 + below(3)).encode_utf16().collect();
            return Whole { text: self.text() }.into();
        }
        let from = self.place(below);
        // Most changes only insert, or the text would never grow.
        let to = if below(4) == 0 { self.place(below) } else { from };
        // Of a range that is upside down, the server takes the start.
        let (start, end) = (from.0, to.0.max(from.0));
        let any = |number: usize| char::from_u32(number as u32).map(String::from).unwrap_or_default();
        let text = match below(4) {
            0 => any(below(0x11_0000)),
            _ => TYPED[below(TYPED.len())].to_owned(),
        };
        self.0.splice(start..end, text.encode_utf16());
        #[allow(deprecated, reason = "old clients send it")]
        Partial { range: Range { start: from.1, end: to.1 }, range_length: None, text }.into()
    }

    /// A place between two characters, and a position that means it.
    fn place(&self, below: &mut impl FnMut(usize) -> usize) -> (usize, Position) {
        let lines = self.lines();
        let line = below(lines.len());
        let (start, end) = lines[line];
        let at = start + below(end - start + 1);
        let position = |at: usize| Position { line: line as u32, character: (at - start) as u32 };
        // Inside of a pair of surrogates the character's start is meant, past the end of a line its end, and past the
        // last line the end of the text.
        match below(16) {
            0 => (end, position(end + 1 + below(3))),
            1 => {
                (self.0.len(), Position { line: (lines.len() + below(3)) as u32, character: below(9) as u32 })
            }
            _ if at < end && (0xdc00..0xe000).contains(&self.0[at]) => (at - 1, position(at - below(2))),
            _ => (at, position(at)),
        }
    }

    /// The start and the end of each line.
    fn lines(&self) -> Vec<(usize, usize)> {
        let (mut lines, mut start, mut at) = (Vec::new(), 0, 0);
        while at < self.0.len() {
            let next = match (self.0[at], self.0.get(at + 1)) {
                (13, Some(10)) => at + 2,
                (10 | 13, _) => at + 1,
                _ => {
                    at += 1;
                    continue;
                }
            };
            lines.push((start, at));
            (start, at) = (next, next);
        }
        lines.push((start, self.0.len()));
        lines
    }
}
