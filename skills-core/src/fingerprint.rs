//! A number that shows whether a string has changed. It is the same on every system. It isn't a cryptographic hash:
//! someone can make two strings with the same fingerprint.

/// Takes sixteen bytes at a time: a catalogue is hashed whenever it is made, and one byte at a time that took longer
/// than everything else.
pub(super) fn of(text: &str) -> u128 {
    let (blocks, rest) = text.as_bytes().as_chunks::<16>();
    let mut last = [0; 16];
    last[..rest.len()].copy_from_slice(rest);
    let blocks = blocks.iter().chain(core::iter::once(&last));
    blocks.fold(GOLDEN_RATIO ^ text.len() as u128, |hash, block| {
        // No step loses anything, so two strings that differ in one block never have the same fingerprint.
        let hash = (hash ^ u128::from_le_bytes(*block)).wrapping_mul(GOLDEN_RATIO);
        // The product of a high bit has no low bits.
        hash ^ (hash >> 64)
    })
}

/// An odd number without a pattern: the golden ratio's fraction.
const GOLDEN_RATIO: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    /// A host may keep it, so it stays as it is.
    #[test]
    fn it_is_the_same_everywhere() {
        assert_eq!(of(""), 0x1784_fbbd_e407_8c3d_097d_973f_82b3_56c4);
        assert_eq!(of("- pdf: Reads and fills PDF forms"), 0xd849_8b6c_9f48_056c_0f36_b07a_52be_1639);
    }

    #[test]
    fn every_change_shows() {
        let text = "- csv: Converts tables\n- pdf: Reads and fills PDF forms\n- zip: Packs files";
        let mut all: Vec<String> = (0..text.len()).map(|at| text[..at].into()).collect();
        all.extend((0..text.len()).map(|at| text[at..].into()));
        for at in 0..text.len() {
            for bit in 0..7 {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] ^= 1 << bit;
                all.extend(String::from_utf8(bytes));
            }
        }
        all.extend((0..64).map(|zeros| "\0".repeat(zeros)));
        let different: BTreeSet<&String> = all.iter().collect();
        let fingerprints: BTreeSet<u128> = different.iter().map(|text| of(text)).collect();
        assert!(different.len() > 600 && fingerprints.len() == different.len());
    }
}
