//! Notes on what isn't a skill and on what is ignored.

use std::collections::BTreeMap;
use std::path::Path;

use skills_bundle::compile::{self, Report};
use skills_bundle::render;
use skills_source::scan::{LeftOutReason, SKILL_FILE};

use crate::test::find;

/// One line for each directory or group of files that isn't checked, after those already known.
pub(super) fn notes(report: &Report, mut notes: Vec<String>) -> String {
    for path in report.without_skill.iter().filter(|path| !find::is_for_queries(Path::new(path))) {
        notes.push(format!("`{path}` is not a skill: it has no {SKILL_FILE}"));
    }
    let mut counts: BTreeMap<LeftOutReason, usize> = BTreeMap::new();
    for left_out in &report.left_out {
        *counts.entry(left_out.reason).or_default() += 1;
    }
    let linked = report.left_out.iter().filter(|left_out| left_out.reason == LeftOutReason::Link);
    notes.extend(linked.map(compile::linked_to_left_out));
    counts.remove(&LeftOutReason::Link);
    for (reason, count) in counts {
        notes.push(format!("ignored: {}", left_out(reason, count)));
    }
    notes.iter().map(|note| format!("note: {}\n", render::escape(note))).collect()
}

fn left_out(reason: LeftOutReason, count: usize) -> String {
    let (one, many) = match reason {
        LeftOutReason::Hidden => ("name that begins with `.`", "names that begin with `.`"),
        LeftOutReason::Generated => {
            ("file or directory that tools generate", "files and directories that tools generate")
        }
        LeftOutReason::Evals => {
            ("directory `evals` with the tests of a skill", "directories `evals` with the tests of skills")
        }
        LeftOutReason::Loop => (
            "symlink that leads back to a directory above it",
            "symlinks that lead back to a directory above them",
        ),
        _ => ("name on the ignore list", "names on the ignore list"),
    };
    format!("{count} {}", if count == 1 { one } else { many })
}
