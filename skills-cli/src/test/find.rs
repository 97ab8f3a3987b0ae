//! Finds the files that may hold cases, in a root and its skills.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use skills::triggers::MAX_CASE_FILE;
use skills_bundle::compile::label;
use skills_source::scan::{self, EVALS, FoundSkill, SKILL_FILE, ScanOptions};

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
    /// A file that the user has named. It belongs to the skill whose directory it is in, however it was named.
    pub(super) fn named(file: &Path, skills: &[(FoundSkill, PathBuf)]) -> Self {
        let real = |path: &Path| path.canonicalize().ok();
        let name = file.file_name().and_then(OsStr::to_str);
        let above = real(file).and_then(|file| Some(file.parent()?.to_owned()));
        let is_home = |(_, directory): &&(FoundSkill, PathBuf)| {
            above.is_some() && real(&directory.join(EVALS)) == above
        };
        let path = match (skills.iter().find(is_home), name) {
            (Some((skill, _)), Some(name)) => format!("{}/{EVALS}/{name}", skill.path),
            _ => label(file),
        };
        Self { path, disk: file.to_owned(), is_by_chance: false }
    }

    /// The directory of the skill whose queries these are, as shown, if they are in one.
    pub(super) fn skill(&self) -> Option<&str> {
        let (directory, _) = self.path.rsplit_once('/')?;
        let skill = directory.strip_suffix(EVALS)?.strip_suffix('/')?;
        let is_one =
            self.disk.ancestors().nth(2).is_some_and(|directory| directory.join(SKILL_FILE).is_file());
        is_one.then_some(skill)
    }
}

/// The skills of a root, with their directories on disk.
pub(super) fn skills(root: &Path, nested: bool) -> Vec<(FoundSkill, PathBuf)> {
    let mut options = ScanOptions::default();
    options.nested = nested;
    let found = scan::scan(root, &label(root), &options);
    let with_directory = |skill: FoundSkill| {
        let directory = skill.skill_file()?.disk.parent()?.to_owned();
        Some((skill, directory))
    };
    found.skills.into_iter().filter_map(with_directory).collect()
}

/// The files in `evals` of each skill, and in `evals`, `evals/cases` and `tests` of the root and of each directory
/// with skills, by path.
pub(super) fn in_root(root: &Path, skills: &[(FoundSkill, PathBuf)]) -> Vec<Found> {
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

/// Whether a file has a name that files of queries have.
fn may_have_queries(file: &Path) -> bool {
    let ending = file.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let is_hidden = file.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    !is_hidden && ENDINGS.contains(&ending.as_str())
}

/// Whether a directory is one of queries beside skills.
#[allow(clippy::disallowed_methods, reason = "it is no directory of a skill")]
pub(crate) fn is_for_queries(directory: &Path) -> bool {
    let has_name =
        directory.file_name().is_some_and(|name| name == EVALS || name == "tests" || name == "cases");
    let mut files = std::fs::read_dir(directory).into_iter().flatten().flatten();
    has_name && files.any(|entry| may_have_queries(&entry.path()))
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
    let directory = directory.join(below);
    // A symlink may lead anywhere.
    let is_directory = directory.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    // A directory that isn't there has no files.
    let Some(listing) = is_directory.then(|| std::fs::read_dir(&directory).ok()).flatten() else { return };
    for entry in listing.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let disk = entry.path();
        if may_have_queries(&disk) && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = format!("{shown}/{below}/{name}");
            // A root that is a skill is looked at as both.
            found.entry(path.clone()).or_insert(Found { path, disk, is_by_chance });
        }
    }
}
