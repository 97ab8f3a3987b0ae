//! Reads the files of a root's skills when they are asked for.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use crate::serve::error::ActionError;
use crate::serve::files::Files;
use crate::source::guard::{Guard, Opened, leads_out};
use crate::source::scan::{SkillDir, in_words};

/// The most bytes of a file that are read.
const MAX_FILE: u64 = 64 * 1024 * 1024;

/// The directories that are held open, and where each file of each skill stands.
#[derive(Debug, Default)]
pub(super) struct Disk {
    /// The root, and the directories of skills outside it.
    guards: Vec<Guard>,
    /// By path.
    skills: Vec<SkillDir>,
    stale: BTreeSet<String>,
}

impl Disk {
    /// Holds open the root and what lies outside it, given absolute and with every link resolved.
    pub(super) fn open(real: &Path, outside: &[std::path::PathBuf]) -> io::Result<Self> {
        let mut guards = vec![Guard::open(real)?];
        // One that is gone by now has no files to read either.
        guards.extend(outside.iter().filter_map(|dir| Guard::open(dir).ok()));
        Ok(Self { guards, ..Self::default() })
    }

    /// Reads a file by where it really stands.
    pub(super) fn read_at(&self, disk: &Path, limit: u64) -> io::Result<Opened> {
        // Of directories in each other the innermost is the one not to be left.
        let holding = self.guards.iter().filter(|guard| disk.starts_with(guard.path()));
        match holding.max_by_key(|guard| guard.path().as_os_str().len()) {
            Some(guard) => guard.read(disk, limit),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Whether both hold the same directory open.
    pub(super) fn is_same_root(&self, other: &Self) -> bool {
        match (self.guards.first(), other.guards.first()) {
            (Some(one), Some(other)) => one.holds_same(other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// Serves these skills, sorted by path, and those that are only the last good version.
    pub(super) fn serve(&mut self, skills: Vec<SkillDir>, stale: BTreeSet<String>) {
        self.skills = skills;
        self.stale = stale;
    }
}

impl Files for Disk {
    fn read(&self, skill: &str, file: &str) -> Result<Vec<u8>, ActionError> {
        let gone = || ActionError::file_not_found(file);
        let at = self.skills.binary_search_by(|dir| dir.path.as_str().cmp(skill)).map_err(|_| gone())?;
        let files = &self.skills[at].files;
        let at = files.binary_search_by(|known| known.path.as_str().cmp(file)).map_err(|_| gone())?;
        self.read_at(&files[at].disk, MAX_FILE).map(|opened| opened.bytes).map_err(|error| {
            match error.kind() {
                io::ErrorKind::NotFound => gone(),
                _ if leads_out(&error) => ActionError::Outside,
                io::ErrorKind::FileTooLarge => ActionError::Internal {
                    message: format!("`{file}` of `{skill}` is larger than {MAX_FILE} bytes"),
                },
                _ => ActionError::Internal {
                    message: format!("`{file}` of `{skill}` cannot be read: {}", in_words(&error)),
                },
            }
        })
    }

    fn is_stale(&self, skill: &str) -> bool {
        self.stale.contains(skill)
    }
}
