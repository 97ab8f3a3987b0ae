//! Builds the section for search, column by column.
//!
//! It also builds the haystack at run time, for a pack that was made without one.

use alloc::string::String;
use alloc::vec::Vec;

use super::layout::search;
use super::search::END;

/// The strings of a skill that are searched letter by letter.
#[derive(Debug)]
pub struct Searched<'s, L> {
    /// The name.
    pub name: &'s str,
    /// The description.
    pub description: &'s str,
    /// The tags.
    pub tags: L,
    /// The triggers.
    pub triggers: L,
}

/// The columns of the section.
#[derive(Debug)]
pub struct Section {
    columns: Vec<Vec<u8>>,
}

impl Section {
    /// A section with only a haystack. `skills` are sorted by name.
    pub fn with_haystack<'s, L: Iterator<Item = &'s str>>(
        skills: impl Iterator<Item = Searched<'s, L>>,
    ) -> Self {
        let mut section = Self { columns: alloc::vec![Vec::new(); search::COLUMNS] };
        let columns = &mut section.columns;
        for skill in skills {
            start(columns, search::NAME_STARTS, search::NAMES);
            push(&mut columns[search::NAMES], skill.name);
            start(columns, search::TAG_STARTS, search::TAGS);
            skill.tags.for_each(|tag| push(&mut columns[search::TAGS], tag));
            let trigger = (columns[search::TRIGGER_STARTS].len() / 4) as u32;
            word(&mut columns[search::FIRST_TRIGGERS], trigger);
            for trigger in skill.triggers {
                start(columns, search::TRIGGER_STARTS, search::TRIGGERS);
                push(&mut columns[search::TRIGGERS], trigger);
            }
            start(columns, search::DESCRIPTION_STARTS, search::DESCRIPTIONS);
            push(&mut columns[search::DESCRIPTIONS], skill.description);
        }
        let triggers = (columns[search::TRIGGER_STARTS].len() / 4) as u32;
        word(&mut columns[search::FIRST_TRIGGERS], triggers);
        start(columns, search::NAME_STARTS, search::NAMES);
        start(columns, search::TAG_STARTS, search::TAGS);
        start(columns, search::TRIGGER_STARTS, search::TRIGGERS);
        start(columns, search::DESCRIPTION_STARTS, search::DESCRIPTIONS);
        section
    }

    /// Appends a word to a column.
    pub fn word(&mut self, column: usize, of: u32) {
        word(&mut self.columns[column], of);
    }

    /// Appends half a word to a column.
    pub fn half(&mut self, column: usize, of: u16) {
        self.columns[column].extend_from_slice(&of.to_le_bytes());
    }

    /// The bytes of the section, a whole number of words; `None` if they exceed 4 GiB.
    pub fn finish(self) -> Option<Vec<u8>> {
        let mut end = search::COLUMNS;
        let mut bytes = Vec::new();
        for column in &self.columns {
            end += column.len().div_ceil(4);
            word(&mut bytes, u32::try_from(end).ok().filter(|end| *end <= u32::MAX / 4)?);
        }
        for column in &self.columns {
            bytes.extend_from_slice(column);
            bytes.resize(bytes.len().next_multiple_of(4), END);
        }
        Some(bytes)
    }
}

fn start(columns: &mut [Vec<u8>], starts: usize, of: usize) {
    let at = columns[of].len() as u32;
    word(&mut columns[starts], at);
}

fn word(column: &mut Vec<u8>, word: u32) {
    column.extend_from_slice(&word.to_le_bytes());
}

fn push(column: &mut Vec<u8>, text: &str) {
    let lower: String = text.to_lowercase();
    column.extend_from_slice(lower.as_bytes());
    column.push(END);
}
