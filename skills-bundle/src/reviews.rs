//! `skill-reviews.toml`: who reviewed which skill, tied to the digest of its bytes.
//!
//! An entry is about all files of a skill that has one digest, or about what changed between two digests. One
//! changed byte makes another digest, so a review never applies to what nobody saw. The file is edited by hand
//! too: [`Reviews`] reads it, and [`with`] adds an entry and leaves everything else as it is. `who` is a claim
//! of whoever could write the file: guard it as you guard code.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::lock::Digest;

mod read;
mod write;

pub use write::{AddError, with};

/// The name of the file, which is beside the lock.
pub const REVIEWS_FILE: &str = "skill-reviews.toml";

/// The version of the file's form.
pub const VERSION: u64 = 1;

/// The criterion that every review meets: somebody read all of it.
pub const REVIEWED: &str = "reviewed";

/// The reviews that were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reviews {
    /// Criteria of your own, each with what it means.
    pub criteria: Vec<(String, String)>,
    /// The entries, in the order of the file.
    pub reviews: Vec<Review>,
}

/// An entry: somebody reviewed something.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Review {
    /// The skill's name.
    pub skill: String,
    /// Who says so.
    pub who: String,
    /// When, as `2026-11-30`.
    pub date: Option<String>,
    /// What they found to be so. Empty for [`REVIEWED`] alone.
    pub criteria: Vec<String>,
    /// What they looked at.
    pub what: Reviewed,
    /// Anything else.
    pub notes: Option<String>,
    /// Where the entry is in the text that was read.
    pub(crate) place: Range<usize>,
}

/// What was reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "a review is of one of the two")]
pub enum Reviewed {
    /// All files of the skill with this digest.
    Whole(Digest),
    /// What changed from the first to the second digest.
    Delta(Digest, Digest),
}

impl Review {
    /// An entry about the skill of this name.
    pub fn new(skill: impl Into<String>, who: impl Into<String>, what: Reviewed) -> Self {
        let (skill, who) = (skill.into(), who.into());
        Self { skill, who, date: None, criteria: Vec::new(), what, notes: None, place: 0..0 }
    }

    fn meets(&self, criterion: &str) -> bool {
        criterion == REVIEWED || self.criteria.iter().any(|known| known == criterion)
    }
}

impl Reviewed {
    /// The digest that was looked at in the end.
    pub fn digest(self) -> Digest {
        match self {
            Self::Whole(digest) | Self::Delta(_, digest) => digest,
        }
    }
}

impl Reviews {
    /// Whether a criterion is known: [`REVIEWED`], or one of the file's own.
    pub fn knows(&self, criterion: &str) -> bool {
        criterion == REVIEWED || self.criteria.iter().any(|(known, _)| known == criterion)
    }

    /// The entries that together cover a skill with this digest: one about all of it, and those about each change
    /// since, oldest first. `None` if there is no such chain in which each meets the criterion.
    pub fn covering(&self, skill: &str, digest: Digest, criterion: &str) -> Option<Vec<&Review>> {
        let all: Vec<&Review> =
            self.reviews.iter().filter(|review| review.skill == skill && review.meets(criterion)).collect();
        // From the end backwards, by the fewest entries; each is used once, so circles end.
        let mut chains: Vec<(Digest, Vec<&Review>)> = vec![(digest, Vec::new())];
        let mut seen = vec![digest];
        while !chains.is_empty() {
            let mut longer = Vec::new();
            for (digest, chain) in &chains {
                for review in all.iter().filter(|review| review.what.digest() == *digest) {
                    let mut chain = chain.clone();
                    chain.push(review);
                    match review.what {
                        Reviewed::Whole(_) => {
                            chain.reverse();
                            return Some(chain);
                        }
                        Reviewed::Delta(from, _) if !seen.contains(&from) => {
                            seen.push(from);
                            longer.push((from, chain));
                        }
                        Reviewed::Delta(..) => {}
                    }
                }
            }
            chains = longer;
        }
        None
    }

    /// The digests of a skill that entries which meet the criterion cover, the latest entry first.
    pub fn covered(&self, skill: &str, criterion: &str) -> Vec<Digest> {
        let of_it = || self.reviews.iter().filter(|review| review.skill == skill && review.meets(criterion));
        let mut next: HashMap<[u8; 32], Vec<Digest>> = HashMap::new();
        let mut queue: Vec<Digest> = Vec::new();
        for review in of_it() {
            match review.what {
                Reviewed::Whole(digest) => queue.push(digest),
                Reviewed::Delta(from, to) => next.entry(from.0).or_default().push(to),
            }
        }
        let mut reached: HashSet<[u8; 32]> = HashSet::new();
        while let Some(digest) = queue.pop() {
            if reached.insert(digest.0) {
                queue.extend(next.remove(&digest.0).unwrap_or_default());
            }
        }
        // Taken out once it is listed, so that none is listed twice.
        let latest = of_it().rev().map(|review| review.what.digest());
        latest.filter(|digest| reached.remove(&digest.0)).collect()
    }
}

#[cfg(test)]
mod tests;
