//! Finds the lines of a top-level entry in YAML that may be broken.
//!
//! This is no parser: it is asked only after the parser has refused a text, to say which entry a
//! position belongs to. In text that parses, positions come from the parser itself.

use std::ops::Range;

use crate::source::lines;

/// A top-level `key: value` by its lines, as byte offsets.
pub(super) struct Entry {
    /// The key as written.
    pub(super) key: Range<usize>,
    /// From after the colon to the end of the last line that belongs to the value.
    pub(super) value: Range<usize>,
}

/// The line that holds `at`, without its line end.
pub(super) fn line_at(yaml: &str, at: usize) -> Range<usize> {
    let at = at.min(yaml.len());
    let start = yaml[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let end = yaml[start..].find(['\n', '\r']).map_or(yaml.len(), |len| start + len);
    start..end.max(start)
}

/// Where a line starts, counted from 0.
pub(super) fn line_start(yaml: &str, line: usize) -> Option<usize> {
    std::iter::once(0).chain(lines(yaml).map(|line| line.next)).nth(line)
}

/// The top-level entry whose lines hold `at`.
pub(super) fn entry_at(yaml: &str, at: usize) -> Option<Entry> {
    let mut line = line_at(yaml, at);
    loop {
        if let Some(colon) = key_end(&yaml[line.clone()]) {
            let key = line.start..line.start + colon;
            let end = value_end(yaml, line.end);
            return Some(Entry { value: key.end + 1..end.max(key.end + 1), key });
        }
        if !belongs_to_entry_above(&yaml[line.clone()]) || line.start == 0 {
            return None;
        }
        line = line_at(yaml, line.start - 1);
    }
}

/// From `start`, a line that is no entry, to before the next line that is one.
pub(super) fn stray_lines(yaml: &str, start: usize) -> Range<usize> {
    let mut end = line_at(yaml, start).end;
    while let Some(next) = next_line(yaml, end) {
        if key_end(&yaml[next.clone()]).is_some() {
            break;
        }
        end = next.end;
    }
    start..end
}

fn value_end(yaml: &str, first_line_end: usize) -> usize {
    let mut end = first_line_end;
    let mut ahead = first_line_end;
    while let Some(next) = next_line(yaml, ahead) {
        let line = &yaml[next.clone()];
        if key_end(line).is_some() || !belongs_to_entry_above(line) {
            break;
        }
        if !line.trim().is_empty() {
            end = next.end;
        }
        ahead = next.end;
    }
    end
}

fn next_line(yaml: &str, line_end: usize) -> Option<Range<usize>> {
    let rest = yaml.get(line_end..)?;
    let skip = if rest.starts_with("\r\n") { 2 } else { 1 };
    (rest.len() > skip).then(|| line_at(yaml, line_end + skip))
}

/// The length of the key, if the line begins with one at column 1.
fn key_end(line: &str) -> Option<usize> {
    let first = line.chars().next()?;
    if matches!(first, ' ' | '\t' | '#' | '-' | '{' | '}' | '[' | ']' | ',') {
        return None;
    }
    let from = match first {
        '"' | '\'' => 1 + line[1..].find(first)? + 1,
        _ => 0,
    };
    line[from..]
        .match_indices(':')
        .map(|(at, _)| from + at)
        .find(|&at| line[at + 1..].is_empty() || line[at + 1..].starts_with([' ', '\t']))
}

fn belongs_to_entry_above(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with([' ', '\t', '#', '-', '{', '}', '[', ']', ','])
}
