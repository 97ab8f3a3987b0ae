//! Compares a locked skill with the files on disk, by mode, size and SHA-256.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use hmac_sha256::Hash as Sha256;
use skills_source::parallel;
use skills_source::scan::{self, FoundFile, FoundSkill, ScanOptions};

use super::{Lock, LockedFile, LockedSkill};

/// How a file stands to the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FileState {
    /// It is the locked file.
    Ok,
    /// It differs in its line ends alone.
    LineEnds,
    /// It may be executed and should not, or the other way round.
    Mode,
    /// It isn't in the lock.
    Extra,
    /// Its bytes differ, it can't be read, or it is a symlink.
    Edited,
    /// It isn't there.
    Missing,
}

impl FileState {
    /// The state in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::LineEnds => "line ends only",
            Self::Mode => "mode",
            Self::Extra => "extra file",
            Self::Edited => "edited",
            Self::Missing => "missing",
        }
    }
}

/// How a skill stands to the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SkillState {
    /// All of it is as locked.
    Ok,
    /// Files differ in their line ends alone.
    LineEndsOnly,
    /// Files differ in their modes, and perhaps in line ends.
    Mode,
    /// There is a file that isn't in the lock.
    ExtraFile,
    /// The bytes of a file differ, or one is missing.
    Edited,
    /// There is no such directory, or no SKILL.md in it.
    Missing,
}

impl SkillState {
    /// The state in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::LineEndsOnly => "line ends only",
            Self::Mode => "mode",
            Self::ExtraFile => "extra file",
            Self::Edited => "edited",
            Self::Missing => "missing",
        }
    }
}

/// A skill beside its entry in the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compared {
    /// The worst that there is.
    pub state: SkillState,
    /// Every file, locked or there, by path.
    pub files: Vec<(String, FileState)>,
}

impl Compared {
    fn of(mut files: Vec<(String, FileState)>) -> Self {
        files.sort();
        let worst = files.iter().map(|(_, state)| *state).max();
        let is_there =
            files.iter().any(|(path, state)| path == scan::SKILL_FILE && *state != FileState::Missing);
        let state = match worst {
            _ if !is_there => SkillState::Missing,
            None | Some(FileState::Ok) => SkillState::Ok,
            Some(FileState::LineEnds) => SkillState::LineEndsOnly,
            Some(FileState::Mode) => SkillState::Mode,
            Some(FileState::Extra) => SkillState::ExtraFile,
            Some(FileState::Edited | FileState::Missing) => SkillState::Edited,
        };
        Self { state, files }
    }

    /// The files that aren't as locked.
    pub fn differing(&self) -> impl Iterator<Item = &(String, FileState)> {
        self.files.iter().filter(|(_, state)| *state != FileState::Ok)
    }
}

/// A file whose bytes are at hand.
pub(crate) struct Present<'p> {
    pub(crate) file: &'p FoundFile,
    pub(crate) bytes: &'p [u8],
    pub(crate) sha256: &'p [u8; 32],
}

/// Compares every skill of a lock in `directory` with the disk, and writes nothing. `ignore` has patterns of
/// files that don't count as extra, as those that are left out by their names don't.
pub fn check(lock: &Lock, directory: &Path, ignore: &[String]) -> Vec<Compared> {
    let mut options = ScanOptions::default();
    options.ignore.extend_from_slice(ignore);
    parallel::map(&lock.skills, |locked| on_disk(locked, &place(directory, &locked.dir), &options))
}

/// A path with `/` below a directory.
pub(super) fn place(directory: &Path, path: &str) -> std::path::PathBuf {
    path.split('/').fold(directory.to_owned(), |directory, part| directory.join(part))
}

/// Compares a locked skill with what is in its directory.
fn on_disk(locked: &LockedSkill, directory: &Path, options: &ScanOptions) -> Compared {
    let is_link = directory.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    let found = scan::scan(directory, "", options);
    let skill = found.skills.iter().find(|skill| skill.path.is_empty() && !skill.misspelt);
    let Some(skill) = skill.filter(|_| !is_link) else {
        return Compared::of(
            locked.files.iter().map(|file| (file.path.clone(), FileState::Missing)).collect(),
        );
    };
    let compared = found_skill(locked, skill, directory, scan::read_file);
    if found.findings.is_empty() {
        return compared;
    }
    // What the walk refuses is none of its files: a link that leads out, a pipe.
    let known: HashSet<&str> = compared.files.iter().map(|(path, _)| path.as_str()).collect();
    let refused = found.findings.iter().map(|finding| finding.path.trim_start_matches('/'));
    let refused = refused.filter(|path| !known.contains(path) && !path.is_empty());
    let refused: Vec<_> = refused.map(|path| (path.to_owned(), FileState::Extra)).collect();
    Compared::of(compared.files.into_iter().chain(refused).collect())
}

/// Compares a locked skill with one that was found in `directory`, whose files `read` reads.
pub(super) fn found_skill(
    locked: &LockedSkill,
    found: &FoundSkill,
    directory: &Path,
    read: impl Fn(&FoundFile) -> io::Result<Vec<u8>>,
) -> Compared {
    let real = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let states = found.files.iter().map(|file| {
        let state = match (locked.file(&file.path), read(file)) {
            (None, _) => FileState::Extra,
            (Some(_), Err(_)) => FileState::Edited,
            (Some(locked), Ok(bytes)) => {
                let sha256 = Sha256::hash(&bytes);
                state_of(locked, &Present { file, bytes: &bytes, sha256: &sha256 }, &real)
            }
        };
        (file.path.clone(), state)
    });
    with_left_out(locked, states.collect(), &real)
}

/// Compares a locked skill with files whose bytes are at hand.
pub(super) fn present(locked: &LockedSkill, files: &[Present<'_>], real: &Path) -> Compared {
    let states = files.iter().map(|present| {
        let of_lock = locked.file(&present.file.path);
        let state = of_lock.map_or(FileState::Extra, |locked| state_of(locked, present, real));
        (present.file.path.clone(), state)
    });
    with_left_out(locked, states.collect(), real)
}

/// With the locked files that a walk leaves out by their names, and those that aren't there.
fn with_left_out(locked: &LockedSkill, mut states: Vec<(String, FileState)>, real: &Path) -> Compared {
    // The files of a skill are sorted by path.
    let is_seen = |path: &str| states.binary_search_by(|(seen, _)| seen.as_str().cmp(path)).is_ok();
    let others: Vec<&LockedFile> = locked.files.iter().filter(|file| !is_seen(&file.path)).collect();
    states.extend(others.into_iter().map(|locked| {
        let file = scan::find_file(real, &locked.path);
        let read = file.and_then(|file| scan::read_file(&file).map(|bytes| (file, bytes)));
        let state = match read {
            Ok((file, bytes)) => {
                let sha256 = Sha256::hash(&bytes);
                state_of(locked, &Present { file: &file, bytes: &bytes, sha256: &sha256 }, real)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => FileState::Missing,
            Err(_) => FileState::Edited,
        };
        (locked.path.clone(), state)
    }));
    Compared::of(states)
}

fn state_of(locked: &LockedFile, present: &Present<'_>, real: &Path) -> FileState {
    let Present { file, bytes, sha256 } = present;
    // A file that was reached by a link isn't what was locked, whatever is in it today.
    if file.disk != place(real, &file.path) {
        return FileState::Edited;
    }
    if **sha256 != locked.sha256 {
        return if differs_in_line_ends(locked, bytes) { FileState::LineEnds } else { FileState::Edited };
    }
    // Where the system has no mode, there is nothing to compare.
    if cfg!(unix) && file.executable != locked.executable { FileState::Mode } else { FileState::Ok }
}

/// Whether the file is the locked one once its line ends are those of the other kind.
pub(crate) fn differs_in_line_ends(locked: &LockedFile, bytes: &[u8]) -> bool {
    let is_locked = |other: &[u8]| other.len() as u64 == locked.size && Sha256::hash(other) == locked.sha256;
    let with_line_feeds = replaced(bytes, b"\r\n", b"\n");
    is_locked(&with_line_feeds) || is_locked(&replaced(&with_line_feeds, b"\n", b"\r\n"))
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        if rest.starts_with(from) {
            result.extend_from_slice(to);
            rest = &rest[from.len()..];
        } else {
            result.push(*first);
            rest = after;
        }
    }
    result
}
