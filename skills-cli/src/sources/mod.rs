//! Skills in another place: what is there, read without running any of it.
//!
//! A source is what the user named on the command line, or a repository in the lock; nothing else is
//! followed. `named` reads its name, `git` a repository's own objects, so that bytes are those that git stores,
//! `remote` speaks to other machines, `directory` reads files, and `open` chooses
//! among them.

pub(crate) mod change;
mod directory;
pub(crate) mod disk;
pub(crate) mod git;
mod guard;
pub(crate) mod history;
pub(crate) mod merge;
pub(crate) mod named;
pub(crate) mod open;
pub(crate) mod project;
pub(crate) mod remote;
pub(crate) mod review_file;
pub(crate) mod taken;
pub(crate) mod trust;
pub(crate) mod upstream;

use std::path::PathBuf;

use skills_bundle::lock::LockedFile;

use crate::failure::Failure;

/// The most files and bytes of one skill that is taken.
const MAX_FILES: usize = 10_000;
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// What was read of a repository.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    /// The full name of the branch or tag; none for the default branch, and if only the commit was named.
    pub(crate) reference: Option<String>,
    pub(crate) id: String,
    pub(crate) repository: Home,
}

/// Where a repository is.
#[derive(Debug, Clone)]
pub(crate) enum Home {
    /// Its directory, or that of its files.
    Disk(PathBuf),
    Url(String),
}

/// A skill in a source.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Its directory in the repository, or in the directory that was named; empty for all of it.
    pub(crate) path: String,
    /// The name of its directory.
    pub(crate) dir_name: String,
    /// Git's number for the directory.
    pub(crate) tree: Option<String>,
    files: Vec<Place>,
    /// What is in it and isn't a file: the path, and what it is. Such a skill isn't taken.
    pub(crate) others: disk::Others,
}

/// A file that was found.
#[derive(Debug, Clone)]
struct Place {
    path: String,
    executable: bool,
    at: At,
}

#[derive(Debug, Clone)]
enum At {
    /// The number of git's object.
    Object(String),
    Disk(PathBuf),
}

/// A file of a skill, with its bytes.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) line: LockedFile,
    pub(crate) bytes: Vec<u8>,
}

fn too_much(what: &str) -> Failure {
    let most = format!("{MAX_FILES} files and {} MiB", MAX_BYTES >> 20);
    refused(format!("a skill may have {most}; `{what}` is more than that"), "take a smaller one")
}

/// A source that isn't taken.
fn refused(message: String, help: &str) -> Failure {
    Failure::other("SOURCE_REFUSED", message, help)
}
