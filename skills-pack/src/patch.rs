//! Replaces the texts of one skill in a pack, for a live root in which one SKILL.md was edited.
//!
//! The tables are copied, and only the records of that skill change; its texts go into pieces of their own after
//! the others. This is possible as long as no other record has to move: the skill has the same name and path, and
//! as many fields and list items as before. Otherwise the pack is written again. The section for search comes last,
//! so a new one takes its place.

use alloc::borrow::ToOwned as _;
use alloc::vec::Vec;

use super::blocks::SLOT_BITS;
use super::layout::{field, file, header, skill};
use super::reader::Pack;

/// The positions in a skill's record that are spans of strings.
const SPANS: [usize; 11] = [
    skill::NAME,
    skill::PATH,
    skill::DESCRIPTION,
    skill::VERSION,
    skill::AUTHOR,
    skill::LICENSE,
    skill::COMPATIBILITY,
    skill::ARGUMENT_HINT,
    skill::BODY,
    skill::HEAD,
    skill::TREE,
];

/// The positions in a skill's record that are lists of items.
const LISTS: [usize; 4] = [skill::TAGS, skill::TRIGGERS, skill::TOOLS, skill::ARGUMENTS];

/// The longest text of a pack, in slots.
const MAX_SLOTS: usize = 1 << (32 - SLOT_BITS);

impl Pack<'_> {
    /// The tables of this pack, with the skill at `index` as the only skill of `new` is. The pieces of text of
    /// `new` follow those of this pack from slot `slot` on, and come to `text_len` bytes. `None` if the pack has
    /// to be written again. The section for search stays, so if the skills aren't
    /// [found alike](Self::is_found_alike), it has to be replaced.
    #[doc(hidden)]
    pub fn tables_with(&self, index: usize, new: &Pack<'_>, slot: usize, text_len: usize) -> Option<Vec<u8>> {
        let (old_skill, new_skill) = (self.skill(index)?, new.skill(0)?);
        let has_room = slot.checked_add(Self::slots(text_len)).is_some_and(|end| end < MAX_SLOTS);
        if !has_room || (old_skill.name(), old_skill.path()) != (new_skill.name(), new_skill.path()) {
            return None;
        }
        let mut patch = Patch { old: self, new, slot, tables: self.tables.to_owned() };
        patch.set(header::TEXT_LEN, self.word(header::TEXT_LEN).checked_add(u32::try_from(text_len).ok()?)?);
        patch.skill(index)?;
        Some(patch.tables)
    }

    /// Whether a search finds the skill at `index` by the same words as the only skill of `new`.
    #[doc(hidden)]
    pub fn is_found_alike(&self, index: usize, new: &Pack<'_>) -> bool {
        let (Some(one), Some(other)) = (self.skill(index), new.skill(0)) else { return false };
        (one.name(), one.description()) == (other.name(), other.description())
            && one.tags().eq(other.tags())
            && one.triggers().eq(other.triggers())
    }

    /// The tables of this pack with another section for search. `None` if the tables become too large.
    #[doc(hidden)]
    pub fn tables_with_search(&self, section: &[u8]) -> Option<Vec<u8>> {
        let words = u32::try_from(section.len() / 4).ok()?;
        let mut tables = self.tables.get(..self.sections.search as usize * 4)?.to_owned();
        set(&mut tables, header::SEARCH, words);
        tables.extend_from_slice(section);
        Some(tables)
    }
}

struct Patch<'p, 'a, 'b> {
    old: &'p Pack<'a>,
    new: &'p Pack<'b>,
    slot: usize,
    tables: Vec<u8>,
}

impl Patch<'_, '_, '_> {
    fn skill(&mut self, index: usize) -> Option<()> {
        let (to, from) = (Pack::skill_record(index), Pack::skill_record(0));
        for at in SPANS {
            self.move_span(to + at, from + at)?;
        }
        self.set(to + skill::FLAGS, self.new.word(from + skill::FLAGS));
        let [files, fields] = [skill::FILES, skill::FIELDS].map(|at| self.pair(to + at, from + at));
        for at in 0..files?.2 {
            let (first, new_first, _) = files?;
            self.file(self.old.file_record(first + at), self.new.file_record(new_first + at))?;
        }
        let mut lists = Vec::new();
        for at in LISTS {
            lists.push(self.pair(to + at, from + at)?);
        }
        for at in 0..fields?.2 {
            let (first, new_first, _) = fields?;
            let places = (self.old.field_record(first + at), self.new.field_record(new_first + at));
            self.field(places.0, places.1, &mut lists)?;
        }
        self.items(&lists)
    }

    /// Where a list of records begins in the old and in the new pack, and its length, which is the same.
    fn pair(&self, to: usize, from: usize) -> Option<(usize, usize, usize)> {
        let (old, new) =
            ((self.old.word(to), self.old.word(to + 1)), (self.new.word(from), self.new.word(from + 1)));
        (old.1 == new.1).then_some((old.0 as usize, new.0 as usize, new.1 as usize))
    }

    fn file(&mut self, to: usize, from: usize) -> Option<()> {
        let (old, new) = (self.old.word(to + file::MEDIA_TYPE), self.new.word(from + file::MEDIA_TYPE));
        let media_types = (
            self.old.item((old >> file::FLAG_BITS) as usize),
            self.new.item((new >> file::FLAG_BITS) as usize),
        );
        let flags = (1 << file::FLAG_BITS) - 1;
        // What is on disk has no text, unless it is the SKILL.md.
        let (start, len) = (self.new.word(from + file::CONTENT), self.new.word(from + file::CONTENT + 1));
        if media_types.0 != media_types.1 || new & file::BINARY != 0 || (start == 0 && len > 0) {
            return None;
        }
        self.move_span(to + file::PATH, from + file::PATH)?;
        self.move_span(to + file::CONTENT, from + file::CONTENT)?;
        self.set(to + file::MEDIA_TYPE, old & !flags | new & flags);
        for at in file::DIGEST..file::WORDS {
            self.set(to + at, self.new.word(from + at));
        }
        Some(())
    }

    /// A field with the same key and a value of the same kind. Adds its items to the lists, if it has some.
    fn field(&mut self, to: usize, from: usize, lists: &mut Vec<(usize, usize, usize)>) -> Option<()> {
        let (old, new) = (self.old.word(to + field::KEY), self.new.word(from + field::KEY));
        let kinds = (1 << field::KIND_BITS) - 1;
        let old_key = self.old.item((old >> field::KIND_BITS) as usize);
        if old & kinds != new & kinds || old_key != self.new.item((new >> field::KIND_BITS) as usize) {
            return None;
        }
        if new & (field::LIST | field::TYPED) != 0 {
            lists.push(self.pair(to + field::VALUE, from + field::VALUE)?);
            return Some(());
        }
        self.move_span(to + field::VALUE, from + field::VALUE)
    }

    /// Lists share items where one says the same as another: both packs must share the same ones.
    fn items(&mut self, lists: &[(usize, usize, usize)]) -> Option<()> {
        let filled = || lists.iter().filter(|(.., count)| *count > 0);
        let old_first = filled().map(|(old, ..)| *old).min().unwrap_or_default();
        let new_first = filled().map(|(_, new, _)| *new).min().unwrap_or_default();
        for &(old, new, count) in filled() {
            if old - old_first != new - new_first {
                return None;
            }
            for at in 0..count {
                self.move_span(self.old.item_record(old + at), self.new.item_record(new + at))?;
            }
        }
        Some(())
    }

    /// Writes the span of the new pack, which is further back now.
    fn move_span(&mut self, to: usize, from: usize) -> Option<()> {
        let (start, len) = (self.new.word(from), self.new.word(from + 1));
        let moved =
            if len == 0 { 0 } else { start.checked_add(u32::try_from(self.slot << SLOT_BITS).ok()?)? };
        self.set(to, moved);
        self.set(to + 1, len);
        Some(())
    }

    fn set(&mut self, at: usize, word: u32) {
        set(&mut self.tables, at, word);
    }
}

fn set(tables: &mut [u8], at: usize, word: u32) {
    if let Some(place) = tables.get_mut(at * 4..at * 4 + 4) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}
