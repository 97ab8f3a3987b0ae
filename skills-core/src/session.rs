//! The state of one conversation: which skills it has loaded, hides, and keeps active.
//!
//! A session changes which skills are shown, but not what a policy allows. It only holds names, so it
//! outlives any registry and can be stored with the conversation. The registry's defaults say what a session
//! begins with; the session keeps only what differs from them.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::entry::Entry;
use super::error::ActionError;
use super::load::Loaded;
use super::policy::{Hidden, look_up_form};
use super::registry::{Audience, Registry};
use super::text::Visible;
#[cfg(feature = "json")]
use super::tool::Reply;
use memory::Memory;

#[cfg(feature = "json")]
mod data;
mod memory;

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
    memory: Memory,
    hidden: Arc<Hidden>,
    /// Shown although they begin hidden.
    shown: BTreeSet<String>,
    /// In the order of activation.
    active: Vec<String>,
    /// Not active although they begin active.
    inactive: BTreeSet<String>,
    most_active: usize,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            memory: Memory::new(Self::MEMORY),
            hidden: Arc::default(),
            shown: BTreeSet::new(),
            active: Vec::new(),
            inactive: BTreeSet::new(),
            most_active: Self::MOST_ACTIVE,
        }
    }
}

impl Session {
    /// How many loaded skills a session remembers, unless set.
    pub const MEMORY: usize = 20;

    /// How many skills may be active, unless set.
    pub const MOST_ACTIVE: usize = 20;

    /// The session of a new conversation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many loaded skills it remembers: the newest.
    #[must_use]
    pub fn with_memory(mut self, skills: usize) -> Self {
        self.memory.set_most(skills);
        self
    }

    /// Sets how many skills may be active.
    #[must_use]
    pub fn with_most_active(mut self, skills: usize) -> Self {
        self.most_active = skills;
        self
    }

    /// The registry as this session shows it.
    pub fn view<'a>(&self, registry: &Registry<'a>) -> Registry<'a> {
        let begins_hidden = registry.defaults().map(|defaults| &defaults.hidden);
        let hidden = match begins_hidden.filter(|begins| !begins.is_empty()) {
            None => Arc::clone(&self.hidden),
            Some(begins) => {
                let still = begins.iter().filter(|name| !self.is_shown(name));
                Arc::new(still.chain(self.hidden.iter()).cloned().collect())
            }
        };
        registry.clone().without(hidden)
    }

    /// Loads a skill and remembers it. If its instructions are still in the conversation, the answer only
    /// says so ([`Loaded::already_loaded`]).
    ///
    /// # Errors
    ///
    /// As [`Registry::load`].
    pub fn load<'a>(&mut self, registry: &Registry<'a>, name: &str) -> Result<Loaded<'a>, ActionError> {
        let loaded = self.view(registry).load(name)?;
        Ok(self.memory.note(registry, loaded))
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
        Ok(self.memory.note(registry, loaded))
    }

    /// Answers a raw tool call in this session, as [`Registry::call`] does.
    #[cfg(feature = "json")]
    pub fn call<'a>(&mut self, registry: &Registry<'a>, json: &str) -> Reply<'a> {
        self.view(registry).call_with(json, |loaded| self.memory.note(registry, loaded))
    }

    /// Answers a call of a tool by name in this session, as [`Registry::call_tool`] does.
    #[cfg(feature = "json")]
    pub fn call_tool<'a>(
        &mut self,
        registry: &Registry<'a>,
        tool: &str,
        arguments: &str,
    ) -> Option<Reply<'a>> {
        self.view(registry).call_tool_with(tool, arguments, |loaded| self.memory.note(registry, loaded))
    }

    /// The names of the loaded skills, newest last.
    pub fn loaded(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.memory.names()
    }

    /// Forgets that a skill was loaded. Returns `false` if it wasn't.
    pub fn unload(&mut self, name: &str) -> bool {
        self.memory.forget(&look_up_form(name))
    }

    /// Notes that nothing loaded is in the conversation any more. A skill that is loaded again is sent again.
    pub fn compacted(&mut self) {
        self.memory.set_visible(|_| false);
    }

    /// Sets, for each skill that was ever loaded, whether its instructions are in the conversation. This
    /// counts more than what the session remembers, also for skills that it has dropped from its memory.
    pub fn set_visible(&mut self, is_visible: impl Fn(&str) -> bool) {
        self.memory.set_visible(is_visible);
    }

    /// Sets which skills have their instructions in the conversation: these and no others. Other than with
    /// [`set_visible`](Self::set_visible), these may be skills that this session hasn't loaded, for a host that
    /// reads a conversation back without its session.
    pub fn set_visible_names<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        self.memory.set_visible_names(names.into_iter().map(look_up_form).collect());
    }

    /// Hides a skill in this conversation, and deactivates it.
    ///
    /// # Errors
    ///
    /// [`ActionError::SkillNotFound`] if the registry has no such skill.
    pub fn hide(&mut self, registry: &Registry<'_>, name: &str) -> Result<(), ActionError> {
        let name = find(registry, name)?.skill.name();
        self.shown.remove(name);
        Arc::make_mut(&mut self.hidden).insert(name.to_string());
        self.switch_off(name);
        Ok(())
    }

    /// Shows a hidden skill again, also one that begins hidden. Returns `false` if this session hasn't hidden
    /// it. A skill that a policy blocks stays blocked.
    pub fn show(&mut self, name: &str) -> bool {
        let name = look_up_form(name);
        let was_hidden = Arc::make_mut(&mut self.hidden).remove(&name);
        self.shown.insert(name);
        was_hidden
    }

    /// The names of the skills that this session hides, in order, without those that begin hidden.
    pub fn hidden(&self) -> impl Iterator<Item = &str> {
        self.hidden.iter().map(String::as_str)
    }

    /// Activates a skill: its instructions belong in every prompt of the conversation
    /// ([`active_text`](Self::active_text)). A hidden skill is shown again.
    ///
    /// # Errors
    ///
    /// [`ActionError::SkillNotFound`] if the registry has no such skill, [`ActionError::TooManyActive`] if
    /// the session has as many active skills as it may have. Skills that aren't there any more, or are blocked,
    /// don't count.
    pub fn activate(&mut self, registry: &Registry<'_>, name: &str) -> Result<(), ActionError> {
        let name = find(registry, name)?.skill.name();
        let active = self.active_names(registry);
        if !active.iter().any(|active| active == name) {
            if active.len() >= self.most_active {
                return Err(ActionError::TooManyActive { most: self.most_active });
            }
            let begins_active = registry.defaults().is_some_and(|defaults| defaults.active.contains(name));
            self.inactive.remove(name);
            if !begins_active && !self.active.iter().any(|active| active == name) {
                self.active.push(name.to_string());
            }
        }
        Arc::make_mut(&mut self.hidden).remove(name);
        self.shown.insert(name.to_string());
        Ok(())
    }

    /// Deactivates a skill, also one that begins active. Returns `false` if this session hasn't activated it.
    pub fn deactivate(&mut self, name: &str) -> bool {
        self.switch_off(&look_up_form(name))
    }

    /// The names of the skills that this session has activated, in that order, without those that begin
    /// active.
    pub fn active(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.active.iter().map(String::as_str)
    }

    /// The names of all active skills that the registry serves: those that begin active, by name, then those
    /// that this session has activated, in that order.
    pub fn active_names(&self, registry: &Registry<'_>) -> Vec<String> {
        let view = self.everyone(registry);
        let begin = registry.defaults().into_iter().flat_map(|defaults| &defaults.active);
        let begin = begin.filter(|name| !self.inactive.contains(*name));
        let mut names: Vec<String> = Vec::new();
        for name in begin.chain(&self.active) {
            let is_served = view.get(name).is_some_and(|entry| entry.skill.name() == name);
            if is_served && !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// The instructions of the active skills that the registry serves, for the prompt: as `load` returns
    /// them, separated by a blank line. Empty if there are none. Since the user activates skills, this
    /// includes skills that the model may not call.
    pub fn active_text(&self, registry: &Registry<'_>) -> String {
        let view = self.everyone(registry);
        let names = self.active_names(registry);
        let texts: Vec<String> =
            names.iter().filter_map(|name| view.load(name).ok()).map(|loaded| loaded.text()).collect();
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
        let view = self.everyone(registry);
        let mut text = String::new();
        let is_served = |name: &str| view.get(name).is_some_and(|entry| entry.skill.name() == name);
        for name in self.memory.visible_names().filter(|name| is_served(name)) {
            if text.is_empty() {
                text.push_str("Loaded skills, whose instructions are above:");
            }
            // Writing to a `String` cannot fail.
            let _ = write!(text, "\n- {}", Visible(name));
        }
        text
    }

    /// Goes back to the defaults: what this session hides, shows, activates and deactivates is forgotten. What
    /// it has loaded is kept.
    pub fn clear_overrides(&mut self) {
        self.hidden = Arc::default();
        self.shown.clear();
        self.active.clear();
        self.inactive.clear();
    }

    /// Forgets everything: loaded, hidden and active skills.
    pub fn clear(&mut self) {
        self.memory = Memory::new(self.memory.most());
        self.clear_overrides();
    }

    /// The view for skills that a user chooses: those that the model may not call are among them.
    fn everyone<'a>(&self, registry: &Registry<'a>) -> Registry<'a> {
        self.view(registry).for_audience(Audience::Everyone)
    }

    fn switch_off(&mut self, name: &str) -> bool {
        let before = self.active.len();
        self.active.retain(|active| active != name);
        self.inactive.insert(name.to_string());
        self.active.len() < before
    }

    fn is_shown(&self, name: &str) -> bool {
        self.shown.contains(name)
    }
}

/// The skill that a session may change: one that the policy allows, for any audience, hidden or not.
fn find<'a>(registry: &Registry<'a>, name: &str) -> Result<Entry<'a>, ActionError> {
    registry.clone().for_audience(Audience::Everyone).without(Arc::default()).named("load", name)
}
