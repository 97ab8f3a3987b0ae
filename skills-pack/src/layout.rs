//! The layout of a pack's tables.
//!
//! The tables are little-endian `u32` words: a header, then sections of fixed-size records. A *span* is two
//! words, an offset and a length in bytes. Only this file has the numbers; writer and reader use their names.
#![allow(missing_docs, reason = "each name says which word or column it is")]

/// The version of this layout. A bundle that was built for another version doesn't compile.
pub const FORMAT: u32 = 4;

/// The first word of every pack.
pub const MAGIC: u32 = u32::from_le_bytes(*b"SKPK");

/// The words of the header.
pub mod header {
    pub const MAGIC: usize = 0;
    pub const FORMAT: usize = 1;
    pub const TEXT_LEN: usize = 2;
    pub const BYTES_LEN: usize = 3;
    pub const SKILLS: usize = 4;
    pub const FILES: usize = 5;
    pub const ITEMS: usize = 6;
    pub const FIELDS: usize = 7;
    pub const NAMES: usize = 8;
    pub const COMMANDS: usize = 9;
    /// The words of the section for search, which comes last; 0 without it.
    pub const SEARCH: usize = 10;
    pub const WORDS: usize = 11;
}

/// The words of a skill's record. Skills are sorted by name.
pub mod skill {
    pub const NAME: usize = 0;
    pub const PATH: usize = 2;
    pub const DESCRIPTION: usize = 4;
    pub const VERSION: usize = 6;
    pub const AUTHOR: usize = 8;
    pub const LICENSE: usize = 10;
    pub const COMPATIBILITY: usize = 12;
    pub const ARGUMENT_HINT: usize = 14;
    pub const BODY: usize = 16;
    pub const HEAD: usize = 18;
    pub const TREE: usize = 20;
    /// The first record and the number of records, for this and the following.
    pub const FILES: usize = 22;
    pub const FIELDS: usize = 24;
    pub const TAGS: usize = 26;
    pub const TRIGGERS: usize = 28;
    pub const TOOLS: usize = 30;
    pub const ARGUMENTS: usize = 32;
    pub const FLAGS: usize = 34;
    pub const WORDS: usize = 35;

    pub const MODEL_MAY_CALL: u32 = 1;
    pub const USER_MAY_CALL: u32 = 2;
}

/// The words of a file's record. The files of a skill are sorted by path.
pub mod file {
    pub const PATH: usize = 0;
    pub const CONTENT: usize = 2;
    /// The index of the media type's item, above the flags.
    pub const MEDIA_TYPE: usize = 4;
    /// 32 bytes.
    pub const DIGEST: usize = 5;
    pub const WORDS: usize = 13;

    pub const EXECUTABLE: u32 = 1;
    /// The content is in the block of bytes, not in the text.
    pub const BINARY: u32 = 2;
    /// The content is on disk; the pack only has its length.
    pub const ON_DISK: u32 = 4;
    pub const FLAG_BITS: u32 = 3;
}

/// The words of a list item's record: its span. First come the items that many records share, keys and media
/// types, then those of each skill.
pub mod item {
    pub const WORDS: usize = 2;
}

/// The words of a frontmatter field's record.
pub mod field {
    /// The index of the key's item, above the kind of the value.
    pub const KEY: usize = 0;
    pub const VALUE: usize = 1;
    pub const WORDS: usize = 3;

    /// The value is the span of a string.
    pub const TEXT: u32 = 0;
    /// The value is the span of JSON.
    pub const JSON: u32 = 1;
    /// The value is the index of the first item, and the number of items.
    pub const LIST: u32 = 2;
    /// Set in addition to text or JSON if YAML's own types give other JSON: the value is the index of two
    /// items, the value as above and that JSON.
    pub const TYPED: u32 = 4;
    pub const KIND_BITS: u32 = 3;
}

/// The words of a look-up name's record. Names are sorted byte by byte.
pub mod name {
    pub const TEXT: usize = 0;
    /// The skill's index, with [`DIRECTORY`] set if the name is only that of its directory.
    pub const SKILL: usize = 2;
    pub const WORDS: usize = 3;

    /// The bit that marks a directory's name.
    pub const DIRECTORY: u32 = 1 << 31;
}

/// The words of a slash command's record. Commands are sorted by name.
pub mod command {
    pub const NAME: usize = 0;
    pub const PATH: usize = 2;
    pub const DESCRIPTION: usize = 4;
    pub const ARGUMENT_HINT: usize = 6;
    pub const TEMPLATE: usize = 8;
    /// The first record and the number of records, after those of the skills.
    pub const FIELDS: usize = 10;
    pub const FLAGS: usize = 12;
    pub const WORDS: usize = 13;

    pub const HIDDEN: u32 = 1;
}

/// The section for search: columns of words and of bytes, each padded to a whole word. It begins with the end
/// of each column, in words from the start of the section.
pub mod search {
    // The haystack: everything that the ranking `reference` searches, in lower case. After each name, tag,
    // trigger and description is a byte that no string contains.
    /// Where each skill's name begins, then the end.
    pub const NAME_STARTS: usize = 0;
    pub const NAMES: usize = 1;
    /// Where each skill's first tag begins, then the end.
    pub const TAG_STARTS: usize = 2;
    pub const TAGS: usize = 3;
    /// The index of each skill's first trigger, then the number of triggers.
    pub const FIRST_TRIGGERS: usize = 4;
    /// Where each trigger begins, then the end.
    pub const TRIGGER_STARTS: usize = 5;
    pub const TRIGGERS: usize = 6;
    /// Where each skill's description begins, then the end.
    pub const DESCRIPTION_STARTS: usize = 7;
    pub const DESCRIPTIONS: usize = 8;

    // The tables of the ranking `hybrid`, empty if they are switched off.
    /// The hash of each term, sorted.
    pub const TERMS: usize = 9;
    /// The index of each term's first posting, then the number of postings.
    pub const TERM_POSTINGS: usize = 10;
    /// The postings: a skill above a weight, sorted by skill within a term.
    pub const POSTINGS: usize = 11;
    /// The hash of each pair of neighbours, sorted.
    pub const NEIGHBOURS: usize = 12;
    /// The skill of each of these pairs, in two bytes.
    pub const NEIGHBOUR_SKILLS: usize = 13;
    /// The index of each skill's first entry in the next column, then the number of entries.
    pub const FIRST_NAME_TERMS: usize = 14;
    /// The index of each term that occurs in a name.
    pub const NAME_TERMS: usize = 15;
    /// Triggers, sorted by their first terms: the hash of that term, the skill, and the position and number
    /// of the trigger's terms.
    pub const PHRASES: usize = 16;
    /// The terms of these triggers.
    pub const PHRASE_TERMS: usize = 17;
    /// Names and triggers, sorted by the hash of their folded form: the hash, the skill.
    pub const EXACT: usize = 18;
    pub const COLUMNS: usize = 19;
}

/// The size in bytes of the tables of a pack without skills.
pub const EMPTY_LEN: usize = header::WORDS * 4;

/// The tables of a pack without skills.
pub const fn empty_tables() -> [u8; EMPTY_LEN] {
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
