//! The arguments of the commands for skills that came from elsewhere.

use std::path::PathBuf;

use clap::Args;

use super::Global;
use crate::sources::project::Consent;

/// Whether a command writes.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Write {
    /// Write without asking
    #[arg(long)]
    yes: bool,

    /// Show what would be written, and write nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,

    /// Write nothing, and fail if anything would be written
    #[arg(long, conflicts_with = "yes")]
    locked: bool,

    /// Use no network
    #[arg(long)]
    pub(crate) offline: bool,
}

impl Write {
    pub(crate) fn consent(&self) -> Consent {
        Consent { yes: self.yes, dry_run: self.dry_run, locked: self.locked }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// A git repository (OWNER/REPO, github:…, gitlab:…, https://…, ssh://…, git@HOST:PATH), or a directory or a
    /// repository on this machine (also as `file:`), with #REF for a branch, a tag or a commit
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,

    /// The skills to take; the only one unless given
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Take all skills of the source
    #[arg(long, conflicts_with = "names")]
    pub(crate) all: bool,

    /// Put the skills into this directory, each in one of its name
    #[arg(long, value_name = "DIR", default_value = "skills")]
    pub(crate) dir: PathBuf,

    /// Permit a directory outside of the workspace as the source
    #[arg(long)]
    pub(crate) allow_outside: bool,

    #[command(flatten)]
    pub(crate) write: Write,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Update {
    /// The names or the directories of locked skills; all of them unless given
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Where to look instead of where the lock says; needed for skills that come from a directory
    #[arg(long, value_name = "SOURCE")]
    pub(crate) from: Option<String>,

    /// Permit a directory outside of the workspace as the source
    #[arg(long, requires = "from")]
    pub(crate) allow_outside: bool,

    /// Where you and the source changed a file, write the source's beside yours, with `.new` behind its name
    #[arg(long)]
    pub(crate) write_new: bool,

    #[command(flatten)]
    pub(crate) write: Write,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Outdated {
    /// The names or the directories of locked skills; all of them unless given
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Remove {
    /// The names or the directories of locked skills
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) write: Write,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Lock {
    /// Compare the files of every locked skill with the lock
    #[arg(long, conflicts_with = "program")]
    pub(crate) check: bool,

    /// Print the lock that is in this program, without running it
    #[arg(long, value_name = "FILE")]
    pub(crate) program: Option<PathBuf>,

    #[command(flatten)]
    pub(super) global: Global,
}
