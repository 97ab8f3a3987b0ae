//! Fixes what can be fixed without asking: `skills check --fix`.
//!
//! Three steps, each of use by itself. [`fix_skill`] works on the bytes of one SKILL.md: it applies the
//! edits that findings carry, one after the other, and keeps one only if the file, read again, is the
//! file that was meant. [`plan`] does that for all skills of a [`Config`] and writes nothing; [`diff`]
//! shows what it would do. [`write`](fn@write) puts one file's fix on disk, whole or not at all.
//!
//! Which edits there are is decided by the rule that finds something, never here.

mod diff;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use skills_source::code::{Code, Level};
use skills_source::finding::Finding;
use skills_source::reader::{open_skill, skill_path};
use skills_source::rules::Rules;
use skills_source::scan::{self, FoundFile, FoundSkill, SKILL_FILE, is_in_flat};
use skills_source::{fix, parallel, skill};

use crate::config::Config;
use crate::roots::{below, label};

pub use diff::diff;
pub use skills_source::fix::Fixed;
pub use write::{NotWritten, write};

/// What is to be changed in one SKILL.md, and has not been written yet.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileFix {
    /// The file as shown, as in [`Finding::path`].
    pub path: String,
    /// Its new path, as shown, if it gets another name.
    pub new_path: Option<String>,
    /// The findings that this fixes, in the order in which they were fixed.
    pub fixed: Vec<Finding>,
    /// The content of the file.
    pub before: Vec<u8>,
    /// Its new content. Equal to `before` where it only gets another name.
    pub after: Vec<u8>,
    /// The file that was read.
    file: FoundFile,
    /// The path under which it was found, to be renamed.
    entry: PathBuf,
    /// The name of the skill once it is fixed.
    name: String,
    /// Whether nothing kept the skill from being served before.
    was_served: bool,
}

/// The name of a skill that has one, with the file that gives it.
type Named = Option<(String, PathBuf)>;

/// Whether another skill is below the directory of this one and would be a file of it.
fn holds_others(dir: &FoundSkill, skills: &[FoundSkill]) -> bool {
    let below = |path: &str| match dir.path.as_str() {
        "" => !path.is_empty(),
        own => path.strip_prefix(own).is_some_and(|rest| rest.starts_with('/')),
    };
    skills.iter().any(|other| below(&other.path))
}

/// What can be fixed in the skills of `config`, by path. Reads, and writes nothing.
///
/// A file that cannot be read, or is past a limit, is left out: a check tells why.
pub fn plan(config: &Config) -> Vec<FileFix> {
    let mut seen = BTreeSet::new();
    let mut fixes = Vec::new();
    let mut names: Vec<(String, PathBuf)> = Vec::new();
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
            let path = skill_path(dir);
            let misspelt = misspelt.get(path.as_str()).copied();
            let entry = on_disk.join(below(&label, &path));
            let hides = !settings.scan.nested && holds_others(dir, &scanned.skills);
            let found = of_skill(config, &settings.rules, dir, path, entry, misspelt.filter(|_| !hides))?;
            // What is refused hides nothing, and once it is fixed all below is a part of it.
            let (named, fix) = found;
            let is_another_thing = dir.misspelt && is_in_flat(&dir.path);
            Some((named, fix.filter(|fix| !is_another_thing && (!hides || fix.was_served))))
        });
        let (names_of_root, found): (Vec<_>, Vec<_>) = found.into_iter().flatten().unzip();
        names.extend(names_of_root.into_iter().flatten());
        // Of two roots one may lie in the other, and two links may lead to one file.
        fixes.extend(found.into_iter().flatten().filter(|fix| seen.insert(fix.file.disk.clone())));
    }
    // No skill may lose its name to one that is only found, or only named, once it is fixed.
    fixes.retain(|fix| {
        let is_taken = || names.iter().any(|(name, disk)| *name == fix.name && *disk != fix.file.disk);
        fix.was_served || fix.name.is_empty() || !is_taken()
    });
    fixes.sort_by(|a, b| a.path.cmp(&b.path));
    fixes
}

/// Fixes the SKILL.md with these `bytes`, as [`skills_source::fix::fix_skill`] does, wherever a finding
/// has an edit.
pub fn fix_skill(path: &str, dir_name: &str, bytes: &[u8], rules: &Rules) -> Option<Fixed> {
    fix::fix_skill(path, dir_name, bytes, rules, |_| true)
}

/// Fixes a SKILL.md that need not be on disk, by the rules of `config`: `path` is its path to be shown, and has
/// the name of the skill's directory. `None` if nothing can be fixed.
pub fn fix_text(config: &Config, path: &str, bytes: &[u8]) -> Option<Fixed> {
    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
    let dir_name = above.rsplit('/').next().unwrap_or_default();
    fix_skill(path, dir_name, bytes, &config.settings().rules)
}

fn of_skill(
    config: &Config,
    rules: &Rules,
    dir: &FoundSkill,
    path: String,
    entry: PathBuf,
    misspelt: Option<&Finding>,
) -> Option<(Named, Option<FileFix>)> {
    let file = dir.skill_file()?.clone();
    let before = open_skill(dir, rules, |file| config.texts.read(file)).ok()??;
    let (text, findings) = skill::read(&path, &dir.dir_name, &before, rules);
    let was_served =
        !dir.misspelt && text.is_some() && findings.iter().all(|finding| finding.level != Level::Deny);
    let named = text.filter(|text| !dir.misspelt && !text.name.is_empty());
    let named = named.map(|text| (text.name, file.disk.clone()));
    let (after, mut fixed) = match fix_skill(&path, &dir.dir_name, &before, rules) {
        Some(Fixed { bytes, findings, .. }) => (bytes, findings),
        None => (before.clone(), Vec::new()),
    };
    // A note, a command or an agent that happens to be called `skill.md` would become a skill.
    let is_skill = || {
        let (text, _) = skill::read(&path, &dir.dir_name, &after, rules);
        text.is_some_and(|text| text.name == dir.dir_name)
    };
    let new_path = misspelt.filter(|_| dir.misspelt && is_only(dir) && is_skill()).map(|finding| {
        fixed.push(finding.clone());
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        format!("{directory}/{SKILL_FILE}")
    });
    if fixed.is_empty() {
        return Some((named, None));
    }
    let (text, _) = skill::read(&path, &dir.dir_name, &after, rules);
    let name = text.map(|text| text.name).unwrap_or_default();
    Some((named, Some(FileFix { path, new_path, fixed, before, after, file, entry, name, was_served })))
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
