//! Splits a `SKILL.md` file into its YAML frontmatter and its Markdown body.
//!
//! This module only decodes the bytes and finds the two fences. It does not read YAML (that is
//! [`yaml`](crate::yaml)) and never touches the file system: callers hand in the bytes they
//! already have. Every position is a byte offset into the decoded text, so that the build script,
//! the proc macro and the overlay point at the same place.

use crate::code::Code;
use crate::fault::{Edit, Fault};
use crate::source::{Span, lines};

/// The two parts of a `SKILL.md`, as byte offsets into its text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document {
    /// The YAML between the fences, its last line end included.
    pub frontmatter: Span,
    /// The body, with white space removed at both ends. Its line ends are as in the file.
    pub body: Span,
}

/// Decodes a file: UTF-8, with one leading byte-order mark dropped.
///
/// # Errors
///
/// [`Code::E006`] at the first byte that is not UTF-8; UTF-16 is recognised by its mark, or by NULs in every other byte, and named.
pub fn decode(bytes: &[u8]) -> Result<&str, NotUtf8> {
    let file = bytes;
    let bytes = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let Err(error) = std::str::from_utf8(bytes) else {
        return match looks_like_utf16(bytes) {
            Some(encoding) => Err(NotUtf8::encoding(encoding)),
            None => Ok(std::str::from_utf8(bytes).unwrap_or_default()),
        };
    };
    if let Some(encoding) = looks_like_utf16(bytes) {
        return Err(NotUtf8::encoding(encoding));
    }
    Err(bad_byte(file.len() - bytes.len(), bytes, error.valid_up_to()))
}

/// The first byte that starts no character is at `bad` of `bytes`, before which `mark_len` bytes of the
/// file were dropped.
fn bad_byte(mark_len: usize, bytes: &[u8], bad: usize) -> NotUtf8 {
    let line_end = bytes[bad..]
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(bytes.len(), |len| bad + len);
    let text = String::from_utf8_lossy(&bytes[..line_end]).into_owned();
    // What cannot be decoded is shown as one replacement character.
    let end = text[bad..].chars().next().map_or(bad, |c| bad + c.len_utf8());
    NotUtf8 {
        message: format!(
            "the file is not UTF-8: the byte 0x{:02X} at offset {} starts no character",
            bytes[bad],
            mark_len + bad
        ),
        shown: Some((text, bad..end)),
    }
}

/// Why bytes could not be decoded, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotUtf8 {
    /// What is wrong, naming the encoding where it is recognised.
    pub message: String,
    /// The text down to the end of the first bad line, with U+FFFD for what is no character, and where
    /// the first of those is. `None` where the whole file is in another encoding.
    pub shown: Option<(String, Span)>,
}

impl NotUtf8 {
    fn encoding(encoding: &str) -> Self {
        Self { message: format!("the file is {encoding}, not UTF-8"), shown: None }
    }
}

/// Splits `text` at its frontmatter fences.
///
/// A fence is a line of `---` and optional blanks, at column 0. Blank lines may come before the
/// first one; the next one closes the frontmatter, so dashes inside a value do not.
///
/// # Errors
///
/// [`Code::E001`] where the text does not begin with a fence, naming the line of the first fence if
/// there is one further down; [`Code::E002`], pointing at the opening fence, where no later line
/// closes it.
pub fn split(text: &str) -> Result<Document, Fault> {
    let mut all = lines_to_the_end(text);
    let opening = all.by_ref().find(|&(start, end, _)| !text[start..end].trim_matches(BLANKS).is_empty());
    let Some((fence_start, fence_end, frontmatter_start)) = opening else {
        return Err(Fault::new(Code::E001, 0..0, "the file is empty").help(START_WITH_A_FENCE));
    };
    if !is_fence(&text[fence_start..fence_end]) {
        return Err(no_fence_first(text, fence_start..fence_end, all));
    }
    for (start, end, next) in all {
        if is_fence(&text[start..end]) {
            return Ok(Document {
                frontmatter: frontmatter_start..start,
                body: trimmed(text, next..text.len()),
            });
        }
    }
    let fault =
        Fault::new(Code::E002, fence_start..fence_end, "the frontmatter is not closed").label("opened here");
    Err(match dashes_below(text, fence_end) {
        Some((span, c)) => {
            let edit = Edit { span: span.clone(), text: "---".to_owned(), meaning: None };
            fault.related(span, "this is no fence").help(three_hyphens(c)).edit(Some(edit))
        }
        None => fault.help("put a line of three dashes, `---`, at column 1 after the last field"),
    })
}

/// What to write in place of a dash that only looks like one of a fence.
fn three_hyphens(c: char) -> String {
    format!("write the fence as three hyphens, `---`: `{c}` (U+{:04X}) is not the `-` of a fence", c as u32)
}

/// The first character that is not `-` in a line of nothing but dashes, as an input method for Chinese or a word
/// processor makes them.
fn other_dash(line: &str) -> Option<char> {
    let is_dash = |c: char| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '−' | '─' | '━' | '﹘' | '﹣' | '－');
    let line = line.trim_matches(BLANKS);
    line.chars().all(is_dash).then(|| line.chars().find(|c| *c != '-')).flatten()
}

/// The first line of other dashes that begins at `from` or later, and the dash.
fn dashes_below(text: &str, from: usize) -> Option<(Span, char)> {
    lines_to_the_end(text)
        .filter(|(start, ..)| *start >= from)
        .find_map(|(start, end, _)| Some((start..end, other_dash(&text[start..end])?)))
}

const BLANKS: [char; 2] = [' ', '\t'];
const START_WITH_A_FENCE: &str =
    "begin the file with `---`, then `name: …` and `description: …`, then another `---`";

fn is_fence(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.trim_matches(BLANKS).is_empty())
}

/// Every line as its start, its end and the start of the next, the text after the last line end too.
fn lines_to_the_end(text: &str) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
    let mut lines = lines(text);
    let mut rest = Some(0);
    std::iter::from_fn(move || match lines.next() {
        Some(line) => {
            rest = Some(line.next);
            Some((line.start, line.end, line.next))
        }
        None => rest.take().map(|start| (start, text.len(), text.len())),
    })
}

fn no_fence_first(text: &str, first: Span, rest: impl Iterator<Item = (usize, usize, usize)>) -> Fault {
    let dashes = text[first.clone()].trim_matches(BLANKS);
    if dashes.len() > 3 && dashes.bytes().all(|byte| byte == b'-') {
        return Fault::new(Code::E001, first, "the opening fence has more than three dashes")
            .help("write exactly `---`");
    }
    if text[first.clone()].starts_with("---") || dashes == "---" {
        return Fault::new(Code::E001, first, "the opening fence must be `---` alone, at column 1")
            .help("put `---` on a line of its own, with nothing before or after it");
    }
    let first_line = dashes;
    let fault = Fault::new(Code::E001, first.clone(), "the frontmatter must come first in the file");
    let advice = match first_line {
        line if line.starts_with("```") || line.starts_with("~~~") => Some(in_a_code_fence(text)),
        "+++" => Some("write the fields as YAML, `name: …`, between two lines of `---`"),
        _ => None,
    };
    if let Some(c) = other_dash(first_line) {
        let edit = with_hyphens(text, first.clone());
        let fault = Fault::new(Code::E001, first, fault.message);
        return fault.label("this is no fence of a frontmatter").help(three_hyphens(c)).edit(edit);
    }
    if let Some(advice) = advice {
        return fault.label("this is no fence of a frontmatter").help(advice);
    }
    // Only a fence that something like a field follows is the frontmatter; else it is a rule in the text.
    let mut rest = rest.peekable();
    while let Some((start, end, _)) = rest.next() {
        let field_follows = rest.peek().is_some_and(|&(start, end, _)| text[start..end].contains(':'));
        if is_fence(&text[start..end]) && field_follows {
            let line = lines(&text[..start]).count() + 1;
            return fault
                .label("this is above it")
                .related(start..end, "the frontmatter begins here")
                .help(format!("move everything above line {line} into the body, below the closing `---`"));
        }
    }
    fault.label("no `---` before this").help(START_WITH_A_FENCE)
}

/// The edit that writes the fence at `first`, and the one that closes it, as hyphens.
fn with_hyphens(text: &str, first: Span) -> Option<Edit> {
    let is_any_fence = |line: &str| is_fence(line) || other_dash(line).is_some();
    let mut below = lines_to_the_end(text).filter(|(start, ..)| *start > first.end);
    let (start, end, _) = below.find(|&(start, end, _)| is_any_fence(&text[start..end]))?;
    let inside = &text[first.end..start];
    let edited = Edit { span: first.start..end, text: format!("---{inside}---"), meaning: None };
    inside.contains(':').then_some(edited)
}

/// What to do with a code fence around the frontmatter, or around the whole file.
fn in_a_code_fence(text: &str) -> &'static str {
    let mut inside =
        lines(text).map(|line| text[line.start..line.end].trim()).filter(|line| !line.is_empty());
    match inside.nth(1) {
        Some("---") => "take the code fence away: its first line, and the last one that closes it",
        _ => "write `---` in place of both lines of the code fence",
    }
}

fn trimmed(text: &str, span: Span) -> Span {
    let part = &text[span.clone()];
    let start = span.start + (part.len() - part.trim_start().len());
    start..(start + part.trim().len())
}

/// The name of the UTF-16 form in which these bytes seem to be.
fn looks_like_utf16(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, ..] => return Some("UTF-16 (little-endian)"),
        [0xfe, 0xff, ..] => return Some("UTF-16 (big-endian)"),
        _ => {}
    }
    let head = &bytes[..bytes.len().min(64)];
    let nul_at = |parity: usize| head.iter().skip(parity).step_by(2).all(|&byte| byte == 0);
    let has_text = head.iter().any(|&byte| byte != 0);
    match (head.len() >= 4 && has_text, nul_at(0), nul_at(1)) {
        (true, false, true) => Some("UTF-16 (little-endian, without a mark)"),
        (true, true, false) => Some("UTF-16 (big-endian, without a mark)"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (&str, &str) {
        let document = split(text).expect("the text has two fences");
        (&text[document.frontmatter], &text[document.body])
    }

    #[test]
    fn only_whole_lines_of_dashes_are_fences() {
        assert_eq!(
            parts("---\na: x --- y\n ---\n---\nbody\n---\nmore\n"),
            ("a: x --- y\n ---\n", "body\n---\nmore")
        );
    }

    #[test]
    fn edge_forms_of_a_fence_are_read() {
        assert_eq!(parts("\n \n---  \r\na: 1\r\n---\t\r\n\r\n b \r\n"), ("a: 1\r\n", "b"));
        assert_eq!(parts("---\ra: 1\r---\rb"), ("a: 1\r", "b"));
        assert_eq!(parts("---\na: 1\n---"), ("a: 1\n", ""));
        assert_eq!(parts("---\n---"), ("", ""));
    }

    #[test]
    fn faults_name_the_place() {
        let fault = split("<!-- x -->\n---\nname: a\n---\n").expect_err("text stands above");
        assert_eq!((fault.code, fault.related[0].0.clone()), (Code::E001, 11..14));
        assert_eq!(split("").expect_err("empty").code, Code::E001);
        assert_eq!(split("\n\n---\nname: a\n").expect_err("open").span, 2..5);
        for (text, right) in [
            ("－－－\nname: a\n－－－\nb", "---\nname: a\n---"),
            ("———\nname: a\n---\nb", "---\nname: a\n---"),
            ("—\r\nname: a\r\n—\r\nb", "---\r\nname: a\r\n---"),
        ] {
            let fault = split(text).expect_err("other dashes");
            assert_eq!((fault.code, fault.edit.map(|edit| edit.text).as_deref()), (Code::E001, Some(right)));
            assert!(fault.help.contains("is not the `-` of a fence"), "{}", fault.help);
        }
        let fault = split("---\nname: a\n－－－\nb").expect_err("not closed");
        assert_eq!((fault.code, fault.edit.map(|edit| edit.span)), (Code::E002, Some(12..21)));
        for text in ["—\nA text with a dash above\n", "———\n"] {
            assert_eq!(split(text).expect_err("no fields").edit, None);
        }
        assert_eq!(split("----\na: 1\n----\n").expect_err("four").code, Code::E001);
    }

    #[test]
    fn other_encodings_are_named() {
        assert!(decode(b"\xff\xfe-\0-\0").expect_err("UTF-16").message.contains("UTF-16"));
        assert!(decode(b"-\0-\0-\0\n\0").expect_err("UTF-16").message.contains("without a mark"));
        let error = decode("é\nab\u{e9}".replace("ab\u{e9}", "ab").as_bytes()).map(str::len);
        assert_eq!(error, Ok(5));
        let error = decode(b"a\nb\xe9c").expect_err("Latin-1");
        assert_eq!(error.shown, Some(("a\nb\u{fffd}c".to_owned(), 3..6)));
        // Offsets are those of the file, its byte-order mark included.
        let error = decode(b"\xef\xbb\xbfa\nb\xe9").expect_err("Latin-1");
        assert!(error.message.contains("0xE9 at offset 6 "), "{}", error.message);
        assert_eq!(decode(b"\xef\xbb\xbf\xef\xbb\xbfa"), Ok("\u{feff}a"));
    }
}
