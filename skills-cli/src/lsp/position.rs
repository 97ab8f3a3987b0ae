//! Places in a text, as the protocol has them: lines from 0, and UTF-16 code units from 0.

use gen_lsp_types::{Position, Range};
use skills_source::source::{Source, Span};

/// The byte offset of a position. One past the end of its line is the end of the line; one inside a character
/// is that character's start.
pub(crate) fn offset(source: &Source, position: Position) -> usize {
    let Some(line) = source.line_span(position.line.saturating_add(1)) else { return source.text().len() };
    let mut units = 0;
    for (at, c) in source.text()[line.clone()].char_indices() {
        units += c.len_utf16() as u32;
        if units > position.character {
            return line.start + at;
        }
    }
    line.end
}

/// The position of a byte offset.
pub(crate) fn position(source: &Source, offset: usize) -> Position {
    let (number, _) = source.line_column(offset);
    let line = source.line_span(number).unwrap_or(0..0);
    // An offset between the two bytes of a line end is the end of the line.
    let before = source.text().get(line.start..offset.min(line.end)).unwrap_or_default();
    Position { line: number - 1, character: before.encode_utf16().count() as u32 }
}

/// The range of a span.
pub(crate) fn range(source: &Source, span: &Span) -> Range {
    Range { start: position(source, span.start), end: position(source, span.end) }
}

/// The range of a span as a finding shows it: cut at the end of its first line.
pub(crate) fn shown_range(source: &Source, span: &Span) -> Range {
    let excerpt = source.excerpt(span);
    range(source, &(span.start..span.start + (excerpt.end - excerpt.start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf_16() {
        let source = Source::new("f", "a😀b\r\n中文\ré\n\nend");
        for (offset_in_bytes, line, character) in [
            (0, 0, 0),
            (1, 0, 1),
            (5, 0, 3),
            (6, 0, 4),
            (8, 1, 0),
            (11, 1, 1),
            (14, 1, 2),
            (15, 2, 0),
            (17, 2, 1),
            (18, 3, 0),
            (19, 4, 0),
            (22, 4, 3),
        ] {
            let place = Position { line, character };
            assert_eq!(position(&source, offset_in_bytes), place);
            assert_eq!(offset(&source, place), offset_in_bytes);
        }
        let at = |line, character| offset(&source, Position { line, character });
        // Inside a pair of surrogates, past the end of a line, past the end of the text.
        assert_eq!((at(0, 2), at(0, 99), at(3, 1), at(9, 0), at(4, 99)), (1, 6, 18, 22, 22));
        assert_eq!(at(u32::MAX, u32::MAX), 22);
    }
}
