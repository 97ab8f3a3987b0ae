//! The name of a tool as providers take names.

use sha2::{Digest as _, Sha256};

/// The name as providers take names: another one for a skill whose name has letters beyond a-z.
pub(super) fn wire_name(name: &str) -> String {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if (1..=64).contains(&name.len()) && name.bytes().all(fits) {
        return name.to_owned();
    }
    let digest = Sha256::digest(name.as_bytes());
    format!("skill_{}", digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<String>())
}
