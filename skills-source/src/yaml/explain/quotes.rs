//! Faults of quotes: one that is never closed, or by a quote of another value, and escapes that are none.
//!
//! The parser notices an open quote where the next one stands or at the end; here it is looked for where
//! it was opened.

use super::view::{Problem, View};
use crate::yaml::lines::entry_at;
use crate::yaml::quote;

impl View<'_> {
    /// Where a quote was opened that only a quote of a later entry, just before `at`, has closed.
    pub(super) fn quote_opened_above(&self, at: usize) -> Option<usize> {
        let before = self.yaml[..at].trim_end_matches([' ', '\t']);
        let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
        let closing = before.len() - 1;
        let mut entry = entry_at(self.yaml, closing)?;
        loop {
            let value = self.yaml[entry.value.clone()].trim_start();
            let start = entry.value.end - value.len();
            if value.starts_with(quote) && start < closing {
                return (entry.value.end <= closing && !quote::closes(&value[1..], quote)).then_some(start);
            }
            entry = entry_at(self.yaml, entry.key.start.checked_sub(1)?)?;
        }
    }

    pub(super) fn unclosed_quote(&self, opened: usize) -> Problem {
        let sign = self.original[opened..].chars().next().unwrap_or('"');
        let fault = self
            .fault(self.character(opened), "a quote is opened and never closed")
            .label("opened here")
            .help(format!("close it with `{sign}` at the end of the value, or take it out"))
            .edit(self.edit_whole(opened, |value| {
                // A single quote may as well be an apostrophe.
                value.strip_prefix('"').filter(|text| !text.contains(['"', '\\'])).map(str::trim)
            }));
        Problem { fault, mask: self.hide(opened) }
    }

    pub(super) fn bad_escape(&self, at: usize) -> Problem {
        let until = self.character(at).end;
        let backslash = self.original[..until].rfind('\\').unwrap_or(at);
        let help = match self.quoted(backslash) {
            Some(line) => format!("use single quotes, in which `\\` is a plain sign: `{line}`"),
            None => "use single quotes, in which `\\` is a plain sign".to_owned(),
        };
        let fault = self
            .fault(self.character(backslash), "not an escape that double quotes know")
            .label("this backslash")
            .help(help)
            .edit(self.edit_whole(backslash, |value| {
                let text = value.strip_prefix('"')?.strip_suffix('"')?;
                (!text.contains('"') && quote::holds_only_bad_escapes(text)).then_some(text)
            }));
        Problem { fault, mask: self.hide(backslash) }
    }
}
