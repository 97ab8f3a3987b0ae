//! Notes what a caller of a live registry asks for, so that `skills-live` knows where to look at the disk.

use core::sync::atomic::{AtomicBool, Ordering};

/// What was asked for during one call.
#[derive(Debug, Default)]
pub struct Look {
    changed: AtomicBool,
    listed: AtomicBool,
    called: AtomicBool,
    remembered: AtomicBool,
}

impl Look {
    /// Notes that a skill was asked for that isn't on disk any more as it is served.
    pub(crate) fn note_change(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }

    /// Notes that all skills or commands were asked for.
    pub(crate) fn note_list(&self) {
        self.listed.store(true, Ordering::Relaxed);
    }

    /// Notes that a slash command was asked for.
    pub(crate) fn note_command(&self) {
        self.called.store(true, Ordering::Relaxed);
    }

    /// Notes that a session remembers what it was answered.
    pub(crate) fn note_remembered(&self) {
        self.remembered.store(true, Ordering::Relaxed);
    }

    /// Whether a skill was asked for that has changed. What was answered then is to be dropped.
    pub fn saw_change(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }

    /// Whether all skills or commands were asked for.
    pub fn saw_list(&self) -> bool {
        self.listed.load(Ordering::Relaxed)
    }

    /// Whether a slash command was asked for.
    pub fn saw_command(&self) -> bool {
        self.called.load(Ordering::Relaxed)
    }

    /// Whether a session remembers what it was answered: asked again, it would answer that it is known.
    pub fn was_remembered(&self) -> bool {
        self.remembered.load(Ordering::Relaxed)
    }
}
