//! Text of skills in HTML: nothing of it is markup, and nothing hides.

use std::collections::HashSet;
use std::fmt::{self, Display, Write as _};

use skills_pack::hidden;

use crate::render::is_hidden;

/// A name, a path or a sentence: one line, in which line ends are escapes too.
pub(super) struct Line<'t>(pub(super) &'t str);

/// Text of several lines, for an element that keeps them.
pub(super) struct Block<'t>(pub(super) &'t str);

/// Text without elements: the value of an attribute in double quotes, a title, text in a picture.
pub(super) struct Plain<'t>(pub(super) &'t str);

/// A line of at most this many characters, with a count of those that follow.
pub(super) struct Cut<'t>(pub(super) &'t str, pub(super) usize);

impl Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.0, |_| false, true)
    }
}

impl Display for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.0, |c| matches!(c, '\n' | '\t'), true)
    }
}

impl Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.0, |_| false, false)
    }
}

impl Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((at, _)) = self.0.char_indices().nth(self.1) else { return Line(self.0).fmt(f) };
        let more = self.0[at..].chars().count();
        write!(f, "{} <small>… and {more} more characters</small>", Line(&self.0[..at]))
    }
}

/// Writes text with escapes; those of hidden characters are elements of their own where that is possible, so that
/// nobody takes them for what is in the file.
fn write(
    f: &mut fmt::Formatter<'_>,
    text: &str,
    stays: impl Fn(char) -> bool,
    is_in_element: bool,
) -> fmt::Result {
    let smuggled: HashSet<usize> =
        if text.is_ascii() { HashSet::new() } else { hidden::find(text).map(|(at, ..)| at).collect() };
    for (at, c) in text.char_indices() {
        match c {
            '<' => f.write_str("&lt;")?,
            '>' => f.write_str("&gt;")?,
            '&' => f.write_str("&amp;")?,
            '"' => f.write_str("&quot;")?,
            '\'' => f.write_str("&#39;")?,
            c if !stays(c) && (is_hidden(c) || smuggled.contains(&at)) => {
                let escape = if c.is_ascii_control() {
                    c.escape_default().to_string()
                } else {
                    c.escape_unicode().to_string()
                };
                if is_in_element { write!(f, "<i>{escape}</i>")? } else { f.write_str(&escape)? }
            }
            c => f.write_char(c)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup_and_nothing_hides() {
        let text = "<b a='1' c=\"2\">&\u{202e}\n\u{e0041}\u{fe0f}é</b>";
        assert_eq!(
            Line(text).to_string(),
            "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;<i>\\u{202e}</i><i>\\n</i><i>\\u{e0041}</i><i>\\u{fe0f}</i>é&lt;/b&gt;"
        );
        assert!(Block(text).to_string().contains("</i>\n<i>"));
        assert_eq!(Plain("\"\u{0}\t").to_string(), "&quot;\\u{0}\\t");
    }

    #[test]
    fn what_is_cut_is_counted() {
        assert_eq!(Cut("é<x", 3).to_string(), "é&lt;x");
        assert_eq!(Cut("é<xyz", 2).to_string(), "é&lt; <small>… and 3 more characters</small>");
    }
}
