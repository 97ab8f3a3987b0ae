//! Blocks that can be found in a program without running it: marker bytes, the kind, the length and the
//! SHA-256 of what follows.
//!
//! Nothing is hashed here: who writes a block has its digest, and who reads one must compare it.

use alloc::vec::Vec;

/// The first bytes of a block. They are no text in any encoding.
pub const MARKER: [u8; 16] = *b"\xf7skills\xff\xfeblock\r\n";

/// The kind of a block with a lock, in TOML.
pub const LOCK: [u8; 4] = *b"LOCK";

/// The bytes before the payload: marker, kind, length as a little-endian `u64`, SHA-256.
pub const HEADER_LEN: usize = 16 + 4 + 8 + 32;

/// A block that was found. Its digest is still to be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marked<'b> {
    /// What it holds.
    pub kind: [u8; 4],
    /// The SHA-256 that it claims to have.
    pub digest: &'b [u8; 32],
    /// What it holds.
    pub payload: &'b [u8],
}

/// A block whose length passes the end of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "there is nothing more to say")]
pub struct CutOff;

/// A block with this payload.
pub fn block(kind: [u8; 4], payload: &[u8], sha256: &[u8; 32]) -> Vec<u8> {
    let mut block = Vec::with_capacity(HEADER_LEN + payload.len());
    block.extend_from_slice(&MARKER);
    block.extend_from_slice(&kind);
    block.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    block.extend_from_slice(sha256);
    block.extend_from_slice(payload);
    block
}

/// The payload of a block that was compiled in; `None` if this is not one whole block of this kind.
pub const fn payload(block: &[u8], kind: [u8; 4]) -> Option<&[u8]> {
    if block.len() < HEADER_LEN {
        return None;
    }
    let (header, payload) = block.split_at(HEADER_LEN);
    let mut at = 0;
    while at < 28 {
        let expected = match at {
            0..16 => MARKER[at],
            16..20 => kind[at - 16],
            _ => (payload.len() as u64).to_le_bytes()[at - 20],
        };
        if header[at] != expected {
            return None;
        }
        at += 1;
    }
    Some(payload)
}

/// Every block of a known kind in these bytes, in their order. Other bytes after a marker are skipped: a
/// program that looks for blocks has a marker of its own.
pub fn find(bytes: &[u8]) -> impl Iterator<Item = Result<Marked<'_>, CutOff>> {
    let mut next = 0;
    core::iter::from_fn(move || {
        while let Some(at) = position(bytes, next) {
            next = at + 1;
            let Some((kind, rest)) = bytes.get(at + MARKER.len()..).and_then(|rest| rest.split_first_chunk())
            else {
                continue;
            };
            if *kind != LOCK {
                continue;
            }
            return Some(after_kind(*kind, rest).ok_or(CutOff));
        }
        None
    })
}

fn after_kind(kind: [u8; 4], rest: &[u8]) -> Option<Marked<'_>> {
    let (len, rest) = rest.split_first_chunk()?;
    let (digest, rest) = rest.split_first_chunk()?;
    let payload = rest.get(..usize::try_from(u64::from_le_bytes(*len)).ok()?)?;
    Some(Marked { kind, digest, payload })
}

/// Where the marker begins, from `start` on.
fn position(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == MARKER[0])?;
        if bytes.get(at..)?.starts_with(&MARKER) {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_found_among_other_bytes() {
        let one = block(LOCK, b"one", &[1; 32]);
        let two = block(LOCK, b"", &[2; 32]);
        let unknown = block(*b"????", b"three", &[3; 32]);
        let bytes = [&MARKER[..7], &one, &MARKER, &MARKER, &two, &unknown, &MARKER].concat();
        let found: Vec<_> =
            find(&bytes).map(|block| block.map(|block| (block.payload, block.digest[0]))).collect();
        assert_eq!(found, [Ok((&b"one"[..], 1)), Ok((&b""[..], 2))]);
        assert_eq!(find(&one[..one.len() - 1]).collect::<Vec<_>>(), [Err(CutOff)]);
        assert_eq!(find(&one[..30]).collect::<Vec<_>>(), [Err(CutOff)]);
        assert_eq!(find(&one[..18]).count(), 0);
        let mut huge = one.clone();
        huge[20..28].fill(0xff);
        assert_eq!(find(&huge).collect::<Vec<_>>(), [Err(CutOff)]);
    }

    #[test]
    fn only_a_whole_block_has_a_payload() {
        let one = block(LOCK, b"one", &[1; 32]);
        assert_eq!(payload(&one, LOCK), Some(&b"one"[..]));
        assert_eq!(payload(&one, *b"????"), None);
        assert_eq!(payload(&one[..one.len() - 1], LOCK), None);
        assert_eq!(payload(&one[1..], LOCK), None);
        assert_eq!(payload(b"", LOCK), None);
    }
}
