//! One layer of a registry, and the place of a skill in a list of layers.

use skills_pack::{Named, Pack};

use super::bundle::Bundle;
use super::files::Files;

/// The origin of bundled skills, unless the host sets another label.
pub(crate) const BUNDLE: &str = "bundle";

/// One pack of a registry.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Layer<'a> {
    /// The origin of its skills.
    pub label: &'a str,
    /// The skills and slash commands.
    pub pack: Pack<'a>,
    /// Reads the contents that aren't in the pack.
    pub files: Option<&'a dyn Files>,
    /// The bundle, if the pack is one.
    bundle: Option<&'a Bundle>,
    pub(crate) is_sealed: bool,
}

impl<'a> Layer<'a> {
    /// A layer of bundled skills.
    pub const fn of_bundle(label: &'a str, bundle: &'a Bundle) -> Self {
        Self { label, pack: bundle.pack(), files: None, bundle: Some(bundle), is_sealed: false }
    }

    /// A layer of skills that were packed at run time. `files` reads the contents that aren't in the pack.
    pub const fn of_pack(label: &'a str, pack: Pack<'a>, files: Option<&'a dyn Files>) -> Self {
        Self { label, pack, files, bundle: None, is_sealed: false }
    }

    /// The layer of the only bundle, with the default label.
    pub const fn bundled(bundle: &'a Bundle) -> Self {
        Self::of_bundle(BUNDLE, bundle)
    }

    /// Reserves the names of its skills and their directories, so that no other layer can use them. Sealed
    /// layers must come first.
    #[must_use]
    pub const fn sealed(mut self, yes: bool) -> Self {
        self.is_sealed = yes;
        self
    }

    /// Whether the skills are compiled in.
    pub const fn is_bundle(&self) -> bool {
        self.bundle.is_some()
    }

    /// The skill with a name that is already normalised.
    #[inline]
    pub(super) fn named(&self, name: &str) -> Option<Named> {
        match self.bundle {
            Some(bundle) => bundle.named(name),
            None => self.pack.find(name),
        }
    }
}

/// The position of a skill: the number of its layer, and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) layer: usize,
    pub(crate) index: usize,
}
