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
    reserved: &'a [&'a str],
}

#[derive(Debug, Clone)]
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

pub(super) const BUNDLE: &str = "bundle";

impl<'a> Registry<'a> {
    /// Serves a bundle, to a model.
    pub const fn new(bundle: &'a Bundle) -> Self {
        Self { above: Vec::new(), bundle: Some(bundle), audience: Audience::Model, reserved: &[] }
    }

    /// Serves nothing yet.
    pub const fn empty() -> Self {
        Self { above: Vec::new(), bundle: None, audience: Audience::Model, reserved: &[] }
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

    /// Leaves these names, without a slash, to the host's own slash commands: no command and no skill is
    /// called by them. [`reserved`](Self::reserved) tells which have one of them.
    #[must_use]
    pub const fn with_reserved(mut self, names: &'a [&'a str]) -> Self {
        self.reserved = names;
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

    /// Whether no skill and no slash command is served.
    pub fn is_empty(&self) -> bool {
        self.skills().is_empty() && self.commands().is_empty()
    }

    /// The packs in their order, each with its origin.
    pub(super) fn packs(&self) -> impl Iterator<Item = (&'a str, Pack<'a>)> {
        let layers = self.above.iter().map(|layer| (layer.label, layer.pack));
        layers.chain(self.bundle.map(|bundle| (BUNDLE, bundle.pack())))
    }

    /// The same skills, as a user sees them.
    pub(super) fn user_view(&self) -> Self {
        let (bundle, reserved) = (self.bundle, self.reserved);
        Self { above: self.above.clone(), bundle, audience: Audience::User, reserved }
    }

    /// Whether the host keeps a name for itself.
    pub(super) fn is_reserved(&self, name: &str) -> bool {
        let same = |name: &str| {
            self.reserved.iter().any(|reserved| {
                with_normalised(reserved, |held| held.strip_prefix('/').unwrap_or(held) == name)
            })
        };
        !self.reserved.is_empty() && with_normalised(name, same)
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
