//! Which skills a conversation has loaded, and which of their instructions are still in it.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;

use skills_pack::words;

use crate::load::Loaded;
use crate::registry::{Audience, Registry};

/// How many skills that were dropped from the memory are kept, in case that the host says they are visible.
const MAX_DROPPED: usize = 1000;

/// The skills that were loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Memory {
    /// Newest last; at most `most`.
    pub(super) loaded: Vec<LoadedName>,
    /// Those that were remembered before, and those that only the host knows of; newest last.
    pub(super) dropped: Vec<LoadedName>,
    most: usize,
}

/// A skill that was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LoadedName {
    pub(super) name: String,
    /// A fingerprint of the instructions that were sent. Those of an overlay may have changed since. `None` if
    /// only the host knows that they were sent.
    pub(super) fingerprint: Option<u64>,
    /// Whether they are still in the conversation.
    pub(super) visible: bool,
    /// Whether the host has said that they are.
    pub(super) told: bool,
}

impl Memory {
    pub(super) fn new(most: usize) -> Self {
        Self { loaded: Vec::new(), dropped: Vec::new(), most }
    }

    pub(super) fn most(&self) -> usize {
        self.most
    }

    pub(super) fn set_most(&mut self, most: usize) {
        self.most = most;
        self.drop_oldest(|_| true);
    }

    pub(super) fn names(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.loaded.iter().map(|loaded| loaded.name.as_str())
    }

    /// The names of the skills whose instructions are in the conversation, oldest first.
    pub(super) fn visible_names(&self) -> impl Iterator<Item = &str> {
        let all = self.dropped.iter().chain(&self.loaded);
        all.filter(|loaded| loaded.visible).map(|loaded| loaded.name.as_str())
    }

    pub(super) fn forget(&mut self, name: &str) -> bool {
        let before = self.loaded.len();
        self.loaded.retain(|loaded| loaded.name != name);
        self.dropped.retain(|dropped| dropped.name != name);
        self.loaded.len() < before
    }

    pub(super) fn set_visible(&mut self, stands: impl Fn(&str) -> bool) {
        for loaded in self.dropped.iter_mut().chain(&mut self.loaded) {
            loaded.visible = stands(&loaded.name);
            loaded.told = loaded.visible;
        }
    }

    pub(super) fn set_visible_names(&mut self, mut names: BTreeSet<String>) {
        self.set_visible(|name| names.contains(name));
        for known in self.dropped.iter().chain(&self.loaded) {
            names.remove(&known.name);
        }
        let new =
            names.into_iter().map(|name| LoadedName { name, fingerprint: None, visible: true, told: true });
        self.dropped.extend(new);
        self.limit_dropped();
    }

    /// Remembers that a skill is loaded now, and notes in the answer whether its instructions are still in the
    /// conversation.
    pub(super) fn note<'a>(&mut self, registry: &Registry<'_>, mut loaded: Loaded<'a>) -> Loaded<'a> {
        registry.note_remembered();
        let name = loaded.entry.skill.name();
        let fingerprint = words::hash(loaded.instructions.as_bytes());
        let before = take(&mut self.loaded, name).or_else(|| take(&mut self.dropped, name));
        let (mut told, mut same) = (false, false);
        if let Some(before) = before.filter(|before| before.visible) {
            same = before.fingerprint.is_none_or(|sent| sent == fingerprint);
            told = before.told && same;
        }
        loaded.already_loaded = same;
        let noted =
            LoadedName { name: name.to_string(), fingerprint: Some(fingerprint), visible: true, told };
        self.loaded.push(noted);
        let everyone = registry.clone().for_audience(Audience::Everyone).without(Arc::default());
        self.drop_oldest(|name| everyone.get(name).is_some_and(|entry| entry.skill.name() == name));
        loaded
    }

    /// Drops names until the rest fits: first those that aren't served any more, then the oldest.
    fn drop_oldest(&mut self, is_served: impl Fn(&str) -> bool) {
        let mut too_many = self.loaded.len().saturating_sub(self.most);
        if too_many == 0 {
            return;
        }
        for gone in [true, false] {
            let mut kept = Vec::with_capacity(self.loaded.len());
            for mut loaded in core::mem::take(&mut self.loaded) {
                if too_many > 0 && (!gone || !is_served(&loaded.name)) {
                    too_many -= 1;
                    // Without the host's word, what isn't remembered is sent again.
                    loaded.visible &= loaded.told;
                    self.dropped.push(loaded);
                } else {
                    kept.push(loaded);
                }
            }
            self.loaded = kept;
        }
        self.limit_dropped();
    }

    pub(super) fn limit_dropped(&mut self) {
        let too_many = self.dropped.len().saturating_sub(MAX_DROPPED);
        self.dropped.drain(..too_many);
    }
}

fn take(from: &mut Vec<LoadedName>, name: &str) -> Option<LoadedName> {
    from.iter().position(|loaded| loaded.name == name).map(|at| from.remove(at))
}
