//! The state of one conversation: which skills it has loaded, hides, and keeps active.
//!
//! A session changes which skills are shown, but not what a policy allows. It only holds names, so it
//! outlives any registry and can be stored with the conversation.

use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::error::ActionError;
use super::load::Loaded;
use super::policy::{Hidden, look_up_form};
use super::registry::{Audience, Entry, Registry};
use super::text::Visible;
#[cfg(feature = "json")]
use super::tool::Reply;
use skills_pack::words;

#[cfg(feature = "json")]
mod data;

#[cfg(feature = "json")]
pub use data::SessionDataError;

/// The state of one conversation.
///
/// ```
/// use skills_core::{Bundle, Registry, Session};
///
/// static SKILLS: Bundle = Bundle::EMPTY;
/// let registry = Registry::new(&SKILLS);
/// let mut session = Session::new();
///
// The model calls the tool. Later the conversation is compacted.
/// let reply = session.call(&registry, r#"{"action": "load", "skill_name": "pdf"}"#);
/// session.compacted();
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Newest last.
    loaded: Vec<LoadedName>,
    hidden: Arc<Hidden>,
    /// In the order of activation.
    active: Vec<String>,
    memory: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct LoadedName {
    name: String,
    /// A fingerprint of the instructions that were sent. Those of an overlay may have changed since.
    fingerprint: u64,
    /// Whether they are still in the conversation.
    visible: bool,
}

impl Default for Session {
    fn default() -> Self {
        Self { loaded: Vec::new(), hidden: Arc::default(), active: Vec::new(), memory: Self::MEMORY }
    }
}

impl Session {
    /// How many loaded skills a session remembers, and how many may be active, unless set.
    pub const MEMORY: usize = 20;

    /// The session of a new conversation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many loaded skills it remembers (the newest), and how many may be active.
    #[must_use]
    pub fn with_memory(mut self, skills: usize) -> Self {
        self.memory = skills;
        self.forget_oldest();
        self.active.truncate(skills);
        self
    }

    /// The registry as this session shows it.
    pub fn view<'a>(&self, registry: &Registry<'a>) -> Registry<'a> {
        registry.clone().without(Arc::clone(&self.hidden))
    }

    /// Loads a skill and remembers it. If its instructions are still in the conversation, the answer only
    /// says so ([`Loaded::already_loaded`]).
    ///
    /// # Errors
    ///
    /// As [`Registry::load`].
    pub fn load<'a>(&mut self, registry: &Registry<'a>, name: &str) -> Result<Loaded<'a>, ActionError> {
        let loaded = self.view(registry).load(name)?;
        Ok(self.remember(loaded))
    }

    /// Loads a skill with arguments for its instructions. If the arguments differ from the last time, the
    /// instructions are sent again.
    ///
    /// # Errors
    ///
    /// As [`Registry::load`].
    pub fn load_with<'a>(
        &mut self,
        registry: &Registry<'a>,
        name: &str,
        arguments: &str,
    ) -> Result<Loaded<'a>, ActionError> {
        let loaded = self.view(registry).load_with(name, arguments)?;
        Ok(self.remember(loaded))
    }

    /// Answers a raw tool call in this session, as [`Registry::call`] does.
    #[cfg(feature = "json")]
    pub fn call<'a>(&mut self, registry: &Registry<'a>, json: &str) -> Reply<'a> {
        let view = self.view(registry);
        view.call_with(json, |name, arguments| {
            let loaded = match arguments {
                Some(arguments) => view.load_with(name, arguments)?,
                None => view.load(name)?,
            };
            Ok(self.remember(loaded))
        })
    }

    /// The names of the loaded skills, newest last.
    pub fn loaded(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.loaded.iter().map(|loaded| loaded.name.as_str())
    }

    /// Forgets that a skill was loaded. Returns `false` if it wasn't.
    pub fn unload(&mut self, name: &str) -> bool {
        let name = look_up_form(name);
        let before = self.loaded.len();
        self.loaded.retain(|loaded| loaded.name != name);
        self.loaded.len() < before
    }

    /// Notes that nothing loaded is in the conversation any more. A skill that is loaded again is sent again.
    pub fn compacted(&mut self) {
        self.set_visible(|_| false);
    }

    /// Sets, for each loaded skill, whether its instructions are in the conversation.
    pub fn set_visible(&mut self, is_visible: impl Fn(&str) -> bool) {
        for loaded in &mut self.loaded {
            loaded.visible = is_visible(&loaded.name);
        }
    }

    /// Hides a skill in this conversation, and deactivates it.
    ///
    /// # Errors
    ///
    /// [`ActionError::SkillNotFound`] if the registry has no such skill.
    pub fn hide(&mut self, registry: &Registry<'_>, name: &str) -> Result<(), ActionError> {
        let name = find(registry, name)?.skill.name();
        Arc::make_mut(&mut self.hidden).insert(name.to_string());
        self.active.retain(|active| active != name);
        Ok(())
    }

    /// Shows a hidden skill again. Returns `false` if it wasn't hidden. A skill that a policy blocks stays
    /// blocked.
    pub fn show(&mut self, name: &str) -> bool {
        Arc::make_mut(&mut self.hidden).remove(&look_up_form(name))
    }

    /// The names of the hidden skills, in order.
    pub fn hidden(&self) -> impl Iterator<Item = &str> {
        self.hidden.iter().map(String::as_str)
    }

    /// Activates a skill: its instructions belong in every prompt of the conversation
    /// ([`active_text`](Self::active_text)). A hidden skill is shown again.
    ///
    /// # Errors
    ///
    /// [`ActionError::SkillNotFound`] if the registry has no such skill, [`ActionError::TooManyActive`] if
    /// the session has as many active skills as it may have.
    pub fn activate(&mut self, registry: &Registry<'_>, name: &str) -> Result<(), ActionError> {
        let name = find(registry, name)?.skill.name();
        if !self.active.iter().any(|active| active == name) {
            if self.active.len() >= self.memory {
                return Err(ActionError::TooManyActive { most: self.memory });
            }
            self.active.push(name.to_string());
        }
        Arc::make_mut(&mut self.hidden).remove(name);
        Ok(())
    }

    /// Deactivates a skill. Returns `false` if it wasn't active.
    pub fn deactivate(&mut self, name: &str) -> bool {
        let name = look_up_form(name);
        let before = self.active.len();
        self.active.retain(|active| *active != name);
        self.active.len() < before
    }

    /// The names of the active skills, in the order of activation.
    pub fn active(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.active.iter().map(String::as_str)
    }

    /// The instructions of the active skills that the registry serves, for the prompt: as `load` returns
    /// them, separated by a blank line. Empty if there are none. Since the user activates skills, this
    /// includes skills that the model may not call.
    pub fn active_text(&self, registry: &Registry<'_>) -> String {
        let view = self.view(registry).for_audience(Audience::Everyone);
        let texts: Vec<String> =
            self.active().filter_map(|name| view.load(name).ok()).map(|loaded| loaded.text()).collect();
        texts.join("\n\n")
    }

    /// A block for the prompt that lists the loaded skills that are still in the conversation and still
    /// served. Skills that were removed from disk, hidden or blocked since are left out, since a model
    /// couldn't load them again. Empty if there are none.
    ///
    /// ```text
    /// Loaded skills, whose instructions are above:
    /// - pdf
    /// ```
    pub fn loaded_text(&self, registry: &Registry<'_>) -> String {
        // As in `active_text`: a user may load a skill that the model may not call.
        let view = self.view(registry).for_audience(Audience::Everyone);
        let mut text = String::new();
        let is_served = |name: &str| view.get(name).is_some_and(|entry| entry.skill.name() == name);
        for loaded in self.loaded.iter().filter(|loaded| loaded.visible && is_served(&loaded.name)) {
            if text.is_empty() {
                text.push_str("Loaded skills, whose instructions are above:");
            }
            // Writing to a `String` cannot fail.
            let _ = write!(text, "\n- {}", Visible(&loaded.name));
        }
        text
    }

    /// Forgets everything: loaded, hidden and active skills.
    pub fn clear(&mut self) {
        *self = Self { memory: self.memory, ..Self::default() };
    }

    fn remember<'a>(&mut self, mut loaded: Loaded<'a>) -> Loaded<'a> {
        let name = loaded.entry.skill.name();
        let fingerprint = words::hash(loaded.instructions.as_bytes());
        let at = self.loaded.iter().position(|loaded| loaded.name == name);
        let before = at.map(|at| self.loaded.remove(at));
        loaded.already_loaded =
            before.is_some_and(|before| before.visible && before.fingerprint == fingerprint);
        self.loaded.push(LoadedName { name: name.to_string(), fingerprint, visible: true });
        self.forget_oldest();
        loaded
    }

    fn forget_oldest(&mut self) {
        let too_many = self.loaded.len().saturating_sub(self.memory);
        self.loaded.drain(..too_many);
    }
}

/// The skill that a session may change: one that the policy allows, for any audience.
fn find<'a>(registry: &Registry<'a>, name: &str) -> Result<Entry<'a>, ActionError> {
    registry.clone().for_audience(Audience::Everyone).named("load", name)
}
