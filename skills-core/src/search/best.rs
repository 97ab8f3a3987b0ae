//! Keeps the best matches of a search, in order.

use alloc::vec::Vec;

use crate::layers::Place;
use skills_pack::{Pack, Skill};

/// Whether a skill of a pack is visible. It is only called for skills that would be kept.
pub(super) type Visible<'v, 'a> = &'v dyn Fn(usize, Skill<'a>) -> bool;

/// How well a skill matches, in the order in which it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rank {
    /// 2 if the query is the name, 1 if it is a trigger, else 0.
    pub(super) tier: u8,
    pub(super) score: u32,
    /// The part of the score that says how sure the match is; it has no place in the order.
    pub(super) fit: u32,
}

impl Rank {
    /// What decides between two matches.
    fn key(self) -> (u8, u32) {
        (self.tier, self.score)
    }
}

/// A match.
///
/// It is small, since matches move while better ones are found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) rank: Rank,
    /// The number of the pack.
    pub(super) pack: u32,
    /// The index of the skill in its pack.
    pub(super) skill: u32,
    pub(super) name: &'a str,
}

impl Found<'_> {
    pub(super) fn place(&self) -> Place {
        Place { layer: self.pack as usize, index: self.skill as usize }
    }
}

/// The best matches so far.
pub(super) struct Best<'v, 'a> {
    limit: usize,
    /// How many packs, from the first on, are sealed.
    sealed: usize,
    visible: Visible<'v, 'a>,
    /// Sorted by tier and score, highest first, then sealed skills before others, then by name.
    pub(super) found: Vec<Found<'a>>,
}

impl<'v, 'a> Best<'v, 'a> {
    pub(super) fn new(limit: usize, sealed: usize, visible: Visible<'v, 'a>) -> Self {
        Self { limit, sealed, visible, found: Vec::new() }
    }

    /// Whether a match like this could be kept.
    #[inline]
    pub(super) fn may_keep(&self, rank: Rank) -> bool {
        match self.found.last() {
            Some(worst) if self.found.len() == self.limit => rank.key() >= worst.rank.key(),
            _ => self.limit > 0,
        }
    }

    /// Keeps a match if it is visible and among the best.
    #[inline]
    pub(super) fn offer(&mut self, rank: Rank, pack: usize, of: &Pack<'a>, skill: usize) {
        if self.may_keep(rank)
            && let Some(skill) = of.skill(skill)
        {
            self.keep(rank, pack, skill);
        }
    }

    fn keep(&mut self, rank: Rank, pack: usize, skill: Skill<'a>) {
        let is_better = |old: &Found<'a>| {
            let by_score = old.rank.key().cmp(&rank.key());
            let is_sealed = |pack: usize| pack < self.sealed;
            let by_seal = by_score.then_with(|| is_sealed(old.pack as usize).cmp(&is_sealed(pack)));
            by_seal.then_with(|| skill.name().cmp(old.name)).is_ge()
        };
        let at = self.found.partition_point(is_better);
        if at == self.limit || !(self.visible)(pack, skill) {
            return;
        }
        if self.found.capacity() == 0 {
            self.found.reserve_exact(self.limit);
        }
        self.found.truncate(self.limit - 1);
        let new = Found { rank, pack: pack as u32, skill: skill.index() as u32, name: skill.name() };
        self.found.insert(at, new);
    }
}

/// How much better the match at this place fits than those before it, which can only be there for their names
/// or triggers, and the next one; 0 for all but the first of the others.
pub(super) fn lead(found: &[Found<'_>], at: usize) -> u32 {
    let (before, rest) = found.split_at(at);
    if before.last().is_some_and(|before| before.rank.tier == 0) {
        return 0;
    }
    let rivals = before.iter().chain(rest.get(1)).map(|found| found.rank.fit);
    found[at].rank.fit.saturating_sub(rivals.max().unwrap_or(0))
}
