//! The ranking `reference`: points by the table in docs/search.md.
//!
//! All strings of one kind, such as the names of all skills, are in one block, so one search looks for a word
//! in hundreds of skills. It works on chunks of skills whose points fit on the stack. If the query has very
//! many words, it works the other way round: the words of the skills are looked up in the query.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use memchr::memmem::Finder;

use super::best::{Best, Rank};
use skills_pack::Pack;
use skills_pack::search::{Column, END, SearchTables};
use skills_pack::section::{Searched, Section};

/// How many skills are scored together.
const CHUNK: usize = 256;
/// The most words of a query that are searched for one by one.
const FEW_WORDS: usize = 64;

/// Offers every skill that has points.
pub(super) fn search<'a>(packs: impl Iterator<Item = Pack<'a>>, query: &str, best: &mut Best<'_, 'a>) {
    let mut buffer = [0; 512];
    let query = &*lower(query, &mut buffer);
    let mut wanted = Wanted::new(query);
    for (number, pack) in packs.enumerate() {
        match pack.search() {
            Some(tables) => wanted.search(&tables, number, &pack, best),
            None => {
                if let Some(section) = haystack(&pack)
                    && let Some(tables) = SearchTables::new(&section, pack.len())
                {
                    wanted.search(&tables, number, &pack, best);
                }
            }
        }
    }
}

/// The strings that a pack without search tables lacks.
fn haystack(pack: &Pack<'_>) -> Option<Vec<u8>> {
    Section::with_haystack(pack.skills().map(|skill| Searched {
        name: skill.name(),
        description: skill.description(),
        tags: skill.tags(),
        triggers: skill.triggers(),
    }))
    .finish()
}

/// The lower-case string, as `str::to_lowercase` makes it; allocated only if it differs.
pub(super) fn lower<'q>(text: &'q str, buffer: &'q mut [u8; 512]) -> Cow<'q, str> {
    if text.is_ascii() && text.len() <= buffer.len() {
        let lower = &mut buffer[..text.len()];
        lower.copy_from_slice(text.as_bytes());
        lower.make_ascii_lowercase();
        return core::str::from_utf8(lower).map_or(Cow::Borrowed(text), Cow::Borrowed);
    }
    if text.chars().all(|c| c.to_lowercase().eq([c])) {
        Cow::Borrowed(text)
    } else {
        text.to_lowercase().into()
    }
}

/// The runs `[a-z0-9][a-z0-9_-]*` of a lower-case string that count as terms.
pub(super) fn terms(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|c: char| !matches!(c, 'a'..='z' | '0'..='9' | '_' | '-'))
        .map(|run| run.trim_start_matches(['_', '-']))
        .filter(|word| has_length(word, 4))
}

/// Whether a term counts as long.
pub(super) fn is_long(term: &str) -> bool {
    has_length(term, 6)
}

fn has_length(word: &str, len: usize) -> bool {
    word.len() >= len || word.bytes().any(|byte| byte.is_ascii_digit())
}

/// The query, prepared for searching.
struct Wanted<'q> {
    query: &'q str,
    finder: Finder<'q>,
    pairs: BytePairs,
    /// Replaces the list of words if there are many.
    many: Option<ManyWords<'q>>,
}

impl<'q> Wanted<'q> {
    fn new(query: &'q str) -> Self {
        let is_many = terms(query).nth(FEW_WORDS).is_some();
        Self {
            query,
            finder: Finder::new(query.as_bytes()),
            pairs: BytePairs::of(query.as_bytes()),
            many: is_many.then(|| ManyWords::new(query)),
        }
    }

    fn search<'a>(
        &mut self,
        tables: &SearchTables<'_>,
        number: usize,
        pack: &Pack<'a>,
        best: &mut Best<'_, 'a>,
    ) {
        let mut first = 0;
        while first < pack.len() {
            let chunk = Chunk { tables, first, end: pack.len().min(first + CHUNK) };
            let mut points = [0; CHUNK];
            self.count(&chunk, &mut points);
            for (at, points) in points.iter().take(chunk.end - first).enumerate() {
                if *points > 0 {
                    best.offer(Rank { tier: 0, score: *points, fit: 0 }, number, pack, first + at);
                }
            }
            first = chunk.end;
        }
    }

    fn count(&mut self, chunk: &Chunk<'_>, points: &mut [u32; CHUNK]) {
        let query = self.query.as_bytes();
        chunk.names().each_skill_with(&self.finder, |skill, whole| {
            points[skill] += if whole.len() == query.len() { 10 + 6 } else { 6 };
        });
        chunk.descriptions().each_skill_with(&self.finder, |skill, _| points[skill] += 4);
        chunk.tags().each_skill_with(&self.finder, |skill, _| points[skill] += 3);
        let mut has_trigger = [false; CHUNK];
        chunk.triggers().each_skill_with(&self.finder, |skill, all| {
            has_trigger[skill] = true;
            if all.split(|byte| *byte == END).any(|trigger| trigger == query) {
                points[skill] += 9;
            }
        });
        chunk.each_trigger(|skill, trigger| {
            has_trigger[skill] = has_trigger[skill] || self.pairs.may_hold(trigger) && holds(query, trigger);
        });
        for (points, has_trigger) in points.iter_mut().zip(has_trigger) {
            *points += if has_trigger { 8 } else { 0 };
        }
        match &mut self.many {
            Some(many) => many.count(chunk, points),
            None => terms(self.query).for_each(|term| count_term(term, chunk, points)),
        }
    }
}

fn count_term(term: &str, chunk: &Chunk<'_>, points: &mut [u32; CHUNK]) {
    let finder = Finder::new(term.as_bytes());
    chunk.names().each_skill_with(&finder, |skill, _| points[skill] += 3);
    if is_long(term) {
        chunk.tags().each_skill_with(&finder, |skill, _| points[skill] += 1);
        chunk.triggers().each_skill_with(&finder, |skill, _| points[skill] += 4);
    }
}

fn holds(query: &[u8], trigger: &[u8]) -> bool {
    memchr::memmem::find(query, trigger).is_some()
}

/// A few consecutive skills.
struct Chunk<'c> {
    tables: &'c SearchTables<'c>,
    first: usize,
    end: usize,
}

impl<'c> Chunk<'c> {
    fn names(&self) -> Block<'c, impl Fn(usize) -> u32> {
        self.block(self.tables.names, self.tables.name_starts)
    }

    fn tags(&self) -> Block<'c, impl Fn(usize) -> u32> {
        self.block(self.tables.tags, self.tables.tag_starts)
    }

    fn descriptions(&self) -> Block<'c, impl Fn(usize) -> u32> {
        self.block(self.tables.descriptions, self.tables.description_starts)
    }

    fn block(&self, texts: &'c [u8], starts: Column<'c>) -> Block<'c, impl Fn(usize) -> u32 + use<'c>> {
        let first = self.first;
        Block { texts, skills: self.end - first, start_of: move |skill| starts.get(first + skill) }
    }

    fn triggers(&self) -> Block<'c, impl Fn(usize) -> u32> {
        let (first, tables) = (self.first, self.tables);
        let start_of =
            move |skill| tables.trigger_starts.get(tables.first_triggers.get(first + skill) as usize);
        Block { texts: tables.triggers, skills: self.end - first, start_of }
    }

    fn each_trigger(&self, mut each: impl FnMut(usize, &[u8])) {
        let tables = self.tables;
        for skill in 0..self.end - self.first {
            let first = tables.first_triggers.get(self.first + skill) as usize;
            let end = tables.first_triggers.get(self.first + skill + 1) as usize;
            let mut start = tables.trigger_starts.get(first) as usize;
            // No pack has more, whatever its numbers claim.
            for trigger in first..end.min(tables.trigger_starts.len()) {
                let next = tables.trigger_starts.get(trigger + 1) as usize;
                each(skill, tables.triggers.get(start..next.saturating_sub(1)).unwrap_or_default());
                start = next;
            }
        }
    }
}

/// The strings of one kind of some skills, and where each skill's strings begin.
struct Block<'c, F> {
    texts: &'c [u8],
    skills: usize,
    start_of: F,
}

impl<'c, F: Fn(usize) -> u32> Block<'c, F> {
    fn of(&self, skill: usize) -> &'c [u8] {
        self.texts
            .get((self.start_of)(skill) as usize..(self.start_of)(skill + 1) as usize)
            .unwrap_or_default()
    }

    /// Calls `each` for every skill whose strings contain this, with those strings but for the last
    /// terminator.
    #[inline]
    fn each_skill_with(&self, finder: &Finder<'_>, mut each: impl FnMut(usize, &[u8])) {
        let start_of = |skill| (self.start_of)(skill) as usize;
        let end = start_of(self.skills);
        let (mut skill, mut at) = (0, start_of(0));
        while skill < self.skills
            && let Some(rest) = self.texts.get(at..end)
            && let Some(found) = finder.find(rest)
        {
            at += found;
            skill = self.skill_at(skill, at);
            let next = start_of(skill + 1);
            if next <= at {
                return;
            }
            each(skill, self.texts.get(start_of(skill)..next - 1).unwrap_or_default());
            skill += 1;
            at = next;
        }
    }

    /// The skill whose strings include position `at`; it isn't before `from`.
    fn skill_at(&self, from: usize, at: usize) -> usize {
        let (mut low, mut high) = (from, self.skills - 1);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if (self.start_of)(middle) as usize <= at {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }
}

/// Which pairs of bytes occur in a string, approximately.
struct BytePairs {
    bits: [u64; 64],
    len: usize,
}

impl BytePairs {
    fn of(text: &[u8]) -> Self {
        let mut bits = [0; 64];
        for pair in text.windows(2) {
            let bit = Self::bit(pair[0], pair[1]);
            bits[bit / 64] |= 1 << (bit % 64);
        }
        Self { bits, len: text.len() }
    }

    fn bit(first: u8, second: u8) -> usize {
        (usize::from(first) * 61 + usize::from(second)) % 4096
    }

    fn may_hold(&self, text: &[u8]) -> bool {
        let has = |pair: &[u8]| {
            let bit = Self::bit(pair[0], pair[1]);
            self.bits[bit / 64] >> (bit % 64) & 1 == 1
        };
        match text {
            [] | [_] => true,
            [first, second, ..] => {
                text.len() <= self.len && has(&[*first, *second]) && has(&text[text.len() - 2..])
            }
        }
    }
}

/// The words of a long query, each once, in order.
struct ManyWords<'q> {
    /// With how often the query has it.
    words: Vec<(&'q [u8], u32)>,
    /// The last string in which each word was found.
    found_in: Vec<u32>,
    texts: u32,
}

impl<'q> ManyWords<'q> {
    fn new(query: &'q str) -> Self {
        let mut all: Vec<&[u8]> = terms(query).map(str::as_bytes).collect();
        all.sort_unstable();
        let mut words: Vec<(&[u8], u32)> = Vec::new();
        for word in all {
            match words.last_mut() {
                Some((last, count)) if *last == word => *count += 1,
                _ => words.push((word, 1)),
            }
        }
        let found_in = alloc::vec![0; words.len()];
        Self { words, found_in, texts: 0 }
    }

    fn count(&mut self, chunk: &Chunk<'_>, points: &mut [u32; CHUNK]) {
        for (skill, points) in points.iter_mut().enumerate().take(chunk.end - chunk.first) {
            *points = points.saturating_add(self.found(chunk.names().of(skill), false).saturating_mul(3));
            *points = points.saturating_add(self.found(chunk.tags().of(skill), true));
            *points = points.saturating_add(self.found(chunk.triggers().of(skill), true).saturating_mul(4));
        }
    }

    /// How often the query has the words that occur in a string.
    fn found(&mut self, text: &[u8], long: bool) -> u32 {
        self.texts += 1;
        let mut count = 0;
        for start in 0..text.len() {
            let (mut low, mut high) = (0, self.words.len());
            for (depth, byte) in text[start..].iter().enumerate() {
                let of = |word: &(&[u8], u32)| word.0.get(depth).copied();
                let range = &self.words[low..high];
                high = low + range.partition_point(|word| of(word) <= Some(*byte));
                low += range.partition_point(|word| of(word) < Some(*byte));
                if low >= high {
                    break;
                }
                let (word, times) = self.words[low];
                let is_whole = word.len() == depth + 1;
                let counts = !long || core::str::from_utf8(word).is_ok_and(is_long);
                if is_whole && counts && self.found_in[low] != self.texts {
                    self.found_in[low] = self.texts;
                    count += times;
                }
            }
        }
        count
    }
}
