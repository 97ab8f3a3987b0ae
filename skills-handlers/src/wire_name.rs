//! A name of a tool that every provider accepts.

use sha2::{Digest as _, Sha256};
use skills_pack::text::Hex;

/// A name that providers accept: a generated one if the skill's name has letters beyond a-z.
pub(super) fn wire_name(name: &str) -> String {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if (1..=64).contains(&name.len()) && name.bytes().all(fits) {
        return name.to_owned();
    }
    let digest = Sha256::digest(name.as_bytes());
    format!("skill_{}", Hex(&digest[..8]))
}
