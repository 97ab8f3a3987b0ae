//! Suggestions for one message (contract 6.5).

use alloc::vec::Vec;
use core::fmt;

use super::{Hit, Ranking, SearchOptions, ranked};
use crate::registry::Registry;
use crate::text::OneLine;

/// How many skills are suggested at most.
pub const SUGGESTION_LIMIT: usize = 3;

/// How surely a skill must fit a message, in thousandths.
const THRESHOLD: u32 = 600;

/// The skills that fit a message. `Display` gives a block for the prompt, an empty text if there are
/// none.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Suggestions<'a> {
    /// The skills, best first.
    pub results: Vec<Hit<'a>>,
}

impl<'a> Registry<'a> {
    /// The few skills that clearly fit a user's message, at most [`SUGGESTION_LIMIT`]; none for small talk,
    /// and none where the tables of the ranking `hybrid` were switched off.
    pub fn suggest(&self, message: &str) -> Suggestions<'a> {
        let visible = |pack, skill| self.serves(pack, skill);
        let (ranking, mut results) =
            ranked(self, message.trim(), SearchOptions::new().limit(SUGGESTION_LIMIT), &visible);
        results
            .retain(|hit| ranking == Ranking::Hybrid && hit.confidence.is_some_and(|part| part >= THRESHOLD));
        Suggestions { results }
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
        f.write_str("\nTip: if one fits, use skills_tool action=load skill_name=<name> before you begin.")
    }
}
