//! The view of the section for search.
//!
//! It only slices: what the columns mean to a ranking is for `serve::search`. A section that does not
//! hold together gives empty columns, never a panic.

use super::layout::search;

/// The byte after each text of the haystack. No UTF-8 holds it, so no query reaches over it.
pub const END: u8 = 0xff;

/// What was made of a pack's skills for search.
#[derive(Debug, Clone, Copy)]
pub struct SearchTables<'a> {
    /// For each skill, where its name starts, then the end.
    pub name_starts: Column<'a>,
    /// The names, each with a byte after it.
    pub names: &'a [u8],
    /// For each skill, where its tags start, then the end.
    pub tag_starts: Column<'a>,
    /// The tags, each with a byte after it.
    pub tags: &'a [u8],
    /// For each skill, the number of its first trigger, then of all.
    pub first_triggers: Column<'a>,
    /// For each trigger, where it starts, then the end.
    pub trigger_starts: Column<'a>,
    /// The triggers, each with a byte after it.
    pub triggers: &'a [u8],
    /// For each skill, where its description starts, then the end.
    pub description_starts: Column<'a>,
    /// The descriptions, each with a byte after it.
    pub descriptions: &'a [u8],
    /// The hashes of all terms, in order. None without the tables of `hybrid`.
    pub terms: Column<'a>,
    /// For each term, the number of its first posting, then of all.
    pub term_postings: Column<'a>,
    /// By term, then skill: see [`Weight`].
    pub postings: Column<'a>,
    /// The hashes of pairs of neighbours, in order.
    pub neighbours: Column<'a>,
    neighbour_skills: &'a [[u8; 2]],
    /// For each skill, the number of its first name term, then of all.
    pub first_name_terms: Column<'a>,
    /// The places of terms among [`terms`](Self::terms).
    pub name_terms: Column<'a>,
    /// Three words a trigger: the hash of its first term, in order; the skill; the number of its first
    /// phrase term, above their number in eight bits.
    pub phrases: Column<'a>,
    /// The hashes of the terms of triggers.
    pub phrase_terms: Column<'a>,
    /// Two words for each name and trigger: the hash of its folded form, in order; the skill.
    pub exact: Column<'a>,
}

impl<'a> SearchTables<'a> {
    /// Reads a section of a pack with this many skills; `None` where it doesn't fit.
    pub fn new(section: &'a [u8], skills: usize) -> Option<Self> {
        let words = Column(section.as_chunks().0);
        if words.len() < search::COLUMNS {
            return None;
        }
        let bytes = |column: usize| {
            let start = if column == 0 { search::COLUMNS as u32 } else { words.get(column - 1) };
            section.get(start as usize * 4..words.get(column) as usize * 4).unwrap_or_default()
        };
        let column = |column: usize| Column(bytes(column).as_chunks().0);
        let tables = Self {
            name_starts: column(search::NAME_STARTS),
            names: bytes(search::NAMES),
            tag_starts: column(search::TAG_STARTS),
            tags: bytes(search::TAGS),
            first_triggers: column(search::FIRST_TRIGGERS),
            trigger_starts: column(search::TRIGGER_STARTS),
            triggers: bytes(search::TRIGGERS),
            description_starts: column(search::DESCRIPTION_STARTS),
            descriptions: bytes(search::DESCRIPTIONS),
            terms: column(search::TERMS),
            term_postings: column(search::TERM_POSTINGS),
            postings: column(search::POSTINGS),
            neighbours: column(search::NEIGHBOURS),
            neighbour_skills: bytes(search::NEIGHBOUR_SKILLS).as_chunks().0,
            first_name_terms: column(search::FIRST_NAME_TERMS),
            name_terms: column(search::NAME_TERMS),
            phrases: column(search::PHRASES),
            phrase_terms: column(search::PHRASE_TERMS),
            exact: column(search::EXACT),
        };
        (tables.name_starts.len() > skills).then_some(tables)
    }

    /// Whether the tables of the ranking `hybrid` were made.
    pub fn has_tables(&self) -> bool {
        !self.exact.is_empty()
    }

    /// The skill that has the pair of neighbours at this place.
    pub fn neighbour_skill(&self, at: usize) -> usize {
        self.neighbour_skills.get(at).map_or(0, |skill| usize::from(u16::from_le_bytes(*skill)))
    }

    /// The postings of the term at this place, as numbers of postings.
    pub fn postings_of(&self, term: usize) -> (u32, u32) {
        (self.term_postings.get(term), self.term_postings.get(term + 1))
    }

    /// The place of a term among all of them.
    pub fn find_term(&self, hash: u32) -> Option<usize> {
        let at = self.terms.lower_bound(1, hash);
        (at < self.terms.len() && self.terms.get(at) == hash).then_some(at)
    }
}

/// A posting: a term in a skill.
#[derive(Debug, Clone, Copy)]
pub struct Weight(pub u32);

impl Weight {
    /// The bits of a weight, which is a fraction of 1.
    pub const BITS: u32 = 15;
    /// The greatest weight.
    pub const MAX: u32 = (1 << Self::BITS) - 1;
    const IN_NAME: u32 = 1 << Self::BITS;

    /// Puts a posting together.
    pub fn new(skill: u32, weight: u32, in_name: bool) -> Self {
        Self(skill << 16 | if in_name { Self::IN_NAME } else { 0 } | weight.min(Self::MAX))
    }

    /// The skill's index.
    pub fn skill(self) -> usize {
        (self.0 >> 16) as usize
    }

    /// In parts of `1 << BITS`.
    pub fn weight(self) -> u32 {
        self.0 & Self::MAX
    }

    /// Whether the term stands in the skill's name.
    pub fn in_name(self) -> bool {
        self.0 & Self::IN_NAME != 0
    }
}

/// A column of words.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a>(pub &'a [[u8; 4]]);

impl<'a> Column<'a> {
    /// How many words it has.
    #[inline]
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether it has no words.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The word at this place; 0 past the end.
    #[inline]
    pub fn get(self, at: usize) -> u32 {
        self.0.get(at).map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// The words from one place to another.
    #[inline]
    #[must_use]
    pub fn slice(self, start: usize, end: usize) -> Column<'a> {
        Column(self.0.get(start..end).unwrap_or_default())
    }

    /// Of records of this many words that are ordered by their first: the number of the first one
    /// that is not less.
    pub fn lower_bound(self, record: usize, word: u32) -> usize {
        let (mut low, mut high) = (0, self.len() / record);
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle * record) < word {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
