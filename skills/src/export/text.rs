//! A report as text for people and as JSON.

use std::path::Path;

use serde_json::{Value, json};
use skills_pack::text::visible;

use super::{Change, ExportReport, What};

/// The order of counts.
const COUNTS: [What; 4] = [What::Created, What::Updated, What::Removed, What::Unchanged];

impl ExportReport {
    /// One line for each file that was written to or removed from `dir`, or in a dry run would be, and a last line
    /// with counts. Empty if the report is.
    pub fn text(&self, dir: &Path, dry_run: bool) -> String {
        if self.changes.is_empty() {
            return String::new();
        }
        let mut text = String::new();
        for change in &self.changes {
            if change.what != What::Unchanged && !change.what.is_kept() {
                text.push_str(&format!("{} {}\n", done(change.what, dry_run), shown(dir, change)));
            }
        }
        let mut sums: Vec<String> = COUNTS
            .iter()
            .map(|what| (self.count(*what), *what))
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| match what {
                What::Unchanged => format!("{count} unchanged"),
                what if dry_run => format!("{} {count}", done(what, true)),
                what => format!("{count} {}", done(what, false)),
            })
            .collect();
        match self.kept() {
            0 => {}
            kept if dry_run => sums.push(format!("would keep {kept}")),
            kept => sums.push(format!("{kept} kept")),
        }
        let only = if dry_run { "dry run, nothing is changed: " } else { "" };
        text + only + &sums.join(", ")
    }

    /// One line for each file that stays as it is although another content was requested.
    pub fn kept_text(&self, dir: &Path, dry_run: bool) -> String {
        let kept = if dry_run { "would keep" } else { "kept" };
        let line =
            |change: &Change| Some(format!("{kept}: {} {}\n", shown(dir, change), why_kept(change.what)?));
        self.changes.iter().filter_map(line).collect()
    }

    /// The report as a JSON object: `dir`, `dry_run`, `changes`, `kept`, and a count for each other outcome.
    pub fn json(&self, dir: &Path, dry_run: bool) -> String {
        let change = |change: &Change| json!({"skill": change.skill, "path": change.path, "change": change.what.as_str()});
        let changes: Vec<Value> = self.changes.iter().map(change).collect();
        let mut document = json!({"dir": dir.to_string_lossy(), "dry_run": dry_run, "changes": changes, "kept": self.kept()});
        for what in COUNTS {
            document[what.as_str()] = self.count(what).into();
        }
        format!("{document:#}")
    }

    fn kept(&self) -> usize {
        self.changes.iter().filter(|change| change.what.is_kept()).count()
    }
}

/// What was done to a file, or would be done.
fn done(what: What, dry_run: bool) -> &'static str {
    match what {
        What::Created if dry_run => "would create",
        What::Updated if dry_run => "would update",
        What::Removed if dry_run => "would remove",
        what => what.as_str(),
    }
}

/// The path of a file, in one line.
fn shown(dir: &Path, change: &Change) -> String {
    let path = change.path.split('/').filter(|part| !part.is_empty());
    let path = path.fold(dir.join(&change.skill), |path, part| path.join(part));
    visible(&path.to_string_lossy()).replace('\n', "\\n")
}

fn why_kept(what: What) -> Option<&'static str> {
    match what {
        What::KeptChanged => Some("was changed since it was written (--force overrides)"),
        What::KeptForeign => Some("was not written by this program (--force overrides)"),
        What::KeptTogether => Some("stays too, since its skill is written as a whole"),
        What::KeptObstacle => {
            Some("is a symlink or not a plain file, or its name is not valid here: move it away")
        }
        _ => None,
    }
}
