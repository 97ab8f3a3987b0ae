//! The lock in a program: written by the build, and found by reading the file, without running it.
//!
//! A program is hostile input here: lengths are checked against the file, contents against their digests, and
//! the lock is read by the same strict reader as any other.

use std::collections::HashSet;

use hmac_sha256::Hash as Sha256;
use skills_pack::marked::{self, Marked};

use super::Lock;

/// The most bytes of a lock in a program.
const MAX_LOCK: usize = 16 * 1024 * 1024;

/// How many damaged blocks are looked at before a file is given up.
const MAX_DAMAGED: usize = 100;

/// What was found in a program.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Embedded {
    /// The locks, one for each bundle that has locked skills, in the order of the file.
    pub locks: Vec<Lock>,
    /// How many blocks look like a lock, but are cut off, don't have their digest or can't be read.
    pub damaged: usize,
}

/// The bytes to put into a program: the text of a lock behind a mark by which [`in_program`] finds it.
pub fn block(text: &str) -> Vec<u8> {
    marked::block(marked::LOCK, text.as_bytes(), &Sha256::hash(text.as_bytes()))
}

/// Looks for locks in the bytes of a program, which is shown as `path`.
pub fn in_program(bytes: &[u8], path: &str) -> Embedded {
    let mut found = Embedded::default();
    let mut known = HashSet::new();
    for marked in marked::find(bytes) {
        if found.damaged >= MAX_DAMAGED {
            break;
        }
        match marked {
            Ok(block) if block.kind == marked::LOCK => match lock(&block, path) {
                // A linker may keep one constant twice.
                Some(lock) if known.insert(*block.digest) => found.locks.push(lock),
                Some(_) => {}
                None => found.damaged += 1,
            },
            Ok(_) => {}
            Err(marked::CutOff) => found.damaged += 1,
        }
    }
    found
}

fn lock(block: &Marked<'_>, path: &str) -> Option<Lock> {
    let is_whole = block.payload.len() <= MAX_LOCK && Sha256::hash(block.payload) == *block.digest;
    let text = is_whole.then(|| std::str::from_utf8(block.payload).ok()).flatten()?;
    Lock::read(path, text).ok()
}
