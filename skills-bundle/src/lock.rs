//! `skill-sources.lock`: which skills came from elsewhere, from where, and with which bytes.
//!
//! One file beside the workspace's Cargo.toml pins every skill that was taken from another place. `read` and
//! `write` know its form, `tree` how files become a digest, `compare` what differs on disk, and `rule` what a
//! build reports (E024). `embedded` finds the lock in a program. Nothing here fetches anything.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use hmac_sha256::Hash as Sha256;
use skills_pack::text::Hex;
use skills_source::source::Source;

mod compare;
mod embedded;
mod find;
mod paths;
mod read;
pub(crate) mod rule;
mod tree;
mod write;

pub(crate) use compare::Present;
#[cfg(feature = "check")]
pub(crate) use compare::differs_in_line_ends as same_but_for_line_ends;
pub use compare::{Compared, FileState, SkillState, check};
pub use embedded::{Embedded, block, in_program};
pub(crate) use find::within;
pub use find::{Place, find};
pub use paths::{clash as path_clash, fault as path_fault, is_of_git};
#[cfg(feature = "check")]
pub(crate) use read::conflict;
pub use tree::{RECIPE, digest};
#[cfg(feature = "check")]
pub(crate) use write::{key, quoted};

/// The name of the lock.
pub const LOCK_FILE: &str = "skill-sources.lock";

/// The version of the lock's form.
pub const VERSION: u64 = 1;

/// A lock that was read, or is to be written.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Lock {
    /// The locked skills, by name, then directory.
    pub skills: Vec<LockedSkill>,
    /// Keys that this version doesn't know, each with its value as TOML. They are written again.
    pub unknown: Vec<(String, String)>,
    /// The text that was read, to show places in it.
    pub(crate) source: Option<Arc<Source>>,
}

/// A skill that came from elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LockedSkill {
    /// What its directory is called here.
    pub name: String,
    /// Its directory, relative to the lock, with `/`.
    pub dir: String,
    /// Where it came from, as the user wrote it.
    pub source: String,
    /// The repository, or the archive or file that was downloaded.
    pub url: Option<String>,
    /// Its directory in the repository, archive or package; of a website, its name there.
    pub path: Option<String>,
    /// The full name of the branch or tag; of a package, its version.
    pub reference: Option<String>,
    /// The commit.
    pub commit: Option<String>,
    /// Git's number for the directory in that commit.
    pub tree: Option<String>,
    /// The SHA-256 of the archive, or of the one file, in which it came from a website.
    pub artifact: Option<Digest>,
    /// The licence that it names.
    pub license: Option<String>,
    /// Keys that this version doesn't know, each with its value as TOML. They are written again.
    pub unknown: Vec<(String, String)>,
    /// The digest of its files, by the recipe [`RECIPE`].
    pub digest: Digest,
    /// Its files, by path.
    pub files: Vec<LockedFile>,
    /// Where its name is in the lock.
    pub(crate) place: Range<usize>,
}

/// A file of a locked skill. `Display` writes its line in the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "it is what a line of the lock says")]
pub struct LockedFile {
    /// Whether it may be executed.
    pub executable: bool,
    /// Its length in bytes.
    pub size: u64,
    /// Its SHA-256.
    pub sha256: [u8; 32],
    /// Its path in the skill's directory, with `/`.
    pub path: String,
}

/// A SHA-256. `Display` writes `sha256:` and 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "it is what it is")]
pub struct Digest(pub [u8; 32]);

impl LockedSkill {
    /// The entry of a skill with these files, with their digest. What it says of a repository is empty.
    pub fn new(
        name: impl Into<String>,
        dir: impl Into<String>,
        source: impl Into<String>,
        mut files: Vec<LockedFile>,
    ) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let (name, dir, source, digest) = (name.into(), dir.into(), source.into(), digest(&files));
        Self { name, dir, source, digest, files, ..Self::default() }
    }

    /// The file with this path.
    pub fn file(&self, path: &str) -> Option<&LockedFile> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }
}

impl LockedFile {
    /// The line of a file with these bytes.
    pub fn of(path: impl Into<String>, executable: bool, bytes: &[u8]) -> Self {
        Self { executable, size: bytes.len() as u64, sha256: Sha256::hash(bytes), path: path.into() }
    }
}

impl fmt::Display for LockedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = if self.executable { "755" } else { "644" };
        write!(f, "{mode} {} {} {}", self.size, Hex(&self.sha256), self.path)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", Hex(&self.0))
    }
}

#[cfg(test)]
mod tests;
