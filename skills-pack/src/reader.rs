//! Reads a pack.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use super::blocks::{Blocks, SLOT_BITS};
use super::layout::{self, FORMAT, MAGIC, header};
use super::names::Named;
use super::search::SearchTables;

/// Packed skills: borrowed blocks that belong together.
#[derive(Clone, Copy)]
pub struct Pack<'a> {
    pub(super) texts: Blocks<'a, str>,
    bytes: Blocks<'a, [u8]>,
    pub(super) tables: &'a [u8],
    pub(super) sections: Sections,
}

/// The word at which each section begins.
#[derive(Clone, Copy)]
pub(super) struct Sections {
    files: u32,
    items: u32,
    fields: u32,
    names: u32,
    pub(super) commands: u32,
    pub(super) search: u32,
}

impl Sections {
    const fn of(tables: &[u8], text_len: usize, bytes_len: usize) -> Option<Self> {
        if tables.len() < header::WORDS * 4
            || word(tables, header::MAGIC) != MAGIC
            || word(tables, header::FORMAT) != FORMAT
            || word(tables, header::TEXT_LEN) as usize != text_len
            || word(tables, header::BYTES_LEN) as usize != bytes_len
        {
            return None;
        }
        let files = header::WORDS as u64 + section(tables, header::SKILLS, layout::skill::WORDS);
        let items = files + section(tables, header::FILES, layout::file::WORDS);
        let fields = items + section(tables, header::ITEMS, layout::item::WORDS);
        let names = fields + section(tables, header::FIELDS, layout::field::WORDS);
        let commands = names + section(tables, header::NAMES, layout::name::WORDS);
        let search = commands + section(tables, header::COMMANDS, layout::command::WORDS);
        let end = search + section(tables, header::SEARCH, 1);
        if end * 4 != tables.len() as u64 || end > u32::MAX as u64 {
            return None;
        }
        Some(Self {
            files: files as u32,
            items: items as u32,
            fields: fields as u32,
            names: names as u32,
            commands: commands as u32,
            search: search as u32,
        })
    }
}

/// The blocks of a pack don't belong together, or were made for another version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the packed skills were made by another version of `skills`: build them again")
    }
}

impl core::error::Error for Mismatch {}

impl<'a> Pack<'a> {
    /// Puts the pieces of text, the pieces of bytes, and the tables together. For generated code only.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the format has another version or a length doesn't match the tables.
    #[doc(hidden)]
    pub const fn new(
        texts: &'a [&'a &'a str],
        bytes: &'a [&'a &'a [u8]],
        tables: &'a [u8],
    ) -> Result<Self, Mismatch> {
        let (mut text_len, mut bytes_len, mut at) = (0, 0, 0);
        while at < texts.len() {
            text_len += texts[at].len();
            at += 1;
        }
        at = 0;
        while at < bytes.len() {
            bytes_len += bytes[at].len();
            at += 1;
        }
        match Sections::of(tables, text_len, bytes_len) {
            Some(sections) => {
                Ok(Self { texts: Blocks::Static(texts), bytes: Blocks::Static(bytes), tables, sections })
            }
            None => Err(Mismatch),
        }
    }

    /// As [`new`](Self::new), for blocks that were made at run time.
    ///
    /// # Errors
    ///
    /// [`Mismatch`], for the same reasons.
    #[doc(hidden)]
    pub fn from_owned(texts: &'a [String], bytes: &'a [Vec<u8>], tables: &'a [u8]) -> Result<Self, Mismatch> {
        let text_len = texts.iter().map(String::len).sum();
        let bytes_len = bytes.iter().map(Vec::len).sum();
        let sections = Sections::of(tables, text_len, bytes_len).ok_or(Mismatch)?;
        Ok(Self { texts: Blocks::Owned(texts), bytes: Blocks::Owned(bytes), tables, sections })
    }

    /// As [`from_owned`](Self::from_owned), for pieces that several packs share.
    ///
    /// # Errors
    ///
    /// [`Mismatch`], for the same reasons.
    #[doc(hidden)]
    pub fn from_shared(texts: &'a [Arc<String>], tables: &'a [u8]) -> Result<Self, Mismatch> {
        let text_len = texts.iter().map(|text| text.len()).sum();
        let sections = Sections::of(tables, text_len, 0).ok_or(Mismatch)?;
        Ok(Self { texts: Blocks::Shared(texts), bytes: Blocks::Owned(&[]), tables, sections })
    }

    /// The number of bytes of text, and of other bytes, that the tables require; `None` if they aren't valid
    /// tables.
    #[doc(hidden)]
    pub fn lengths(tables: &[u8]) -> (usize, usize) {
        if tables.len() < header::WORDS * 4 {
            return (0, 0);
        }
        (word(tables, header::TEXT_LEN) as usize, word(tables, header::BYTES_LEN) as usize)
    }

    /// The most slots that a block of this many bytes occupies.
    #[doc(hidden)]
    pub fn slots(len: usize) -> usize {
        // Any two consecutive pieces together are longer than a slot.
        3 * (len >> SLOT_BITS) + 4
    }

    /// The number of skills.
    #[inline]
    pub const fn len(&self) -> usize {
        word(self.tables, header::SKILLS) as usize
    }

    /// Whether the pack has no skills.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The skill with this name, which is [normalised](super::with_normalised), by binary search: the skill's
    /// own name, else its directory's if no other skill has that name.
    pub fn find(&self, name: &str) -> Option<Named> {
        let (mut low, mut high) = (0, self.word(header::NAMES) as usize);
        while low < high {
            let middle = low.midpoint(high);
            let record = self.name_record(middle);
            match self.text_at(record + layout::name::TEXT).cmp(name) {
                Ordering::Equal => return Some(Named::of(self.word(record + layout::name::SKILL))),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Every name that can be looked up, sorted.
    pub fn names(&self) -> impl ExactSizeIterator<Item = (&'a str, Named)> + use<'a> {
        let pack = *self;
        (0..self.word(header::NAMES) as usize).map(move |at| {
            let record = pack.name_record(at);
            (pack.text_at(record + layout::name::TEXT), Named::of(pack.word(record + layout::name::SKILL)))
        })
    }

    /// The name at this index of [`names`](Self::names).
    pub fn name(&self, at: usize) -> Option<&'a str> {
        let is_there = at < self.word(header::NAMES) as usize;
        is_there.then(|| self.text_at(self.name_record(at) + layout::name::TEXT))
    }

    fn name_record(&self, at: usize) -> usize {
        self.sections.names as usize + at * layout::name::WORDS
    }

    /// The number of slash commands.
    pub(super) fn command_count(&self) -> usize {
        self.word(header::COMMANDS) as usize
    }

    /// The tables for search, if the pack has them.
    pub fn search(&self) -> Option<SearchTables<'a>> {
        SearchTables::new(self.tables.get(self.sections.search as usize * 4..)?, self.len())
    }

    /// The word at this index of the tables; 0 past their end.
    #[inline]
    pub(super) fn word(&self, at: usize) -> u32 {
        self.tables
            .get(at * 4..)
            .and_then(|rest| rest.first_chunk())
            .map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// The offset and the length at this word; zeros past the end of the tables.
    #[inline]
    fn span(&self, at: usize) -> (usize, usize) {
        let words: Option<&[u8; 8]> = self.tables.get(at * 4..).and_then(|rest| rest.first_chunk());
        words.map_or((0, 0), |&[a, b, c, d, e, f, g, h]| {
            (u32::from_le_bytes([a, b, c, d]) as usize, u32::from_le_bytes([e, f, g, h]) as usize)
        })
    }

    /// The string of the span at this word; empty if the span is invalid.
    #[inline]
    pub(super) fn text_at(&self, at: usize) -> &'a str {
        let (offset, len) = self.span(at);
        let found = self.texts.find(offset, str::is_empty);
        found.and_then(|(piece, start)| piece.get(start..start + len)).unwrap_or_default()
    }

    /// The bytes of the span at this word, of the text or of the block of bytes.
    #[inline]
    pub(super) fn bytes_at(&self, at: usize, binary: bool) -> &'a [u8] {
        if !binary {
            return self.text_at(at).as_bytes();
        }
        let (offset, len) = self.span(at);
        let found = self.bytes.find(offset, <[u8]>::is_empty);
        found.and_then(|(piece, start)| piece.get(start..start + len)).unwrap_or_default()
    }

    /// The string of an item.
    #[inline]
    pub(super) fn item(&self, index: usize) -> &'a str {
        self.text_at(self.item_record(index))
    }

    #[inline]
    pub(super) fn item_record(&self, index: usize) -> usize {
        self.sections.items as usize + index * layout::item::WORDS
    }

    /// The 32 bytes that begin at this word.
    pub(super) fn digest_at(&self, at: usize) -> &'a [u8; 32] {
        self.tables.get(at * 4..).and_then(|rest| rest.first_chunk()).unwrap_or(&[0; 32])
    }

    #[inline]
    pub(super) fn skill_record(index: usize) -> usize {
        header::WORDS + index * layout::skill::WORDS
    }

    #[inline]
    pub(super) fn file_record(&self, index: usize) -> usize {
        self.sections.files as usize + index * layout::file::WORDS
    }

    #[inline]
    pub(super) fn command_record(&self, index: usize) -> usize {
        self.sections.commands as usize + index * layout::command::WORDS
    }

    pub(super) fn field_record(&self, index: usize) -> usize {
        self.sections.fields as usize + index * layout::field::WORDS
    }
}

impl fmt::Debug for Pack<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pack").field("skills", &self.len()).finish_non_exhaustive()
    }
}

/// A word that is known to exist, in constants too.
pub(super) const fn word(tables: &[u8], at: usize) -> u32 {
    let at = at * 4;
    u32::from_le_bytes([tables[at], tables[at + 1], tables[at + 2], tables[at + 3]])
}

const fn section(tables: &[u8], count: usize, words: usize) -> u64 {
    word(tables, count) as u64 * words as u64
}
