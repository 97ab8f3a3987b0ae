//! What a registry asks of the disk: the contents of a live root's files.

use alloc::vec::Vec;
use core::fmt::Debug;

use super::error::ActionError;

/// Gives the contents of files that are in no pack.
pub trait Files: Debug + Send + Sync {
    /// Reads a file, by the paths of its skill and in it, as the pack has them.
    ///
    /// # Errors
    ///
    /// Those of [`Entry::read`](super::Entry::read).
    fn read(&self, skill: &str, file: &str) -> Result<Vec<u8>, ActionError>;

    /// The media type of a file with this path, by the same rule as when one is packed.
    fn media_type(&self, file: &str, is_text: bool) -> &'static str;

    /// The SHA-256 of a content.
    fn sha256(&self, bytes: &[u8]) -> [u8; 32];

    /// Whether the skill at this path is the last good version of one that is broken now.
    fn is_stale(&self, skill: &str) -> bool;
}
