//! A diff as a SARIF 2.1.0 log, for code scanning: a rule for each kind, a result for each difference.

use serde_json::{Value, json};

use super::lines::one;
use super::without_old_text;
use crate::diff::{Diff, Item, Kind};
use crate::render::{artifact, json_text};

/// The diff as one log, indented, without a line feed at its end. The text itself isn't in it, since code
/// scanning shows the files.
pub fn sarif(diff: &Diff) -> String {
    let sections = diff.sections.iter().filter(|section| section.kind != Kind::Text);
    let results = sections.flat_map(|section| section.items.iter().map(|item| result(section.kind, item)));
    let notes = without_old_text(diff).map(|note| json!({ "level": "note", "message": { "text": note } }));
    json_text(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "skills diff",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": Kind::ALL.iter().map(|kind| rule(*kind)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notes.into_iter().collect::<Vec<_>>(),
            }],
            "results": results.collect::<Vec<_>>(),
        }],
    }))
}

fn rule(kind: Kind) -> Value {
    json!({ "id": kind.name(), "shortDescription": { "text": kind.title() } })
}

fn result(kind: Kind, item: &Item) -> Value {
    let mut message = format!("{}: {}", item.change.word(), one(&item.what));
    for (word, value) in [("before", &item.old), ("now", &item.new)] {
        if let Some(value) = value {
            message.push_str(&format!("\n{word}: {}", one(value)));
        }
    }
    let path = if item.path.is_empty() { "SKILL.md" } else { &item.path };
    let mut place = json!({ "artifactLocation": artifact(&format!("{}/{path}", item.dir)) });
    if item.line > 0 {
        place["region"] = json!({ "startLine": item.line });
    }
    json!({
        "ruleId": kind.name(),
        "ruleIndex": Kind::ALL.iter().position(|known| *known == kind),
        "level": if matches!(kind, Kind::Cost | Kind::LineEnds | Kind::Edits) { "note" } else { "warning" },
        "message": { "text": message },
        "locations": [{ "physicalLocation": place }],
    })
}
