//! Where everything stands in a pack's tables.
//!
//! The tables are little-endian `u32` words: a header, then one section after the other, each of
//! records of one size. A *span* is two words, an offset and a length in bytes. This is the only
//! place that knows the numbers; writer and reader use their names.

/// The version of this layout. A bundle that was built for another one does not compile.
pub const FORMAT: u32 = 2;

/// The first word of every pack.
pub(super) const MAGIC: u32 = u32::from_le_bytes(*b"SKPK");

/// The words of the header.
pub(super) mod header {
    pub(in crate::pack) const MAGIC: usize = 0;
    pub(in crate::pack) const FORMAT: usize = 1;
    pub(in crate::pack) const TEXT_LEN: usize = 2;
    pub(in crate::pack) const BYTES_LEN: usize = 3;
    pub(in crate::pack) const SKILLS: usize = 4;
    pub(in crate::pack) const FILES: usize = 5;
    pub(in crate::pack) const ITEMS: usize = 6;
    pub(in crate::pack) const FIELDS: usize = 7;
    pub(in crate::pack) const NAMES: usize = 8;
    pub(in crate::pack) const COMMANDS: usize = 9;
    pub(in crate::pack) const WORDS: usize = 10;
}

/// The words of a skill's record. Skills stand in the order of their names.
pub(super) mod skill {
    pub(in crate::pack) const NAME: usize = 0;
    pub(in crate::pack) const PATH: usize = 2;
    pub(in crate::pack) const DESCRIPTION: usize = 4;
    pub(in crate::pack) const VERSION: usize = 6;
    pub(in crate::pack) const AUTHOR: usize = 8;
    pub(in crate::pack) const LICENSE: usize = 10;
    pub(in crate::pack) const COMPATIBILITY: usize = 12;
    pub(in crate::pack) const ARGUMENT_HINT: usize = 14;
    pub(in crate::pack) const BODY: usize = 16;
    pub(in crate::pack) const HEAD: usize = 18;
    pub(in crate::pack) const TREE: usize = 20;
    pub(in crate::pack) const LOWER_DESCRIPTION: usize = 22;
    /// From here on: the first record and their number.
    pub(in crate::pack) const FILES: usize = 24;
    pub(in crate::pack) const FIELDS: usize = 26;
    pub(in crate::pack) const TAGS: usize = 28;
    pub(in crate::pack) const TRIGGERS: usize = 30;
    pub(in crate::pack) const TOOLS: usize = 32;
    pub(in crate::pack) const ARGUMENTS: usize = 34;
    pub(in crate::pack) const LOWER_TAGS: usize = 36;
    pub(in crate::pack) const LOWER_TRIGGERS: usize = 38;
    pub(in crate::pack) const FLAGS: usize = 40;
    pub(in crate::pack) const WORDS: usize = 41;

    pub(in crate::pack) const MODEL_MAY_CALL: u32 = 1;
    pub(in crate::pack) const USER_MAY_CALL: u32 = 2;
}

/// The words of a file's record. The files of a skill stand in the order of their paths.
pub(super) mod file {
    pub(in crate::pack) const PATH: usize = 0;
    pub(in crate::pack) const CONTENT: usize = 2;
    /// The item that is the media type, above the flags.
    pub(in crate::pack) const MEDIA_TYPE: usize = 4;
    /// 32 bytes.
    pub(in crate::pack) const DIGEST: usize = 5;
    pub(in crate::pack) const WORDS: usize = 13;

    pub(in crate::pack) const EXECUTABLE: u32 = 1;
    /// The content stands in the block of bytes, not in the text.
    pub(in crate::pack) const BINARY: u32 = 2;
    /// The content stands on disk: what is in the pack is its length.
    pub(in crate::pack) const ON_DISK: u32 = 4;
    pub(in crate::pack) const FLAG_BITS: u32 = 3;
}

/// The words of a list item's record: its span. The first items are the words that many records
/// share, keys and media types; then come those of each skill.
pub(super) mod item {
    pub(in crate::pack) const WORDS: usize = 2;
}

/// The words of a frontmatter field's record.
pub(super) mod field {
    /// The item that is the key, above the kind of the value.
    pub(in crate::pack) const KEY: usize = 0;
    pub(in crate::pack) const VALUE: usize = 1;
    pub(in crate::pack) const WORDS: usize = 3;

    /// The value is the span of a text.
    pub(in crate::pack) const TEXT: u32 = 0;
    /// The value is the span of JSON.
    pub(in crate::pack) const JSON: u32 = 1;
    /// The value is the first of some items, and their number.
    pub(in crate::pack) const LIST: u32 = 2;
    pub(in crate::pack) const KIND_BITS: u32 = 2;
}

/// The words of a look-up name's record. Names stand in order, byte by byte.
pub(super) mod name {
    pub(in crate::pack) const TEXT: usize = 0;
    pub(in crate::pack) const SKILL: usize = 2;
    pub(in crate::pack) const WORDS: usize = 3;
}

/// The words of a slash command's record. Commands stand in the order of their names.
pub(super) mod command {
    pub(in crate::pack) const NAME: usize = 0;
    pub(in crate::pack) const PATH: usize = 2;
    pub(in crate::pack) const DESCRIPTION: usize = 4;
    pub(in crate::pack) const ARGUMENT_HINT: usize = 6;
    pub(in crate::pack) const TEMPLATE: usize = 8;
    /// The first record and their number, after those of the skills.
    pub(in crate::pack) const FIELDS: usize = 10;
    pub(in crate::pack) const FLAGS: usize = 12;
    pub(in crate::pack) const WORDS: usize = 13;

    pub(in crate::pack) const HIDDEN: u32 = 1;
}

/// The size in bytes of the tables of a pack without skills.
pub(crate) const EMPTY_LEN: usize = header::WORDS * 4;

/// The tables of a pack without skills.
pub(crate) const fn empty_tables() -> [u8; EMPTY_LEN] {
    let mut tables = [0; EMPTY_LEN];
    let (magic, format) = (MAGIC.to_le_bytes(), FORMAT.to_le_bytes());
    let mut at = 0;
    while at < 4 {
        tables[header::MAGIC * 4 + at] = magic[at];
        tables[header::FORMAT * 4 + at] = format[at];
        at += 1;
    }
    tables
}
