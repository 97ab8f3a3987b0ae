//! A number that shows whether a string has changed. It is the same on every system and in every version. It
//! isn't a cryptographic hash: someone can make two strings with the same fingerprint.

/// FNV-1a with 128 bits.
pub(super) fn of(text: &str) -> u128 {
    text.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_fnv_1a() {
        assert_eq!(super::of("a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
