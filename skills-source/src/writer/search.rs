//! Makes the section for search: the haystack, and the tables of the ranking `hybrid`.
//!
//! Build scripts are not optimised, so what runs for every word of every body is written plainly:
//! each different word is looked at once, and after that it costs a look into a table.

#![allow(clippy::needless_range_loop, reason = "iterators cost several times as much unoptimised")]
#![allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
#![allow(clippy::cast_sign_loss, reason = "weights are not negative")]

mod asides;
mod kept;
mod table;

use super::SkillSource;
use asides::Aside;
pub use kept::IndexedSkills;
use skills_pack::layout::search;
use skills_pack::search::Weight;
use skills_pack::section::{Searched, Section};
use skills_pack::words::{self, Kind, Term};
use skills_pack::worth::Worth;
use table::Table;

/// How much is made for search, and so stands in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum SearchIndex {
    /// Nothing. Every search reads all skills, and ranks by `reference`.
    Off,
    /// What makes `reference` fast. There is no other ranking.
    Reference,
    /// The tables of `hybrid` too, of names, descriptions, tags and triggers.
    #[default]
    WithoutBodies,
    /// The tables of `hybrid`, of the bodies too. They are twice as large, and a build script that is not
    /// optimised takes about as long over them as over all the rest.
    Full,
}

// The parameters of the formula that docs/search.md explains. What is worked out here is + - * / and the
// square root on `f64`, which give the same on every machine.
const WEIGHTS: [f64; FIELDS] = [3.0, 1.0, 1.5, 2.0, 0.1];
const LENGTHS: [f64; FIELDS] = [0.6, 0.75, 0.3, 0.5, 0.75];
const SATURATION: f64 = 0.9;

const FIELDS: usize = 5;
const NAME: usize = 0;
const DESCRIPTION: usize = 1;
const TAGS: usize = 2;
const TRIGGERS: usize = 3;
const BODY: usize = 4;

/// The most skills whose tables can be made: a skill is two bytes there.
const MAX_SKILLS: usize = 1 << 16;

/// What one skill brings to the section.
#[derive(Debug, Default)]
pub(super) struct Indexed {
    name: String,
    description: String,
    tags: Vec<String>,
    triggers: Vec<String>,
    counts: Vec<Counts>,
    lengths: [u32; FIELDS],
    name_terms: Vec<u32>,
    neighbours: Vec<u32>,
    asides: Vec<Aside>,
    phrases: Vec<Vec<u32>>,
    exact: Vec<u32>,
    folded_name: u32,
}

impl Indexed {
    /// Counts a term once more, which stands at this place among the counts. A variant makes no text longer.
    fn count(&mut self, place: usize, field: usize, kind: Kind) {
        let counts = &mut self.counts[place];
        counts.fields[field] = counts.fields[field].saturating_add(1);
        self.lengths[field] += u32::from(kind != Kind::Variant);
    }
}

impl Indexed {
    /// Gives each term its number, and one, from this list in place of its own.
    pub(super) fn renumber(&mut self, terms: &[u32]) {
        let number = |term: u32| terms.get(term as usize).map_or(0, |number| number.saturating_sub(1));
        for counts in &mut self.counts {
            counts.term = number(counts.term);
        }
        for term in &mut self.name_terms {
            *term = number(*term);
        }
    }
}

/// How often a term stands in each field.
#[derive(Debug)]
struct Counts {
    term: u32,
    fields: [u16; FIELDS],
}

/// All terms so far.
#[derive(Debug, Clone)]
pub(super) struct Vocabulary {
    pub(super) index: SearchIndex,
    /// From the hash of a word to its term's number and one; 0 for a word that says nothing.
    words: Table,
    /// From the hash of a term to its number.
    numbers: Table,
    hashes: Vec<u32>,
    /// For each term the skill that was last seen to have it, and where among its counts it stands.
    seen: Vec<(u32, u32)>,
    skills: u32,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            index: SearchIndex::default(),
            words: Table::new(),
            numbers: Table::new(),
            hashes: Vec::new(),
            seen: Vec::new(),
            skills: 0,
        }
    }
}

impl Vocabulary {
    /// Reads a skill.
    pub(super) fn add(&mut self, source: &SkillSource<'_>, body: &str) -> Indexed {
        let mut indexed = Indexed::default();
        if self.index == SearchIndex::Off {
            return indexed;
        }
        let read = &source.text.frontmatter;
        indexed.name.clone_from(&source.text.name);
        indexed.description = read.whole_description().into_owned();
        indexed.tags.clone_from(&read.tags);
        indexed.triggers.clone_from(&read.triggers);
        if self.index == SearchIndex::Reference {
            return indexed;
        }
        self.skills += 1;
        let mut run = Vec::new();
        self.read(&source.text.name, NAME, &mut indexed, &mut run);
        neighbours(&mut indexed.neighbours, &run);
        let mut name_terms: Vec<u32> = indexed.counts.iter().map(|counts| counts.term).collect();
        indexed.name_terms.append(&mut name_terms);
        let description = std::mem::take(&mut indexed.description);
        self.describe(&description, &mut indexed, &mut run);
        indexed.description = description;
        for tag in &read.tags {
            self.read(tag, TAGS, &mut indexed, &mut run);
        }
        for trigger in &read.triggers {
            self.read(trigger, TRIGGERS, &mut indexed, &mut run);
            neighbours(&mut indexed.neighbours, &run);
            if !run.is_empty() && run.len() < 256 {
                indexed.phrases.push(run.clone());
            }
        }
        indexed.folded_name = words::folded_hash(&source.text.name);
        indexed.exact.push(indexed.folded_name);
        indexed.exact.extend(read.triggers.iter().map(|trigger| words::folded_hash(trigger)));
        indexed.exact.sort_unstable();
        indexed.exact.dedup();
        if self.index == SearchIndex::Full {
            self.read(body, BODY, &mut indexed, &mut run);
        }
        indexed
    }

    /// Counts the terms of a field. `run` gets the hashes of those that have neighbours, in order.
    fn read(&mut self, text: &str, field: usize, indexed: &mut Indexed, run: &mut Vec<u32>) {
        run.clear();
        words::scan(text, &mut |word| {
            let number = self.number(word);
            if number == 0 {
                return true;
            }
            let term = number - 1;
            let place = self.place_of(term, &mut indexed.counts);
            indexed.count(place as usize, field, word.kind);
            if field != BODY && word.kind.is_new() {
                run.push(self.hashes[term as usize]);
            }
            true
        });
    }

    /// The number of a word's term, and one; 0 for a word that says nothing.
    fn number(&mut self, word: words::Word<'_>) -> u32 {
        let known = self.words.get(word.hash);
        if known == Table::ABSENT { self.learn(word) } else { known }
    }

    /// Where a term stands among the counts of the skill that is read.
    fn place_of(&mut self, term: u32, counts: &mut Vec<Counts>) -> u32 {
        let seen = &mut self.seen[term as usize];
        if seen.0 != self.skills {
            *seen = (self.skills, counts.len() as u32);
            counts.push(Counts { term, fields: [0; FIELDS] });
        }
        seen.1
    }

    /// The hashes of all terms, by their numbers.
    pub(super) fn hashes(&self) -> &[u32] {
        &self.hashes
    }

    /// The number of the term with this hash, which may be new, and one.
    pub(super) fn number_of(&mut self, hash: u32) -> u32 {
        let known = self.numbers.get(u64::from(hash));
        if known != Table::ABSENT {
            return known;
        }
        self.hashes.push(hash);
        self.seen.push((0, 0));
        let number = self.hashes.len() as u32;
        self.numbers.insert(u64::from(hash), number);
        number
    }

    /// The number of a new word's term, and one.
    fn learn(&mut self, word: words::Word<'_>) -> u32 {
        let number = match words::term(word) {
            None => 0,
            Some(term) => self.number_of(term.0),
        };
        self.words.insert(word.hash, number);
        number
    }

    /// The section, of skills in the order of their names; empty if there is to be none, `None` where it
    /// is too large.
    fn section(&self, skills: &[&Indexed]) -> Option<Vec<u8>> {
        if self.index == SearchIndex::Off {
            return Some(Vec::new());
        }
        let mut section = Section::with_haystack(skills.iter().map(|skill| Searched {
            name: &skill.name,
            description: &skill.description,
            tags: skill.tags.iter().map(String::as_str),
            triggers: skill.triggers.iter().map(String::as_str),
        }));
        if self.index > SearchIndex::Reference && skills.len() <= MAX_SKILLS {
            self.tables(skills, &mut section);
        }
        section.finish()
    }

    fn tables(&self, skills: &[&Indexed], section: &mut Section) {
        let places = self.terms(skills, section);
        self.postings(skills, &places, section);
        let mut neighbours: Vec<(u32, u16)> = Vec::new();
        let mut phrases: Vec<(u32, u32, &[u32])> = Vec::new();
        let mut exact: Vec<(u32, u32)> = Vec::new();
        let mut name_terms = 0;
        for (at, skill) in skills.iter().enumerate() {
            neighbours.extend(skill.neighbours.iter().map(|hash| (*hash, at as u16)));
            phrases.extend(skill.phrases.iter().map(|phrase| (phrase[0], at as u32, phrase.as_slice())));
            exact.extend(skill.exact.iter().map(|hash| (*hash, at as u32)));
            section.word(search::FIRST_NAME_TERMS, name_terms);
            for term in &skill.name_terms {
                section.word(search::NAME_TERMS, places[*term as usize]);
            }
            name_terms += skill.name_terms.len() as u32;
        }
        section.word(search::FIRST_NAME_TERMS, name_terms);
        neighbours.sort_unstable();
        for (hash, skill) in neighbours {
            section.word(search::NEIGHBOURS, hash);
            section.half(search::NEIGHBOUR_SKILLS, skill);
        }
        phrases.sort_unstable();
        let mut phrase_terms = 0;
        for (first, skill, terms) in phrases {
            section.word(search::PHRASES, first);
            section.word(search::PHRASES, skill);
            section.word(search::PHRASES, phrase_terms << 8 | terms.len() as u32);
            for term in terms {
                section.word(search::PHRASE_TERMS, *term);
            }
            phrase_terms += terms.len() as u32;
        }
        exact.sort_unstable();
        for (hash, skill) in exact {
            section.word(search::EXACT, hash);
            section.word(search::EXACT, skill);
        }
    }

    /// Writes the terms and where their postings are; returns the place of each term.
    fn terms(&self, skills: &[&Indexed], section: &mut Section) -> Vec<u32> {
        let mut found = vec![0u32; self.hashes.len()];
        for counts in skills.iter().flat_map(|skill| &skill.counts) {
            found[counts.term as usize] += 1;
        }
        // A skill that another one of its name replaced leaves terms that nothing has.
        let mut order: Vec<(u32, u32)> = (0..self.hashes.len())
            .filter(|term| found[*term] > 0)
            .map(|term| (self.hashes[term], term as u32))
            .collect();
        order.sort_unstable();
        let mut places = vec![0; self.hashes.len()];
        let mut first = 0;
        for (place, (hash, term)) in order.iter().enumerate() {
            places[*term as usize] = place as u32;
            section.word(search::TERMS, *hash);
            section.word(search::TERM_POSTINGS, first);
            first += found[*term as usize];
        }
        section.word(search::TERM_POSTINGS, first);
        places
    }

    fn postings(&self, skills: &[&Indexed], places: &[u32], section: &mut Section) {
        let mut sums = [0u64; FIELDS];
        for skill in skills {
            for field in 0..FIELDS {
                sums[field] += u64::from(skill.lengths[field]);
            }
        }
        let mut next = vec![0u32; self.hashes.len() + 1];
        for counts in skills.iter().flat_map(|skill| &skill.counts) {
            next[places[counts.term as usize] as usize + 1] += 1;
        }
        let worth = Worth { skills: skills.len() as u32 };
        let mut worths = vec![0.0; self.hashes.len()];
        for term in 0..self.hashes.len() {
            let with = next[places[term] as usize + 1];
            worths[term] = f64::from(worth.of(Term(self.hashes[term]), with));
        }
        for at in 1..next.len() {
            next[at] += next[at - 1];
        }
        let mut postings = vec![0u32; skills.iter().map(|skill| skill.counts.len()).sum()];
        for (at, skill) in skills.iter().enumerate() {
            let mut factors = [0.0; FIELDS];
            for field in 0..FIELDS {
                let average = sums[field] as f64 / skills.len() as f64;
                let length = if sums[field] > 0 { f64::from(skill.lengths[field]) / average } else { 1.0 };
                factors[field] = WEIGHTS[field] / (1.0 - LENGTHS[field] + LENGTHS[field] * length);
            }
            let shares = shares(&skill.counts, &worths);
            for (counts, share) in skill.counts.iter().zip(shares) {
                let mut sum = 0.0;
                for field in 0..FIELDS {
                    if counts.fields[field] > 0 {
                        sum += factors[field] * f64::from(counts.fields[field]);
                    }
                }
                let mention = sum / (SATURATION + sum) * f64::from(Weight::MOST_MENTION) + 0.5;
                let share = share * f64::from(Weight::MOST_SHARE) + 0.5;
                let next = &mut next[places[counts.term as usize] as usize];
                let in_name = counts.fields[NAME] > 0;
                // What stands in a skill is never worth nothing.
                let posting = Weight::new(at as u32, (mention as u32).max(1), share as u32, in_name);
                postings[*next as usize] = posting.0;
                *next += 1;
            }
        }
        for posting in postings {
            section.word(search::POSTINGS, posting);
        }
    }
}

/// For each term of a skill, how much of its text it is: the cosine of the angle between them, if every term
/// is a direction in which a text goes as far as its mentions weigh. Triggers are no text: a skill with one
/// common word as a trigger would come first for every query that has it.
fn shares(all: &[Counts], worths: &[f64]) -> Vec<f64> {
    let mut lengths = Vec::with_capacity(all.len());
    let mut squares = 0.0;
    for counts in all {
        let mut mentions = 0.0;
        for field in 0..FIELDS {
            if field != TRIGGERS && counts.fields[field] > 0 {
                mentions += WEIGHTS[field] * f64::from(counts.fields[field]);
            }
        }
        let length = mentions * worths[counts.term as usize];
        squares += length * length;
        lengths.push(length);
    }
    let whole = if squares > 0.0 { squares.sqrt() } else { 1.0 };
    for length in &mut lengths {
        *length /= whole;
    }
    lengths
}

fn neighbours(all: &mut Vec<u32>, run: &[u32]) {
    for pair in run.windows(2) {
        all.push(words::neighbours(pair[0], pair[1]));
    }
}
