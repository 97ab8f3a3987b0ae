//! The interface through which a registry reads the files of a live root.

use alloc::vec::Vec;
use core::fmt::Debug;

use skills_pack::Pack;

use super::error::ActionError;

/// Reads files whose contents aren't in the pack.
pub trait Files: Debug + Send + Sync {
    /// Reads a file. The paths are those of the skill and, inside it, of the file, as the pack has them.
    ///
    /// # Errors
    ///
    /// Those of [`Entry::read`](super::Entry::read).
    fn read(&self, skill: &str, file: &str) -> Result<Vec<u8>, ActionError>;

    /// A pack of one skill alone, with the list of its files, which are looked at now unless they were. `index` is
    /// that of the skill in the pack of the root, whose list of files has only the SKILL.md.
    fn listed(&self, index: usize) -> Option<Pack<'_>>;

    /// The media type of a file with this path, by the same rule as at build time.
    fn media_type(&self, file: &str, is_text: bool) -> &'static str;

    /// The SHA-256 of `bytes`.
    fn sha256(&self, bytes: &[u8]) -> [u8; 32];

    /// Whether this skill's SKILL.md, and its list of files if it was made, are on disk as they are served.
    fn is_current(&self, skill: &str) -> bool;

    /// Whether this skill's SKILL.md is broken on disk, so that its last good version is served.
    fn is_stale(&self, skill: &str) -> bool;
}
