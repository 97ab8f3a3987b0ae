//! Which words of a query a skill has, and in which fields. The words are those of search.

use std::collections::BTreeMap;

use skills_pack::Skill;
use skills_pack::words::{self, BACKGROUND_TEXTS, Kind, Term};

/// A word is common if one of so many requests has it.
const COMMON: u32 = 100;

/// The fields that search reads, in the order of what a word in them is worth.
pub(super) const FIELDS: [&str; 4] = ["name", "triggers", "tags", "description"];

/// The words of a skill's fields.
pub(super) struct Vocabulary {
    /// For each term, a bit for each of [`FIELDS`].
    terms: BTreeMap<Term, u8>,
}

impl Vocabulary {
    pub(super) fn of(skill: &Skill<'_>) -> Self {
        let mut vocabulary = Self { terms: BTreeMap::new() };
        vocabulary.add(skill.name(), 0);
        skill.triggers().for_each(|text| vocabulary.add(text, 1));
        skill.tags().for_each(|text| vocabulary.add(text, 2));
        vocabulary.add(skill.description(), 3);
        vocabulary
    }

    fn add(&mut self, text: &str, field: u8) {
        words::scan(text, &mut |word| {
            if let Some(term) = words::term(word) {
                *self.terms.entry(term).or_default() |= 1 << field;
            }
            true
        });
    }

    /// The fields that have a word.
    pub(super) fn fields_of(&self, word: &str) -> Vec<&'static str> {
        let mut bits = 0;
        words::scan(word, &mut |word| {
            bits |= words::term(word).and_then(|term| self.terms.get(&term)).copied().unwrap_or_default();
            true
        });
        FIELDS.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, field)| *field).collect()
    }

    /// The words of a query that no field has, in order. Words that search ignores, such as `the`, aren't among
    /// them.
    pub(super) fn lacks(&self, query: &str) -> Vec<String> {
        let mut lacking: Vec<String> = Vec::new();
        // How many words of the compound that is read are among them.
        let mut of_compound = 0;
        words::scan(query, &mut |word| {
            if word.kind != Kind::Joined && !word.continues {
                of_compound = 0;
            }
            let Some(term) = words::term(word) else { return true };
            let has_it = self.terms.contains_key(&term);
            if word.kind == Kind::Joined {
                // A field that has `email` lacks nothing of `e-mail`.
                if has_it {
                    lacking.truncate(lacking.len() - of_compound);
                }
                of_compound = 0;
                return true;
            }
            if !has_it && !lacking.iter().any(|known| known == word.text) {
                lacking.push(word.text.to_owned());
                of_compound += 1;
            }
            true
        });
        lacking
    }
}

/// The same words with the rarest in requests first. Words that many requests have are left out, unless there are no
/// others.
pub(super) fn rarest_first(mut texts: Vec<String>) -> Vec<String> {
    let background = |text: &String| {
        let mut count = 0;
        words::scan(text, &mut |word| {
            count += words::term(word).map_or(0, |term| words::background(term.0));
            true
        });
        count
    };
    texts.sort_by_cached_key(background);
    let rare = texts.iter().take_while(|text| background(text) < BACKGROUND_TEXTS / COMMON).count();
    texts.truncate(rare.max(1));
    texts
}

/// A query in the form in which queries are compared.
pub(super) fn plain(query: &str) -> String {
    query.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
