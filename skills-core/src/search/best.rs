//! Keeps the best matches, in order, and nothing of the rest.

use alloc::vec::Vec;

use skills_pack::{Pack, Skill};

/// Which skill of which pack is visible: asked only for those that would be kept.
pub(super) type Visible<'v, 'a> = &'v dyn Fn(usize, Skill<'a>) -> bool;

/// A match.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'a> {
    /// 2 where the query is its name, 1 where it is a trigger.
    pub(super) tier: u8,
    pub(super) score: u32,
    /// The number of its pack.
    pub(super) pack: usize,
    pub(super) skill: Skill<'a>,
}

/// The best matches so far.
pub(super) struct Best<'v, 'a> {
    limit: usize,
    visible: Visible<'v, 'a>,
    /// By tier down, score down, name up. The only thing of a search that is on the heap.
    pub(super) found: Vec<Found<'a>>,
    /// The two highest scores of all, whatever is kept, and whose they are: a pack and a skill.
    highest: [(u32, usize, usize); 2],
}

impl<'v, 'a> Best<'v, 'a> {
    pub(super) fn new(limit: usize, visible: Visible<'v, 'a>) -> Self {
        Self { limit, visible, found: Vec::new(), highest: [(0, usize::MAX, usize::MAX); 2] }
    }

    /// Whether a match with this score could still be kept, or takes the lead of another one.
    #[inline]
    pub(super) fn may_keep(&self, tier: u8, score: u32) -> bool {
        score > self.highest[1].0
            || match self.found.last() {
                Some(worst) if self.found.len() == self.limit => (tier, score) >= (worst.tier, worst.score),
                _ => self.limit > 0,
            }
    }

    /// Keeps a match, if it is visible and among the best.
    #[inline]
    pub(super) fn offer(&mut self, tier: u8, score: u32, pack: usize, of: &Pack<'a>, skill: usize) {
        if self.may_keep(tier, score)
            && let Some(skill) = of.skill(skill)
        {
            self.keep(Found { tier, score, pack, skill });
        }
    }

    /// By how much the score of a kept match is above that of any other one that is visible.
    pub(super) fn lead(&self, of: &Found<'a>) -> u32 {
        let others = self.highest.iter().filter(|(_, pack, at)| (*pack, *at) != (of.pack, of.skill.index()));
        of.score.saturating_sub(others.map(|(score, ..)| *score).max().unwrap_or(0))
    }

    fn keep(&mut self, new: Found<'a>) {
        let is_better = |old: &Found<'a>| {
            let by_score = (old.tier, old.score).cmp(&(new.tier, new.score));
            by_score.then_with(|| new.skill.name().cmp(old.skill.name())).is_ge()
        };
        let at = self.found.partition_point(is_better);
        let leads = new.score > self.highest[1].0;
        if (at == self.limit && !leads) || !(self.visible)(new.pack, new.skill) {
            return;
        }
        if leads {
            self.highest[1] = (new.score, new.pack, new.skill.index());
            self.highest.sort_unstable_by(|a, b| b.cmp(a));
        }
        if at == self.limit {
            return;
        }
        if self.found.capacity() == 0 {
            self.found.reserve_exact(self.limit);
        }
        self.found.truncate(self.limit - 1);
        self.found.insert(at, new);
    }
}
