//! One skill that is served, and what it looked like on disk when it was read, to see whether it still does.
//!
//! This costs a look at the metadata of its SKILL.md, and of its directories if its files were listed. If they
//! were read so soon after a change that the clock of the file system may not have ticked, their contents are
//! compared.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use skills_source::reader::ReadSkill;
use skills_source::scan::FoundSkill;

use super::file_list::FileList;
use super::known::Known;
use super::root::Root;
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

/// A skill that is served.
#[derive(Debug)]
pub(super) struct SkillOnDisk {
    pub(super) dir: Arc<FoundSkill>,
    /// What was read of its SKILL.md, or of the last good version of it.
    pub(super) content: Arc<ReadSkill>,
    /// Whether that is only the last good version.
    pub(super) is_stale: bool,
    /// `None` if its SKILL.md couldn't be opened.
    state: Option<State>,
    /// Made when the skill is loaded.
    files: OnceLock<FileList>,
}

/// The state of a SKILL.md when it was read.
#[derive(Debug)]
struct State {
    /// Where it is, with symlinks resolved.
    file: PathBuf,
    stamp: Stamp,
    content: Arc<ReadSkill>,
    /// The symlinks that led to it, and where each of them pointed.
    ways: Vec<(PathBuf, PathBuf)>,
    /// Whether an equal stamp proves that nothing has changed.
    settled: AtomicBool,
}

impl SkillOnDisk {
    /// A skill as it was found; its SKILL.md was `read`, if it could be opened.
    pub(super) fn new(
        (dir, content, is_stale): (Arc<FoundSkill>, Arc<ReadSkill>, bool),
        read: Option<&Known>,
        ways: &Ways<'_>,
    ) -> Self {
        let state = read.and_then(|read| {
            let file = dir.skill_file()?.disk.clone();
            Some(State::of(file.clone(), ways.to(&file), read))
        });
        Self { dir, content, is_stale, state, files: OnceLock::new() }
    }

    /// The same skill with another text. Its files are looked at again.
    pub(super) fn reread(&self, read: &Known) -> Self {
        let (dir, content) = (Arc::clone(&self.dir), Arc::clone(&read.content));
        let state = self.state.as_ref();
        let state = state.map(|state| State::of(state.file.clone(), state.ways.clone(), read));
        Self { dir, content, is_stale: false, state, files: OnceLock::new() }
    }

    /// The same skill. Its files are looked at again.
    pub(super) fn without_files(&self) -> Self {
        let (dir, content) = (Arc::clone(&self.dir), Arc::clone(&self.content));
        let state = self.state.as_ref().map(|state| State {
            file: state.file.clone(),
            content: Arc::clone(&state.content),
            ways: state.ways.clone(),
            settled: state.settled.load(Ordering::Relaxed).into(),
            ..*state
        });
        Self { dir, content, is_stale: self.is_stale, state, files: OnceLock::new() }
    }

    /// Its files, which are looked at now unless they were.
    pub(super) fn files(&self, place: (&Root, &Path)) -> &FileList {
        self.files.get_or_init(|| FileList::of(&self.dir, &self.content, place))
    }

    /// Whether its files were looked at, and the disk has others by now.
    pub(super) fn has_old_files(&self, place: (&Root, &Path)) -> bool {
        self.files.get().is_some_and(|files| !files.is_current(&self.dir, place))
    }

    /// Whether the disk still has the SKILL.md that was read and, if they were looked at, its files.
    ///
    /// `read` reads a file by its real path, up to a number of bytes.
    pub(super) fn is_current(
        &self,
        place: (&Root, &Path),
        read: impl Fn(&Path, u64) -> io::Result<Vec<u8>>,
    ) -> bool {
        // Without a state the SKILL.md couldn't be opened: whether it can be by now takes a look at the root.
        self.state.as_ref().is_some_and(|state| state.is_current(read)) && !self.has_old_files(place)
    }
}

impl PartialEq for SkillOnDisk {
    fn eq(&self, other: &Self) -> bool {
        // Its other files are looked at when they are asked for, like their contents.
        let own = |skill: &Self| skill.dir.skill_file().map(|file| (file.disk.clone(), file.executable));
        self.is_stale == other.is_stale
            && (&self.dir.path, &self.dir.dir_name) == (&other.dir.path, &other.dir.dir_name)
            && (Arc::ptr_eq(&self.dir, &other.dir) || own(self) == own(other))
            && (Arc::ptr_eq(&self.content, &other.content) || self.content.bytes == other.content.bytes)
    }
}

impl State {
    fn of(file: PathBuf, ways: Vec<(PathBuf, PathBuf)>, read: &Known) -> Self {
        let (content, settled) = (Arc::clone(&read.content), AtomicBool::new(read.settled));
        Self { file, stamp: read.stamp, content, ways, settled }
    }

    fn is_current(&self, read: impl Fn(&Path, u64) -> io::Result<Vec<u8>>) -> bool {
        let leads_there = |(link, end): &(PathBuf, PathBuf)| real(link).as_ref() == Some(end);
        if Stamp::of(&self.file).ok() != Some(self.stamp) || !self.ways.iter().all(leads_there) {
            return false;
        }
        if self.settled.load(Ordering::Relaxed) {
            return true;
        }
        let now = SystemTime::now();
        let limit = self.content.bytes.len() as u64 + 1;
        if !read(&self.file, limit).is_ok_and(|bytes| bytes == self.content.bytes) {
            return false;
        }
        // What was the same after the clock has ticked is known for certain.
        if self.stamp.is_settled(now) {
            self.settled.store(true, Ordering::Relaxed);
        }
        true
    }
}
