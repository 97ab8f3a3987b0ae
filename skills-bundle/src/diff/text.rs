//! The text itself, as a unified diff of each file that changed.

use similar::TextDiff;

use super::pair::{Content, FilePair, Pair, Seen};
use super::{Change, Items, Kind};
use crate::render::escape;

/// How many lines around a change are shown.
const AROUND: usize = 3;

/// The most lines of both sides together that are compared: hostile texts would take too long.
const MAX_LINES: usize = 40_000;

/// The name of a file that isn't there, as git has it.
const NOTHING: &str = "/dev/null";

pub(super) fn find(pair: &Pair<'_>, items: &mut Items<'_, '_>) {
    for file in pair.files.iter().filter(|file| file.is_news()) {
        let change = match (&file.old, &file.new) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ => Change::Changed,
        };
        let Some((what, diff)) = one(pair.dir, file) else { continue };
        items.file(Kind::Text, change, file.path(), 0, what).new = Some(diff);
    }
}

/// Whether the diff has both sides, and the diff. None where there is no text to show.
fn one(dir: &str, file: &FilePair<'_>) -> Option<(&'static str, String)> {
    let side = |seen: Option<&Seen<'_>>, letter: &str| match seen {
        Some(seen) => Some((seen.shown()?.to_owned(), header(letter, dir, &seen.line.path))),
        None => Some((String::new(), NOTHING.to_owned())),
    };
    let is_unknown =
        |seen: Option<&Seen<'_>>| seen.is_some_and(|seen| matches!(seen.content, Content::Unknown));
    let (old, new) = (file.old.as_ref(), file.new.as_ref());
    if is_unknown(old) && new.is_none() {
        return None;
    }
    let (after, to) = side(new, "b")?;
    let (what, before, from) = match side(old, "a") {
        Some((before, from)) => ("", before, from),
        None if is_unknown(old) => {
            ("the whole file: the old text was not available", String::new(), NOTHING.to_owned())
        }
        None => ("the whole file: it was not text", String::new(), NOTHING.to_owned()),
    };
    if before == after {
        // The bytes differ, and what may be shown doesn't.
        let what = "it differs in secrets alone, which are not shown, or in bytes that are not UTF-8";
        return (!before.is_empty()).then(|| (what, String::new()));
    }
    if before.lines().count() + after.lines().count() > MAX_LINES {
        let what = "the whole file, old and new: it is too long to be compared line by line";
        let whole = |sign: char, text: &str| -> String {
            text.lines().map(|line| format!("{sign}{line}\n")).collect()
        };
        return Some((what, format!("--- {from}\n+++ {to}\n{}{}", whole('-', &before), whole('+', &after))));
    }
    let diff = TextDiff::from_lines(&before, &after);
    let text = diff.unified_diff().context_radius(AROUND).header(&from, &to).to_string();
    Some((what, text))
}

/// A path in the head of a diff, in one line whatever is in it.
fn header(letter: &str, dir: &str, path: &str) -> String {
    escape(&format!("{letter}/{dir}/{path}")).into_owned()
}
