//! The ranking `hybrid`: the formula in docs/search.md, in integers.
//!
//! It works on blocks of skills whose scores fit on the stack. All packs count as one collection: the more
//! skills of any pack have a term, the less it weighs.

use alloc::vec::Vec;
use core::cell::Cell;

use super::best::{Best, Rank};
use super::query::{MAX_TERMS, Query, QueryTerm};
use super::tabled::{Tabled, skills_with};
use skills_pack::logarithm::POINT;
use skills_pack::search::{SearchTables, Weight};
use skills_pack::words::{self, Term};
use skills_pack::{Pack, Skill};

/// How many skills are scored together.
const BLOCK: usize = 1024;

/// A query, and the packs to search.
pub(super) struct Hybrid<'q, 'a> {
    pub(super) text: &'q str,
    pub(super) query: Query,
    packs: Vec<Tabled<'a>>,
    folded: u32,
    /// For terms of names that were met, how many skills of all packs have them, and one.
    counted: [Cell<(u32, u32)>; COUNTED],
}

/// How many terms of names are remembered.
const COUNTED: usize = 256;

impl<'q, 'a> Hybrid<'q, 'a> {
    pub(super) fn new(text: &'q str, packs: Vec<Tabled<'a>>) -> Self {
        Self {
            text,
            query: Query::new(text, &packs),
            packs,
            folded: words::folded_hash(text),
            counted: [const { Cell::new((0, 0)) }; COUNTED],
        }
    }

    /// Offers every skill that has a score or that the query names.
    pub(super) fn search(&self, best: &mut Best<'_, 'a>) {
        let mut scores = Scores::new();
        for Tabled { number, pack, tables } in &self.packs {
            for (term, unread) in self.query.terms().iter().zip(&mut scores.unread) {
                let place = tables.find_term(term.term.0);
                *unread = place.map_or((0, 0), |place| tables.postings_of(place));
            }
            let mut first = 0;
            while first < pack.len() {
                let end = pack.len().min(first + BLOCK);
                self.block(pack, tables, first, end, &mut scores);
                self.offer(&scores, *number, pack, tables, first, end, best);
                first = end;
            }
        }
    }

    /// The tables of the pack with this number.
    pub(super) fn tables(&self, number: usize) -> Option<&SearchTables<'a>> {
        self.packs.iter().find(|pack| pack.number == number).map(|pack| &pack.tables)
    }

    fn block(
        &self,
        pack: &Pack<'a>,
        tables: &SearchTables<'a>,
        first: usize,
        end: usize,
        scores: &mut Scores,
    ) {
        scores.clear(end - first);
        let inside = |skill: usize| (first..end).contains(&skill).then(|| skill - first);
        for (number, term) in self.query.terms().iter().enumerate() {
            let (next, last) = scores.unread[number];
            let postings = tables.postings.slice(next as usize, last as usize);
            let mut read = 0;
            for posting in postings.0 {
                let posting = Weight(u32::from_le_bytes(*posting));
                let at = posting.skill().wrapping_sub(first);
                if at >= end - first {
                    break;
                }
                scores.mentions[at] = scores.mentions[at].saturating_add(mention(term.idf, posting));
                scores.shares[at] = scores.shares[at].saturating_add(share(term.idf, posting));
                if posting.in_name() {
                    scores.names[at] = scores.names[at].saturating_add(term.idf);
                }
                read += 1;
            }
            scores.unread[number].0 += read;
        }
        self.query.each_neighbours(|one, other| {
            let (worth, whole) = (side_by_side(one, other), in_one_word(one, other));
            each_skill_with_neighbours(tables, one, other, |skill| {
                if let Some(at) = inside(skill)
                    && scores.mentions[at] > 0
                {
                    scores.mentions[at] = scores.mentions[at].saturating_add(worth);
                    scores.shares[at] = scores.shares[at].saturating_add(whole);
                }
            });
        });
        self.each_trigger_inside(tables, |skill, mass, _| {
            if let Some(at) = inside(skill) {
                scores.triggers[at] = scores.triggers[at].max(mass);
            }
        });
        self.each_named(tables, |skill| {
            if let Some(at) = inside(skill) {
                scores.tiers[at] = pack.skill(skill).map_or(0, |skill| self.tier(skill));
            }
        });
    }

    #[allow(clippy::too_many_arguments, reason = "they say which block this is, and of which pack")]
    fn offer(
        &self,
        scores: &Scores,
        number: usize,
        pack: &Pack<'a>,
        tables: &SearchTables<'a>,
        first: usize,
        end: usize,
        best: &mut Best<'_, 'a>,
    ) {
        for at in 0..end - first {
            let (mentions, tier) = (scores.mentions[at], scores.tiers[at]);
            if mentions == 0 && tier == 0 {
                continue;
            }
            let (name, skill) = (scores.names[at], first + at);
            let fit = mentions.saturating_add(scores.triggers[at] / 2);
            let of = |fit: u32| Rank {
                tier,
                score: thousandths(fit.saturating_add(scores.shares[at])),
                fit: thousandths(fit),
            };
            // The name adds at most this much, and most skills are too low even with it.
            if best.may_keep(of(fit.saturating_add(name / 5))) {
                let fit = fit.saturating_add(self.name_part(tables, skill, name));
                best.offer(of(fit), number, pack, skill);
            }
        }
    }

    /// What a name adds to the score. `mass` is the weight of those of its terms that the query has.
    pub(super) fn name_part(&self, tables: &SearchTables<'a>, skill: usize, mass: u32) -> u32 {
        if mass == 0 {
            return 0;
        }
        let (first, end) = (tables.first_name_terms.get(skill), tables.first_name_terms.get(skill + 1));
        let terms = tables.name_terms.slice(first as usize, end as usize);
        let all: u64 =
            terms.0.iter().map(|place| u64::from(self.worth(tables, u32::from_le_bytes(*place)))).sum();
        let mass = u64::from(mass);
        (mass * mass).checked_div(5 * all).map_or(0, |part| part.min(mass / 5) as u32)
    }

    /// The weight of the term at this position in a pack.
    fn worth(&self, tables: &SearchTables<'a>, place: u32) -> u32 {
        let term = Term(tables.terms.get(place as usize));
        let with = if self.packs.len() == 1 {
            let (start, end) = tables.postings_of(place as usize);
            end.saturating_sub(start)
        } else {
            self.skills_with(term)
        };
        self.query.worth().of(term, with)
    }

    /// How many skills of all packs have a term.
    fn skills_with(&self, term: Term) -> u32 {
        if let Some(known) = self.query.terms().iter().find(|known| known.term == term) {
            return known.with;
        }
        let counted = &self.counted[term.0 as usize % COUNTED];
        let (known, with) = counted.get();
        if known == term.0 && with > 0 {
            return with - 1;
        }
        let with = skills_with(term, &self.packs);
        counted.set((term.0, with.saturating_add(1)));
        with
    }

    /// Calls `each` for every skill with a trigger whose terms occur in the query one after another: with the
    /// skill, the weight of the trigger, and the position and number of its terms in the query.
    pub(super) fn each_trigger_inside(
        &self,
        tables: &SearchTables<'a>,
        mut each: impl FnMut(usize, u32, (usize, usize)),
    ) {
        let phrases = tables.phrases;
        if phrases.is_empty() {
            return;
        }
        for (start, first) in self.query.run().enumerate() {
            let mut at = phrases.lower_bound(3, first.term.0);
            while at * 3 < phrases.len() && phrases.get(at * 3) == first.term.0 {
                let (skill, place) = (phrases.get(at * 3 + 1), phrases.get(at * 3 + 2));
                let (place, len) = ((place >> 8) as usize, (place & 0xff) as usize);
                let terms = tables.phrase_terms.slice(place, place + len);
                let run = self.query.run().skip(start).take(len);
                let wanted = terms.0.iter().map(|term| u32::from_le_bytes(*term));
                if terms.len() == len && run.clone().map(|term| term.term.0).eq(wanted) {
                    let mass = run.map(|term| term.idf).fold(0, u32::saturating_add);
                    each(skill as usize, mass, (start, len));
                }
                at += 1;
            }
        }
    }

    /// Calls `each` for every skill whose name or trigger may be the query.
    fn each_named(&self, tables: &SearchTables<'a>, mut each: impl FnMut(usize)) {
        let exact = tables.exact;
        let mut at = exact.lower_bound(2, self.folded);
        while at * 2 < exact.len() && exact.get(at * 2) == self.folded {
            each(exact.get(at * 2 + 1) as usize);
            at += 1;
        }
    }

    fn tier(&self, skill: Skill<'a>) -> u8 {
        let is_query = |text: &str| words::folded(text).eq(words::folded(self.text));
        if is_query(skill.name()) { 2 } else { u8::from(skill.triggers().any(is_query)) }
    }
}

/// The scores of a block of skills, in units of 1 / (1 << POINT).
struct Scores {
    /// For each skill, how clearly it mentions what the query asks.
    mentions: [u32; BLOCK],
    /// For each skill, how much of its text is what the query asks.
    shares: [u32; BLOCK],
    /// For each skill, the weight of the terms of its name that the query has.
    names: [u32; BLOCK],
    /// For each skill, the largest weight of a trigger that the query contains.
    triggers: [u32; BLOCK],
    tiers: [u8; BLOCK],
    /// For each term of the query, its postings that are still to be read in the current pack.
    unread: [(u32, u32); MAX_TERMS],
}

impl Scores {
    fn new() -> Self {
        Self {
            mentions: [0; BLOCK],
            shares: [0; BLOCK],
            names: [0; BLOCK],
            triggers: [0; BLOCK],
            tiers: [0; BLOCK],
            unread: [(0, 0); MAX_TERMS],
        }
    }

    /// Forgets those of the first `len` skills.
    fn clear(&mut self, len: usize) {
        for scores in [&mut self.mentions, &mut self.shares, &mut self.names, &mut self.triggers] {
            scores[..len].fill(0);
        }
        self.tiers[..len].fill(0);
    }
}

/// What a term adds to a skill's fit.
fn mention(idf: u32, posting: Weight) -> u32 {
    ((u64::from(idf) * u64::from(posting.mention())) >> Weight::MENTION_BITS) as u32
}

/// What a term adds to a skill's score beyond its fit: its share of the text counts twice.
fn share(idf: u32, posting: Weight) -> u32 {
    ((u64::from(idf) * u64::from(posting.share())) >> (Weight::SHARE_BITS - 1)) as u32
}

/// What a term adds to a skill's score.
pub(super) fn part(idf: u32, posting: Weight) -> u32 {
    mention(idf, posting).saturating_add(share(idf, posting))
}

/// What two terms add to a skill's fit that are neighbours both in the query and in the skill.
fn side_by_side(one: QueryTerm, other: QueryTerm) -> u32 {
    (u64::from(one.idf.min(other.idf)) * 15 / 100) as u32
}

/// What two pairs of Han, kana or Hangul add to its score beyond that: they are three characters of a word, or of
/// two, and without them a skill that repeats half of a word would come before one that has all of it.
fn in_one_word(one: QueryTerm, other: QueryTerm) -> u32 {
    if one.is_in_word && other.is_in_word { one.idf.min(other.idf) } else { 0 }
}

/// What two neighbours add to a skill's score.
pub(super) fn neighbours_part(one: QueryTerm, other: QueryTerm) -> u32 {
    side_by_side(one, other).saturating_add(in_one_word(one, other))
}

/// Calls `each` for every skill that has these two terms side by side.
pub(super) fn each_skill_with_neighbours(
    tables: &SearchTables<'_>,
    one: QueryTerm,
    other: QueryTerm,
    mut each: impl FnMut(usize),
) {
    let hash = words::neighbours(one.term.0, other.term.0);
    let mut at = tables.neighbours.lower_bound(1, hash);
    while at < tables.neighbours.len() && tables.neighbours.get(at) == hash {
        each(tables.neighbour_skill(at));
        at += 1;
    }
}

/// A score in thousandths.
pub(super) fn thousandths(score: u32) -> u32 {
    ((u64::from(score) * 1000) >> POINT) as u32
}
