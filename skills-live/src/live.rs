//! A registry with overlays, shared between threads.

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;

use super::layer::Layer;
use super::root::Root;
use super::snapshot::Snapshot;
use skills_core::{ActionError, Audience, Bundle, OwnedReply, Policy, Registry};

/// The roots above and below a bundle.
///
/// If two roots have a skill with the same name, the earlier one is served: first the [`root`](Self::root)s
/// in the order in which they were added, then the bundle, then the [`fallback`](Self::fallback)s. Hidden
/// skills are reported. Nothing can hide the skills of a sealed bundle.
///
/// ```no_run
/// use skills_core::Bundle;
/// use skills_live::{Overlays, Root};
///
/// static SKILLS: Bundle = Bundle::EMPTY;
///
/// let live = Overlays::over(&SKILLS)
///     .root(Root::new(".agents/skills").label("project"))
///     .fallback(Root::new("/usr/share/skills").label("system"))
///     .open();
/// let body = live.answer(|registry| Ok(registry.load("pdf")?.text()));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Overlays {
    bundle: Option<&'static Bundle>,
    above: Vec<Root>,
    below: Vec<Root>,
    sealed: bool,
    audience: Audience,
    policy: Option<Arc<Policy>>,
}

impl Overlays {
    /// Overlays of a bundle.
    pub fn over(bundle: &'static Bundle) -> Self {
        Self { bundle: Some(bundle), ..Self::default() }
    }

    /// Roots without a bundle.
    pub fn without_bundle() -> Self {
        Self::default()
    }

    /// Adds a root above the bundle and below the roots that were added before.
    #[must_use]
    pub fn root(mut self, root: Root) -> Self {
        self.above.push(root);
        self
    }

    /// Adds a root below the bundle and below the fallbacks that were added before.
    #[must_use]
    pub fn fallback(mut self, root: Root) -> Self {
        self.below.push(root);
        self
    }

    /// Whether the names of the bundle's skills and directories are reserved for the bundle.
    #[must_use]
    pub fn sealed(mut self, yes: bool) -> Self {
        self.sealed = yes;
        self
    }

    /// Sets who is asking; a model unless set.
    #[must_use]
    pub fn audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// Sets a policy.
    #[must_use]
    pub fn policy(mut self, policy: impl Into<Arc<Policy>>) -> Self {
        self.policy = Some(policy.into());
        self
    }

    /// Reads the roots. This doesn't fail: a missing root is empty until it appears, and
    /// [`Snapshot::findings`] and [`Snapshot::diagnostics`] report what is broken.
    pub fn open(self) -> LiveRegistry {
        let above = self.above.len();
        let roots: Vec<Root> = self.above.iter().chain(&self.below).cloned().collect();
        let layers: Vec<Layer> = roots.into_iter().map(Layer::open).collect();
        let snapshot = self.snapshot(&layers, above);
        LiveRegistry { overlays: self, current: ArcSwap::from_pointee(snapshot), layers: Mutex::new(layers) }
    }

    fn snapshot(&self, layers: &[Layer], above: usize) -> Snapshot {
        let packed = layers.iter().map(|layer| Arc::clone(&layer.packed)).collect();
        Snapshot::new(self.bundle, packed, above, self.sealed, self.audience, self.policy.clone())
    }
}

/// The bundle and its overlays, shared between threads.
///
/// Reading never waits: [`snapshot`](Self::snapshot) returns what is served now, and
/// [`refresh`](Self::refresh) replaces it.
#[derive(Debug)]
pub struct LiveRegistry {
    overlays: Overlays,
    current: ArcSwap<Snapshot>,
    layers: Mutex<Vec<Layer>>,
}

/// What a refresh changed: the names of slash commands, with their slash, and of skills, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// Newly served.
    pub added: Vec<String>,
    /// Still served, but with other text or files, or from another root.
    pub changed: Vec<String>,
    /// No longer served.
    pub removed: Vec<String>,
}

impl Changes {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

impl LiveRegistry {
    /// Returns what is served now. Never waits.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Calls `ask` with the current registry. If something isn't found, refreshes and calls `ask` once more.
    ///
    /// # Errors
    ///
    /// The error of `ask`.
    pub fn answer<T>(
        &self,
        mut ask: impl FnMut(&Registry<'_>) -> Result<T, ActionError>,
    ) -> Result<T, ActionError> {
        let snapshot = self.snapshot();
        match ask(&snapshot.registry()) {
            Err(error) if error.is_not_found() => {
                self.refresh();
                let now = self.snapshot();
                if Arc::ptr_eq(&snapshot, &now) { Err(error) } else { ask(&now.registry()) }
            }
            answer => answer,
        }
    }

    /// Answers a raw tool call, as [`Registry::call`] does. If something isn't found, refreshes and tries
    /// once more.
    pub fn call(&self, json: &str) -> OwnedReply {
        self.reply(|registry| registry.call(json).into())
    }

    /// As [`call`](Self::call), with a call that `ask` makes, for example in a session. `ask` may be called
    /// twice.
    pub fn reply(&self, mut ask: impl FnMut(&Registry<'_>) -> OwnedReply) -> OwnedReply {
        let mut last = None;
        let answer = self.answer(|registry| {
            let reply = ask(registry);
            match reply.error.clone() {
                Some(error) => {
                    last = Some(reply);
                    Err(error)
                }
                None => Ok(reply),
            }
        });
        match (answer, last) {
            (Ok(reply), _) | (Err(_), Some(reply)) => reply,
            (Err(error), None) => OwnedReply::of_error(error),
        }
    }

    /// Checks the roots, reads what has changed, and serves it from now on. If nothing has changed, no file
    /// is opened. A skill that an edit broke keeps its last good version, marked stale.
    ///
    /// Readers don't wait for a refresh; concurrent refreshes run one after another.
    pub fn refresh(&self) -> Changes {
        // A panic in another thread leaves each layer intact, since a layer is replaced in one step.
        let mut layers = self.layers.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = layers.iter_mut().fold(false, |changed, layer| layer.refresh() | changed);
        if !changed {
            return Changes::default();
        }
        let before = self.snapshot();
        let now = Arc::new(self.overlays.snapshot(&layers, self.overlays.above.len()));
        self.current.store(Arc::clone(&now));
        changes(&before, &now)
    }

    /// The roots in order of precedence, without the bundle.
    pub fn roots(&self) -> impl Iterator<Item = &Root> {
        self.overlays.above.iter().chain(&self.overlays.below)
    }
}

/// The next name.
fn take<'i, I: 'i>(names: &mut impl Iterator<Item = &'i (String, I)>) -> Option<String> {
    names.next().map(|(name, _)| name.clone())
}

fn changes(before: &Snapshot, now: &Snapshot) -> Changes {
    let (before, now) = (before.identities(), now.identities());
    let mut changes = Changes::default();
    let (mut old, mut new) = (before.iter().peekable(), now.iter().peekable());
    loop {
        match (old.peek(), new.peek()) {
            (Some((a, one)), Some((b, other))) if a == b => {
                if one != other {
                    changes.changed.push(a.clone());
                }
                old.next();
                new.next();
            }
            (Some((a, _)), Some((b, _))) if a > b => changes.added.extend(take(&mut new)),
            (Some(_), _) => changes.removed.extend(take(&mut old)),
            (None, Some(_)) => changes.added.extend(take(&mut new)),
            (None, None) => break,
        }
    }
    changes
}
