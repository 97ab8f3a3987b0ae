//! Roots of which one lies in another: what both show is reported and counted once, under the earlier.
//!
//! Nothing is judged here. What a root alone shows stays as it is, however often.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use skills_source::code::Code;
use skills_source::finding::Finding;
use skills_source::scan::{CommandFiles, FoundSkill, LeftOut};

use crate::roots::below;

/// What the roots so far have shown, by the places on disk.
pub(super) struct Overlap {
    /// One root overlaps with none.
    several: bool,
    findings: BTreeSet<(PathBuf, u32, u32, Code)>,
    skills: BTreeSet<PathBuf>,
    broken: BTreeSet<PathBuf>,
    left_out: BTreeSet<PathBuf>,
    without_skill: BTreeSet<PathBuf>,
}

impl Overlap {
    pub(super) fn new(roots: usize) -> Self {
        Self {
            several: roots > 1,
            findings: BTreeSet::new(),
            skills: BTreeSet::new(),
            broken: BTreeSet::new(),
            left_out: BTreeSet::new(),
            without_skill: BTreeSet::new(),
        }
    }

    /// The next root, which is shown as `label`.
    pub(super) fn root<'o>(&'o mut self, on_disk: PathBuf, label: &'o str) -> New<'o> {
        let real = on_disk.canonicalize().unwrap_or(on_disk);
        New { overlap: self, real, label }
    }
}

/// What a root shows that none before it has shown.
pub(super) struct New<'o> {
    overlap: &'o mut Overlap,
    real: PathBuf,
    label: &'o str,
}

impl New<'_> {
    pub(super) fn findings(&mut self, found: Vec<Finding>) -> Vec<Finding> {
        let New { overlap, real, label } = self;
        let key = |finding: &Finding| {
            (place(real, label, &finding.path), finding.line, finding.column, finding.code)
        };
        keep_new(overlap.several, &mut overlap.findings, found, key)
    }

    /// How many skills are new.
    pub(super) fn skills(&mut self, found: &[FoundSkill]) -> usize {
        let New { overlap, real, label } = self;
        let key = |dir: &&FoundSkill| skill_place(real, label, dir);
        keep_new(overlap.several, &mut overlap.skills, found.iter().collect(), key).len()
    }

    /// The skills that are not served, of which the files are still to be looked at.
    pub(super) fn broken(&mut self, found: Vec<FoundSkill>) -> Vec<FoundSkill> {
        let New { overlap, real, label } = self;
        keep_new(overlap.several, &mut overlap.broken, found, |dir| skill_place(real, label, dir))
    }

    /// How many commands are new.
    pub(super) fn commands(&mut self, found: &CommandFiles) -> usize {
        let definitions = found.definitions.iter().collect();
        keep_new(self.overlap.several, &mut self.overlap.skills, definitions, |file| file.disk.clone()).len()
    }

    pub(super) fn left_out(&mut self, found: Vec<LeftOut>) -> Vec<LeftOut> {
        let New { overlap, real, label } = self;
        keep_new(overlap.several, &mut overlap.left_out, found, |left| place(real, label, &left.path))
    }

    pub(super) fn without_skill(&mut self, found: Vec<String>) -> Vec<String> {
        let New { overlap, real, label } = self;
        keep_new(overlap.several, &mut overlap.without_skill, found, |path| place(real, label, path))
    }
}

fn skill_place(real: &Path, label: &str, dir: &FoundSkill) -> PathBuf {
    dir.skill_file().map_or_else(|| place(real, label, &dir.path), |file| file.disk.clone())
}

fn place(real: &Path, label: &str, shown: &str) -> PathBuf {
    real.join(below(label, shown))
}

fn keep_new<T, K: Ord>(
    several: bool,
    seen: &mut BTreeSet<K>,
    mut found: Vec<T>,
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    if several {
        let keys: Vec<K> = found.iter().map(&key).collect();
        found.retain(|item| !seen.contains(&key(item)));
        seen.extend(keys);
    }
    found
}
