//! The digest of a skill's files, by the recipe `skills-tree-v1`: anybody can compute it with `sha256sum`.
//!
//! It is the SHA-256 of the line `skills-tree-v1` and one line for each file (mode, size, SHA-256, path), in
//! the order of the bytes of the paths, each ended by a line feed. Bytes are taken as they are: nothing
//! depends on the machine, its locale or its line ends.

use std::fmt::Write as _;

use hmac_sha256::Hash as Sha256;

use super::{Digest, LockedFile};

/// The name of the recipe, and its first line.
pub const RECIPE: &str = "skills-tree-v1";

/// The digest of these files, which may be in any order.
pub fn digest<'f>(files: impl IntoIterator<Item = &'f LockedFile>) -> Digest {
    let mut files: Vec<&LockedFile> = files.into_iter().collect();
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let mut text = format!("{RECIPE}\n");
    for file in files {
        // Writing into a string doesn't fail.
        let _ = writeln!(text, "{file}");
    }
    Digest(Sha256::hash(text.as_bytes()))
}
