//! One conversation's use of a registry: what it has loaded, what it hides, what is active.
//!
//! A session changes what is shown, and never what a policy allows. It holds names alone, so it
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

/// One conversation's use of a registry.
///
/// ```
/// use skills_core::{Bundle, Registry, Session};
///
/// static SKILLS: Bundle = Bundle::EMPTY;
/// let registry = Registry::new(&SKILLS);
/// let mut session = Session::new();
///
/// // A tool call of the model's, and after a while the conversation is made shorter.
/// let reply = session.call(&registry, r#"{"action": "load", "skill_name": "pdf"}"#);
/// session.compacted();
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The newest last.
    loaded: Vec<LoadedName>,
    hidden: Arc<Hidden>,
    /// In the order in which they were activated.
    active: Vec<String>,
    memory: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct LoadedName {
    name: String,
    /// Of the instructions that were sent: those of an overlay may be others by now.
    fingerprint: u64,
    /// Whether they still stand in the conversation.
    visible: bool,
}

impl Default for Session {
    fn default() -> Self {
        Self { loaded: Vec::new(), hidden: Arc::default(), active: Vec::new(), memory: Self::MEMORY }
    }
}

impl Session {
    /// Skills that a session remembers as loaded, and those that may be active, unless set.
    pub const MEMORY: usize = 20;

    /// A new conversation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Remembers at most this many loaded skills, the newest, and lets as many be active.
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

    /// Loads a skill and remembers it. Where its instructions still stand in the conversation, the
    /// answer says that instead ([`Loaded::already_loaded`]).
    ///
    /// # Errors
    ///
    /// As [`Registry::load`].
    pub fn load<'a>(&mut self, registry: &Registry<'a>, name: &str) -> Result<Loaded<'a>, ActionError> {
        let loaded = self.view(registry).load(name)?;
        Ok(self.remember(loaded))
    }

    /// Loads a skill with arguments put into its instructions. With other arguments than before they are
    /// sent again.
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

    /// Answers a raw tool call, as [`Registry::call`] does, in this session.
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

    /// The names that were loaded, the newest last.
    pub fn loaded(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.loaded.iter().map(|loaded| loaded.name.as_str())
    }

    /// Forgets that a skill was loaded; `false` if it was not.
    pub fn unload(&mut self, name: &str) -> bool {
        let name = look_up_form(name);
        let before = self.loaded.len();
        self.loaded.retain(|loaded| loaded.name != name);
        self.loaded.len() < before
    }

    /// Says that nothing that was loaded stands in the conversation any more. It is sent again when it
    /// is loaded again.
    pub fn compacted(&mut self) {
        self.set_visible(|_| false);
    }

    /// Says of each loaded skill whether its instructions stand in the conversation.
    pub fn set_visible(&mut self, stands: impl Fn(&str) -> bool) {
        for loaded in &mut self.loaded {
            loaded.visible = stands(&loaded.name);
        }
    }

    /// Hides a skill from this conversation, and deactivates it.
    ///
    /// # Errors
    ///
    /// [`ActionError::SkillNotFound`] where the registry has none of this name.
    pub fn hide(&mut self, registry: &Registry<'_>, name: &str) -> Result<(), ActionError> {
        let name = find(registry, name)?.skill.name();
        Arc::make_mut(&mut self.hidden).insert(name.to_string());
        self.active.retain(|active| active != name);
        Ok(())
    }

    /// Shows a skill that was hidden; `false` if it was not. What a policy blocks stays blocked.
    pub fn show(&mut self, name: &str) -> bool {
        Arc::make_mut(&mut self.hidden).remove(&look_up_form(name))
    }

    /// The names that are hidden, in order.
    pub fn hidden(&self) -> impl Iterator<Item = &str> {
        self.hidden.iter().map(String::as_str)
    }

    /// Makes a skill active: its instructions belong into every prompt of the conversation
    /// ([`active_text`](Self::active_text)). A hidden one is shown again.
    ///
    /// # Errors
    ///
    /// [`ActionError::SkillNotFound`] where the registry has none of this name,
    /// [`ActionError::TooManyActive`] where as many are active as may be.
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

    /// Makes a skill inactive; `false` if it was not active.
    pub fn deactivate(&mut self, name: &str) -> bool {
        let name = look_up_form(name);
        let before = self.active.len();
        self.active.retain(|active| *active != name);
        self.active.len() < before
    }

    /// The names that are active, in the order in which they were activated.
    pub fn active(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.active.iter().map(String::as_str)
    }

    /// The instructions of the active skills that the registry serves, for the prompt, as `load` gives
    /// them, with a blank line between; empty where there is none. Since it is the user who
    /// activates, the model need not be allowed to call them.
    pub fn active_text(&self, registry: &Registry<'_>) -> String {
        let view = self.view(registry).for_audience(Audience::Everyone);
        let texts: Vec<String> =
            self.active().filter_map(|name| view.load(name).ok()).map(|loaded| loaded.text()).collect();
        texts.join("\n\n")
    }

    /// A block for the prompt that names what stands loaded in the conversation and is served: not what
    /// has gone from disk since, is hidden or is blocked, which a model could not load again. Empty where
    /// there is nothing.
    ///
    /// ```text
    /// Loaded skills, whose instructions stand above:
    /// - pdf
    /// ```
    pub fn loaded_text(&self, registry: &Registry<'_>) -> String {
        // As with `active_text`: what a user has loaded may be what no model may call.
        let view = self.view(registry).for_audience(Audience::Everyone);
        let mut text = String::new();
        let is_served = |name: &str| view.get(name).is_some_and(|entry| entry.skill.name() == name);
        for loaded in self.loaded.iter().filter(|loaded| loaded.visible && is_served(&loaded.name)) {
            if text.is_empty() {
                text.push_str("Loaded skills, whose instructions stand above:");
            }
            // Writing to a `String` cannot fail.
            let _ = write!(text, "\n- {}", Visible(&loaded.name));
        }
        text
    }

    /// Forgets everything: what was loaded, what is hidden, what is active.
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

/// The skill that a session may do something with: one that the policy allows, whoever may call it.
fn find<'a>(registry: &Registry<'a>, name: &str) -> Result<Entry<'a>, ActionError> {
    registry.clone().for_audience(Audience::Everyone).named("load", name)
}
