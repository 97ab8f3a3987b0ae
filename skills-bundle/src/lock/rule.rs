//! What a build says of locked skills (E024), and which part of the lock goes into the program.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use skills_pack::text::{AndMore, Joined};
use skills_source::code::{Code, Level};
use skills_source::fault::Fault;
use skills_source::finding::{Finding, Related};
use skills_source::rules::Rules;
use skills_source::scan::{FoundFile, FoundSkill, SKILL_FILE};

use super::compare::{self, Compared, Present, SkillState};
use super::{LOCK_FILE, Lock, LockedSkill};
use crate::manifest;
use crate::report::Report;

/// How many files of a skill a finding names.
const SHOWN: usize = 5;

/// The lock that is in force, and which of the skills that were found it has.
#[derive(Debug, Default)]
pub(crate) struct Locked {
    lock: Lock,
    /// Where the lock is, with every link resolved.
    directory: PathBuf,
    /// The index of a skill's entry, and its directory, by how the skill is shown.
    skills: HashMap<String, (usize, PathBuf)>,
    missing: HashSet<usize>,
    /// Whether what differs is denied only in a release build.
    denies_in_release: bool,
}

impl Locked {
    /// Reads the lock in this file, whose path is shown as seen from `seen_from`; none without a file.
    ///
    /// # Errors
    ///
    /// Why it can't be read.
    pub(crate) fn open(
        file: Option<&Path>,
        seen_from: &Path,
        denies_in_release: bool,
    ) -> Result<Self, Vec<Finding>> {
        let Some(file) = file else { return Ok(Self::default()) };
        let seen_from = seen_from.canonicalize().unwrap_or_default();
        let lock = Lock::open(file, &manifest::shown(file, &seen_from))?;
        let directory = file.parent().unwrap_or(file).to_owned();
        Ok(Self { lock, directory, denies_in_release, ..Self::default() })
    }

    /// Looks for the locked skills under a root, and reports those that aren't there. What is there and isn't
    /// among the skills was left out on purpose.
    pub(crate) fn look_under(
        &mut self,
        root: &Path,
        label: &str,
        found: &[FoundSkill],
        rules: &Rules,
        report: &mut Report,
    ) {
        let Ok(root) = root.canonicalize() else { return };
        let found: HashSet<&str> = found.iter().map(|skill| skill.path.as_str()).collect();
        for index in 0..self.lock.skills.len() {
            let Some(locked) = self.lock.skills.get(index) else { continue };
            let real = real(&compare::place(&self.directory, &locked.dir));
            let Ok(below) = real.strip_prefix(&root) else { continue };
            let shown = shown(label, below);
            if found.contains(shown.as_str()) {
                self.skills.insert(shown, (index, real));
            } else if !real.join(SKILL_FILE).is_file()
                && self.missing.insert(index)
                && let Some(finding) = self.missing(index)
            {
                self.report(finding, SkillState::Missing, rules, report);
            }
        }
    }

    /// Compares a skill with the lock, if it is locked, and reports what differs. Its files are `present`.
    pub(crate) fn compare(&self, found: &FoundSkill, present: &[Present<'_>]) -> Option<Differing> {
        self.compare_by(found, |locked, real| compare::present(locked, present, real))
    }

    /// The same for a skill whose files are yet to be read.
    pub(crate) fn compare_read(
        &self,
        found: &FoundSkill,
        read: impl Fn(&FoundFile) -> io::Result<Vec<u8>>,
    ) -> Option<Differing> {
        self.compare_by(found, |locked, real| compare::found_skill(locked, found, real, read))
    }

    fn compare_by(
        &self,
        found: &FoundSkill,
        compare: impl FnOnce(&LockedSkill, &Path) -> Compared,
    ) -> Option<Differing> {
        let (index, real) = self.skills.get(&found.path)?;
        let locked = self.lock.skills.get(*index)?;
        let compared = compare(locked, real);
        (compared.state != SkillState::Ok)
            .then(|| Differing { state: compared.state, finding: self.differs(locked, found, &compared) })
    }

    /// Adds a finding at its level.
    pub(crate) fn add(&self, differing: Differing, rules: &Rules, report: &mut Report) {
        self.report(differing.finding, differing.state, rules, report);
    }

    /// The lock of these skills alone, as TOML; `None` if none of them is locked.
    pub(crate) fn text<'s>(&self, skills: impl Iterator<Item = &'s FoundSkill>) -> Option<String> {
        let entries = skills.filter_map(|skill| self.lock.skills.get(self.skills.get(&skill.path)?.0));
        let skills: Vec<LockedSkill> = entries.cloned().collect();
        (!skills.is_empty()).then(|| Lock { skills, ..Lock::default() }.to_string())
    }

    fn report(&self, mut finding: Finding, state: SkillState, rules: &Rules, report: &mut Report) {
        // Line ends are those of a checkout more often than those of an attacker.
        let is_harmless = state == SkillState::LineEndsOnly;
        let level = rules.level(Code::E024);
        let level = if is_harmless { level.min(Level::Warn) } else { level };
        if level == Level::Allow {
            return;
        }
        finding.level = level;
        if self.denies_in_release && !is_harmless {
            report.denied_in_release.push(finding.clone());
        }
        report.add([finding]);
    }

    fn missing(&self, index: usize) -> Option<Finding> {
        let locked = self.lock.skills.get(index)?;
        let message = format!("`{}` is locked, but is missing or has no {SKILL_FILE}", locked.dir);
        let help = format!("restore the directory, or take the entry out of `{LOCK_FILE}`");
        let fault = Fault::new(Code::E024, locked.place.clone(), message).help(help);
        Some(Finding::new(self.lock.source.as_ref()?, fault))
    }

    fn differs(&self, locked: &LockedSkill, found: &FoundSkill, compared: &Compared) -> Finding {
        let differing: Vec<_> = compared.differing().collect();
        let named = differing.iter().map(|(path, state)| format!("`{path}` ({})", state.words()));
        let more = AndMore(differing.len().saturating_sub(SHOWN));
        let named = Joined(named.take(SHOWN), ", ");
        let (message, help) = if compared.state == SkillState::LineEndsOnly {
            let help = format!(
                "write the line `{}/** -text` into `.gitattributes` beside the lock, and check the files out again",
                locked.dir
            );
            (format!("the skill differs from `{LOCK_FILE}` in its line ends alone: {named}{more}"), help)
        } else {
            let help = format!(
                "restore the files, or, to keep the change as your own, take the entry `{}` out of `{LOCK_FILE}`",
                locked.name
            );
            (format!("the skill differs from `{LOCK_FILE}`: {named}{more}"), help)
        };
        let there = differing.iter().find(|(_, state)| *state != compare::FileState::Missing);
        let file = there.map_or(SKILL_FILE, |(path, _)| path.as_str());
        let path = if found.path.is_empty() { file.to_owned() } else { format!("{}/{file}", found.path) };
        let finding = Finding::on_path(Code::E024, path, message, help);
        match &self.lock.source {
            Some(source) => finding.with_related(Related::new(source, locked.place.clone(), "locked here")),
            None => finding,
        }
    }
}

/// A skill that isn't as locked.
#[derive(Debug, Clone)]
pub(crate) struct Differing {
    state: SkillState,
    finding: Finding,
}

/// A path with every link above its last part resolved. Of what is missing, as far as it is there.
fn real(path: &Path) -> PathBuf {
    let Some((above, name)) = path.parent().zip(path.file_name()) else { return path.to_owned() };
    match above.canonicalize() {
        Ok(above) => above.join(name),
        Err(_) => real(above).join(name),
    }
}

/// How a scan shows a directory below its root.
fn shown(label: &str, below: &Path) -> String {
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    match (label, parts.join("/")) {
        (label, below) if below.is_empty() => label.to_owned(),
        (label, below) if label.is_empty() || label.ends_with('/') => format!("{label}{below}"),
        (label, below) => format!("{label}/{below}"),
    }
}
