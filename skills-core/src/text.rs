//! Formatting that several actions share.

use core::fmt::{self, Write as _};

use skills_pack::text::Escaped;

/// The most characters of a description in a list.
const DESCRIPTION_CHARS: usize = 200;

/// A description on one line, cut at 200 characters.
pub(super) struct OneLine<'a>(pub(super) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = skip_chars(self.0, DESCRIPTION_CHARS);
        if rest.is_empty() {
            return Flat(self.0).fmt(f);
        }
        Flat(self.0[..self.0.len() - rest.len()].trim_end()).fmt(f)?;
        f.write_char('…')
    }
}

/// A string without line breaks: each becomes a space, so that no value can begin a line of its own.
pub(super) struct Flat<'a>(pub(super) &'a str);

impl fmt::Display for Flat<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Most strings are on one line, and checking bytes is many times faster than checking characters.
        let may_break = |byte| matches!(byte, b'\n' | b'\r' | 0xc2 | 0xe2);
        if !self.0.bytes().fold(false, |found, byte| found | may_break(byte)) {
            return f.write_str(self.0);
        }
        let mut rest = self.0;
        while let Some(at) = rest.find(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
            f.write_str(&rest[..at])?;
            f.write_char(' ')?;
            let after = &rest[at..];
            let len =
                if after.starts_with("\r\n") { 2 } else { after.chars().next().map_or(1, char::len_utf8) };
            rest = &after[len..];
        }
        f.write_str(rest)
    }
}

/// A string from the caller, to be shown back: at most 200 characters, control characters escaped.
pub(super) struct Given<'a>(pub(super) &'a str);

impl fmt::Display for Given<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(DESCRIPTION_CHARS) {
            Some((end, _)) => write!(f, "{}…", Visible(&self.0[..end])),
            None => Visible(self.0).fmt(f),
        }
    }
}

/// A name on one line: control characters escaped.
pub(super) struct Visible<'a>(pub(super) &'a str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Escaped(self.0, char::is_control).fmt(f)
    }
}

/// The length of a string in characters.
pub(super) fn count_chars(text: &str) -> usize {
    // Most files are ASCII, and checking for that is faster than counting characters.
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Returns `text` without its first `count` characters.
pub(super) fn skip_chars(text: &str, count: usize) -> &str {
    if count == 0 {
        return text;
    }
    // A string has at most as many characters as bytes.
    if count >= text.len() {
        return "";
    }
    let starts_char = |byte: &u8| !matches!(byte, 0x80..=0xbf);
    let mut left = count;
    let mut start = 0;
    // Counting a chunk at a time is many times faster than going character by character.
    for piece in text.as_bytes().chunks(1024) {
        let chars = piece.iter().filter(|byte| starts_char(byte)).count();
        if chars > left {
            break;
        }
        left -= chars;
        start += piece.len();
    }
    let rest = text.as_bytes()[start..].iter().enumerate().filter(|(_, byte)| starts_char(byte)).nth(left);
    rest.map_or("", |(at, _)| &text[start + at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_skipped_not_bytes() {
        let long: String = "aé😀\n".repeat(2000);
        for text in ["", "abc", "é", "😀é", long.as_str()] {
            let count = text.chars().count();
            for skipped in [0, 1, 2, 3, 1023, 1024, 1025, 4097, count.saturating_sub(1), count, count + 1] {
                assert_eq!(
                    skip_chars(text, skipped),
                    text.chars().skip(skipped).collect::<String>(),
                    "{skipped}"
                );
            }
        }
    }
}
