//! The arguments of the commands for skills that came from elsewhere.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Global;
use crate::sources::project::Consent;

pub(super) const ADD_HELP: &str = "\
Examples:
  skills add acme/skills pdf
  skills add acme/skills@pdf#v1.2.0
  skills add https://git.example.org/acme/skills.git#main --all
  skills add ../skills pdf --allow-outside --dir .agents/skills
  skills add crate:acme-skills/skills/pdf
  skills add https://example.org pdf
  skills add ./pdf.tar.gz#sha256=…

What is taken is shown first, and checked by every rule. Without a terminal it is written only with --yes.
Of a repository one commit is read, that of the default branch unless you name another: in a work tree,
changes that are not committed are not taken. The system's git fetches, over https or ssh alone. Nothing of
a repository is run. A directory that exists is taken before OWNER/REPO; write github:OWNER/REPO to be sure.
Of a crate that this workspace depends on, Cargo says where it is, without a network. An archive needs its
digest; what a website has is in its /.well-known/agent-skills/index.json. The system's curl downloads both.
With --all, skills that are there already stay as they are.
Exit status: 0 done; 1 nothing was written; 2 wrong usage, or the skill was refused.";

pub(super) const UPDATE_HELP: &str = "\
Examples:
  skills update
  skills update pdf --dry-run
  skills update pdf --from ../skills --allow-outside
  skills update --restore

A file that only the source changed is replaced. One that you edited is kept and named, also where the source
changed it; --write-new puts the source's beside it, now or later. A file that you deleted stays deleted;
--restore puts it back as it is locked. Nothing is merged inside a file. Skills that are locked
to a commit or a digest stay. A path in a lock is not followed: name it with --from.
Exit status: 0 done, or nothing to do; 1 nothing was written, or a skill could not be updated; 2 wrong usage or
could not run.";

pub(super) const OUTDATED_HELP: &str = "\
Examples:
  skills outdated
  skills outdated pdf --json

Each repository is asked once, by the system's git, each website once, and Cargo about crates. A tag that
moved, a repository that was redirected, a branch or tag that is gone and a skill that is gone are told apart.
Nothing is written.
Exit status: 0 all are up to date, or locked to a commit or an archive; 1 any is not, or was not looked at;
2 a source cannot be read.";

pub(super) const REMOVE_HELP: &str = "\
Examples:
  skills remove pdf
  skills remove skills/pdf --dry-run

A skill that you have changed is not removed. Without a terminal it is done only with --yes.";

pub(super) const LOCK_HELP: &str = "\
Examples:
  skills lock --check
  skills lock --check --json
  skills lock --check --reviewed
  skills lock --program target/release/my-tool
  skills lock --import skills-lock.json

The lock is beside the Cargo.toml of the workspace or, without one, in this directory. Only --import writes, and
uses a network: git asks each repository of a skills-lock.json or an apm.lock.yaml. A skill that is on disk is
locked where it is, another is put into `skills`. What cannot be resolved to a commit is named and not written.
Exit status: 0 all skills are as locked (and reviewed, with --reviewed); 1 a skill differs or is not
reviewed, no lock in the program, or a skill was not taken over; 2 no lock, or a file that cannot be read.";

pub(super) const DIFF_HELP: &str = "\
Examples:
  skills diff skills
  skills diff git:main:skill-sources.lock skill-sources.lock --format markdown
  skills diff ../old ../new
  skills diff target/release/my-tool skills --json

What comes first matters most: source, frontmatter, files, what is not text, what nobody sees, commands,
hosts, packages, secrets, files that run by themselves; the text is last. Nothing is cut without a count, and
nothing is called safe. The contents that a lock names come from this repository's history, else from the
source at the locked commit.
Exit status: 0 no difference; 1 differences; 2 wrong usage or could not run.";

pub(super) const REVIEW_HELP: &str = "\
Examples:
  skills review pdf
  skills review pdf --notes \"its script only reads\" --yes
  skills review pdf --all --dry-run

The entry in `skill-reviews.toml` is about the digest of the files, so one changed byte needs another review.
Without a terminal it is written only with --yes.
Exit status: 0 done, or reviewed already; 1 nothing was written; 2 wrong usage or could not run.";

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
    /// Whether any of them is given.
    pub(crate) fn is_given(&self) -> bool {
        self.yes || self.dry_run || self.locked || self.offline
    }

    pub(crate) fn consent(&self) -> Consent {
        Consent { yes: self.yes, dry_run: self.dry_run, locked: self.locked }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// A git repository (OWNER/REPO, github:…, gitlab:…, https://…, ssh://…, git@HOST:PATH), or a directory or a
    /// repository on this machine (also as `file:`), with #REF for a branch, a tag or a commit; or crate:NAME/PATH,
    /// a directory in a crate that this workspace depends on; or a .tar.gz or .zip with #sha256=…; or a website
    /// that lists skills, as `https://HOST`
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

    /// Where you and the source changed a file, write the source's beside yours, with `.new` behind its name; where
    /// the source has nothing new, also the locked file beside one that you edited
    #[arg(long)]
    pub(crate) write_new: bool,

    /// Put locked files back that are missing, and take nothing new
    #[arg(long, conflicts_with_all = ["from", "write_new"])]
    pub(crate) restore: bool,

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
    #[arg(long, conflicts_with_all = ["program", "import"])]
    pub(crate) check: bool,

    /// With --check, demand a review of each locked skill in `skill-reviews.toml`
    #[arg(long, requires = "check")]
    pub(crate) reviewed: bool,

    /// With --reviewed, demand reviews that meet this criterion; may be given several times
    #[arg(long, value_name = "NAME", requires = "reviewed")]
    pub(crate) criteria: Vec<String>,

    /// Print the lock that is in this program, without running it
    #[arg(long, value_name = "FILE")]
    pub(crate) program: Option<PathBuf>,

    /// Take over another tool's lock: a skills-lock.json or an apm.lock.yaml
    #[arg(long, value_name = "FILE", conflicts_with = "program")]
    pub(crate) import: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) write: Write,

    #[command(flatten)]
    pub(super) global: Global,
}

/// How a diff is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people
    Text,
    /// For a comment on a change
    Markdown,
    /// For programs; the same as --json
    Json,
    /// For code scanning
    Sarif,
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// What is compared, the old side first: each a directory, a skill-sources.lock, `git:REV` or `git:REV:PATH`
    /// for a commit of this repository, or a program with locked skills in it. One alone is the new side, and the
    /// lock is the old one. `skills diff git:HEAD skills` shows what was changed in `skills` since the last commit
    #[arg(required = true, num_args = 1..=2, value_name = "SIDE")]
    pub(crate) sides: Vec<String>,

    /// How to write it
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) format: Option<DiffFormat>,

    /// Use no network: files whose old text isn't in this repository are shown whole
    #[arg(long)]
    pub(crate) offline: bool,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Review {
    /// The name or the directory of a locked skill
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// Who reviewed it; what git knows of you unless given
    #[arg(long, value_name = "WHO")]
    pub(crate) who: Option<String>,

    /// What you found to be so, as described in `skill-reviews.toml`; `reviewed` unless given
    #[arg(long, value_name = "NAME")]
    pub(crate) criteria: Vec<String>,

    /// Anything else that others should know
    #[arg(long, value_name = "TEXT")]
    pub(crate) notes: Option<String>,

    /// Show all of the skill, whatever was reviewed before
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) write: Write,

    #[command(flatten)]
    pub(super) global: Global,
}
