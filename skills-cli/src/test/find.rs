//! Finds the files that may hold cases, in a root and its skills.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use skills_bundle::compile::label;
use skills_source::scan::{self, EVALS, FoundSkill, ScanOptions};

/// The endings of the forms that are read.
const ENDINGS: [&str; 6] = ["json", "jsonl", "ndjson", "csv", "yaml", "yml"];

/// A file that may hold cases.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    /// Its path, as shown.
    pub(super) path: String,
    pub(super) disk: PathBuf,
    /// Whether it is in `tests`, which is for tests of any kind.
    pub(super) is_by_chance: bool,
}

impl Found {
    /// A file that the user has named.
    pub(super) fn named(file: &Path) -> Self {
        Self { path: label(file), disk: file.to_owned(), is_by_chance: false }
    }
}

/// The skills of a root, with their directories on disk.
pub(super) fn skills(root: &Path) -> Vec<(FoundSkill, PathBuf)> {
    let found = scan::scan(root, &label(root), &ScanOptions::default());
    let with_directory = |skill: FoundSkill| {
        let directory = skill.skill_file()?.disk.parent()?.to_owned();
        Some((skill, directory))
    };
    found.skills.into_iter().filter_map(with_directory).collect()
}

/// The files in `evals` of each skill, and in `evals`, `evals/cases` and `tests` of the root and of each directory
/// with skills, by path.
pub(super) fn in_root(root: &Path) -> Vec<Found> {
    let shown = label(root);
    let skills = skills(root);
    let mut found = BTreeSet::new();
    let mut beside = BTreeMap::from([(shown.clone(), root.to_owned())]);
    for (skill, directory) in &skills {
        add(&mut found, &skill.path, directory, EVALS, false);
        if skill.path != shown
            && let (Some((above, _)), Some(on_disk)) = (skill.path.rsplit_once('/'), directory.parent())
        {
            beside.entry(above.to_owned()).or_insert_with(|| on_disk.to_owned());
        }
    }
    for (shown, directory) in &beside {
        add(&mut found, shown, directory, EVALS, false);
        add(&mut found, shown, directory, "evals/cases", false);
        add(&mut found, shown, directory, "tests", true);
    }
    found.into_iter().collect()
}

#[allow(clippy::disallowed_methods, reason = "the walk leaves these directories out")]
fn add(found: &mut BTreeSet<Found>, shown: &str, directory: &Path, below: &str, is_by_chance: bool) {
    // A directory that isn't there has no files.
    let Ok(listing) = std::fs::read_dir(directory.join(below)) else { return };
    for entry in listing.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let disk = entry.path();
        let ending = disk.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !name.starts_with('.') && ENDINGS.contains(&ending.to_ascii_lowercase().as_str()) && disk.is_file()
        {
            found.insert(Found { path: format!("{shown}/{below}/{name}"), disk, is_by_chance });
        }
    }
}
