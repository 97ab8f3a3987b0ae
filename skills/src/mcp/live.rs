//! A registry that looks at the disk as its [`Freshness`](crate::live::Freshness) says, and the clients that it notifies.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

pub(super) use crate::live::Watcher as Watching;
use crate::live::{LiveRegistry, Snapshot};
use crate::{ActionError, Audience, Registry};

/// A live registry that is served.
pub(super) struct Live {
    registry: Arc<LiveRegistry>,
    /// The snapshot that clients were last notified of.
    known: Mutex<Arc<Snapshot>>,
    changes: watch::Sender<()>,
    refreshes: AtomicU64,
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("registry", &self.registry).finish_non_exhaustive()
    }
}

impl Live {
    pub(super) fn new(registry: Arc<LiveRegistry>) -> Self {
        let known = Mutex::new(registry.snapshot());
        let (changes, _) = watch::channel(());
        Self { registry, known, changes, refreshes: AtomicU64::new(0) }
    }

    pub(super) fn ask<T>(
        &self,
        audience: Audience,
        mut ask: impl FnMut(&Registry<'_>) -> Result<T, ActionError>,
    ) -> Result<T, ActionError> {
        let answer = self.registry.answer(|registry| ask(&registry.clone().for_audience(audience)));
        self.notify();
        answer
    }

    pub(super) fn look<T>(&self, audience: Audience, mut look: impl FnMut(&Registry<'_>) -> T) -> T {
        let mut seen = None;
        let answer = self.registry.answer(|registry| {
            seen = Some(look(&registry.clone().for_audience(audience)));
            Ok(())
        });
        self.notify();
        match (answer, seen) {
            (Ok(()), Some(seen)) => seen,
            _ => look(&self.registry.snapshot().registry().for_audience(audience)),
        }
    }

    /// How many skills are served now.
    #[cfg(feature = "mcp-http")]
    pub(super) fn served(&self) -> usize {
        self.registry.snapshot().registry().for_audience(Audience::Everyone).skills().len()
    }

    /// How often what is served has changed.
    #[cfg(feature = "mcp-http")]
    pub(super) fn refreshes(&self) -> u64 {
        self.refreshes.load(Ordering::Relaxed)
    }

    pub(super) fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    pub(super) fn watch(self: &Arc<Self>) -> Option<Watching> {
        let live = Arc::downgrade(self);
        let watcher = self.registry.watch(move |_| {
            if let Some(live) = live.upgrade() {
                live.notify();
            }
        });
        // Without a watcher, clients are notified at the next request, which looks at the disk.
        watcher.ok()
    }

    /// Notifies clients if the snapshot that is served isn't the last one they know of.
    fn notify(&self) {
        let now = self.registry.snapshot();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&known, &now) {
            *known = now;
            self.refreshes.fetch_add(1, Ordering::Relaxed);
            self.changes.send_replace(());
        }
    }
}
