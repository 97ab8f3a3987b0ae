//! What a registry asks of the disk: the contents of an overlay's files.

use alloc::vec::Vec;
use core::fmt::Debug;

use super::error::ActionError;

/// Where the contents of files are that stand in no pack.
pub(super) trait Files: Debug + Send + Sync {
    /// Reads a file, by the paths of its skill and in it, as the pack has them.
    fn read(&self, skill: &str, file: &str) -> Result<Vec<u8>, ActionError>;

    /// Whether the skill at this path is the last good version of one that is broken now.
    fn is_stale(&self, skill: &str) -> bool;
}
