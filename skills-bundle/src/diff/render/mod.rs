//! Renders a diff: siblings over the same data, for people, for comments in a forge, and for programs.
//!
//! What comes from a skill may act on a terminal, hide, or pass for the words of this program. Every renderer
//! shows hidden characters as escapes and keeps the skill's text apart from its own. Nothing is cut without a
//! count, and JSON has all of it.

mod json;
mod lines;
mod markdown;
mod sarif;
mod text;

pub use json::json;
pub use markdown::markdown;
pub use sarif::sarif;
pub use text::{short, text};

use super::{Diff, Item};

/// The place of an item: its skill's directory, the path in it, and the line.
fn place(item: &Item) -> String {
    let path = if item.path.is_empty() { item.dir.clone() } else { format!("{}/{}", item.dir, item.path) };
    if item.line == 0 { path } else { format!("{path}:{}", item.line) }
}

/// The line that says what couldn't be compared; none if all was.
fn without_old_text(diff: &Diff) -> Option<String> {
    let files = match diff.without_old_text {
        0 => return None,
        1 => "1 changed file".to_owned(),
        many => format!("{many} changed files"),
    };
    Some(format!(
        "the old text of {files} was not available: compared by mode, size and digest, and shown whole"
    ))
}

/// How many skills are the same.
fn same(diff: &Diff) -> String {
    match diff.skills {
        0 => "no skill was compared".to_owned(),
        1 => "no difference in 1 skill".to_owned(),
        many => format!("no difference in {many} skills"),
    }
}
