//! The bundle and what stands above it, as one set of skills.
//!
//! There is one resolver: every action sees the same skill under a name. For one name the earlier
//! root wins (contract 2.5), and packs above the bundle stand before it.

use alloc::vec::Vec;

use crate::pack::{Pack, Skill, with_normalised};
use crate::serve::bundle::Bundle;

/// Who asks. Skills that are not meant for the asker are absent from every action (contract 3.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Audience {
    /// A model: not the skills with `disable-model-invocation`.
    #[default]
    Model,
    /// A user: not the skills with `user-invocable: false`.
    User,
    /// Whoever keeps the skills: all of them.
    Everyone,
}

/// The skills that a program serves.
///
/// Making one costs nothing, and nothing happens before the first call. It can be a `static`:
///
/// ```
/// use skills_core::serve::{Bundle, Registry};
///
/// static SKILLS: Bundle = Bundle::EMPTY;
/// static REGISTRY: Registry = Registry::new(&SKILLS);
///
/// assert_eq!(REGISTRY.list().to_string(), "No skills or slash commands found.");
/// ```
#[derive(Debug, Default)]
pub struct Registry<'a> {
    above: Vec<Layer<'a>>,
    bundle: Option<&'a Bundle>,
    audience: Audience,
}

#[derive(Debug)]
struct Layer<'a> {
    label: &'a str,
    pack: Pack<'a>,
}

/// A skill as a registry serves it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// Where it is from: `bundle`, or the label of the root.
    pub origin: &'a str,
}

const BUNDLE: &str = "bundle";

impl<'a> Registry<'a> {
    /// Serves a bundle, to a model.
    pub const fn new(bundle: &'a Bundle) -> Self {
        Self { above: Vec::new(), bundle: Some(bundle), audience: Audience::Model }
    }

    /// Serves nothing yet.
    pub const fn empty() -> Self {
        Self { above: Vec::new(), bundle: None, audience: Audience::Model }
    }

    /// Puts packed skills above the bundle and below the packs that were put there before.
    #[must_use]
    pub fn with_pack(mut self, label: &'a str, pack: Pack<'a>) -> Self {
        self.above.push(Layer { label, pack });
        self
    }

    /// Serves this audience.
    #[must_use]
    pub const fn for_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// The skill that a look-up of `name` finds (contract 2.4): one with this name in any pack, else
    /// one whose directory has it.
    #[inline]
    pub fn get(&self, name: &str) -> Option<Entry<'a>> {
        if self.above.is_empty() {
            let skill = self.bundle?.get(name)?;
            return self.shows(skill).then_some(Entry { skill, origin: BUNDLE });
        }
        let found = with_normalised(name, |name| {
            let by_name = self.find_all(name).find(|entry| entry.skill.name() == name || !name.is_ascii());
            by_name.or_else(|| self.find_all(name).next())
        })?;
        // A skill that an earlier one of the same name hides is not found under its directory either.
        let winner =
            self.find_all(found.skill.name()).find(|entry| entry.skill.name() == found.skill.name())?;
        self.shows(winner.skill).then_some(winner)
    }

    /// The skills that are served, by name. For one name the earlier pack's skill stands alone.
    pub fn skills(&self) -> Vec<Entry<'a>> {
        let mut entries: Vec<Entry<'a>> = self
            .packs()
            .flat_map(|(origin, pack)| pack.skills().map(move |skill| Entry { skill, origin }))
            .collect();
        if !self.above.is_empty() {
            entries.sort_by_key(|entry| entry.skill.name());
            entries.dedup_by_key(|entry| entry.skill.name());
        }
        entries.retain(|entry| self.shows(entry.skill));
        entries
    }

    /// Whether no skill is served.
    pub fn is_empty(&self) -> bool {
        self.skills().is_empty()
    }

    /// All packs with their labels, in the order of precedence.
    pub(super) fn packs(&self) -> impl Iterator<Item = (&'a str, Pack<'a>)> + Clone + '_ {
        let above = self.above.iter().map(|layer| (layer.label, layer.pack));
        above.chain(self.bundle.iter().map(|bundle| (BUNDLE, bundle.pack())))
    }

    /// Whether a skill of the pack with this number is served: no earlier pack has one of its name, and
    /// it is meant for the asker.
    pub(super) fn serves(&self, pack: usize, skill: Skill<'_>) -> bool {
        let name = skill.name();
        let has_it = |earlier: Pack<'_>| {
            let found = earlier.find(name).and_then(|index| earlier.skill(index));
            found.is_some_and(|found| found.name() == name)
        };
        self.shows(skill) && !self.packs().take(pack).any(|(_, earlier)| has_it(earlier))
    }

    /// What each pack has under a name in look-up form, first pack first.
    fn find_all(&self, name: &str) -> impl Iterator<Item = Entry<'a>> {
        let above = self.above.iter().map(|layer| (layer.label, layer.pack, layer.pack.find(name)));
        let bundle = self.bundle.iter().map(move |bundle| (BUNDLE, bundle.pack(), bundle.index(name)));
        above
            .chain(bundle)
            .filter_map(|(origin, pack, index)| Some(Entry { skill: pack.skill(index?)?, origin }))
    }

    #[inline]
    fn shows(&self, skill: Skill<'_>) -> bool {
        match self.audience {
            Audience::Model => skill.model_may_call(),
            Audience::User => skill.user_may_call(),
            Audience::Everyone => true,
        }
    }
}
