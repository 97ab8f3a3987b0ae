//! Faults of a value: how it begins, how it is indented, its brackets, and what follows it.
//!
//! Quotes have a file of their own.

use super::view::{Problem, View};
use crate::yaml::lines::{entry_at, line_at};
use crate::yaml::quote;

impl View<'_> {
    pub(super) fn bad_start(&self, at: usize) -> Problem {
        let found = self.original[at..].chars().next().unwrap_or('\u{fffd}');
        if found == '\t' {
            return self.tab(at);
        }
        self.quote_it(at, &format!("an unquoted value may not begin with `{found}`"))
    }

    pub(super) fn tab(&self, at: usize) -> Problem {
        let fault =
            self.fault(at..at + 1, "a tab may not indent a line").label("a tab").help("indent with spaces");
        Problem { fault, mask: self.hide(at) }
    }

    pub(super) fn brackets(&self, opened: usize, at: usize, reason: &str) -> Problem {
        let entry_end = entry_at(self.yaml, opened).map_or(self.yaml.len(), |entry| entry.value.end);
        let bracket = self.character(opened);
        let (open, close) = if self.original[opened..].starts_with('{') { ('{', '}') } else { ('[', ']') };
        let fault = if at >= entry_end {
            self.fault(bracket, &format!("a `{open}` is opened and never closed"))
                .label("opened here")
                .help(format!("close it with `{close}`, or quote the value if the bracket is part of a text"))
        } else {
            self.fault(self.character(at), reason)
                .label(format!("inside the brackets that `{open}` opened"))
                .help(format!(
                    "separate items with commas and close with `{close}`; quote items that hold signs"
                ))
                .related(self.base + bracket.start..self.base + bracket.end, "opened here")
        };
        Problem { fault, mask: self.hide(opened) }
    }

    pub(super) fn list_on_key_line(&self, at: usize) -> Problem {
        let mut problem = self.quote_it(at, "a list may not begin on the line of its key");
        problem
            .fault
            .help
            .push_str("; or, if it is a list, put each item on a line of its own below the key");
        problem
    }

    pub(super) fn text_after_value(&self, at: usize) -> Problem {
        let line = line_at(self.yaml, at);
        if at <= line.start || entry_at(self.yaml, at).is_none() {
            return self.no_colon(at);
        }
        let help = self.quote_help(at);
        let fault = match self.yaml[line.start..at].trim_end().chars().next_back() {
            Some('"' | '\'') => self
                .fault(self.character(at), "text follows the closing quote")
                .label("the value ended before this")
                .help(help)
                .edit(self.edit_whole(at, |value| quote::meaning(value).filter(|_| !value.contains('\\')))),
            Some(']' | '}') => self
                .fault(self.character(at), "text follows the closing bracket")
                .label("the value ended before this")
                .help(help)
                .edit(self.edit_whole(at, Some)),
            _ => self
                .fault(self.character(at), "the indentation fits no line above")
                .label("from here on")
                .help("indent the lines of one list or mapping alike"),
        };
        Problem { fault, mask: self.hide(at) }
    }
}
