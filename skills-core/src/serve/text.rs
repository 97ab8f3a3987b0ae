//! Pieces of the texts that several actions share.

use core::fmt::{self, Write as _};

/// Characters of a description in a list.
const DESCRIPTION_CHARS: usize = 200;

/// A description on one line, cut at 200 characters (contract 3.1).
pub(super) struct OneLine<'a>(pub(super) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, cut) = match self.0.char_indices().nth(DESCRIPTION_CHARS) {
            Some((end, _)) => (self.0[..end].trim_end(), true),
            None => (self.0, false),
        };
        Flat(shown).fmt(f)?;
        if cut { f.write_char('…') } else { Ok(()) }
    }
}

/// A text without line breaks: each of them becomes a blank, so that no value begins a line of its own.
pub(super) struct Flat<'a>(pub(super) &'a str);

impl fmt::Display for Flat<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

/// What the caller gave, to be shown back: at most 200 characters, control characters escaped.
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
        if !self.0.contains(char::is_control) {
            return f.write_str(self.0);
        }
        self.0.chars().try_for_each(|c| {
            if c.is_control() { write!(f, "{}", c.escape_default()) } else { f.write_char(c) }
        })
    }
}

/// Items with a separator between them.
pub(super) struct Joined<I>(pub(super) I, pub(super) &'static str);

impl<'a, I: Iterator<Item = &'a str> + Clone> fmt::Display for Joined<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, item) in self.0.clone().enumerate() {
            if at > 0 {
                f.write_str(self.1)?;
            }
            Flat(item).fmt(f)?;
        }
        Ok(())
    }
}
