//! Who wins under which name, settled once for a list of packs.
//!
//! For one name the earlier layer wins. A skill's own name goes before the name of another's
//! directory, in whatever layer that is; of a sealed bundle both go before everything else.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;

use super::bundle::Bundle;
use super::files::Files;
use super::registry::BUNDLE;
use skills_pack::{Pack, Skill};

/// One pack of a registry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layer<'a> {
    /// `bundle`, or the overlay's label.
    pub(super) label: &'a str,
    pub(super) pack: Pack<'a>,
    /// Where the contents of its files are, if not in the pack.
    pub(super) files: Option<&'a dyn Files>,
    pub(super) is_bundle: bool,
}

impl<'a> Layer<'a> {
    pub(super) fn bundled(bundle: &'a Bundle) -> Self {
        Self { label: BUNDLE, pack: bundle.pack(), files: None, is_bundle: true }
    }
}

/// A skill's layer and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) layer: u32,
    pub(super) index: u32,
}

/// The winners of a list of layers.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    names: HashMap<Box<str>, Place>,
    order: Vec<Place>,
    shadowed: Vec<(Place, Place)>,
    sealed: bool,
}

impl Resolved {
    pub(super) fn new(layers: &[Layer<'_>], sealed: bool) -> Self {
        let mut resolved = Self { sealed, ..Self::default() };
        // The names of those that have won: a loser's other names lead to the winner.
        let mut served: HashMap<&str, Place> = HashMap::new();
        let (first, rest): (Vec<_>, Vec<_>) =
            (0..).zip(layers).partition(|(_, layer)| sealed && layer.is_bundle);
        for group in [first, rest] {
            for &(number, layer) in &group {
                for (index, skill) in (0..).zip(layer.pack.skills()) {
                    let place = Place { layer: number, index };
                    // A sealed bundle keeps the names of its directories too.
                    let taken = served.get(skill.name()).or_else(|| resolved.names.get(skill.name()));
                    match taken.copied() {
                        Some(winner) => resolved.shadowed.push((place, winner)),
                        None => drop(served.insert(skill.name(), place)),
                    }
                }
            }
            for own in [true, false] {
                for &(_, layer) in &group {
                    for (name, index) in layer.pack.names() {
                        let Some(skill) = layer.pack.skill(index) else { continue };
                        if is_own(name, skill) == own
                            && let Some(winner) = served.get(skill.name())
                        {
                            resolved.names.entry(name.into()).or_insert(*winner);
                        }
                    }
                }
            }
        }
        let mut order: Vec<(&str, Place)> = served.into_iter().collect();
        order.sort_unstable_by_key(|(name, _)| *name);
        resolved.order = order.into_iter().map(|(_, place)| place).collect();
        resolved
    }

    /// The layers in their order of precedence, each with its number: those of the list, but for a
    /// sealed bundle, which goes first.
    pub(super) fn precedence<'l, 'a>(
        &self,
        layers: &'l [Layer<'a>],
    ) -> impl Iterator<Item = (u32, &'l Layer<'a>)> + Clone + use<'l, 'a> {
        let sealed = self.sealed;
        let is_first = move |layer: &Layer<'_>| sealed && layer.is_bundle;
        let numbered = || (0..).zip(layers);
        let first = numbered().filter(move |(_, layer)| is_first(layer));
        first.chain(numbered().filter(move |(_, layer)| !is_first(layer)))
    }

    /// Whether a sealed bundle among the layers has a skill of this name, in look-up form.
    pub(super) fn is_sealed_name(&self, layers: &[Layer<'_>], name: &str) -> bool {
        let is_bundled = |place: Place| layers.get(place.layer as usize).is_some_and(|layer| layer.is_bundle);
        self.sealed && self.find(name).is_some_and(is_bundled)
    }

    /// The skill under a name in look-up form.
    #[inline]
    pub(super) fn find(&self, name: &str) -> Option<Place> {
        self.names.get(name).copied()
    }

    /// The skills that are served, by name.
    pub(super) fn order(&self) -> &[Place] {
        &self.order
    }

    /// The skills that are not, each with the one that hides it.
    pub(super) fn shadowed(&self) -> &[(Place, Place)] {
        &self.shadowed
    }
}

/// Whether a look-up name is the skill's own, in any of the forms that a keyboard gives it, and not
/// its directory's.
fn is_own(name: &str, skill: Skill<'_>) -> bool {
    name == skill.name()
        || !name.is_ascii() && name.nfc().collect::<String>() == skill.name().nfc().collect::<String>()
}
