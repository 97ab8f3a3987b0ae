//! Finds the files that may hold cases, in a root and its skills.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skills::triggers::MAX_CASE_FILE;
use skills_bundle::compile::label;
use skills_source::scan::{self, EVALS, FoundSkill, ScanOptions};

/// The endings of the forms that are read.
const ENDINGS: [&str; 6] = ["json", "jsonl", "ndjson", "csv", "yaml", "yml"];

/// A file that may hold cases.
#[derive(Debug, Clone)]
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
    let skills = skills(root);
    let of_skills = skills.iter().map(|(skill, directory)| (skill.path.as_str(), directory.as_path()));
    around([(label(root).as_str(), root)], of_skills)
}

/// The same of roots whose skills are known. Each root and skill is given by its path as shown and on disk.
pub(super) fn around<'s>(
    roots: impl IntoIterator<Item = (&'s str, &'s Path)>,
    skills: impl Iterator<Item = (&'s str, &'s Path)>,
) -> Vec<Found> {
    let mut found = BTreeMap::new();
    let mut beside: BTreeMap<&str, &Path> = roots.into_iter().collect();
    let roots: Vec<&str> = beside.keys().copied().collect();
    for (path, directory) in skills {
        add(&mut found, path, directory, EVALS, false);
        if !roots.contains(&path)
            && let (Some((above, _)), Some(on_disk)) = (path.rsplit_once('/'), directory.parent())
        {
            beside.entry(above).or_insert(on_disk);
        }
    }
    for (shown, directory) in beside {
        add(&mut found, shown, directory, EVALS, false);
        add(&mut found, shown, directory, "evals/cases", false);
        add(&mut found, shown, directory, "tests", true);
    }
    found.into_values().collect()
}

/// The content of a file of cases; else what is wrong with it, and what to do.
#[allow(clippy::disallowed_methods, reason = "it is no file of a skill")]
pub(super) fn content(file: &Path) -> Result<Vec<u8>, (String, &'static str)> {
    let unreadable =
        |error| (format!("it cannot be read: {}", scan::in_words(&error)), "give a file of queries");
    let metadata = std::fs::metadata(file).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(("it is not a file".to_owned(), "give a file of queries"));
    }
    if metadata.len() > MAX_CASE_FILE {
        return Err((format!("it is larger than {} MiB", MAX_CASE_FILE >> 20), "divide it"));
    }
    std::fs::read(file).map_err(unreadable)
}

#[allow(clippy::disallowed_methods, reason = "the walk leaves these directories out")]
fn add(found: &mut BTreeMap<String, Found>, shown: &str, directory: &Path, below: &str, is_by_chance: bool) {
    // A directory that isn't there has no files.
    let Ok(listing) = std::fs::read_dir(directory.join(below)) else { return };
    for entry in listing.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let disk = entry.path();
        let ending = disk.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !name.starts_with('.') && ENDINGS.contains(&ending.to_ascii_lowercase().as_str()) && disk.is_file()
        {
            let path = format!("{shown}/{below}/{name}");
            // A root that is a skill is looked at as both.
            found.entry(path.clone()).or_insert(Found { path, disk, is_by_chance });
        }
    }
}
