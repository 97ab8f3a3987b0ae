//! Reads the files of a root's skills on request.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use crate::guard::{Guard, Opened, Stamp, leads_out};
use crate::skill_state::SkillState;
use crate::stamps::real;
use sha2::{Digest as _, Sha256};
use skills_core::{ActionError, Files};
use skills_source::scan::{FoundSkill, in_words};
use skills_source::writer;

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = skills_source::scan::MAX_LIVE_FILE;

/// The root, held open, and the real path of each file of each skill.
#[derive(Debug, Default)]
pub(super) struct Disk {
    root: Option<Guard>,
    /// The path of the root as it was given, and the real one.
    way: Option<(PathBuf, PathBuf)>,
    /// Directories of skills outside the root, by path, with what identifies them. They are opened only to
    /// read a file, since there may be more of them than a process can hold open.
    outside: Vec<(PathBuf, Stamp)>,
    /// By path.
    skills: Vec<FoundSkill>,
    stale: BTreeSet<String>,
    /// By the path of the skill.
    states: HashMap<String, SkillState>,
}

impl Disk {
    /// Opens the root and keeps it open. `real` and the paths in `outside` are absolute, with symlinks
    /// resolved; `given` is the path of the root.
    pub(super) fn open(given: &Path, real: &Path, outside: Vec<PathBuf>) -> io::Result<Self> {
        let root = Some(Guard::open(real)?);
        // A directory that no longer exists has no files to read either.
        let mut outside: Vec<(PathBuf, Stamp)> =
            outside.into_iter().filter_map(|dir| Stamp::of(&dir).ok().map(|stamp| (dir, stamp))).collect();
        outside.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let way = Some((given.to_owned(), real.to_owned()));
        Ok(Self { root, way, outside, ..Self::default() })
    }

    /// Reads a file by its real path.
    pub(super) fn read_at(&self, disk: &Path, limit: u64) -> io::Result<Opened> {
        // If such directories are nested, the file must stay in the innermost.
        for dir in disk.ancestors().skip(1) {
            if let Some(root) = self.root.as_ref().filter(|root| root.path() == dir) {
                return root.read(disk, limit);
            }
            if let Ok(at) = self.outside.binary_search_by(|(known, _)| known.as_path().cmp(dir)) {
                let guard = Guard::open(dir)?;
                // Another directory may have replaced it.
                if guard.holds(&self.outside[at].1) {
                    return guard.read(disk, limit);
                }
                break;
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    /// Whether both hold the same directory open.
    pub(super) fn is_same_root(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(one), Some(other)) => one.holds_same(other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// Serves these skills, sorted by path, and marks those that are only the last good version.
    pub(super) fn serve(
        &mut self,
        skills: Vec<FoundSkill>,
        stale: BTreeSet<String>,
        states: HashMap<String, SkillState>,
    ) {
        self.skills = skills;
        self.stale = stale;
        self.states = states;
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
                io::ErrorKind::FileTooLarge => {
                    ActionError::internal(format!("`{file}` of `{skill}` is larger than {MAX_FILE} bytes"))
                }
                _ => ActionError::internal(format!(
                    "`{file}` of `{skill}` cannot be read: {}",
                    in_words(&error)
                )),
            }
        })
    }

    fn media_type(&self, file: &str, is_text: bool) -> &'static str {
        writer::media_type(file, is_text)
    }

    fn sha256(&self, bytes: &[u8]) -> [u8; 32] {
        Sha256::digest(bytes).into()
    }

    fn is_current(&self, skill: &str) -> bool {
        // Without a state the SKILL.md couldn't be opened: whether it can be by now takes a look at the root.
        let read = |path: &Path, limit| self.read_at(path, limit).map(|opened| opened.bytes);
        let is_same = |(given, then): &(PathBuf, PathBuf)| real(given).as_ref() == Some(then);
        self.way.as_ref().is_none_or(is_same)
            && self.states.get(skill).is_some_and(|state| state.is_current(read))
    }

    fn is_stale(&self, skill: &str) -> bool {
        self.stale.contains(skill)
    }
}
