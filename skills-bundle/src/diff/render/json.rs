//! A diff as data for programs: nothing is shortened, and no text is changed.

use serde_json::{Value, json};

use crate::diff::{Diff, Item};

/// `{"same", "skills", "without_old_text", "sections": [{"kind", "items", "left_out"}]}`.
pub fn json(diff: &Diff) -> Value {
    let sections = diff.sections.iter().map(|section| {
        json!({
            "kind": section.kind.name(),
            "items": section.items.iter().map(item).collect::<Vec<_>>(),
            "left_out": section.left_out,
        })
    });
    json!({
        "same": diff.is_same(),
        "skills": diff.skills,
        "without_old_text": diff.without_old_text,
        "sections": sections.collect::<Vec<_>>(),
    })
}

fn item(item: &Item) -> Value {
    let Item { skill, dir, path, line, change, what, old, new } = item;
    json!({
        "skill": skill,
        "dir": dir,
        "path": path,
        "line": line,
        "change": change.word(),
        "what": what,
        "old": old,
        "new": new,
    })
}
