//! A diff for people on a terminal.

use super::lines::{one, shown};
use super::{place, same, without_old_text};
use crate::diff::{Diff, Item, Kind};

/// The diff as lines, each with its line feed: sections in order, the text last.
pub fn text(diff: &Diff) -> String {
    let mut text = String::new();
    if let Some(note) = without_old_text(diff) {
        text.push_str(&format!("note: {note}\n"));
    }
    if diff.is_same() {
        text.push_str(&same(diff));
        text.push('\n');
    }
    for section in &diff.sections {
        text.push_str(&format!("{}{}:\n", if text.is_empty() { "" } else { "\n" }, section.kind.title()));
        for item in &section.items {
            if section.kind == Kind::Text { of_text(item, &mut text) } else { of_item(item, "  ", &mut text) }
        }
        if section.left_out > 0 {
            text.push_str(&format!("  … {} more\n", section.left_out));
        }
    }
    text
}

/// What a reader must see before anything is written, indented: the sections about what a skill does. Where it
/// comes from, its files and its text are not among them.
pub fn short(diff: &Diff) -> String {
    let is_elsewhere = |kind: Kind| {
        matches!(kind, Kind::Source | Kind::Files | Kind::Cost | Kind::Edits | Kind::LineEnds | Kind::Text)
    };
    let mut text = String::new();
    for section in diff.sections.iter().filter(|section| !is_elsewhere(section.kind)) {
        text.push_str(&format!("  {}:\n", section.kind.title()));
        for item in &section.items {
            of_item(item, "    ", &mut text);
        }
        if section.left_out > 0 {
            text.push_str(&format!("    … {} more\n", section.left_out));
        }
    }
    text
}

fn of_item(item: &Item, indent: &str, text: &mut String) {
    let (place, what) = (one(&place(item)), one(&item.what));
    text.push_str(&format!("{indent}{place}: {}: {what}\n", item.change.word()));
    for (sign, value) in [('-', &item.old), ('+', &item.new)] {
        for line in value.iter().flat_map(|value| shown(value, 0)) {
            text.push_str(&format!("{indent}  {sign} {line}\n"));
        }
    }
}

fn of_text(item: &Item, text: &mut String) {
    if !item.what.is_empty() {
        text.push_str(&format!("{}: {}\n", one(&place(item)), one(&item.what)));
    }
    for line in item.new.iter().flat_map(|diff| shown(diff, 1)) {
        text.push_str(&line);
        text.push('\n');
    }
}
