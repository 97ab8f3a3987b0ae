//! The skills of a program, from one pack or several.
//!
//! There is one resolver, [`Layers`], so every action finds the same skill under a name. Audience, policy and
//! session, which decide who may see a skill, are handled here. This module reads no files.

use alloc::sync::Arc;
use alloc::vec::Vec;

use skills_pack::{Pack, Skill, with_normalised};

use super::bundle::Bundle;
use super::defaults::Defaults;
use super::entry::Entry;
use super::error::ActionError;
use super::layers::{Layer, Layers, Place};
use super::look::Look;
use super::name_table::NameTable;
use super::policy::{Hidden, Policy};
use super::printed;
use super::shadowed::Shadowed;
use super::toolset::Toolset;

/// Who is asking. Skills that aren't meant for this audience are absent from every action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Audience {
    /// A model: skills with `disable-model-invocation` are left out.
    #[default]
    Model,
    /// A user: skills with `user-invocable: false` are left out.
    User,
    /// No filtering; for tools that manage skills.
    Everyone,
}

/// What a name stands for, for a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Visibility {
    /// A skill that is served.
    Visible,
    /// A skill that the session, or the defaults, hide.
    Hidden,
    /// A skill that isn't meant for this audience.
    OtherAudience,
    /// A skill that the policy blocks, whatever a session does.
    Blocked,
    /// No skill.
    Unknown,
}

/// The skills that a program serves.
///
/// A registry costs nothing to make, and nothing runs before the first call. It can be a `static`:
///
/// ```
/// use skills_core::{Bundle, Registry};
///
/// static SKILLS: Bundle = Bundle::EMPTY;
/// static REGISTRY: Registry = Registry::new(&SKILLS);
///
/// assert_eq!(REGISTRY.list().to_string(), "No skills or slash commands found.");
/// ```
///
/// Answers borrow from the skills, not from the registry. A registry with live roots shows their state at one
/// moment; `LiveRegistry` provides it.
#[derive(Debug, Clone)]
pub struct Registry<'a> {
    layers: Layers<'a>,
    audience: Audience,
    policy: Option<Arc<Policy>>,
    defaults: Option<Arc<Defaults>>,
    /// What a session hides; without one, the defaults say what is hidden.
    hidden: Option<Arc<Hidden>>,
    reserved: &'a [&'a str],
    tools: Toolset,
    /// Notes what is asked for, if something on disk may have changed.
    look: Option<&'a Look>,
}

impl Default for Registry<'_> {
    fn default() -> Self {
        Self::empty()
    }
}

impl<'a> Registry<'a> {
    /// A registry that serves a bundle to a model.
    pub const fn new(bundle: &'a Bundle) -> Self {
        Self::with_layers(Layers::Bundle(Some(bundle)))
    }

    /// A registry without skills.
    pub const fn empty() -> Self {
        Self::with_layers(Layers::Bundle(None))
    }

    /// A registry that serves the bundles of several crates. Each has a label, which becomes the origin of
    /// its skills. If two bundles have a skill with the same name, the earlier one is served, and
    /// [`shadowed`](Self::shadowed) lists the other.
    ///
    /// ```
    /// use skills_core::{Bundle, Registry};
    ///
    /// static SKILLS: Bundle = Bundle::EMPTY;
    /// static PACK: Bundle = Bundle::EMPTY; // `skills_for_git::SKILLS`, say
    /// static REGISTRY: Registry = Registry::of(&[("app", &SKILLS), ("git", &PACK)]);
    /// # assert!(REGISTRY.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a label is empty or given twice. In a `static`, this is a compile error.
    #[allow(clippy::panic, reason = "it stops the compilation of a program with such labels")]
    pub const fn of(bundles: &'static [(&'static str, &'static Bundle)]) -> Registry<'static> {
        let mut at = 0;
        while at < bundles.len() {
            let label = bundles[at].0.as_bytes();
            assert!(!label.is_empty(), "a pack of `Registry::of` has an empty label: give each a label");
            let mut other = 0;
            while other < at {
                assert!(
                    !is_same(label, bundles[other].0.as_bytes()),
                    "two packs of `Registry::of` have the same label: give each one of its own"
                );
                other += 1;
            }
            at += 1;
        }
        Registry::with_layers(Layers::Bundles(bundles))
    }

    /// A registry of any layers, in order of precedence. For `skills-live`.
    ///
    /// `may_hide` says whether a layer may hide a skill of another one, and `names` is a table that was made of the
    /// same layers.
    #[doc(hidden)]
    pub fn layered(layers: Vec<Layer<'a>>, may_hide: bool, names: Option<&'a NameTable>) -> Self {
        Self::with_layers(Layers::Any { layers: layers.into(), may_hide, names })
    }

    const fn with_layers(layers: Layers<'a>) -> Self {
        Self {
            layers,
            audience: Audience::Model,
            policy: None,
            defaults: None,
            hidden: None,
            reserved: &[],
            tools: Toolset::One,
            look: None,
        }
    }

    /// Adds packed skills above the bundle and below packs that were added before.
    #[must_use]
    pub fn with_pack(mut self, label: &'a str, pack: Pack<'a>) -> Self {
        let mut layers: Vec<Layer<'a>> = self.layers.iter().collect();
        let place = layers.iter().position(Layer::is_bundle).unwrap_or(layers.len());
        layers.insert(place, Layer::of_pack(label, pack, None));
        self.layers = Layers::new(layers);
        // A directory name in the new pack may be one that the policy blocks.
        match self.policy.take() {
            Some(policy) => self.with_policy(policy),
            None => self,
        }
    }

    /// Sets who is asking.
    #[must_use]
    pub const fn for_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// Reserves these names, without a slash, for the host's own slash commands: no command or skill is
    /// called by them. [`reserved`](Self::reserved) lists the commands and skills that have such a name.
    #[must_use]
    pub const fn with_reserved(mut self, names: &'a [&'a str]) -> Self {
        self.reserved = names;
        self
    }

    /// Sets a policy. A session can't override it.
    ///
    /// A blocked name blocks the skill that a look-up of this name finds, including by its directory name; an
    /// allowed name allows only the skill with exactly that name.
    #[must_use]
    pub fn with_policy(mut self, policy: impl Into<Arc<Policy>>) -> Self {
        let mut policy: Arc<Policy> = policy.into();
        let found = policy.blocked().filter_map(|name| Some(self.find(name)?.skill.name()));
        let more: Vec<&str> = found.filter(|name| policy.allows(name)).collect();
        if !more.is_empty() {
            let blocked = more.into_iter().fold((*policy).clone(), Policy::block);
            policy = Arc::new(blocked);
        }
        self.policy = Some(policy);
        self
    }

    /// Sets which skills begin hidden or active in every session. A session can change both.
    #[must_use]
    pub fn with_defaults(mut self, defaults: impl Into<Arc<Defaults>>) -> Self {
        self.defaults = Some(defaults.into());
        self
    }

    /// Sets which tools the model has, so that texts name these; `skills_tool` unless set.
    /// [`call_tool`](Self::call_tool) sets it by the name of the tool that is called.
    #[must_use]
    pub const fn with_toolset(mut self, tools: Toolset) -> Self {
        self.tools = tools;
        self
    }

    /// Notes in `look` what is asked for, and refuses to load a skill that has changed on disk. For
    /// `skills-live`.
    #[doc(hidden)]
    #[must_use]
    pub fn with_look(mut self, look: &'a Look) -> Self {
        self.look = Some(look);
        self
    }

    /// The skill, unless it isn't on disk any more as it is served.
    #[inline]
    pub(crate) fn current(&self, entry: Entry<'a>) -> Result<Entry<'a>, ActionError> {
        match (self.look, entry.files) {
            (Some(look), Some(files)) if !files.is_current(entry.skill.path()) => {
                look.note_change();
                Err(ActionError::internal("the skill has changed on disk: ask again".into()))
            }
            _ => Ok(entry),
        }
    }

    /// Notes that all skills or commands are asked for.
    pub(crate) fn note_list(&self) {
        if let Some(look) = self.look {
            look.note_list();
        }
    }

    /// Notes that a slash command is asked for.
    pub(crate) fn note_command(&self) {
        if let Some(look) = self.look {
            look.note_command();
        }
    }

    /// Notes that a session remembers the answer.
    pub(crate) fn note_remembered(&self) {
        if let Some(look) = self.look {
            look.note_remembered();
        }
    }

    /// Leaves out the skills that a session hides, in place of those that begin hidden.
    #[must_use]
    pub(crate) fn without(mut self, hidden: Arc<Hidden>) -> Self {
        self.hidden = Some(hidden);
        self
    }

    pub(crate) fn defaults(&self) -> Option<&Defaults> {
        self.defaults.as_deref()
    }

    pub(crate) const fn toolset(&self) -> Toolset {
        self.tools
    }

    /// Tells a host what a name stands for. A model only learns that a skill that isn't
    /// [`Visible`](Visibility::Visible) isn't found.
    pub fn visibility(&self, name: &str) -> Visibility {
        let Some(entry) = self.find(name) else { return Visibility::Unknown };
        if self.policy.as_ref().is_some_and(|policy| !policy.lets_pass(&entry.skill)) {
            Visibility::Blocked
        } else if !self.is_meant(&entry.skill) {
            Visibility::OtherAudience
        } else if self.hides(entry.skill.name()) {
            Visibility::Hidden
        } else {
            Visibility::Visible
        }
    }

    /// Returns the skill with this name, else one whose directory has this name. Case doesn't matter, spaces
    /// count as hyphens, and surrounding `**` or backticks are ignored. The path that `load` shows and
    /// `skill://NAME/SKILL.md` name a skill too.
    #[inline]
    pub fn get(&self, name: &str) -> Option<Entry<'a>> {
        self.find(name).filter(|entry| self.shows(&entry.skill))
    }

    /// The skills that are served, by name. If two packs have a skill with the same name, the one in the
    /// first pack is served.
    pub fn skills(&self) -> Vec<Entry<'a>> {
        self.note_list();
        let winners = self.layers.winners().into_iter();
        winners.filter_map(|(place, _)| self.entry(place)).filter(|entry| self.shows(&entry.skill)).collect()
    }

    /// The skills, then the slash commands, that are hidden by one with the same name in an earlier pack or
    /// root, in the order of the packs.
    pub fn shadowed(&self) -> Vec<Shadowed> {
        super::shadowed::of(&self.layers)
    }

    /// Whether there are no skills and no slash commands. A host then doesn't offer the tool at all.
    pub fn is_empty(&self) -> bool {
        self.skills().is_empty() && self.commands().is_empty()
    }

    /// The skills that aren't hidden by another, by name, each with the number of its layer, for any
    /// audience. For `skills-live`.
    #[doc(hidden)]
    pub fn winners(&self) -> Vec<(usize, Skill<'a>)> {
        self.layers.winners().into_iter().map(|(place, skill)| (place.layer, skill)).collect()
    }

    pub(crate) fn layers(&self) -> &Layers<'a> {
        &self.layers
    }

    /// Whether a skill is served: no earlier pack hides it, and the audience may see it.
    pub(crate) fn serves(&self, layer: usize, skill: Skill<'a>) -> bool {
        let place = Place { layer, index: skill.index() };
        self.layers.wins(place, skill.name()) && self.shows(&skill)
    }

    pub(crate) fn entry(&self, place: Place) -> Option<Entry<'a>> {
        let layer = self.layers.get(place.layer)?;
        Some(Entry::of(&layer, layer.pack.skill(place.index)?))
    }

    /// The same registry for the audience [`User`](Audience::User).
    pub(crate) fn user_view(&self) -> Self {
        self.clone().for_audience(Audience::User)
    }

    /// Whether the host reserves a name.
    pub(crate) fn is_reserved(&self, name: &str) -> bool {
        let same = |name: &str| {
            self.reserved.iter().any(|reserved| {
                with_normalised(reserved, |held| held.strip_prefix('/').unwrap_or(held) == name)
            })
        };
        !self.reserved.is_empty() && with_normalised(name, same)
    }

    /// The skill that a name finds, for any audience.
    #[inline]
    fn find(&self, name: &str) -> Option<Entry<'a>> {
        // Most callers give a name in its stored form.
        let place = self.layers.find(name).or_else(|| with_normalised(name, |name| self.layers.find(name)));
        self.entry(place.or_else(|| printed::find(&self.layers, name))?)
    }

    /// Whether a skill is served unless an earlier pack hides it.
    #[inline]
    pub(crate) fn shows(&self, skill: &Skill<'_>) -> bool {
        self.is_meant(skill)
            && self.policy.as_ref().is_none_or(|policy| policy.lets_pass(skill))
            && !self.hides(skill.name())
    }

    /// Whether a skill is meant for the audience.
    fn is_meant(&self, skill: &Skill<'_>) -> bool {
        match self.audience {
            Audience::Model => skill.model_may_call(),
            Audience::User => skill.user_may_call(),
            Audience::Everyone => true,
        }
    }

    /// Whether the session, or without one the defaults, hide a skill.
    fn hides(&self, name: &str) -> bool {
        match (&self.hidden, &self.defaults) {
            (Some(hidden), _) => hidden.contains(name),
            (None, Some(defaults)) => defaults.hides(name),
            (None, None) => false,
        }
    }
}

/// Whether two strings are equal, in a constant.
const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
