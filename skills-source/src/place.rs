//! From byte offsets to lines and columns, and from faults to findings.
//!
//! A phase reports [`Fault`]s: a code, a span and words. [`Place`] knows the file and makes
//! [`Finding`]s of them. Lines end at LF, CRLF or a lone CR, and columns count characters, so that a
//! position is the same in every editor and in every phase.

use std::ops::Range;

use crate::code::Code;
use crate::finding::{Edit, Excerpt, Finding, Related};

/// A part of a file's text, as byte offsets.
pub type Span = Range<usize>;

/// What a phase found wrong with one text, before it is tied to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Which rule was broken.
    pub code: Code,
    /// Where, as byte offsets into the text.
    pub span: Span,
    /// See [`Finding::message`].
    pub message: String,
    /// See [`Finding::label`].
    pub label: String,
    /// See [`Finding::help`].
    pub help: String,
    /// Other places in the same text, with their labels.
    pub related: Vec<(Span, String)>,
    /// The change that mends it, where only one can be meant.
    pub change: Option<Box<Change>>,
}

/// A part of a text, and what is to stand in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// What is replaced, as byte offsets into the text.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
    /// See [`Edit::meaning`].
    pub meaning: Option<String>,
}

impl Fault {
    /// A fault without label, help or second place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            span,
            message: message.into(),
            label: String::new(),
            help: String::new(),
            related: Vec::new(),
            change: None,
        }
    }

    /// What stands beside the underline.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// How to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// A second place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// What mends it.
    pub(crate) fn change(mut self, change: Option<Change>) -> Self {
        self.change = change.map(Box::new);
        self
    }
}

/// A text with its file's name.
///
/// Lines are counted when a position is asked for, and no further than that: most files have no
/// findings, and most findings stand near the top.
#[derive(Debug)]
pub struct Place<'t> {
    path: String,
    text: &'t str,
}

impl<'t> Place<'t> {
    /// Ties `text` to `path`, the path to be shown.
    pub fn new(path: impl Into<String>, text: &'t str) -> Self {
        Self { path: path.into(), text }
    }

    /// The line and column of a byte offset, both from 1, the column in characters.
    ///
    /// An offset past the end is taken as the end; one inside a character as that character's start.
    pub fn line_column(&self, offset: usize) -> (u32, u32) {
        let offset = floor_char(self.text, offset);
        let (number, start) = self.line_before(offset);
        let column = self.text[start..offset].chars().count();
        (number as u32 + 1, column as u32 + 1)
    }

    /// Makes a finding, at the rule's default level, of a fault in this text.
    pub fn finding(&self, fault: Fault) -> Finding {
        let (line, column) = self.line_column(fault.span.start);
        Finding {
            code: fault.code,
            level: fault.code.rule().level,
            path: self.path.clone(),
            line,
            column,
            message: fault.message,
            label: fault.label,
            help: fault.help,
            excerpt: Some(self.excerpt(fault.span)),
            related: fault.related.into_iter().map(|(span, label)| self.related(span, label)).collect(),
            edit: fault.change.map(|change| self.edit(*change)),
        }
    }

    fn edit(&self, change: Change) -> Edit {
        let Change { span, text, meaning } = change;
        Edit { start: self.line_column(span.start), end: self.line_column(span.end), span, text, meaning }
    }

    /// A second place in this text, also for a finding in another file.
    pub fn related(&self, span: Span, label: String) -> Related {
        let (line, column) = self.line_column(span.start);
        Related { path: self.path.clone(), line, column, label, excerpt: Some(self.excerpt(span)) }
    }

    /// The line on which `span` starts; a span over several lines is cut at the end of that line.
    fn excerpt(&self, span: Span) -> Excerpt {
        let start = floor_char(self.text, span.start);
        let (_, line_start) = self.line_before(start);
        let line =
            lines(&self.text[line_start..]).next().map_or(self.text.len(), |line| line_start + line.end);
        let end = floor_char(self.text, span.end).clamp(start, line.max(start));
        Excerpt {
            text: self.text[line_start..line.max(start)].to_owned(),
            start: start - line_start,
            end: end - line_start,
        }
    }

    /// How many lines end before `offset`, and where the line that holds it starts.
    fn line_before(&self, offset: usize) -> (usize, usize) {
        let (before, after) = self.text.split_at(offset);
        // Between the two parts of a CRLF the line has not ended yet.
        let before =
            if after.starts_with('\n') { before.strip_suffix('\r').unwrap_or(before) } else { before };
        lines(before).fold((0, 0), |(number, _), line| (number + 1, line.next))
    }
}

/// A line of a text, as byte offsets: `start..end` without its line end, and where the next one starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) next: usize,
}

/// The lines that have an end: LF, CRLF or a lone CR. What follows the last end is no line here.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line> + '_ {
    let bytes = text.as_bytes();
    let mut start = 0;
    std::iter::from_fn(move || {
        let end = start + bytes[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
        let next = if bytes[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
        let line = Line { start, end, next };
        start = next;
        Some(line)
    })
}

/// `offset` moved down to the end of the text or the start of the character that holds it.
fn floor_char(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_counts() {
        let place = Place::new("f", "a\r\nbé\rc\nd");
        assert_eq!(place.line_column(0), (1, 1));
        assert_eq!(place.line_column(2), (1, 3));
        assert_eq!(place.line_column(3), (2, 1));
        assert_eq!(place.line_column(6), (2, 3));
        assert_eq!(place.line_column(7), (3, 1));
        assert_eq!(place.line_column(9), (4, 1));
        assert_eq!(place.line_column(99), (4, 2));
    }

    #[test]
    fn an_excerpt_stays_on_its_line() {
        let place = Place::new("f", "one\ntwo three\nfour");
        let excerpt = place.excerpt(8..16);
        assert_eq!((excerpt.text.as_str(), excerpt.start, excerpt.end), ("two three", 4, 9));
        let excerpt = place.excerpt(18..18);
        assert_eq!((excerpt.text.as_str(), excerpt.start, excerpt.end), ("four", 4, 4));
    }
}
