//! The source of answers: a registry that never changes or, with the feature `live`, one that looks at the
//! disk.

#[cfg(feature = "live")]
use std::sync::Arc;

use tokio::sync::watch;

#[cfg(feature = "live")]
use super::live::{Live, Watching};
use crate::{ActionError, Audience, Registry};

/// A registry of either kind.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Fixed(Registry<'static>),
    #[cfg(feature = "live")]
    Live(Arc<Live>),
}

/// A registry without roots on disk.
#[cfg(not(feature = "live"))]
pub(super) type Watching = core::convert::Infallible;

impl Source {
    pub(super) fn is_live(&self) -> bool {
        match self {
            Self::Fixed(_) => false,
            #[cfg(feature = "live")]
            Self::Live(_) => true,
        }
    }

    /// Calls `ask` with the registry for an audience. If something isn't found, looks at the disk and calls
    /// `ask` once more.
    pub(super) fn ask<T>(
        &self,
        audience: Audience,
        mut ask: impl FnMut(&Registry<'_>) -> Result<T, ActionError>,
    ) -> Result<T, ActionError> {
        match self {
            Self::Fixed(registry) => ask(&registry.clone().for_audience(audience)),
            #[cfg(feature = "live")]
            Self::Live(live) => live.ask(audience, ask),
        }
    }

    /// Calls `ask` with the registry, after a look at the disk.
    pub(super) fn look<T>(&self, audience: Audience, mut look: impl FnMut(&Registry<'_>) -> T) -> T {
        match self {
            Self::Fixed(registry) => look(&registry.clone().for_audience(audience)),
            #[cfg(feature = "live")]
            Self::Live(live) => live.look(audience, look),
        }
    }

    /// Notifications of changes; `None` if nothing ever changes.
    pub(super) fn changes(&self) -> Option<watch::Receiver<()>> {
        match self {
            Self::Fixed(_) => None,
            #[cfg(feature = "live")]
            Self::Live(live) => Some(live.changes()),
        }
    }

    /// How many skills are served now, without a look at the disk.
    #[cfg(feature = "mcp-http")]
    pub(super) fn served(&self) -> usize {
        match self {
            Self::Fixed(registry) => registry.clone().for_audience(Audience::Everyone).skills().len(),
            #[cfg(feature = "live")]
            Self::Live(live) => live.served(),
        }
    }

    /// How often what is served has changed.
    #[cfg(feature = "mcp-http")]
    pub(super) fn refreshes(&self) -> u64 {
        match self {
            Self::Fixed(_) => 0,
            #[cfg(feature = "live")]
            Self::Live(live) => live.refreshes(),
        }
    }

    /// Watches the disk while the result lives.
    pub(super) fn watch(&self) -> Option<Watching> {
        match self {
            Self::Fixed(_) => None,
            #[cfg(feature = "live")]
            Self::Live(live) => live.watch(),
        }
    }
}
