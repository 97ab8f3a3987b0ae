//! Puts skills where an agent reads them from disk, and takes them away again.
//!
//! What was written is remembered beside it, in a hidden file of each skill's directory, so that a later
//! version updates its own files and leaves alone what somebody has changed or put there. Nothing is
//! ever written through a link, or outside the directory that was named; each file is there whole or not
//! at all. Nothing here reads the environment: where a project or a home is, the caller says.
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
mod tree;
mod write;

/// Writes the skills of a registry into a directory, or takes them out of it.
#[derive(Debug, Clone)]
pub struct Exporter {
    by: String,
    dry_run: bool,
    force: bool,
    names: Vec<String>,
}

impl Exporter {
    /// An exporter of the program `by`. What another program has put somewhere is not touched.
    pub fn new(by: impl Into<String>) -> Self {
        Self { by: by.into(), dry_run: false, force: false, names: Vec::new() }
    }

    /// Whether only to say what would be done.
    #[must_use]
    pub fn dry_run(mut self, yes: bool) -> Self {
        self.dry_run = yes;
        self
    }

    /// Whether to overwrite, and to take away, what was changed or put there by others. Links and
    /// directories stay even then.
    #[must_use]
    pub fn force(mut self, yes: bool) -> Self {
        self.force = yes;
        self
    }

    /// Only the skills of these names; all unless set.
    #[must_use]
    pub fn only(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.names = names.into_iter().map(Into::into).collect();
        self
    }

    /// Writes each skill that the registry serves into a directory of its name under `dir`, which is made
    /// if need be: its exact files, executable where they were. What stands there as it should be is left
    /// alone, so that doing it twice changes nothing; files of an earlier version that are no more are
    /// taken away.
    ///
    /// # Errors
    ///
    /// [`ExportError`] where a name is no skill's, or the disk refuses. Skills before the one that fails
    /// are written, and doing it again goes on from there.
    pub fn install(&self, registry: &Registry<'_>, dir: &Path) -> Result<Report, ExportError> {
        write::install(self, registry, dir)
    }

    /// Takes away what [`install`](Self::install) has written under `dir`. A file that was changed since
    /// stays, and so does whatever else is there.
    ///
    /// # Errors
    ///
    /// [`ExportError`] where the disk refuses.
    pub fn uninstall(&self, dir: &Path) -> Result<Report, ExportError> {
        remove::uninstall(self, dir)
    }
}

/// What was done, or in a dry run would be, to each file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// By skill and path.
    pub changes: Vec<Change>,
}

impl Report {
    /// To how many files this was done.
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
    /// The skill's name, which is its directory's.
    pub skill: String,
    /// The file, relative to the skill's directory, with `/`; empty for the directory itself.
    pub path: String,
    /// What was done.
    pub what: What,
}

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// It was not there, and is written.
    Created,
    /// It was written by an earlier version, and is replaced.
    Updated,
    /// It is as it should be.
    Unchanged,
    /// It was written before, and is taken away.
    Removed,
    /// It was changed since it was written, and is left alone.
    KeptChanged,
    /// Something of the same name was put there by others, and is left alone.
    KeptForeign,
    /// A link, a directory or something else stands in its place, or its name does not work here. It is
    /// left alone.
    KeptObstacle,
}

impl What {
    /// Whether the file is left as it is although it is not what was asked for.
    pub fn is_kept(self) -> bool {
        matches!(self, Self::KeptChanged | Self::KeptForeign | Self::KeptObstacle)
    }

    /// In one word, for programs: stable.
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

/// Why skills could not be written or taken away.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExportError {
    /// A name is no skill's.
    Action(crate::ActionError),
    /// The disk refuses.
    #[non_exhaustive]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried: `write`, `read` and the like.
        what: &'static str,
        /// Why not.
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
