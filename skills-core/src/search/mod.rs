//! The action `search`, and suggestions for a message.
//!
//! [`reference`] counts points by a table, on lower-case strings that are in the pack. [`hybrid`] weighs the
//! words that a query and a skill share, with tables that are in the pack too. Both go through the packs in
//! order of precedence and ask the caller which skills are visible; neither knows the registry.

mod best;
mod explain;
mod hybrid;
mod query;
mod reference;
mod suggest;

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use super::entry::Entry;
use super::error::ActionError;
use super::layers::Place;
use super::registry::Registry;
use super::text::{Given, OneLine};
use super::toolset::Toolset;
use best::{Best, Found};
pub use explain::Part;
use hybrid::Hybrid;
use query::SURE;
pub use suggest::{SUGGESTION_LIMIT, Suggestions};

/// The most skills that a search returns.
pub const SEARCH_LIMIT: usize = 25;

/// How the matches of a search are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ranking {
    /// By points for how the query and a skill's fields contain each other, letter by letter.
    Reference,
    /// By the words that they share; a word weighs more if fewer skills have it. A skill with the query as
    /// its name comes first, then skills with it as a trigger. A query that shares no word with any skill,
    /// such as the beginning of a word, is ranked by `Reference`.
    #[default]
    Hybrid,
}

impl Ranking {
    /// The name: `reference` or `hybrid`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Hybrid => "hybrid",
        }
    }
}

/// Options for a search.
///
/// ```
/// use skills_core::{Ranking, SearchOptions};
///
/// let options = SearchOptions::new().ranking(Ranking::Reference).limit(3).explain(true);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SearchOptions {
    ranking: Ranking,
    limit: usize,
    explain: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl SearchOptions {
    /// The ranking `hybrid`, [`SEARCH_LIMIT`] matches, no explanations.
    pub const fn new() -> Self {
        Self { ranking: Ranking::Hybrid, limit: SEARCH_LIMIT, explain: false }
    }

    /// Sets the ranking.
    #[must_use]
    pub const fn ranking(mut self, ranking: Ranking) -> Self {
        self.ranking = ranking;
        self
    }

    /// Sets the most matches to return. More than [`SEARCH_LIMIT`] has no effect.
    #[must_use]
    pub const fn limit(mut self, limit: usize) -> Self {
        self.limit = if limit < SEARCH_LIMIT { limit } else { SEARCH_LIMIT };
        self
    }

    /// Sets whether each match explains its score.
    #[must_use]
    pub const fn explain(mut self, yes: bool) -> Self {
        self.explain = yes;
        self
    }
}

/// The answer of `search`. `Display` writes the text for the model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Matches<'a> {
    /// The query, trimmed.
    pub query: String,
    /// The ranking that ordered the results. `reference` even if `hybrid` was requested, if a pack was made
    /// without tables for `hybrid`.
    pub ranking: &'static str,
    /// The matches, best first.
    pub results: Vec<Hit<'a>>,
    tools: Toolset,
}

/// One match.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Hit<'a> {
    /// The skill.
    pub entry: Entry<'a>,
    /// For `reference`, the points. For `hybrid`, the score in thousandths, which depends on the other skills
    /// and is 0 if only a name or trigger matches.
    pub score: u32,
    /// How well the skill fits the query, from 0 to 1000; from 600 on it is good enough for a suggestion. It
    /// grows with the share of the query that the skill covers, and with its lead over the next skill. `None`
    /// if `reference` ordered the results.
    pub confidence: Option<u32>,
    /// The parts of the score, if requested. For `reference` they add up to the score; for `hybrid` they do,
    /// except for rounding.
    pub parts: Vec<Part>,
}

impl<'a> Registry<'a> {
    /// Searches the skills with the ranking `hybrid`. Returns at most [`SEARCH_LIMIT`], best first.
    ///
    /// # Errors
    ///
    /// [`ActionError::Missing`] if the query is blank.
    pub fn search(&self, query: &str) -> Result<Matches<'a>, ActionError> {
        self.search_with(query, SearchOptions::new())
    }

    /// Searches the skills, best first.
    ///
    /// # Errors
    ///
    /// [`ActionError::Missing`] if the query is blank.
    pub fn search_with(&self, query: &str, options: SearchOptions) -> Result<Matches<'a>, ActionError> {
        let query = query.trim();
        if query.is_empty() {
            return Err(ActionError::Missing { action: "search", argument: "query" });
        }
        let visible = |pack, skill| self.serves(pack, skill);
        let (ranking, results) = ranked(self, query, options, &visible);
        Ok(Matches { query: query.to_string(), ranking: ranking.as_str(), results, tools: self.toolset() })
    }
}

fn ranked<'a>(
    registry: &Registry<'a>,
    query: &str,
    options: SearchOptions,
    visible: best::Visible<'_, 'a>,
) -> (Ranking, Vec<Hit<'a>>) {
    let packs = registry.layers().iter().map(|layer| layer.pack);
    let hit = |found: &Found<'a>, confidence, parts| {
        let entry = registry.entry(Place { layer: found.pack, index: found.skill.index() })?;
        Some(Hit { entry, score: found.rank.score, confidence, parts })
    };
    registry.note_list();
    let sealed = registry.layers().sealed();
    // How sure a match is depends on the next one.
    let mut best = Best::new(options.limit + 1, sealed, visible);
    let is_hybrid = options.ranking == Ranking::Hybrid && hybrid::is_possible(packs.clone());
    if is_hybrid {
        let mut search = Hybrid::new(query, packs.clone());
        search.search(&mut best);
        if !best.found.is_empty() {
            let results = best.found.iter().enumerate().take(options.limit).filter_map(|(at, found)| {
                let pack = packs.clone().nth(found.pack).filter(|_| options.explain);
                let parts = pack.map_or_else(Vec::new, |pack| explain::score(&search, found, &pack));
                let sure = match found.rank.tier {
                    0 => search.query.confidence(found.rank.fit, best.lead(at)),
                    _ => SURE,
                };
                hit(found, Some(sure), parts)
            });
            return (Ranking::Hybrid, results.collect());
        }
    }
    reference::search(packs, query, &mut best);
    if is_hybrid && best.found.is_empty() {
        return (Ranking::Hybrid, Vec::new());
    }
    let results = best.found.iter().take(options.limit).filter_map(|found| {
        let parts = if options.explain { explain::points(query, found.skill) } else { Vec::new() };
        hit(found, None, parts)
    });
    (Ranking::Reference, results.collect())
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
        f.write_str(self.tools.after_search())
    }
}
