//! Makes visible what would act on a terminal, or could not be seen at all.
//!
//! Only characters are looked at: what is an error in a skill is decided by the rules.

use std::borrow::Cow;

/// `text` with every hidden character as an escape, such as `\n` or `\u{1b}`.
///
/// A backslash stays as it is: the result is to be read, not to be read back.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push(&mut escaped, c, is_hidden(c));
    }
    Cow::Owned(escaped)
}

/// A path with every hidden character as an escape. A line feed is `\u{a}`, since a name may hold `\n` as it
/// is written.
pub(super) fn escape_path(path: &str) -> Cow<'_, str> {
    if !path.contains(is_hidden) {
        return Cow::Borrowed(path);
    }
    let shown =
        path.chars().map(|c| if is_hidden(c) { c.escape_unicode().collect() } else { String::from(c) });
    Cow::Owned(shown.collect())
}

/// Adds `c`, as an escape if that is wanted.
pub(super) fn push(text: &mut String, c: char, escaped: bool) {
    if escaped {
        text.extend(c.escape_default());
    } else {
        text.push(c);
    }
}

/// Whether a character controls the terminal or the direction of text, ends a line, or has no
/// appearance of its own. Joiners are not hidden: they shape their neighbours.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_or_hides_is_escaped() {
        assert_eq!(escape("\u{1b}[2J\r\n\t\u{9b}1m\u{7f}"), r"\u{1b}[2J\r\n\t\u{9b}1m\u{7f}");
        assert_eq!(escape("red \u{202e}gnp.exe"), r"red \u{202e}gnp.exe");
        assert_eq!(escape("a\u{200b}b\u{e0041}\u{2028}"), r"a\u{200b}b\u{e0041}\u{2028}");
    }

    #[test]
    fn a_line_feed_in_a_path_is_told_from_its_escape() {
        assert_eq!(escape_path("a\nb\u{200b}"), r"a\u{a}b\u{200b}");
        assert_eq!(escape_path(r"a\nb"), r"a\nb");
    }

    #[test]
    fn what_can_be_seen_stays() {
        for text in ["", r"C:\new", "名前 e\u{301} 👩\u{200d}💻 ❤\u{fe0f} شما\u{200c}را"] {
            assert!(matches!(escape(text), Cow::Borrowed(same) if same == text));
        }
    }
}
