//! What pushes text out of the window of a reader or a scanner: long lines, blank lines, wide gaps.

use super::{Fact, Looked};
use crate::diff::Kind;

/// A line of more characters than this is long.
const LONG: usize = 1_000;

/// From so many blank lines on, text below them is out of sight.
const BLANK: usize = 25;

/// From so many blanks in a line on, text behind them is out of sight.
const GAP: usize = 80;

pub(super) fn find(looked: &Looked<'_>, facts: &mut Vec<Fact>) {
    let mut blank = 0;
    for (at, line) in looked.text.lines().enumerate() {
        let number = at as u32 + 1;
        if line.trim().is_empty() {
            blank += 1;
            continue;
        }
        if blank >= BLANK {
            let key = format!("blank lines: {blank} before {}", line.trim());
            let what = format!("{blank} blank lines, and then text");
            facts.push(Fact {
                kind: Kind::Padding,
                key,
                line: number,
                what,
                text: Some(line.trim().to_owned()),
            });
        }
        blank = 0;
        let length = line.chars().count();
        if length > LONG {
            facts.push(Fact::of_line(Kind::Padding, number, line, format!("a line of {length} characters")));
        }
        if let Some((gap, behind)) = gap(line) {
            let key = format!("gap: {gap} before {behind}");
            let what = format!("{gap} blanks in a line, and then text");
            facts.push(Fact { kind: Kind::Padding, key, line: number, what, text: Some(behind.to_owned()) });
        }
    }
}

/// The first wide gap with text on both sides, and what is behind it.
fn gap(line: &str) -> Option<(usize, &str)> {
    let line = line.trim();
    let mut start = None;
    for (at, c) in line.char_indices() {
        match (c.is_whitespace(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let gap = line[from..at].chars().count();
                if gap >= GAP {
                    return Some((gap, &line[at..]));
                }
                start = None;
            }
            _ => {}
        }
    }
    None
}
