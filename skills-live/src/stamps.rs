//! Finds out whether anything below a root has changed since it was scanned.
//!
//! A directory's stamp changes when an entry is added, removed or renamed. A file's stamp changes when it is
//! written, even in place, with the same length, or with an older time stamp (the change time itself can't be
//! set). So a refresh looks at each directory and each SKILL.md once and opens none. A change so recent that
//! the clock may not have ticked is checked again.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::guard::Stamp;
use skills_source::parallel;

/// Symlinks and their targets. A change along the way to a target may leave no trace in the directory of the
/// symlink.
pub(super) type Links = Vec<(PathBuf, Option<PathBuf>)>;

/// The state of a root when it was scanned.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    root: PathBuf,
    real: Option<PathBuf>,
    seen: Vec<(PathBuf, Stamp)>,
    links: Links,
    /// Whether equal stamps prove that nothing has changed.
    certain: bool,
}

impl Stamps {
    /// For a root that doesn't exist.
    pub(super) fn missing(root: &Path) -> Self {
        Self { root: root.to_owned(), certain: true, ..Self::default() }
    }

    /// For a root that was scanned from `before` on. `certain` is `false` if the scan met something whose
    /// changes have no stamp, such as a directory that it may not list.
    pub(super) fn of(
        root: &Path,
        real: PathBuf,
        before: SystemTime,
        seen: Vec<(PathBuf, Stamp)>,
        links: Links,
        certain: bool,
    ) -> Self {
        let certain = certain && seen.iter().all(|(_, stamp)| stamp.is_settled(before));
        Self { root: root.to_owned(), real: Some(real), seen, links, certain }
    }

    /// Whether certainly nothing has changed.
    pub(super) fn hold(&self) -> bool {
        if !self.certain || real(&self.root) != self.real {
            return false;
        }
        let same = parallel::map(&self.seen, |(path, stamp)| Stamp::of(path).is_ok_and(|now| now == *stamp));
        same.into_iter().all(|same| same)
            && parallel::map(&self.links, |(link, end)| real(link) == *end).into_iter().all(|same| same)
    }
}

/// Whether a path doesn't exist, not even as a broken symlink.
#[allow(clippy::disallowed_methods, reason = "whether the root exists")]
pub(super) fn is_missing(root: &Path) -> bool {
    std::fs::symlink_metadata(root).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// A path with all symlinks resolved; `None` if it doesn't exist.
#[allow(clippy::disallowed_methods, reason = "the real path of a root or of a symlink's target")]
pub(super) fn real(root: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(root).ok()
}
