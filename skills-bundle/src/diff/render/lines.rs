//! Lines that are safe to show, of a length that people can read.

use std::borrow::Cow;

use skills_pack::hidden;

use crate::render;

/// The most characters of a line that people are shown.
const MAX_LINE: usize = 2_000;

/// From so many blank lines on, they are one line that counts them.
const MANY_BLANK: usize = 8;

/// A text as lines that can be shown: hidden characters as escapes, long lines and many blank ones cut with a
/// count. `signs` is how many characters a diff has before each line.
pub(super) fn shown(text: &str, signs: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut blank: Vec<&str> = Vec::new();
    for line in text.split_terminator('\n') {
        let is_blank = line.get(signs..).unwrap_or_default().trim().is_empty();
        // Only blank lines with one sign are together.
        if is_blank && blank.first().is_none_or(|first| first.get(..signs) == line.get(..signs)) {
            blank.push(line);
            continue;
        }
        flush(&mut blank, &mut lines, signs);
        if is_blank {
            blank.push(line);
        } else {
            lines.push(cut(line));
        }
    }
    flush(&mut blank, &mut lines, signs);
    lines
}

fn flush(blank: &mut Vec<&str>, lines: &mut Vec<String>, signs: usize) {
    if blank.len() < MANY_BLANK {
        lines.extend(blank.iter().map(|line| one(line)));
    } else {
        let sign = blank[0].get(..signs).unwrap_or_default();
        lines.push(format!("{sign}… {} blank lines", blank.len()));
    }
    blank.clear();
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        None => one(line),
        Some((at, _)) => {
            let more = line[at..].chars().count();
            format!("{}… {more} more characters", one(&line[..at]))
        }
    }
}

/// A line with an escape for every character that acts or isn't seen. A tab is harmless, and stays.
pub(super) fn one(line: &str) -> String {
    if line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
        return line.to_owned();
    }
    let mut unseen = hidden::find(line).map(|(at, ..)| at).peekable();
    let mut shown = String::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        if unseen.next_if_eq(&at).is_some() {
            shown.extend(c.escape_unicode());
        } else if c == '\t' {
            shown.push(c);
        } else {
            match render::escape(c.encode_utf8(&mut [0; 4])) {
                Cow::Borrowed(plain) => shown.push_str(plain),
                Cow::Owned(escaped) => shown.push_str(&escaped),
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_or_hides_is_escaped_and_counted() {
        assert_eq!(
            one("a\u{1b}[2J\u{202e}\tb\u{e0041}\u{e0101}"),
            "a\\u{1b}[2J\\u{202e}\tb\\u{e0041}\\u{e0101}"
        );
        let text = format!("+a\n{}+b\n", "+\n".repeat(100_000));
        assert_eq!(shown(&text, 1), ["+a", "+… 100000 blank lines", "+b"]);
        assert_eq!(shown("+\n+\n-\n+a", 1), ["+", "+", "-", "+a"]);
        let long = shown(&format!("+{}", "x".repeat(5_000)), 1);
        assert!(long.len() == 1 && long[0].ends_with("x… 3001 more characters"), "{long:?}");
    }
}
