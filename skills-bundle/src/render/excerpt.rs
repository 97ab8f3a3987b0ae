//! Makes a line of a file fit to be shown: cut to a window, and with hidden characters as escapes.
//!
//! The places to underline move along. Drawing is for [`full`](super::full).

use std::ops::Range;

use super::visible::{is_hidden, push};

/// How much of a long line is shown, in columns: about a terminal's width without the line number.
const WIDTH: usize = 100;

/// A line to be shown.
pub(super) struct Shown {
    pub(super) text: String,
    /// For each span, its place in `text` as byte offsets, or `None` where the cut left it out. The
    /// first one is never left out.
    pub(super) spans: Vec<Option<Range<usize>>>,
}

/// Makes `line` fit to be shown. `spans` are byte offsets into it; the window is laid around the
/// first one.
pub(super) fn show(line: &str, spans: &[Range<usize>]) -> Shown {
    let window = window(line, spans.first().map_or(0, |span| span.start));
    let mut text = String::new();
    if window.start > 0 {
        text.push('…');
    }
    // Offsets in the line, each with the one it has in the text.
    let mut moved = Vec::with_capacity(window.len() + 1);
    for (at, c) in line[window.clone()].char_indices() {
        let at = window.start + at;
        moved.push((at, text.len()));
        let is_pointed_at = spans.iter().any(|span| span.start == at);
        match c {
            // Terminals differ in how wide a character is before this one.
            '\u{fe0f}' if !is_pointed_at => {}
            '\t' => text.push(c),
            _ => push(&mut text, c, is_hidden(c) || (is_pointed_at && has_no_width(c))),
        }
    }
    moved.push((window.end, text.len()));
    let end = text.len();
    if window.end < line.len() {
        text.push('…');
    }
    let place = |offset| moved.iter().find(|&&(at, _)| at >= offset).map_or(end, |&(_, place)| place);
    let spans = spans.iter().enumerate().map(|(index, span)| {
        let is_in = index == 0 || window.contains(&span.start) || span.start == window.end;
        is_in.then(|| place(span.start)..place(span.end.max(span.start)))
    });
    Shown { spans: spans.collect(), text }
}

/// The part of `line` to show around the offset `at`: all of it, or what fits, with a third of the
/// width before `at` unless there is less on one side.
fn window(line: &str, at: usize) -> Range<usize> {
    let at = (0..=at.min(line.len())).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
    let (before, after) = line.split_at(at);
    let (_, right) = fitting(after.chars(), WIDTH);
    let (left_bytes, left) = fitting(before.chars().rev(), (WIDTH / 3).max(WIDTH - right));
    let (right_bytes, _) = fitting(after.chars(), WIDTH - left);
    at - left_bytes..at + right_bytes
}

/// How many bytes and columns the first of `chars` have that fit into `columns`.
fn fitting(chars: impl Iterator<Item = char>, columns: usize) -> (usize, usize) {
    let (mut bytes, mut taken) = (0, 0);
    for c in chars {
        let width = about_columns(c);
        if taken + width > columns {
            break;
        }
        bytes += c.len_utf8();
        taken += width;
    }
    (bytes, taken)
}

/// About how wide a character is shown: good enough to choose a window.
fn about_columns(c: char) -> usize {
    match c {
        '\t' => 4,
        _ if is_hidden(c) => c.escape_default().len(),
        '\u{1100}'.. => 2,
        _ => 1,
    }
}

/// Whether a character joins the one before it, so that nothing of its own could be underlined.
fn has_no_width(c: char) -> bool {
    // Quotes and the backslash, which this also escapes, take two.
    c.escape_debug().len() > 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text as shown, with the span in brackets.
    fn shown(line: &str, start: usize, end: usize) -> String {
        let mut shown = show(line, std::slice::from_ref(&(start..end)));
        for span in shown.spans.iter().flatten() {
            shown.text.insert(span.end, ']');
            shown.text.insert(span.start, '[');
        }
        shown.text
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        assert_eq!(shown("name: pdf_tools", 9, 10), "name: pdf[_]tools");
        assert_eq!(shown("name:", 5, 5), "name:[]");
        assert_eq!(shown("", 0, 0), "[]");
        let line = "x".repeat(WIDTH);
        assert_eq!(shown(&line, 50, 50).replace("[]", ""), line);
    }

    #[test]
    fn a_long_line_is_cut_around_the_first_span() {
        let line = "0123456789".repeat(1000);
        insta::assert_snapshot!(shown(&line, 0, 3), @"[012]3456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789…");
        insta::assert_snapshot!(shown(&line, 5000, 5003), @"…789012345678901234567890123456789[012]3456789012345678901234567890123456789012345678901234567890123456…");
        insta::assert_snapshot!(shown(&line, 5000, 10000), @"…789012345678901234567890123456789[0123456789012345678901234567890123456789012345678901234567890123456]…");
        insta::assert_snapshot!(shown(&line, 9999, 10000), @"…012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678[9]");
        insta::assert_snapshot!(shown(&"名".repeat(10_000), 15_000, 15_003), @"…名名名名名名名名名名名名名名名名[名]名名名名名名名名名名名名名名名名名名名名名名名名名名名名名名名名名…");
        assert_eq!(show(&line, &[5000..5003, 4000..4001, 5010..5011]).spans[1], None);
    }

    #[test]
    fn what_is_pointed_at_can_be_seen() {
        assert_eq!(shown("a\u{1b}[2Jb\u{202e}c", 5, 6), r"a\u{1b}[2J[b]\u{202e}c");
        assert_eq!(shown("a\u{1b}[2Jb", 1, 2), r"a[\u{1b}][2Jb");
        assert_eq!(shown("cafe\u{301}", 4, 6), r"cafe[\u{301}]");
        assert_eq!(shown("cafe\u{301}s", 6, 7), "cafe\u{301}[s]");
        assert_eq!(shown("👩\u{200d}💻", 4, 7), r"👩[\u{200d}]💻");
        assert_eq!(shown("❤\u{fe0f} it's", 7, 9), "❤ [it]'s");
    }

    #[test]
    fn a_span_that_does_not_fit_the_line_does_no_harm() {
        assert_eq!(shown("名", 1, 2), "名[]");
        assert_eq!(shown("abc", 7, 9), "abc[]");
        assert_eq!(shown("abc", 2, 1), "ab[]c");
    }
}
