//! Writes skills to the directories where agents read them, and removes them again.
//!
//! Each skill's directory also gets a hidden file that records what was written. With it, a later version
//! updates its own skills and leaves alone those that somebody changed. Each skill is put in place as a whole or
//! not at all, and other files in its directory stay. Nothing is ever written outside the target directory, which may
//! be a symlink of the user's own, or through a symlink below it.
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

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::Registry;

pub use agents::{Agent, Scope, Target};
pub use installed::{Installed, installed};
use record::Record;

mod agents;
mod hidden;
mod installed;
mod plan;
mod record;
mod remove;
mod stale;
mod swap;
mod text;
mod tree;
mod write;

/// Writes the skills of a registry to a directory, or removes them from it.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Exporter {
    by: String,
    dry_run: bool,
    force: bool,
    prune: bool,
    sources: Vec<String>,
    places: BTreeMap<String, String>,
    write_new: bool,
    names: Vec<String>,
}

impl Exporter {
    /// An exporter for the program `by`. It leaves alone what other programs have written.
    pub fn new(by: impl Into<String>) -> Self {
        Self {
            by: by.into(),
            dry_run: false,
            force: false,
            prune: false,
            sources: Vec::new(),
            places: BTreeMap::new(),
            write_new: false,
            names: Vec::new(),
        }
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

    /// Like [`prune`](Self::prune), but only skills whose origin was one of these: `bundle`, or the label of a root. Name
    /// those that the registry has, and that were read without an error. If a label such as `skills` could be that of
    /// another root too, say which one it is with [`recorded_as`](Self::recorded_as), and name that here.
    #[must_use]
    pub fn prune_from(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.sources = origins.into_iter().map(Into::into).collect();
        self
    }

    /// Records `place` as the origin of skills whose origin is `origin`: for a root whose label is a relative path, a
    /// string that no other root has.
    #[must_use]
    pub fn recorded_as(mut self, origin: impl Into<String>, place: impl Into<String>) -> Self {
        self.places.insert(origin.into(), place.into());
        self
    }

    /// Whether the new version of a skill that stays, since somebody changed it, is written beside it, to the hidden
    /// directory `.NAME.new`. No agent reads it, and it goes away with the next update.
    #[must_use]
    pub fn write_new(mut self, yes: bool) -> Self {
        self.write_new = yes;
        self
    }

    /// The origin that is recorded for a skill of this one.
    fn place(&self, origin: &str) -> String {
        self.places.get(origin).map_or(origin, String::as_str).to_owned()
    }

    /// Whether a skill with this record is one that the registry should have, if it still exists.
    fn may_prune(&self, record: &Record) -> bool {
        let is_of_source = || record.from.as_ref().is_some_and(|from| self.sources.contains(from));
        record.by == self.by && (self.prune || is_of_source())
    }

    /// Restricts the exporter to the skills with these names.
    #[must_use]
    pub fn only(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.names = names.into_iter().map(Into::into).collect();
        self
    }

    /// Writes each skill of the registry to `dir/NAME`, with exact contents and execute bits, and creates
    /// directories as needed. A skill that is up to date stays, whatever ends its lines have, so running it twice
    /// changes nothing. Files of an earlier version that the skill no longer has are removed. A skill of which somebody
    /// changed a file stays as a whole, unless [`force`](Self::force) is set. What a run that was killed has left is
    /// finished first.
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

    /// Whether nothing was done that was asked for: there is no change, or each skill has a file that stays.
    pub fn is_in_vain(&self) -> bool {
        let stays =
            |skill: &str| self.changes.iter().any(|change| change.skill == skill && change.what.is_kept());
        self.changes.iter().all(|change| stays(&change.skill))
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
    /// Another file of its skill stays, and a skill isn't changed in part.
    KeptTogether,
    /// A symlink, a directory or something else has its name, or the name isn't valid on this system. Nothing
    /// is changed.
    KeptObstacle,
}

impl What {
    /// Whether the file stays as it is although another content was requested.
    pub fn is_kept(self) -> bool {
        matches!(self, Self::KeptChanged | Self::KeptForeign | Self::KeptTogether | Self::KeptObstacle)
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
            Self::KeptTogether => "kept_together",
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
    /// The directory is a symlink that another user has made.
    #[non_exhaustive]
    LinkOfAnother {
        /// The symlink.
        path: PathBuf,
    },
    /// The directory is a symlink to something that doesn't exist.
    #[non_exhaustive]
    DanglingLink {
        /// The symlink.
        path: PathBuf,
        /// Where it points, as it is written.
        target: PathBuf,
    },
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

impl ExportError {
    /// What to do about it, in one line.
    pub fn suggestion(&self) -> String {
        match self {
            Self::Action(error) => error.suggestion(),
            Self::LinkOfAnother { .. } => {
                "remove the symlink, or name the directory that it points to".to_owned()
            }
            Self::DanglingLink { target, .. } => {
                format!("create the directory `{}`, or remove the symlink", target.display())
            }
            Self::Io { source, .. } => skills_pack::what_to_do(source).to_owned(),
        }
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(error) => error.fmt(f),
            Self::LinkOfAnother { path } => {
                write!(f, "`{}` is a symlink of another user, and isn't followed", path.display())
            }
            Self::DanglingLink { path, target } => {
                write!(f, "`{}` is a symlink to `{}`, which doesn't exist", path.display(), target.display())
            }
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
            Self::LinkOfAnother { .. } | Self::DanglingLink { .. } => None,
            Self::Io { source, .. } => Some(source),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn a_full_disk_is_called_that() {
        for (kind, why, help) in [
            (ErrorKind::StorageFull, "no space is left on the disk", "make room on the disk"),
            (ErrorKind::QuotaExceeded, "no space is left for this user", "make room among this user's files"),
            (ErrorKind::ReadOnlyFilesystem, "the disk is read-only", "use another directory"),
            (ErrorKind::PermissionDenied, "permission denied", "check the directory and its permissions"),
        ] {
            let error = ExportError::Io { path: "out/a.md".into(), what: "write", source: kind.into() };
            assert_eq!(error.to_string(), format!("cannot write `out/a.md`: {why}"));
            assert!(error.suggestion().starts_with(help), "{}", error.suggestion());
        }
    }
}
