//! The bundle and the overlays, as one set of skills.
//!
//! There is one resolver: every action sees the same skill under a name. A bundle alone is asked
//! through its perfect hash; where packs stand above or below it, [`Resolved`] has settled once who
//! wins. Who may see a skill is decided here too, by audience, policy and session. Nothing here
//! reads a file.

#[cfg(feature = "overlay")]
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::bundle::Bundle;
use super::command::CommandEntry;
#[cfg(feature = "overlay")]
use super::error::ActionError;
#[cfg(feature = "overlay")]
use super::files::Files;
use super::policy::{Hidden, Policy};
#[cfg(feature = "overlay")]
use super::resolved::{Layer, Place, Resolved};
#[cfg(feature = "overlay")]
use skills_pack::SkillFile;
use skills_pack::{Pack, Skill, with_normalised};

/// Who asks. Skills that are not meant for the asker are absent from every action.
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
///
/// Answers borrow from what is served, not from the registry. A registry with overlays is a view of
/// one moment; `LiveRegistry` hands it out.
#[derive(Debug, Clone, Default)]
pub struct Registry<'a> {
    bundle: Option<&'a Bundle>,
    #[cfg(feature = "overlay")]
    stack: Option<Stack<'a>>,
    audience: Audience,
    policy: Option<Arc<Policy>>,
    hidden: Option<Arc<Hidden>>,
    reserved: &'a [&'a str],
}

/// Packs in order of precedence, and who wins under which name.
#[cfg(feature = "overlay")]
#[derive(Debug, Clone)]
struct Stack<'a> {
    layers: Vec<Layer<'a>>,
    resolved: Shared<'a>,
}

#[cfg(feature = "overlay")]
#[derive(Debug, Clone)]
enum Shared<'a> {
    Borrowed(&'a Resolved),
    Owned(Arc<Resolved>),
}

#[cfg(feature = "overlay")]
impl Shared<'_> {
    fn get(&self) -> &Resolved {
        match self {
            Self::Borrowed(resolved) => resolved,
            Self::Owned(resolved) => resolved,
        }
    }
}

/// A skill as a registry serves it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// Where it is from: `bundle`, or the label of the overlay.
    pub origin: &'a str,
    #[cfg(feature = "overlay")]
    pub(super) files: Option<&'a dyn Files>,
}

/// The origin of what was compiled in.
pub(super) const BUNDLE: &str = "bundle";

impl<'a> Entry<'a> {
    /// Whether the skill was compiled into the program, and is not read from disk.
    pub fn is_bundled(&self) -> bool {
        #[cfg(feature = "overlay")]
        return self.files.is_none();
        #[cfg(not(feature = "overlay"))]
        true
    }

    /// Whether this is the last good version of a skill whose SKILL.md is broken now.
    #[cfg(feature = "overlay")]
    pub fn is_stale(&self) -> bool {
        self.files.is_some_and(|files| files.is_stale(self.skill.path()))
    }

    /// The bytes of one of the skill's files: those that were compiled in, or those on disk now.
    ///
    /// # Errors
    ///
    /// Only for files on disk: [`ActionError::FileNotFound`] for one that is gone by now,
    /// [`ActionError::Outside`] where a link has taken its place, [`ActionError::Internal`] for what
    /// the system cannot read and for more than 64 MiB.
    #[cfg(feature = "overlay")]
    pub fn read(&self, file: &SkillFile<'a>) -> Result<Cow<'a, [u8]>, ActionError> {
        match (file.bytes(), self.files) {
            (Some(bytes), _) => Ok(Cow::Borrowed(bytes)),
            (None, Some(files)) => files.read(self.skill.path(), file.path()).map(Cow::Owned),
            (None, None) => Err(ActionError::file_not_found(file.path())),
        }
    }

    pub(super) const fn bundled(skill: Skill<'a>) -> Self {
        Self {
            skill,
            origin: BUNDLE,
            #[cfg(feature = "overlay")]
            files: None,
        }
    }
}

impl<'a> Registry<'a> {
    /// Serves a bundle, to a model.
    pub const fn new(bundle: &'a Bundle) -> Self {
        Self {
            bundle: Some(bundle),
            #[cfg(feature = "overlay")]
            stack: None,
            audience: Audience::Model,
            policy: None,
            hidden: None,
            reserved: &[],
        }
    }

    /// Serves nothing yet.
    pub const fn empty() -> Self {
        Self {
            bundle: None,
            #[cfg(feature = "overlay")]
            stack: None,
            audience: Audience::Model,
            policy: None,
            hidden: None,
            reserved: &[],
        }
    }

    /// Puts packed skills above the bundle and below the packs that were put there before.
    #[cfg(feature = "overlay")]
    #[must_use]
    pub fn with_pack(mut self, label: &'a str, pack: Pack<'a>) -> Self {
        let mut layers = self.stack.take().map_or_else(
            || self.bundle.iter().map(|bundle| Layer::bundled(bundle)).collect(),
            |stack| stack.layers,
        );
        let place = layers.iter().position(|layer: &Layer<'_>| layer.is_bundle).unwrap_or(layers.len());
        layers.insert(place, Layer { label, pack, files: None, is_bundle: false });
        let resolved = Shared::Owned(Arc::new(Resolved::new(&layers, false)));
        self.stack = Some(Stack { layers, resolved });
        // What is blocked by the name of a directory may have come with this pack.
        match self.policy.take() {
            Some(policy) => self.with_policy(policy),
            None => self,
        }
    }

    /// Serves layers whose names were resolved before.
    #[cfg(feature = "overlay")]
    pub(super) fn layered(layers: Vec<Layer<'a>>, resolved: &'a Resolved) -> Self {
        Self { stack: Some(Stack { layers, resolved: Shared::Borrowed(resolved) }), ..Self::empty() }
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

    /// Serves only what a policy allows. No session can lift it.
    ///
    /// A name that is blocked blocks the skill that a look-up of it finds here, also one that is found
    /// by its directory; a name that is allowed allows the skill that has it.
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

    /// Leaves out what a session hides.
    #[must_use]
    pub(super) fn without(mut self, hidden: Arc<Hidden>) -> Self {
        self.hidden = Some(hidden);
        self
    }

    /// The skill that a look-up of `name` finds: one with this name, else one whose directory has it;
    /// in any case, with blanks for hyphens, also between `**` or backquotes.
    #[inline]
    pub fn get(&self, name: &str) -> Option<Entry<'a>> {
        self.find(name).filter(|entry| self.shows(entry))
    }

    /// The skills that are served, by name. For one name the earlier pack's skill stands alone.
    pub fn skills(&self) -> Vec<Entry<'a>> {
        #[cfg(feature = "overlay")]
        if let Some(stack) = &self.stack {
            let entries = stack.resolved.get().order().iter().filter_map(|place| stack.entry(*place));
            return entries.filter(|entry| self.shows(entry)).collect();
        }
        let skills = self.bundle.into_iter().flat_map(Bundle::skills);
        skills.map(Entry::bundled).filter(|entry| self.shows(entry)).collect()
    }

    /// Whether no skill and no slash command is served. A host then does not offer the tool at all.
    pub fn is_empty(&self) -> bool {
        self.skills().is_empty() && self.commands().is_empty()
    }

    /// The packs in their order of precedence, each with its origin.
    pub(super) fn packs(&self) -> impl Iterator<Item = (&'a str, Pack<'a>)> + Clone {
        #[cfg(feature = "overlay")]
        let (layers, alone) = {
            let stack = self.stack.iter();
            let layers = stack.flat_map(|stack| stack.resolved.get().precedence(&stack.layers));
            (layers.map(|(_, layer)| (layer.label, layer.pack)), self.stack.is_none())
        };
        #[cfg(not(feature = "overlay"))]
        let (layers, alone) = (core::iter::empty(), true);
        layers.chain(self.bundle.filter(|_| alone).map(|bundle| (BUNDLE, bundle.pack())))
    }

    /// Whether a skill of the pack with this number is served: no earlier pack has one of its name, and
    /// it is meant for the asker.
    pub(super) fn serves(&self, pack: usize, skill: Skill<'a>) -> bool {
        #[cfg(feature = "overlay")]
        if let Some(stack) = &self.stack {
            let resolved = stack.resolved.get();
            // Asked for every match of a search; most registries have nothing to look up.
            let is_winner = resolved.shadowed().is_empty() || {
                let layer = resolved.precedence(&stack.layers).nth(pack).map(|(number, _)| number);
                resolved.find(skill.name()).map(|place| place.layer) == layer
            };
            return is_winner && self.shows(&Entry::bundled(skill));
        }
        let _ = pack;
        self.shows(&Entry::bundled(skill))
    }

    /// A skill of the pack with this number.
    pub(super) fn entry_of(&self, pack: usize, skill: Skill<'a>) -> Entry<'a> {
        #[cfg(feature = "overlay")]
        if let Some(stack) = &self.stack
            && let Some((_, layer)) = stack.resolved.get().precedence(&stack.layers).nth(pack)
        {
            return Entry { skill, origin: layer.label, files: layer.files };
        }
        let _ = pack;
        Entry::bundled(skill)
    }

    /// The same, as a user sees it.
    pub(super) fn user_view(&self) -> Self {
        self.clone().for_audience(Audience::User)
    }

    /// Whether a command takes no name from a skill of a sealed bundle.
    pub(super) fn may_be_called(&self, entry: &CommandEntry<'a>) -> bool {
        #[cfg(feature = "overlay")]
        if let Some(stack) = &self.stack {
            let name = entry.command.name();
            return entry.origin == BUNDLE || !stack.resolved.get().is_sealed_name(&stack.layers, name);
        }
        let _ = entry;
        true
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

    /// The skill under a name, whoever may see it.
    #[inline]
    fn find(&self, name: &str) -> Option<Entry<'a>> {
        #[cfg(feature = "overlay")]
        if let Some(stack) = &self.stack {
            let resolved = stack.resolved.get();
            let place = resolved.find(name).or_else(|| with_normalised(name, |name| resolved.find(name)))?;
            return stack.entry(place);
        }
        Some(Entry::bundled(self.bundle?.get(name)?))
    }

    #[inline]
    pub(super) fn shows(&self, entry: &Entry<'_>) -> bool {
        let skill = &entry.skill;
        let meant = match self.audience {
            Audience::Model => skill.model_may_call(),
            Audience::User => skill.user_may_call(),
            Audience::Everyone => true,
        };
        meant
            && self.policy.as_ref().is_none_or(|policy| policy.lets_pass(skill))
            && self.hidden.as_ref().is_none_or(|hidden| !hidden.contains(skill.name()))
    }
}

#[cfg(feature = "overlay")]
impl<'a> Stack<'a> {
    #[inline]
    fn entry(&self, place: Place) -> Option<Entry<'a>> {
        let layer = self.layers.get(place.layer as usize)?;
        let skill = layer.pack.skill(place.index as usize)?;
        Some(Entry { skill, origin: layer.label, files: layer.files })
    }
}
