//! Where a symbolic link leads, and whether the walk has been there.
//!
//! A link is followed to its very end by the system; what counts is whether that end lies in the
//! root, compared part by part, so that `skill-evil` is not inside `skill`.

use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::SKILL_FILE;

/// What is at the end of a link. Paths are absolute and hold no link.
pub(super) enum Target {
    File(PathBuf, Metadata),
    Directory(PathBuf),
    /// A directory outside that is a skill.
    SkillOutside(PathBuf),
    /// A pipe, a device or the like, in words.
    Special(&'static str),
    Refused(Refusal),
}

/// Why a link is not followed.
pub(super) enum Refusal {
    /// Its end is not in the root.
    Outside,
    /// There is nothing at its end, or it goes round in a circle of links.
    Nowhere,
    /// The system does not let us look.
    Unreadable(io::Error),
}

/// What is at the `end` of a symlink. `root` is absolute and holds no link. Outside it only a
/// directory that is a skill is an end, if it `may_leave`.
pub(super) fn follow(end: io::Result<PathBuf>, root: &Path, may_leave: bool) -> Target {
    let end = match end {
        Ok(end) if end.starts_with(root) => end,
        Ok(end) if may_leave && end.join(SKILL_FILE).is_file() => return Target::SkillOutside(end),
        Ok(_) => return Target::Refused(Refusal::Outside),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Target::Refused(Refusal::Unreadable(error));
        }
        Err(_) => return Target::Refused(Refusal::Nowhere),
    };
    match fs::symlink_metadata(&end) {
        Ok(metadata) if metadata.is_file() => Target::File(end, metadata),
        Ok(metadata) if metadata.is_dir() => Target::Directory(end),
        Ok(metadata) => Target::Special(special_kind(metadata.file_type())),
        Err(error) => Target::Refused(Refusal::Unreadable(error)),
    }
}

/// What something is called that is neither file, directory nor link.
#[cfg(unix)]
pub(super) fn special_kind(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_block_device() || kind.is_char_device() {
        "a device"
    } else {
        "of an unknown kind"
    }
}

/// What something is called that is neither file, directory nor link.
#[cfg(not(unix))]
pub(super) fn special_kind(_: FileType) -> &'static str {
    "of an unknown kind"
}

/// The links that the walk went through to reach a directory.
///
/// A step keeps the directory of its symlink. Of all directories that the walk is in,
/// those are the deepest between two links, and so the only ones that need to be compared.
#[derive(Clone, Default)]
pub(super) struct Trail(Option<Rc<Step>>);

struct Step {
    directory: PathBuf,
    number: usize,
    before: Trail,
}

impl Trail {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// How many links there are.
    pub(super) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |step| step.number)
    }

    /// The trail of what lies behind a symlink in `directory`.
    pub(super) fn through(&self, directory: &Path) -> Self {
        let number = self.len() + 1;
        Self(Some(Rc::new(Step { directory: directory.to_owned(), number, before: self.clone() })))
    }

    /// The directories of the links, in the order of the walk.
    pub(super) fn directories(&self) -> Vec<PathBuf> {
        let steps = std::iter::successors(self.0.as_deref(), |step| step.before.0.as_deref());
        let mut directories: Vec<PathBuf> = steps.map(|step| step.directory.clone()).collect();
        directories.reverse();
        directories
    }

    /// Whether a symlink in `directory`, at the end of this trail, leads back to a
    /// directory that the walk is in, or to one above it.
    pub(super) fn would_loop(&self, directory: &Path, target: &Path) -> bool {
        let steps = std::iter::successors(self.0.as_deref(), |step| step.before.0.as_deref());
        directory.starts_with(target) || steps.into_iter().any(|step| step.directory.starts_with(target))
    }
}
