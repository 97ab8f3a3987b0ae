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
mod tabled;

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use super::entry::Entry;
use super::error::ActionError;
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
        let (ranking, results) = ranked(self, query, options);
        Ok(Matches { query: query.to_string(), ranking: ranking.as_str(), results, tools: self.toolset() })
    }
}

fn ranked<'a>(registry: &Registry<'a>, query: &str, options: SearchOptions) -> (Ranking, Vec<Hit<'a>>) {
    registry.note_list();
    let packs = registry.layers().iter().map(|layer| layer.pack);
    let is_hybrid = options.ranking == Ranking::Hybrid;
    let tabled = if is_hybrid { tabled::tabled(packs.clone()) } else { None };
    let hybrid = tabled.map(|packs| Hybrid::new(query, packs));
    let sealed = registry.layers().sealed();
    let find = |visible: best::Visible<'_, 'a>| {
        // How sure a match is depends on the next one.
        let mut best = Best::new(options.limit + 1, sealed, visible);
        if let Some(search) = &hybrid {
            search.search(&mut best);
            if !best.found.is_empty() {
                return (Ranking::Hybrid, best.found);
            }
        }
        reference::search(packs.clone(), query, &mut best);
        let is_hybrid = hybrid.is_some() && best.found.is_empty();
        (if is_hybrid { Ranking::Hybrid } else { Ranking::Reference }, best.found)
    };
    // Whether an earlier pack hides a skill takes a look-up in each of them, and few are hidden. So that is asked of
    // the best matches only, and of all if one of these is hidden.
    let (mut ranking, mut found) = find(&|_, skill| registry.shows(&skill));
    let layers = registry.layers();
    if !found.iter().all(|found| layers.wins(found.place(), found.name)) {
        (ranking, found) = find(&|pack, skill| registry.serves(pack, skill));
    }
    let hit = |(at, one): (usize, &Found<'a>)| {
        let entry = registry.entry(one.place())?;
        let explained = options.explain;
        let (confidence, parts) = match (&hybrid, ranking) {
            (Some(search), Ranking::Hybrid) => {
                let sure = match one.rank.tier {
                    0 => search.query.confidence(one.rank.fit, best::lead(&found, at)),
                    _ => SURE,
                };
                (Some(sure), if explained { explain::score(search, one) } else { Vec::new() })
            }
            _ => (None, if explained { explain::points(query, entry.skill) } else { Vec::new() }),
        };
        Some(Hit { entry, score: one.rank.score, confidence, parts })
    };
    let results = found.iter().enumerate().take(options.limit).filter_map(hit).collect();
    (ranking, results)
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
