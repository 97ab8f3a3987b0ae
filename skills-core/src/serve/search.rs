//! The action `search`, with the ranking `reference` (contract 3.2, 3.3).
//!
//! Everything is compared in lower case; the skills' side of it was lowered when the pack was made.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use super::error::ActionError;
use super::registry::{Entry, Registry};
use super::text::{Given, OneLine};
use crate::pack::Skill;

/// How many skills a search answers at most.
pub const SEARCH_LIMIT: usize = 25;

/// What `search` answers. `Display` gives the text for the model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Matches<'a> {
    /// The query, trimmed.
    pub query: String,
    /// The ranking that ordered the results.
    pub ranking: &'static str,
    /// The matches, best first.
    pub results: Vec<Hit<'a>>,
}

/// One match.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Hit<'a> {
    /// The skill.
    pub entry: Entry<'a>,
    /// Its points, more than 0.
    pub score: u32,
}

impl<'a> Registry<'a> {
    /// Searches the skills, best first, at most [`SEARCH_LIMIT`].
    ///
    /// # Errors
    ///
    /// [`ActionError::Missing`] where the query is blank.
    pub fn search(&self, query: &str) -> Result<Matches<'a>, ActionError> {
        let query = query.trim();
        if query.is_empty() {
            return Err(ActionError::Missing { action: "search", argument: "query" });
        }
        let lower = query.to_lowercase();
        let wanted = Query::new(&lower);
        let mut results: Vec<Hit<'a>> = self
            .skills()
            .into_iter()
            .map(|entry| Hit { entry, score: wanted.score(entry.skill) })
            .filter(|hit| hit.score > 0)
            .collect();
        // The skills came by name, and a stable sort keeps that order among equals.
        results.sort_by_key(|hit| Reverse(hit.score));
        results.truncate(SEARCH_LIMIT);
        Ok(Matches { query: query.to_string(), ranking: "reference", results })
    }
}

/// The query in lower case and its words.
struct Query<'q> {
    text: &'q str,
    /// Words of four characters or more, or with a digit, and how often each stands there.
    terms: Vec<(&'q str, u32)>,
    /// Words of six characters or more, or with a digit, likewise.
    long_terms: Vec<(&'q str, u32)>,
}

impl<'q> Query<'q> {
    fn new(query: &'q str) -> Self {
        let is_term =
            |word: &&str, len: usize| word.len() >= len || word.bytes().any(|byte| byte.is_ascii_digit());
        Self {
            text: query,
            terms: counted(words(query).filter(|word| is_term(word, 4))),
            long_terms: counted(words(query).filter(|word| is_term(word, 6))),
        }
    }

    /// The points of a skill: the table of contract 3.3, row by row.
    fn score(&self, skill: Skill<'_>) -> u32 {
        let Self { text: query, terms, long_terms } = self;
        let name = skill.name();
        let tags = || skill.lower_tags();
        let triggers = || skill.lower_triggers();
        let once = |points: u32, when: bool| if when { points } else { 0 };
        let each = |points: u32, terms: &[(&str, u32)], when: &dyn Fn(&str) -> bool| {
            let count = terms.iter().filter(|(term, _)| when(term)).map(|(_, count)| *count).sum::<u32>();
            points.saturating_mul(count)
        };
        once(10, name == *query)
            + once(9, triggers().any(|trigger| trigger == *query))
            + once(6, name.contains(query))
            + once(4, skill.lower_description().contains(query))
            + once(3, tags().any(|tag| tag.contains(query)))
            + once(8, triggers().any(|trigger| trigger.contains(query) || query.contains(trigger)))
            + each(3, terms, &|term| name.contains(term))
            + each(1, long_terms, &|term| tags().any(|tag| tag.contains(term)))
            + each(4, long_terms, &|term| triggers().any(|trigger| trigger.contains(term)))
    }
}

/// Each word once, with how often it came: a query that says one thing a thousand times costs no more.
/// Of different words, more than any question has are not looked for.
fn counted<'q>(words: impl Iterator<Item = &'q str>) -> Vec<(&'q str, u32)> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for word in words {
        if let Some(count) = counts.get_mut(word) {
            *count += 1;
        } else if counts.len() < MAX_WORDS {
            counts.insert(word, 1);
        }
    }
    counts.into_iter().collect()
}

/// Different words of a query that are looked for.
const MAX_WORDS: usize = 256;

/// The runs `[a-z0-9][a-z0-9_-]*` of a text in lower case.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !matches!(c, 'a'..='z' | '0'..='9' | '_' | '-'))
        .map(|run| run.trim_start_matches(['_', '-']))
        .filter(|word| !word.is_empty())
}

impl fmt::Display for Matches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.results.is_empty() {
            return write!(f, "No skills matched query: '{}'", Given(&self.query));
        }
        writeln!(f, "Skills matching '{}' ({}):", Given(&self.query), self.results.len())?;
        for Hit { entry, .. } in &self.results {
            writeln!(f, "- {}: {}", entry.skill.name(), OneLine(entry.skill.description()))?;
        }
        f.write_str("\nTip: use skills_tool action=load skill_name=<name> to load full instructions.")
    }
}
