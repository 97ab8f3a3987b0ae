//! Where answers come from: a registry that never changes, or one that looks at the disk.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use crate::{ActionError, Audience, LiveRegistry, Registry, Snapshot, Watcher};

/// A registry of either kind.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Fixed(Registry<'static>),
    Live(Arc<Live>),
}

/// A registry that looks at the disk, and who is to be told what it sees.
pub(super) struct Live {
    registry: Arc<LiveRegistry>,
    /// What was served when clients were last told.
    told: Mutex<Arc<Snapshot>>,
    changes: watch::Sender<()>,
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("registry", &self.registry).finish_non_exhaustive()
    }
}

impl Source {
    pub(super) fn fixed(registry: Registry<'static>) -> Self {
        Self::Fixed(registry)
    }

    pub(super) fn live(registry: Arc<LiveRegistry>) -> Self {
        let told = Mutex::new(registry.snapshot());
        let (changes, _) = watch::channel(());
        Self::Live(Arc::new(Live { registry, told, changes }))
    }

    pub(super) fn is_live(&self) -> bool {
        matches!(self, Self::Live(_))
    }

    /// Asks the registry, for an audience. Where it does not find something, the disk is looked at once
    /// more: `ask` may be called twice.
    pub(super) fn ask<T>(
        &self,
        audience: Audience,
        mut ask: impl FnMut(&Registry<'_>) -> Result<T, ActionError>,
    ) -> Result<T, ActionError> {
        match self {
            Self::Fixed(registry) => ask(&registry.clone().for_audience(audience)),
            Self::Live(live) => {
                // Where links lead is not watched, and a look costs little.
                live.registry.refresh();
                let answer = live.registry.answer(|registry| ask(&registry.clone().for_audience(audience)));
                live.tell();
                answer
            }
        }
    }

    /// Asks for what is there now, after a look at the disk.
    pub(super) fn look<T>(&self, audience: Audience, look: impl FnOnce(&Registry<'_>) -> T) -> T {
        match self {
            Self::Fixed(registry) => look(&registry.clone().for_audience(audience)),
            Self::Live(live) => {
                live.registry.refresh();
                live.tell();
                look(&live.registry.snapshot().registry().for_audience(audience))
            }
        }
    }

    /// Notices of change; `None` where nothing ever changes.
    pub(super) fn changes(&self) -> Option<watch::Receiver<()>> {
        match self {
            Self::Fixed(_) => None,
            Self::Live(live) => Some(live.changes.subscribe()),
        }
    }

    /// Watches the disk as long as what it returns lives.
    pub(super) fn watch(&self) -> Option<Watcher> {
        let Self::Live(live) = self else { return None };
        let told = Arc::downgrade(live);
        let watcher = live.registry.watch(move |_| {
            if let Some(live) = told.upgrade() {
                live.tell();
            }
        });
        // Without it clients are told with the next request, which looks at the disk.
        watcher.ok()
    }
}

impl Live {
    /// Tells clients if something else is served than when they were last told, whoever has looked.
    fn tell(&self) {
        let now = self.registry.snapshot();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&told, &now) {
            *told = now;
            self.changes.send_replace(());
        }
    }
}
