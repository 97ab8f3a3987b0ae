//! The YAML that the parser refused, as every explanation looks at it.

use crate::code::Code;
use crate::fault::Fault;
use crate::source::Span;
use crate::subject::Subject;
use crate::yaml::lines::{Entry, line_at};
use crate::yaml::mask::Mask;

/// A fault and what to hide so that the rest can be read.
pub(in crate::yaml) struct Problem {
    pub(in crate::yaml) fault: Fault,
    pub(in crate::yaml) mask: Mask,
}

/// The YAML as written and as masked; both have the same length.
pub(super) struct View<'t> {
    pub(super) original: &'t str,
    pub(super) yaml: &'t str,
    pub(super) base: usize,
    pub(super) subject: Subject,
}

impl View<'_> {
    pub(super) fn fault(&self, span: Span, reason: &str) -> Fault {
        let end = span.end.min(self.yaml.len()).max(span.start);
        let span = self.base + span.start..self.base + end;
        Fault::new(Code::E003, span, format!("{} is not valid YAML: {reason}", self.subject.the()))
    }

    /// One character, or a point at the end of the text.
    pub(super) fn character(&self, at: usize) -> Span {
        let len = self.original.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        at..at + len
    }

    pub(super) fn hide(&self, at: usize) -> Mask {
        Mask::entry_or_line(self.yaml, at)
    }

    /// Whether an entry's value is a text that begins on the line of its key.
    pub(super) fn begins_beside_its_key(&self, entry: &Entry) -> bool {
        let first = self.beside_key(entry);
        !first.is_empty() && !first.starts_with(['|', '>', '[', '{'])
    }

    /// What stands of an entry's value on the line of its key.
    pub(super) fn beside_key(&self, entry: &Entry) -> &str {
        self.yaml[entry.value.start..line_at(self.yaml, entry.value.start).end].trim()
    }

    /// The span without the blanks at its ends.
    pub(super) fn trimmed(&self, span: Span) -> Span {
        let text = &self.original[span.clone()];
        let start = span.start + (text.len() - text.trim_start().len());
        start..(start + text.trim().len())
    }
}
