//! Whether anything under a root has changed since it was walked.
//!
//! A directory's stamp changes when an entry comes, goes or is renamed, a file's when it is written,
//! also in place, with the same length, or with a time stamp that went backwards (the time of the
//! change itself cannot be set). So a refresh looks at each directory and each SKILL.md once and
//! opens none. What changed so shortly before it was looked at that the clock may not have ticked is
//! looked at again.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::guard::Stamp;
use skills_source::parallel;

/// Links, and what each of them led to. What a link leads through may change without a trace in the
/// directory that it stands in.
pub(super) type Links = Vec<(PathBuf, Option<PathBuf>)>;

/// What was there when a root was walked.
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
    /// Of a root that is not there.
    pub(super) fn missing(root: &Path) -> Self {
        Self { root: root.to_owned(), certain: true, ..Self::default() }
    }

    /// Of a root that was walked, from just `before` the walk on. `certain` is false where the walk saw
    /// something whose change no stamp shows, such as a directory that it was not allowed to list.
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

    /// Whether nothing has changed, for certain.
    pub(super) fn hold(&self) -> bool {
        if !self.certain || real(&self.root) != self.real {
            return false;
        }
        let same = parallel::map(&self.seen, |(path, stamp)| Stamp::of(path).is_ok_and(|now| now == *stamp));
        same.into_iter().all(|same| same)
            && parallel::map(&self.links, |(link, end)| real(link) == *end).into_iter().all(|same| same)
    }
}

/// Whether there is nothing at a path, not even a link that leads nowhere.
#[allow(clippy::disallowed_methods, reason = "whether the root is there")]
pub(super) fn is_missing(root: &Path) -> bool {
    std::fs::symlink_metadata(root).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// A path with every link resolved; `None` where there is nothing.
#[allow(clippy::disallowed_methods, reason = "where a root, or the end of a link, really is")]
pub(super) fn real(root: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(root).ok()
}
