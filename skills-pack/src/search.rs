//! The view of the section for search.
//!
//! It only slices; the rankings in `skills-core` know what the columns mean. An inconsistent section gives
//! empty columns, never a panic.

use super::layout::search;

/// The byte after each string of the haystack. UTF-8 never has it, so no query matches across it.
pub const END: u8 = 0xff;

/// The tables for searching a pack's skills.
#[derive(Debug, Clone, Copy)]
pub struct SearchTables<'a> {
    /// For each skill, where its name begins, then the end.
    pub name_starts: Column<'a>,
    /// The names, each followed by a [separator](END).
    pub names: &'a [u8],
    /// For each skill, where its tags begin, then the end.
    pub tag_starts: Column<'a>,
    /// The tags, each followed by a separator.
    pub tags: &'a [u8],
    /// For each skill, the index of its first trigger, then the number of triggers.
    pub first_triggers: Column<'a>,
    /// For each trigger, where it begins, then the end.
    pub trigger_starts: Column<'a>,
    /// The triggers, each followed by a separator.
    pub triggers: &'a [u8],
    /// For each skill, where its description begins, then the end.
    pub description_starts: Column<'a>,
    /// The descriptions, each followed by a separator.
    pub descriptions: &'a [u8],
    /// The hashes of all terms, sorted. Empty without the tables of `hybrid`.
    pub terms: Column<'a>,
    /// For each term, the index of its first posting, then the number of postings.
    pub term_postings: Column<'a>,
    /// By term, then skill: see [`Weight`].
    pub postings: Column<'a>,
    /// The hashes of pairs of neighbours, sorted.
    pub neighbours: Column<'a>,
    neighbour_skills: &'a [[u8; 2]],
    /// For each skill, the index of its first name term, then the number of name terms.
    pub first_name_terms: Column<'a>,
    /// The indices of terms in [`terms`](Self::terms).
    pub name_terms: Column<'a>,
    /// Three words per trigger: the hash of its first term, by which they are sorted; the skill; the index of
    /// its first phrase term, above the number of its terms in eight bits.
    pub phrases: Column<'a>,
    /// The hashes of the terms of triggers.
    pub phrase_terms: Column<'a>,
    /// Two words per name and trigger: the hash of its folded form, by which they are sorted; the skill.
    pub exact: Column<'a>,
}

impl<'a> SearchTables<'a> {
    /// Reads the section of a pack with this many skills; `None` if it is invalid.
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

    /// Whether the pack has the tables of the ranking `hybrid`.
    pub fn has_tables(&self) -> bool {
        !self.exact.is_empty()
    }

    /// The skill of the pair of neighbours at this index.
    pub fn neighbour_skill(&self, at: usize) -> usize {
        self.neighbour_skills.get(at).map_or(0, |skill| usize::from(u16::from_le_bytes(*skill)))
    }

    /// The postings of the term at this index, as a range of indices.
    pub fn postings_of(&self, term: usize) -> (u32, u32) {
        (self.term_postings.get(term), self.term_postings.get(term + 1))
    }

    /// The index of a term.
    pub fn find_term(&self, hash: u32) -> Option<usize> {
        let at = self.terms.lower_bound(1, hash);
        (at < self.terms.len() && self.terms.get(at) == hash).then_some(at)
    }
}

/// A posting: a term in a skill, with its two weights. Both are fractions of 1: how clearly the skill has
/// the term, which grows slowly with every mention, and how much of the skill's text it is.
#[derive(Debug, Clone, Copy)]
pub struct Weight(pub u32);

impl Weight {
    /// The number of bits of [`mention`](Self::mention).
    pub const MENTION_BITS: u32 = 8;
    /// The largest mention.
    pub const MOST_MENTION: u32 = (1 << Self::MENTION_BITS) - 1;
    /// The number of bits of [`share`](Self::share).
    pub const SHARE_BITS: u32 = 7;
    /// The largest share.
    pub const MOST_SHARE: u32 = (1 << Self::SHARE_BITS) - 1;
    const IN_NAME: u32 = 1 << (Self::MENTION_BITS + Self::SHARE_BITS);

    /// Encodes a posting.
    pub fn new(skill: u32, mention: u32, share: u32, in_name: bool) -> Self {
        let weights = mention.min(Self::MOST_MENTION) << Self::SHARE_BITS | share.min(Self::MOST_SHARE);
        Self(skill << 16 | if in_name { Self::IN_NAME } else { 0 } | weights)
    }

    /// The skill's index.
    pub fn skill(self) -> usize {
        (self.0 >> 16) as usize
    }

    /// How clearly the skill has the term, in units of 1 / (1 << `MENTION_BITS`).
    pub fn mention(self) -> u32 {
        self.0 >> Self::SHARE_BITS & Self::MOST_MENTION
    }

    /// How much of the skill's text the term is, in units of 1 / (1 << `SHARE_BITS`).
    pub fn share(self) -> u32 {
        self.0 & Self::MOST_SHARE
    }

    /// Whether the term is in the skill's name.
    pub fn in_name(self) -> bool {
        self.0 & Self::IN_NAME != 0
    }
}

/// A column of words.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a>(pub &'a [[u8; 4]]);

impl<'a> Column<'a> {
    /// The number of words.
    #[inline]
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether it has no words.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The word at this index; 0 past the end.
    #[inline]
    pub fn get(self, at: usize) -> u32 {
        self.0.get(at).map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// The words in a range of indices.
    #[inline]
    #[must_use]
    pub fn slice(self, start: usize, end: usize) -> Column<'a> {
        Column(self.0.get(start..end).unwrap_or_default())
    }

    /// For records of this many words, sorted by their first word: the index of the first record that isn't
    /// less than `word`.
    ///
    /// Most of these words are hashes, which are spread evenly, so it begins where such a word should be: that takes
    /// fewer steps than to halve from the middle, and they are close together in memory.
    pub fn lower_bound(self, record: usize, word: u32) -> usize {
        let count = self.len() / record;
        let is_less = |at: usize| self.get(at * record) < word;
        let guess = ((u64::from(word) * count as u64) >> 32) as usize;
        let (mut low, mut high) = (0, count);
        let mut step = 8;
        if guess < count && is_less(guess) {
            low = guess + 1;
            while low + step < count {
                if !is_less(low + step) {
                    high = low + step;
                    break;
                }
                low += step + 1;
                step *= 2;
            }
        } else {
            high = guess;
            while step <= high {
                if is_less(high - step) {
                    low = high - step + 1;
                    break;
                }
                high -= step;
                step *= 2;
            }
        }
        while low < high {
            let middle = low.midpoint(high);
            if is_less(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_first_that_is_not_less_is_found() {
        let even = |count: u32| (0..count).map(move |at| at.wrapping_mul(0x9e37_79b9)).collect::<Vec<u32>>();
        let mut columns: Vec<Vec<u32>> = [0, 1, 2, 9, 100, 1_000].map(even).into();
        // Not spread evenly: all at one end, all equal, and both ends.
        columns.push((0..500).collect());
        columns.push((0..500).map(|at| u32::MAX - at).collect());
        columns.push([7; 300].into());
        columns.push([0, 0, 1, u32::MAX - 1, u32::MAX, u32::MAX].into());
        for mut words in columns {
            words.sort_unstable();
            for record in [1, 3] {
                let bytes: Vec<[u8; 4]> = words
                    .iter()
                    .flat_map(|word| (0..record as u32).map(move |at| (word ^ at).to_le_bytes()))
                    .collect();
                let around =
                    words.iter().flat_map(|word| [word.wrapping_sub(1), *word, word.wrapping_add(1)]);
                for word in around.chain([0, 1 << 31, u32::MAX]) {
                    let found = Column(&bytes).lower_bound(record, word);
                    assert_eq!(
                        found,
                        words.partition_point(|other| *other < word),
                        "{word} of {}",
                        words.len()
                    );
                }
            }
        }
    }
}
