//! The advice to put a value in quotes, with the line to write.
//!
//! How a line is quoted is known in `quote`; which value is meant, here.

use super::view::{Problem, View};
use crate::yaml::lines::{entry_at, line_at};
use crate::yaml::quote;

impl View<'_> {
    /// The fault of a value that begins with a sign which means something to YAML.
    pub(super) fn quote_it(&self, at: usize, reason: &str) -> Problem {
        let fault = self.fault(self.character(at), reason).help(self.quote_help(at)).edit(self.edit_whole(
            at,
            |value| {
                let sign = self.original[at..].chars().next()?;
                // Other signs may as well begin a list or a block.
                (value.starts_with(sign) && "@`%*&".contains(sign)).then_some(value)
            },
        ));
        Problem { fault, mask: self.hide(at) }
    }

    pub(super) fn quote_help(&self, at: usize) -> String {
        match self.quoted(at) {
            Some(line) => format!("quote the value: `{line}`"),
            None => "put the whole text in quotes".to_owned(),
        }
    }

    /// What to write in place of the value that holds this place: the value in quotes, on one line,
    /// after its key or its dash. `None` where it is not clear which value that is.
    pub(super) fn quoted(&self, at: usize) -> Option<String> {
        let line = line_at(self.yaml, at);
        let written = &self.yaml[line.clone()];
        let entry = entry_at(self.yaml, at)?;
        if !written.starts_with([' ', '\t', '-']) {
            return Some(quote::line(&self.original[entry.key.clone()], &self.original[entry.value.clone()]));
        }
        let start = line.start + (written.len() - written.trim_start().len());
        let inner = &self.original[start..line.end];
        if let Some(item) = inner.strip_prefix("- ") {
            return Some(quote::line("-", item));
        }
        let colon = inner.find(": ").filter(|colon| start + colon < at);
        if let Some(colon) = colon {
            return Some(quote::line(&inner[..colon], &inner[colon + 1..]));
        }
        // The line goes on with a text that began above: with the entry's, if that begins beside its key.
        self.begins_beside_its_key(&entry)
            .then(|| quote::line(&self.original[entry.key], &self.original[entry.value]))
    }
}
