//! Suggestions for one message.

use alloc::vec::Vec;
use core::fmt;

use super::{Hit, Ranking, SearchOptions, ranked};
use crate::registry::Registry;
use crate::text::OneLine;
use crate::toolset::Toolset;

/// The most skills that are suggested.
pub const SUGGESTION_LIMIT: usize = 3;

/// The lowest confidence of a suggestion, in thousandths.
const THRESHOLD: u32 = 600;

/// The skills that fit a message. `Display` writes a block for the prompt, or nothing if there are no skills.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Suggestions<'a> {
    /// The skills, best first.
    pub results: Vec<Hit<'a>>,
    tools: Toolset,
}

impl<'a> Registry<'a> {
    /// Returns the skills that clearly fit a user's message, at most [`SUGGESTION_LIMIT`]. Small talk gets
    /// none, and neither does a pack without the tables for the ranking `hybrid`.
    pub fn suggest(&self, message: &str) -> Suggestions<'a> {
        let (ranking, mut results) =
            ranked(self, message.trim(), SearchOptions::new().limit(SUGGESTION_LIMIT));
        results
            .retain(|hit| ranking == Ranking::Hybrid && hit.confidence.is_some_and(|part| part >= THRESHOLD));
        Suggestions { results, tools: self.toolset() }
    }
}

impl fmt::Display for Suggestions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.results.is_empty() {
            return Ok(());
        }
        f.write_str("Skills that may help with this message:\n")?;
        for Hit { entry, .. } in &self.results {
            writeln!(f, "- {}: {}", entry.skill.name(), OneLine(entry.skill.description()))?;
        }
        f.write_str(self.tools.after_suggestions())
    }
}
