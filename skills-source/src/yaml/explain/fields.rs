//! Faults of a whole line: a colon too many, too few or without a blank, and lines that end the YAML.

use super::view::{Problem, View};
use crate::fault::Edit;
use crate::source::Span;
use crate::yaml::lines::{entry_at, line_at, stray_lines};
use crate::yaml::mask::Mask;

impl View<'_> {
    pub(super) fn stray_colon(&self, at: usize) -> Problem {
        let line = line_at(self.yaml, at);
        let before = &self.yaml[line.start..at];
        let Some(entry) = entry_at(self.yaml, at) else { return self.no_colon(at) };
        if entry.key.start == line.start && entry.key.end == at {
            // The colon is the line's own: what stands before it had none that counts.
            return self.no_blank_after_colon(line.start, at);
        }
        let mut help = self.quote_help(at);
        let word = before.trim();
        let may_be_a_field =
            line.start > entry.key.start && !word.is_empty() && !word.contains(char::is_whitespace);
        if may_be_a_field {
            help.push_str(&format!("; or, if `{word}` is a field of its own, put it at column 1"));
        }
        let edit = if may_be_a_field { None } else { self.quoted_as_it_stands(at, &entry) };
        let fault = self
            .fault(at..at + 1, "an unquoted value may not hold `: `")
            .label("this colon")
            .help(help)
            .edit(edit);
        // One finding a value: the colons after this one belong to the same text. What may be a field
        // of its own is not judged as part of this one.
        let begins_here = self.begins_beside_its_key(&entry);
        let mask = match (begins_here, may_be_a_field) {
            (true, true) => Mask::Value(entry.value),
            (true, false) => Mask::Colons(at..entry.value.end.max(line.end)),
            (false, _) => Mask::Colons(at..line.end),
        };
        Problem { fault, mask }
    }

    pub(super) fn no_colon(&self, at: usize) -> Problem {
        let line = line_at(self.yaml, at);
        let written = self.yaml[line.clone()].trim_end();
        let span = line.start..line.start + written.len();
        if written.starts_with(['{', '}', '[', ']']) {
            let fault = self
                .fault(self.character(line.start), "a value in brackets must be indented below its key")
                .label("at column 1")
                .help("indent these lines by two spaces, or begin them on the line of the key");
            return Problem { fault, mask: self.hide(line.start) };
        }
        let is_key =
            |key: &str| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if let Some((key, value)) = written.split_once(':').filter(|(key, _)| !key.is_empty() && is_key(key))
        {
            return self.blank_missing(&line, key, value);
        }
        let field = if is_key(written) { format!("`{written}: …`") } else { "a field".to_owned() };
        let fault = self.fault(span, "this line is no `key: value`").help(format!(
            "write {field}, indent the line if it goes on the value above, or begin it with `#`"
        ));
        Problem { fault, mask: Mask::Lines(stray_lines(self.yaml, line.start)) }
    }

    /// The YAML ends and more follows: after `...`, after dashes, or since the first line is indented.
    pub(super) fn second_document(&self) -> Problem {
        let lines = || crate::source::lines(self.yaml).map(|line| line.start..line.end);
        let ends = |line: &Span| {
            let written = &self.yaml[line.clone()];
            ["...", "---", "%"].iter().any(|sign| written.starts_with(sign))
        };
        if let Some(line) = lines().find(ends) {
            let sign = if self.yaml[line.clone()].starts_with('%') {
                "%"
            } else {
                &self.yaml[line.start..line.start + 3]
            };
            let fault = self
                .fault(
                    line.start..line.start + sign.len(),
                    &format!("`{sign}` at column 1 ends the fields, and more follows"),
                )
                .help("delete the line, or quote or indent it if it is part of a value");
            return Problem { fault, mask: Mask::Lines(line) };
        }
        let first = lines().find(|line| !self.yaml[line.clone()].trim().is_empty()).unwrap_or(0..0);
        let indent = self.yaml[first.clone()].len() - self.yaml[first.clone()].trim_start().len();
        let fault = self
            .fault(first.start..first.start + indent, "the first field is indented, and a later one is not")
            .label("this indentation")
            .help("begin every field at column 1");
        Problem { fault, mask: Mask::Nothing }
    }

    fn no_blank_after_colon(&self, line_start: usize, at: usize) -> Problem {
        let above = self.yaml[..line_start].trim_end();
        let line = line_at(self.yaml, above.len());
        let written = self.yaml[line.clone()].trim_end();
        match written.split_once(':') {
            Some((key, value)) if !written.starts_with([' ', '#']) && !above.is_empty() => {
                self.blank_missing(&line, key, value)
            }
            // A key that goes on on the next line, to the parser.
            None if !above.is_empty() && !written.starts_with([' ', '\t', '#']) => self.no_colon(line.start),
            _ => {
                let fault = self
                    .fault(at..at + 1, "a field is not expected here")
                    .help("put each field on a line of its own, at column 1");
                Problem { fault, mask: Mask::Lines(line) }
            }
        }
    }

    fn blank_missing(&self, line: &Span, key: &str, value: &str) -> Problem {
        let colon = line.start + key.len();
        let fault = self
            .fault(colon..colon + 1, "a blank is missing after the colon")
            .label("nothing separates the key from its value")
            .help(format!("write `{key}: {value}`"))
            .edit(Some(Edit {
                span: self.base + colon + 1..self.base + colon + 1,
                text: " ".to_owned(),
                meaning: Some(value.trim().to_owned()),
            }));
        Problem { fault, mask: Mask::Value(colon + 1..line.end) }
    }
}
