//! Small pieces of text that several crates write.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Display, Write as _};

/// Bytes in hexadecimal digits, in lower case.
#[derive(Debug, Clone, Copy)]
pub struct Hex<'b>(pub &'b [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        // Up to 32 bytes at a time, so that a digest needs one write.
        for bytes in self.0.chunks(32) {
            let mut digits = [0; 64];
            for (two, byte) in digits.chunks_exact_mut(2).zip(bytes) {
                two[0] = DIGITS[usize::from(byte >> 4)];
                two[1] = DIGITS[usize::from(byte & 15)];
            }
            f.write_str(core::str::from_utf8(&digits[..bytes.len() * 2]).unwrap_or_default())?;
        }
        Ok(())
    }
}

/// A number of things: `1 skill`, `2 skills`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    format!("{count} {what}{}", if count == N::from(1) { "" } else { "s" })
}

/// A value in backticks.
#[derive(Debug, Clone, Copy)]
pub struct Quoted<T>(pub T);

impl<T: Display> Display for Quoted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.0)
    }
}

/// Items with a separator between them.
#[derive(Debug, Clone, Copy)]
pub struct Joined<I>(pub I, pub &'static str);

impl<I: Iterator<Item: Display> + Clone> Display for Joined<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, item) in self.0.clone().enumerate() {
            if at > 0 {
                f.write_str(self.1)?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}

/// ` and 3 more`, after a list that leaves out this many items; nothing for 0.
#[derive(Debug, Clone, Copy)]
pub struct AndMore(pub usize);

impl Display for AndMore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { Ok(()) } else { write!(f, " and {} more", self.0) }
    }
}

/// A string with escapes, such as `\n` or `\u{1b}`, for the characters that `is_escaped` selects.
///
/// A backslash stays as it is: the result is for people and can't be parsed back.
#[derive(Debug, Clone, Copy)]
pub struct Escaped<'t>(pub &'t str, pub fn(char) -> bool);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text, is_escaped) = *self;
        if !text.contains(is_escaped) {
            return f.write_str(text);
        }
        text.chars().try_for_each(|c| {
            if is_escaped(c) { write!(f, "{}", c.escape_default()) } else { f.write_char(c) }
        })
    }
}

/// `text` with an escape for each character that would act on a terminal, except tabs and line ends.
///
/// Characters that are merely invisible stay: many languages need them, and a skill's text should be copied unchanged.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 1);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let stays = matches!(c, '\n' | '\t') || c == '\r' && chars.peek() == Some(&'\n');
        if acts_on_terminal(c) && !stays { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// JSON with JSON's escapes for the same characters, except line feeds, which valid JSON has only outside of strings.
pub fn visible_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        if acts_on_terminal(c) && c != '\n' {
            shown.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| alloc::format!("\\u{unit:04x}")));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Whether a character controls a terminal or the direction of text.
pub fn acts_on_terminal(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A question after a misspelt name, with similar names.
pub fn did_you_mean(near: impl Display) -> String {
    alloc::format!("did you mean {near}?")
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn pieces_are_written() {
        assert_eq!(Hex(&[0, 0x0f, 0xa5, 0xff]).to_string(), "000fa5ff");
        assert_eq!(Hex(&[0x1e; 33]).to_string(), "1e".repeat(33));
        assert_eq!(Joined(["a", "b"].iter().map(Quoted), ", ").to_string(), "`a`, `b`");
        assert_eq!(Joined(0..1, "; ").to_string(), "0");
        assert_eq!(alloc::format!("a{}{}", AndMore(0), AndMore(12)), "a and 12 more");
        assert_eq!(Escaped("a\n\u{1b}[2J\\é", char::is_control).to_string(), r"a\n\u{1b}[2J\é");
        assert_eq!(did_you_mean(Quoted("pdf")), "did you mean `pdf`?");
        assert_eq!(
            visible("a\r\n\tb\rc\u{1b}[2J\u{202e}\u{200d}"),
            "a\r\n\tb\\rc\\u{1b}[2J\\u{202e}\u{200d}"
        );
        assert_eq!(visible_json("{\n\"a\": \"\u{9b}\u{2066}é\"\n}"), "{\n\"a\": \"\\u009b\\u2066é\"\n}");
    }
}
