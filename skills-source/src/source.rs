//! The text of one file, kept once for everything that is found in it.
//!
//! A phase speaks of byte offsets; [`Source`] turns them into lines and columns, and cuts the line to
//! show. Lines end at LF, CRLF or a lone CR, and columns count characters, so that a position is the
//! same in every editor and in every phase.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A part of a file's text, as byte offsets.
pub type Span = Range<usize>;

/// The text of a file, or its beginning, with the file's path.
///
/// Findings share it, so it holds only what may be shown: a secret is masked here, not by those who
/// show it. Offsets are those of the file's text without a byte-order mark.
pub struct Source {
    path: String,
    text: String,
    /// Where each line starts, once somebody has asked for a position.
    line_starts: OnceLock<Vec<usize>>,
}

/// One line of a file, with the part to underline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt<'t> {
    /// The whole line, without its line end.
    pub text: &'t str,
    /// Byte offset in `text` where the underline starts.
    pub start: usize,
    /// Byte offset in `text` where it ends; equal to `start` for a point between characters.
    pub end: usize,
}

impl Excerpt<'_> {
    /// How many characters are underlined, if any are.
    pub fn columns(&self) -> Option<u32> {
        let part = self.text.get(self.start..self.end).filter(|part| !part.is_empty())?;
        Some(part.chars().count() as u32)
    }
}

impl Source {
    /// The `text` of the file that is shown as `path`.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { path: path.into(), text: text.into(), line_starts: OnceLock::new() })
    }

    /// The file's path, as it is shown.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same file with another text. Its lines and characters must be where they were.
    #[must_use]
    pub fn with_text(&self, text: String) -> Arc<Self> {
        Self::new(self.path.as_str(), text)
    }

    /// The line and column of a byte offset, both from 1, the column in characters.
    ///
    /// An offset past the end is taken as the end; one inside a character as that character's start.
    pub fn line_column(&self, offset: usize) -> (u32, u32) {
        let offset = floor_char(&self.text, offset);
        let (number, start) = self.line_at(offset);
        let column = self.text[start..offset].chars().count();
        (number as u32 + 1, column as u32 + 1)
    }

    /// The line with this number, from 1, without its line end.
    pub fn line(&self, number: u32) -> Option<&str> {
        self.line_span(number).map(|span| &self.text[span])
    }

    /// Where the line with this number is, from 1, without its line end.
    pub fn line_span(&self, number: u32) -> Option<Span> {
        let start = *self.line_starts().get((number as usize).checked_sub(1)?)?;
        Some(start..self.line_end(start))
    }

    /// The line on which `span` starts; a span over several lines is cut at the end of that line.
    pub fn excerpt(&self, span: &Span) -> Excerpt<'_> {
        let start = floor_char(&self.text, span.start);
        let (_, line_start) = self.line_at(start);
        let line_end = self.line_end(line_start).max(start);
        let end = floor_char(&self.text, span.end).clamp(start, line_end);
        Excerpt { text: &self.text[line_start..line_end], start: start - line_start, end: end - line_start }
    }

    /// How many lines end before the line that holds `offset`, and where that line starts.
    fn line_at(&self, offset: usize) -> (usize, usize) {
        let starts = self.line_starts();
        let number = starts.partition_point(|start| *start <= offset).saturating_sub(1);
        (number, starts.get(number).copied().unwrap_or_default())
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts
            .get_or_init(|| std::iter::once(0).chain(lines(&self.text).map(|line| line.next)).collect())
    }

    /// Where the line that starts at `start` ends.
    fn line_end(&self, start: usize) -> usize {
        lines(&self.text[start..]).next().map_or(self.text.len(), |line| start + line.end)
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.path == other.path && self.text == other.text
    }
}

impl Eq for Source {}

impl fmt::Debug for Source {
    /// The path and the length: a whole file says nothing more to whoever reads a finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("path", &self.path)
            .field("len", &self.text.len())
            .finish_non_exhaustive()
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
        let source = Source::new("f", "a\r\nbé\rc\nd");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(2), (1, 3));
        assert_eq!(source.line_column(3), (2, 1));
        assert_eq!(source.line_column(6), (2, 3));
        assert_eq!(source.line_column(7), (3, 1));
        assert_eq!(source.line_column(9), (4, 1));
        assert_eq!(source.line_column(99), (4, 2));
        let lines: Vec<_> = (0..6).map(|number| source.line(number)).collect();
        assert_eq!(lines, [None, Some("a"), Some("bé"), Some("c"), Some("d"), None]);
    }

    #[test]
    fn an_excerpt_stays_on_its_line() {
        let source = Source::new("f", "one\ntwo three\nfour");
        let excerpt = source.excerpt(&(8..16));
        assert_eq!((excerpt.text, excerpt.start, excerpt.end), ("two three", 4, 9));
        let excerpt = source.excerpt(&(18..18));
        assert_eq!((excerpt.text, excerpt.start, excerpt.end), ("four", 4, 4));
    }
}
