//! Numbers that tell whether a text is the same as before. They are the same on every system and in
//! every version, and no protection against anyone who wants two texts to have the same.

/// FNV-1a with 64 bits.
pub(super) fn short(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// FNV-1a with 128 bits.
pub(super) fn long(text: &str) -> u128 {
    text.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn they_are_fnv_1a() {
        assert_eq!(super::short("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(super::long("a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
