//! Hashes of words, as terms and tables have them.

/// FNV-1a. Written so that an unoptimised build script runs it fast, as all of this module is.
pub const fn hash(bytes: &[u8]) -> u64 {
    let mut hash = FNV_START;
    let mut at = 0;
    while at < bytes.len() {
        hash = fnv(hash, bytes[at]);
        at += 1;
    }
    hash
}

pub(super) const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

#[inline(always)]
#[allow(clippy::inline_always, reason = "build scripts are not optimised, and this runs for every letter")]
pub(super) const fn fnv(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3)
}

/// The hash of two terms that stand side by side.
pub const fn neighbours(first: u32, second: u32) -> u32 {
    let both = (first as u64) << 32 | second as u64;
    (both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 ^ second
}

/// A hash of 32 bits from one of 64.
pub const fn short(hash: u64) -> u32 {
    ((hash >> 32) ^ (hash & 0xffff_ffff)) as u32
}
