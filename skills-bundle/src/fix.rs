//! Mends what can be mended without asking: `skills check --fix`.
//!
//! Three steps, each of use by itself. [`mend`] works on the bytes of one SKILL.md: it applies the
//! changes that findings carry, one after the other, and keeps one only if the file, read again, is
//! the file that was meant. [`plan`] does that for all skills of a [`Config`] and writes nothing;
//! [`diff`] shows what it would do. [`write`](fn@write) puts one file's fix on disk, whole or not at all.
//!
//! Which changes there are is decided where a fault is found, never here.

mod diff;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use skills_source::code::Code;
use skills_source::finding::Finding;
use skills_source::rules::Rules;
use skills_source::scan::{self, SKILL_FILE, FoundSkill, FoundFile};
use skills_source::{mending, parallel};

use crate::compile::{below, label};
use crate::config::Config;

pub use diff::diff;
pub use skills_source::mending::Mended;
pub use write::{NotWritten, write};

/// What is to be changed in one SKILL.md, and has not been written yet.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileFix {
    /// The file as shown, as in [`Finding::path`].
    pub path: String,
    /// Its new path, as shown, if it gets another name.
    pub new_path: Option<String>,
    /// The findings that this mends, in the order in which they were mended.
    pub mended: Vec<Finding>,
    /// What stands in the file.
    pub before: Vec<u8>,
    /// What is to stand in it. Equal to `before` where it only gets another name.
    pub after: Vec<u8>,
    /// The file that was read.
    file: FoundFile,
    /// The path under which it was found, to be renamed.
    entry: PathBuf,
}

/// What can be mended in the skills of `config`, by path. Reads, and writes nothing.
///
/// A file that cannot be read, or is past a limit, is left out: a check tells why.
pub fn plan(config: &Config) -> Vec<FileFix> {
    let mut seen = BTreeSet::new();
    let mut fixes = Vec::new();
    let settings = config.settings();
    for root in &config.roots {
        let on_disk = config.on_disk(root);
        let label = label(root);
        let scanned = scan::scan(&on_disk, &label, &settings.scan);
        let misspelt: BTreeMap<&str, &Finding> = scanned
            .findings
            .iter()
            .filter(|finding| finding.code == Code::E016)
            .map(|finding| (finding.path.as_str(), finding))
            .collect();
        let found = parallel::map(&scanned.skills, |dir| {
            let path = format!("{}/{}", dir.path, dir.skill_file()?.path);
            let misspelt = misspelt.get(path.as_str()).copied();
            let entry = on_disk.join(below(&label, &path));
            of_skill(&settings.rules, dir, path, entry, misspelt)
        });
        // Of two roots one may lie in the other, and two links may lead to one file.
        fixes.extend(found.into_iter().flatten().filter(|fix| seen.insert(fix.file.disk.clone())));
    }
    fixes.sort_by(|a, b| a.path.cmp(&b.path));
    fixes
}

/// Mends the SKILL.md with these `bytes`, as [`skills_source::mending::mend`] does, wherever there is
/// a change that mends.
pub fn mend(path: &str, dir_name: &str, bytes: &[u8], rules: &Rules) -> Option<Mended> {
    mending::mend(path, dir_name, bytes, rules, |_| true)
}

fn of_skill(
    rules: &Rules,
    dir: &FoundSkill,
    path: String,
    entry: PathBuf,
    misspelt: Option<&Finding>,
) -> Option<FileFix> {
    let file = dir.skill_file()?;
    if file.len > rules.max_skill_bytes {
        return None;
    }
    let before = scan::read_file(file).ok()?;
    let mended = mend(&path, &dir.dir_name, &before, rules);
    let (after, mut mended) =
        mended.map_or_else(|| (before.clone(), Vec::new()), |mended| (mended.bytes, mended.findings));
    let new_path = misspelt.filter(|_| dir.misspelt && is_only(dir)).map(|finding| {
        mended.push(finding.clone());
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        format!("{directory}/{SKILL_FILE}")
    });
    let file = file.clone();
    (!mended.is_empty()).then_some(FileFix { path, new_path, mended, before, after, file, entry })
}

/// Whether no second file of the skill has its name in other letters: which one is meant is then clear.
fn is_only(dir: &FoundSkill) -> bool {
    dir.files.iter().filter(|file| file.path.eq_ignore_ascii_case(SKILL_FILE)).count() == 1
}

impl FileFix {
    /// The directory that holds what is written.
    fn directory(&self) -> &Path {
        self.file.disk.parent().unwrap_or(Path::new("."))
    }
}
