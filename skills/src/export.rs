//! Writes skills to the directories where agents read them, and removes them again.
//!
//! Each skill's directory also gets a hidden file that records what was written. With it, a later version
//! updates its own files and leaves alone those that somebody changed or added. Nothing is ever written
//! through a symlink or outside the target directory, and each file is written completely or not at all.
//! Nothing here reads the environment: the caller passes the project or home directory.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use skills::export::{Agent, Exporter, Scope};
//! use skills::{Audience, Bundle, Registry};
//!
//! static SKILLS: Bundle = Bundle::EMPTY; // skills::bundle!()
//!
//! let registry = Registry::new(&SKILLS).for_audience(Audience::Everyone);
//! let report = Exporter::new("my-tool").install(&registry, &Agent::ClaudeCode.dir(Scope::Project, Path::new(".")))?;
//! # Ok::<(), skills::export::ExportError>(())
//! ```

use std::fmt;
use std::path::{Path, PathBuf};

use crate::Registry;

pub use agents::{Agent, Scope};

mod agents;
mod plan;
mod record;
mod remove;
mod stale;
mod text;
mod tree;
mod write;

/// Writes the skills of a registry to a directory, or removes them from it.
#[derive(Debug, Clone)]
pub struct Exporter {
    by: String,
    dry_run: bool,
    force: bool,
    prune: bool,
    names: Vec<String>,
}

impl Exporter {
    /// An exporter for the program `by`. It leaves alone what other programs have written.
    pub fn new(by: impl Into<String>) -> Self {
        Self { by: by.into(), dry_run: false, force: false, prune: false, names: Vec::new() }
    }

    /// Whether only to report what would be done.
    #[must_use]
    pub fn dry_run(mut self, yes: bool) -> Self {
        self.dry_run = yes;
        self
    }

    /// Whether to overwrite and remove files that others changed or added. Symlinks and directories stay even
    /// then.
    #[must_use]
    pub fn force(mut self, yes: bool) -> Self {
        self.force = yes;
        self
    }

    /// Whether [`install`](Self::install) also removes skills that this program has written and that the registry no
    /// longer has. It has no effect with [`only`](Self::only). For programs that always install the same bundle: others
    /// would remove what they installed from another root.
    #[must_use]
    pub fn prune(mut self, yes: bool) -> Self {
        self.prune = yes;
        self
    }

    /// Restricts the exporter to the skills with these names.
    #[must_use]
    pub fn only(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.names = names.into_iter().map(Into::into).collect();
        self
    }

    /// Writes each skill of the registry to `dir/NAME`, with exact contents and execute bits, and creates
    /// directories as needed. Files that are up to date stay, so running it twice changes nothing. Files of
    /// an earlier version that the skill no longer has are removed.
    ///
    /// # Errors
    ///
    /// [`ExportError`] if a name isn't that of a skill, or on an I/O error. The skills before the failing one
    /// are then complete, and another run continues from there.
    pub fn install(&self, registry: &Registry<'_>, dir: &Path) -> Result<ExportReport, ExportError> {
        write::install(self, registry, dir)
    }

    /// The names of the skills that [`install`](Self::install) has written to `dir` and would now update or
    /// remove. If nothing has changed, only the records are read, so it takes a few milliseconds at most.
    ///
    /// # Errors
    ///
    /// [`ExportError`] on an I/O error.
    pub fn stale(&self, registry: &Registry<'_>, dir: &Path) -> Result<Vec<String>, ExportError> {
        stale::stale(self, registry, dir)
    }

    /// Removes what [`install`](Self::install) has written to `dir`. Files that were changed since, and all
    /// other files, stay.
    ///
    /// # Errors
    ///
    /// [`ExportError`] on an I/O error.
    pub fn uninstall(&self, dir: &Path) -> Result<ExportReport, ExportError> {
        remove::uninstall(self, dir)
    }
}

/// What was done to each file, or in a dry run would be done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportReport {
    /// Sorted by skill and path.
    pub changes: Vec<Change>,
}

impl ExportReport {
    /// The number of files to which this was done.
    pub fn count(&self, what: What) -> usize {
        self.changes.iter().filter(|change| change.what == what).count()
    }

    fn add(&mut self, skill: &str, path: &str, what: What) {
        self.changes.push(Change { skill: skill.to_owned(), path: path.to_owned(), what });
    }
}

/// What was done to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The name of the skill and of its directory.
    pub skill: String,
    /// The path relative to the skill's directory, with `/`; empty for the directory itself.
    pub path: String,
    /// What was done.
    pub what: What,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// It didn't exist and is written.
    Created,
    /// An earlier version wrote it, and it is replaced.
    Updated,
    /// It is up to date.
    Unchanged,
    /// An earlier version wrote it, and it is removed.
    Removed,
    /// Somebody changed it since it was written, so it stays.
    KeptChanged,
    /// A file that others wrote has its name; that file stays.
    KeptForeign,
    /// A symlink, a directory or something else has its name, or the name isn't valid on this system. Nothing
    /// is changed.
    KeptObstacle,
}

impl What {
    /// Whether the file stays as it is although another content was requested.
    pub fn is_kept(self) -> bool {
        matches!(self, Self::KeptChanged | Self::KeptForeign | Self::KeptObstacle)
    }

    /// A stable name, for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Removed => "removed",
            Self::KeptChanged => "kept_changed",
            Self::KeptForeign => "kept_foreign",
            Self::KeptObstacle => "kept_obstacle",
        }
    }
}

/// Why skills couldn't be written or removed.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExportError {
    /// No skill has this name.
    Action(crate::ActionError),
    /// An I/O error.
    #[non_exhaustive]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The operation that failed: `write`, `read` and the like.
        what: &'static str,
        /// The cause.
        source: std::io::Error,
    },
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(error) => error.fmt(f),
            Self::Io { path, what, source } => {
                let why = skills_pack::in_words(source);
                write!(f, "cannot {what} `{}`: {why}", path.display())
            }
        }
    }
}

impl std::error::Error for ExportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Action(error) => Some(error),
            Self::Io { source, .. } => Some(source),
        }
    }
}
