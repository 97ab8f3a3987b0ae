//! Which files a package's published form has, as Cargo or git says. Asking them is up to the caller.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Which files below a package's directory its published form has.
#[derive(Debug, Clone)]
pub struct Published {
    dir: PathBuf,
    files: BTreeSet<PathBuf>,
    /// Whether `files` are all that it has, rather than all that it lacks.
    is_list: bool,
}

impl Published {
    /// It has exactly these files: what `cargo package --list` prints. Paths are relative to `dir`.
    pub fn only(dir: impl Into<PathBuf>, files: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { dir: dir.into(), files: files.into_iter().collect(), is_list: true }
    }

    /// It has all files except these, as those that git ignores. Paths are relative to `dir`.
    pub fn all_except(dir: impl Into<PathBuf>, files: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { dir: dir.into(), files: files.into_iter().collect(), is_list: false }
    }

    /// Whether it lacks a file. A file that isn't below its directory is reported elsewhere.
    pub(crate) fn lacks(&self, file: &Path) -> bool {
        file.strip_prefix(&self.dir).is_ok_and(|file| self.files.contains(file) != self.is_list)
    }

    /// What leaves a file out.
    pub(crate) fn why(&self) -> &'static str {
        if self.is_list { "`include`, `exclude` or .gitignore" } else { "git's list of ignored files" }
    }
}
