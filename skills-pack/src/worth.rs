//! How much a term weighs among the skills that are searched: the idf of docs/search.md, in integers.
//!
//! The build weighs the terms of one pack with it, a search those of all packs together.

use super::logarithm::ln;
use super::words::{BACKGROUND_TEXTS, Term, background};

/// The weight of terms among this many skills, in units of 1 / (1 << [`POINT`](super::logarithm::POINT)).
///
/// It is `ln(1 + (M + N - m - n + 0.5) / (m + n + 0.5))`, which is `ln(M + N + 1) - ln(m + n + 0.5)`.
/// The background counts `m` and `M` are divided by twenty, so everything is multiplied by twenty.
#[derive(Debug, Clone, Copy)]
pub struct Worth {
    /// The number of skills.
    pub skills: u32,
}

impl Worth {
    /// The weight of a term that `with` skills have.
    pub fn of(self, term: Term, with: u32) -> u32 {
        let all = self.skills.saturating_mul(20).saturating_add(20 + BACKGROUND_TEXTS);
        let with = with.saturating_mul(20).saturating_add(10).saturating_add(background(term.0));
        let worth = ln(all).saturating_sub(ln(with));
        // A character is in two pairs, so a pair says less than a word.
        if term.is_pair() { worth * 2 / 5 } else { worth }
    }

    /// The weight of a term that occurs nowhere.
    pub fn most(self) -> u32 {
        ln(self.skills.saturating_mul(20).saturating_add(20 + BACKGROUND_TEXTS)) - ln(10)
    }
}
