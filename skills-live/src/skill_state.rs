//! What one skill looked like on disk when it was read, to see whether it still does.
//!
//! This costs a look at the metadata of its SKILL.md and of its directories. If they were read so soon after a
//! change that the clock of the file system may not have ticked, their contents are compared.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use skills_source::reader::ReadSkill;
use skills_source::scan::{self, FoundSkill, ScanOptions};

use super::stamps::{Links, real};
use crate::guard::Stamp;

/// The symlinks of a root, by the path that each of them pointed at.
#[derive(Debug)]
pub(super) struct Ways<'l>(HashMap<&'l Path, Vec<&'l Path>>);

impl<'l> Ways<'l> {
    pub(super) fn of(links: &'l Links) -> Self {
        let mut ways: HashMap<&Path, Vec<&Path>> = HashMap::new();
        for (link, end) in links {
            if let Some(end) = end {
                ways.entry(end).or_default().push(link);
            }
        }
        Self(ways)
    }

    /// The symlinks that lead to a file or to a directory above it.
    fn to(&self, file: &Path) -> Vec<(PathBuf, PathBuf)> {
        let ends = file.ancestors().filter_map(|end| self.0.get_key_value(end));
        ends.flat_map(|(end, links)| links.iter().map(|link| (link.to_path_buf(), end.to_path_buf())))
            .collect()
    }
}

/// The state of a skill when it was read.
#[derive(Debug)]
pub(super) struct SkillState {
    dir: FoundSkill,
    /// Where the SKILL.md is, with symlinks resolved.
    file: PathBuf,
    stamp: Stamp,
    content: Arc<ReadSkill>,
    /// The symlinks that led to it, and where each of them pointed.
    ways: Vec<(PathBuf, PathBuf)>,
    /// Its directories that are below the one of its SKILL.md.
    directories: Vec<(PathBuf, Stamp)>,
    /// Whether equal stamps prove that nothing has changed.
    settled: AtomicBool,
    options: Arc<ScanOptions>,
}

impl SkillState {
    /// The state of a skill that was read after `before`. `directories` are those of its root, sorted.
    pub(super) fn of(
        dir: &FoundSkill,
        (stamp, content): (Stamp, Arc<ReadSkill>),
        before: SystemTime,
        directories: &[(PathBuf, Stamp)],
        ways: &Ways<'_>,
        options: &Arc<ScanOptions>,
    ) -> Option<Self> {
        let file = dir.skill_file()?.disk.clone();
        let own = file.parent()?;
        let first = directories.partition_point(|(path, _)| path.as_path() < own);
        let below = directories[first..].iter().take_while(|(path, _)| path.starts_with(own));
        let directories: Vec<(PathBuf, Stamp)> = below.cloned().collect();
        let is_settled = all(stamp, &directories, |stamp| stamp.is_settled(before));
        let settled = AtomicBool::new(is_settled);
        Some(Self {
            dir: dir.clone(),
            file,
            stamp,
            content,
            ways: ways.to(&dir.skill_file()?.disk),
            directories,
            settled,
            options: Arc::clone(options),
        })
    }

    /// Whether the disk still has the SKILL.md and the list of files that were read.
    ///
    /// `read` reads a file by its real path, up to a number of bytes.
    pub(super) fn is_current(&self, read: impl Fn(&Path, u64) -> io::Result<Vec<u8>>) -> bool {
        let is_same = |(path, stamp): &(PathBuf, Stamp)| Stamp::of(path).is_ok_and(|now| now == *stamp);
        let leads_there = |(link, end): &(PathBuf, PathBuf)| real(link).as_ref() == Some(end);
        if !Stamp::of(&self.file).is_ok_and(|now| now == self.stamp)
            || !self.directories.iter().all(is_same)
            || !self.ways.iter().all(leads_there)
        {
            return false;
        }
        if self.settled.load(Ordering::Relaxed) {
            return true;
        }
        let now = SystemTime::now();
        if !self.has_same_text(read) || !self.has_same_files() {
            return false;
        }
        // What was the same after the clock has ticked is known for certain.
        if all(self.stamp, &self.directories, |stamp| stamp.is_settled(now)) {
            self.settled.store(true, Ordering::Relaxed);
        }
        true
    }

    fn has_same_text(&self, read: impl Fn(&Path, u64) -> io::Result<Vec<u8>>) -> bool {
        let limit = self.content.bytes.len() as u64 + 1;
        read(&self.file, limit).is_ok_and(|bytes| bytes == self.content.bytes)
    }

    fn has_same_files(&self) -> bool {
        let Some(own) = self.file.parent() else { return false };
        let found = scan::scan(own, &self.dir.path, &self.options);
        let same = found.skills.iter().find(|skill| skill.path == self.dir.path);
        same.is_some_and(|skill| {
            let listed = |skill: &FoundSkill| {
                skill.files.iter().map(|file| (file.path.clone(), file.executable)).collect::<Vec<_>>()
            };
            listed(skill) == listed(&self.dir)
        })
    }
}

fn all(stamp: Stamp, directories: &[(PathBuf, Stamp)], holds: impl Fn(&Stamp) -> bool) -> bool {
    holds(&stamp) && directories.iter().all(|(_, stamp)| holds(stamp))
}
