//! Which roots are served, above and below a bundle, and how.

use std::sync::Arc;

use super::freshness::Freshness;
use super::root::Root;
use skills_core::{Audience, Bundle, Defaults, Layer, Policy, Registry};

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
    packs: Packs,
    above: Vec<Root>,
    below: Vec<Root>,
    sealed: bool,
    audience: Audience,
    policy: Option<Arc<Policy>>,
    defaults: Option<Arc<Defaults>>,
    pub(super) freshness: Freshness,
}

impl Overlays {
    /// Overlays of a bundle, or of the packs of several crates: `&SKILLS`, or the list that
    /// [`Registry::of`] takes.
    pub fn over(packs: impl Into<Packs>) -> Self {
        Self { packs: packs.into(), ..Self::default() }
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

    /// Whether the names of the bundle's skills and directories are reserved for the bundle. A skill or slash
    /// command of a root whose name looks like one of them is left out.
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

    /// Sets which skills begin hidden or active in every session.
    #[must_use]
    pub fn defaults(mut self, defaults: impl Into<Arc<Defaults>>) -> Self {
        self.defaults = Some(defaults.into());
        self
    }

    /// Sets when to look at the disk; [`Freshness::Within`] one second unless set.
    #[must_use]
    pub fn freshness(mut self, freshness: Freshness) -> Self {
        self.freshness = freshness;
        self
    }

    /// The layers of the bundle or the packs.
    pub(super) fn bundles(&self) -> impl Iterator<Item = Layer<'static>> {
        let sealed = self.sealed;
        let one = self.packs.one.into_iter().map(Layer::bundled);
        let several = self.packs.several.iter().map(|(label, bundle)| Layer::of_bundle(label, bundle));
        one.chain(several).map(move |layer| layer.sealed(sealed))
    }

    pub(super) fn is_sealed(&self) -> bool {
        self.sealed
    }

    /// The roots in order of precedence, without the bundle.
    pub(super) fn roots(&self) -> impl Iterator<Item = &Root> {
        self.above.iter().chain(&self.below)
    }

    /// How many of the roots are above the bundle.
    pub(super) fn above(&self) -> usize {
        self.above.len()
    }

    /// A registry with the audience, the policy and the defaults.
    pub(super) fn complete<'r>(&self, registry: Registry<'r>) -> Registry<'r> {
        let mut registry = registry.for_audience(self.audience);
        if let Some(policy) = &self.policy {
            registry = registry.with_policy(Arc::clone(policy));
        }
        match &self.defaults {
            Some(defaults) => registry.with_defaults(Arc::clone(defaults)),
            None => registry,
        }
    }
}

/// What overlays are over: one bundle, or the packs of several crates with their labels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Packs {
    one: Option<&'static Bundle>,
    several: &'static [(&'static str, &'static Bundle)],
}

impl From<&'static Bundle> for Packs {
    fn from(bundle: &'static Bundle) -> Self {
        Self { one: Some(bundle), several: &[] }
    }
}

impl From<&'static [(&'static str, &'static Bundle)]> for Packs {
    fn from(several: &'static [(&'static str, &'static Bundle)]) -> Self {
        Self { one: None, several }
    }
}

impl<const N: usize> From<&'static [(&'static str, &'static Bundle); N]> for Packs {
    fn from(several: &'static [(&'static str, &'static Bundle); N]) -> Self {
        Self { one: None, several }
    }
}
