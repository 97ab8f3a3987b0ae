//! Skills in another place: what is there, read without running any of it.
//!
//! A source is what the user named on the command line, or a repository, a crate or a website in the lock;
//! nothing else is followed. `named` reads its name, `git` a repository's own objects, so that bytes are those that git stores,
//! `remote` speaks to other machines by git and `web` by https, `archive` unpacks, `index` reads what a website says
//! it has, `directory` reads files, `crates` asks Cargo, and `open` chooses among them.
//! `foreign` reads locks of other tools.

pub(crate) mod about;
mod archive;
pub(crate) mod change;
pub(crate) mod crates;
mod directory;
pub(crate) mod disk;
pub(crate) mod foreign;
pub(crate) mod git;
mod guard;
pub(crate) mod history;
mod index;
pub(crate) mod merge;
pub(crate) mod named;
pub(crate) mod open;
pub(crate) mod project;
pub(crate) mod remote;
pub(crate) mod review_file;
pub(crate) mod taken;
pub(crate) mod trust;
pub(crate) mod upstream;
mod web;

use std::path::PathBuf;
use std::sync::Arc;

use skills_bundle::lock::{Digest, LockedFile};
use skills_source::scan::SKILL_FILE;

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
    /// What it comes in, if that is an archive or one file.
    pub(crate) artifact: Option<Artifact>,
    files: Vec<Place>,
    /// What is in it and isn't a file: the path, and what it is. Such a skill isn't taken.
    pub(crate) others: disk::Others,
}

/// An archive, or one file, of which a digest is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Artifact {
    /// Where it is downloaded from; none for a file on this machine.
    pub(crate) url: Option<String>,
    pub(crate) digest: Digest,
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
    /// The contents themselves.
    Held(Arc<Vec<u8>>),
}

/// A file of a skill, with its bytes.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) line: LockedFile,
    pub(crate) bytes: Vec<u8>,
}

/// The directories of skills among the paths of files below `prefix`, outermost ones alone, without hidden ones.
fn roots<'p>(files: impl Iterator<Item = &'p str>, prefix: &str) -> Vec<String> {
    let mut roots: Vec<String> = Vec::new();
    for path in files {
        let root = match path.rsplit_once('/') {
            Some((root, SKILL_FILE)) => root,
            None if path == SKILL_FILE => "",
            _ => continue,
        };
        let Some(below) = (if root == prefix { Some("") } else { below(prefix, root) }) else { continue };
        if !below.split('/').any(|part| part.starts_with('.')) {
            roots.push(root.to_owned());
        }
    }
    roots.sort();
    let all = roots.clone();
    let is_inside = |root: &String| all.iter().any(|other| other != root && below(other, root).is_some());
    roots.retain(|root| !is_inside(root));
    roots
}

/// The part of a path below a directory, where all is below the empty one.
fn below<'p>(directory: &str, path: &'p str) -> Option<&'p str> {
    if directory.is_empty() { Some(path) } else { path.strip_prefix(directory)?.strip_prefix('/') }
}

impl Place {
    /// The file with its bytes.
    fn content(&self, bytes: Vec<u8>) -> Content {
        let line = LockedFile::of(self.path.as_str(), self.executable, &bytes);
        Content { line, bytes }
    }
}

/// The files of a skill that were read already.
fn held(skill: &Found) -> Result<Vec<Content>, Failure> {
    let files = skill.files.iter().map(|file| match &file.at {
        At::Held(bytes) => Ok(file.content(bytes.to_vec())),
        At::Object(_) | At::Disk(_) => Err(refused(format!("`{}` was not read", file.path), "report this")),
    });
    files.collect()
}

fn too_much(what: &str) -> Failure {
    let most = format!("{MAX_FILES} files and {} MiB", MAX_BYTES >> 20);
    refused(format!("a skill may have {most}; `{what}` is more than that"), "take a smaller one")
}

const FIX_THERE: &str = "ask its author to fix it, or name other skills";

/// A source that isn't taken.
fn refused(message: String, help: &str) -> Failure {
    Failure::other("SOURCE_REFUSED", message, help)
}
