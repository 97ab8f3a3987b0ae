//! Reads the files of a root's skills on request.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::file_list::FileList;
use crate::guard::{Guard, Opened, Stamp, leads_out};
use crate::root::Root;
use crate::skill_state::SkillOnDisk;
use crate::stamps::real;
use sha2::{Digest as _, Sha256};
use skills_core::{ActionError, Files};
use skills_pack::Pack;
use skills_source::scan::{SKILL_FILE, in_words};
use skills_source::writer;

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = skills_source::scan::MAX_LIVE_FILE;

/// The root, held open, and its skills.
#[derive(Debug, Clone, Default)]
pub(super) struct Disk {
    opened: Option<Arc<OpenRoot>>,
    /// In the order of the pack.
    skills: Vec<Arc<SkillOnDisk>>,
    /// Where each of them is in that order, by path.
    by_path: Arc<HashMap<String, usize>>,
}

#[derive(Debug)]
struct OpenRoot {
    root: Root,
    /// The path of the root with symlinks resolved.
    real: PathBuf,
    guard: Guard,
    /// Directories of skills outside the root, by path, with what identifies them. They are opened only to
    /// read a file, since there may be more of them than a process can hold open.
    outside: Vec<(PathBuf, Stamp)>,
}

impl Disk {
    /// Opens the root and keeps it open. `real` and the paths in `outside` are absolute, with symlinks
    /// resolved.
    pub(super) fn open(root: &Root, real: &Path, outside: Vec<PathBuf>) -> io::Result<Self> {
        let guard = Guard::open(real)?;
        // A directory that no longer exists has no files to read either.
        let mut outside: Vec<(PathBuf, Stamp)> =
            outside.into_iter().filter_map(|dir| Stamp::of(&dir).ok().map(|stamp| (dir, stamp))).collect();
        outside.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let opened = OpenRoot { root: root.clone(), real: real.to_owned(), guard, outside };
        Ok(Self { opened: Some(Arc::new(opened)), ..Self::default() })
    }

    /// Reads a file by its real path.
    pub(super) fn read_at(&self, disk: &Path, limit: u64) -> io::Result<Opened> {
        let Some(opened) = &self.opened else { return Err(io::ErrorKind::NotFound.into()) };
        if opened.outside.is_empty() {
            return opened.guard.read(disk, limit);
        }
        // If such directories are nested, the file must stay in the innermost.
        for dir in disk.ancestors().skip(1) {
            if opened.guard.path() == dir {
                return opened.guard.read(disk, limit);
            }
            if let Ok(at) = opened.outside.binary_search_by(|(known, _)| known.as_path().cmp(dir)) {
                let guard = Guard::open(dir)?;
                // Another directory may have replaced it.
                if guard.holds(&opened.outside[at].1) {
                    return guard.read(disk, limit);
                }
                break;
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    /// Whether both hold the same directory open.
    pub(super) fn is_same_root(&self, other: &Self) -> bool {
        match (&self.opened, &other.opened) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other) || one.guard.holds_same(&other.guard),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// Serves these skills, in the order of the pack.
    pub(super) fn serve(&mut self, skills: Vec<Arc<SkillOnDisk>>) {
        let by_path = skills.iter().enumerate().map(|(at, skill)| (skill.dir.path.clone(), at));
        self.by_path = Arc::new(by_path.collect());
        self.skills = skills;
    }

    /// Serves a skill in place of the one with the same path and name.
    pub(super) fn replace(&mut self, at: usize, skill: SkillOnDisk) {
        if let Some(place) = self.skills.get_mut(at) {
            *place = Arc::new(skill);
        }
    }

    /// The skills, in the order of the pack.
    pub(super) fn skills(&self) -> &[Arc<SkillOnDisk>] {
        &self.skills
    }

    /// Where the skill with this path is in that order.
    pub(super) fn find(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The skills whose files were looked at and are others by now.
    pub(super) fn with_old_files(&self) -> Vec<usize> {
        let Some(opened) = &self.opened else { return Vec::new() };
        let skills = self.skills.iter().enumerate();
        skills.filter(|(_, skill)| skill.has_old_files(opened.place())).map(|(at, _)| at).collect()
    }

    /// The files of the skill at this place, looked at now unless they were.
    pub(super) fn files(&self, at: usize) -> Option<&FileList> {
        Some(self.skills.get(at)?.files(self.opened.as_ref()?.place()))
    }

    fn skill(&self, path: &str) -> Option<&SkillOnDisk> {
        self.skills.get(self.find(path)?).map(|skill| &**skill)
    }
}

impl OpenRoot {
    fn place(&self) -> (&Root, &Path) {
        (&self.root, &self.real)
    }
}

impl Files for Disk {
    fn read(&self, skill: &str, file: &str) -> Result<Vec<u8>, ActionError> {
        let gone = || ActionError::file_not_found(file);
        let at = self.find(skill).ok_or_else(gone)?;
        let own = self.skills[at].dir.skill_file().filter(|_| file == SKILL_FILE);
        let found = own.or_else(|| self.files(at)?.file(file)).ok_or_else(gone)?;
        self.read_at(&found.disk, MAX_FILE).map(|opened| opened.bytes).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => gone(),
            _ if leads_out(&error) => ActionError::Outside,
            io::ErrorKind::FileTooLarge => {
                ActionError::internal(format!("`{file}` of `{skill}` is larger than {MAX_FILE} bytes"))
            }
            _ => ActionError::internal(format!("`{file}` of `{skill}` cannot be read: {}", in_words(&error))),
        })
    }

    fn media_type(&self, file: &str, is_text: bool) -> &'static str {
        writer::media_type(file, is_text)
    }

    fn sha256(&self, bytes: &[u8]) -> [u8; 32] {
        Sha256::digest(bytes).into()
    }

    fn listed(&self, index: usize) -> Option<Pack<'_>> {
        self.files(index)?.pack()
    }

    fn is_current(&self, skill: &str) -> bool {
        let Some(opened) = &self.opened else { return false };
        let read = |path: &Path, limit| self.read_at(path, limit).map(|opened| opened.bytes);
        real(&opened.root.path).as_ref() == Some(&opened.real)
            && self.skill(skill).is_some_and(|skill| skill.is_current(opened.place(), read))
    }

    fn is_stale(&self, skill: &str) -> bool {
        self.skill(skill).is_some_and(|skill| skill.is_stale)
    }
}
