//! The packs of a registry in order of precedence, and which skill wins under a name.
//!
//! For one name the earlier layer wins. A skill's own name comes before the name of another skill's
//! directory, in whatever layer that is; in a sealed layer both come before every other layer. There is
//! nothing to prepare: a name is looked up in the layers, each by its perfect hash or its sorted table.
//! Who may see a skill is not known here.

use alloc::sync::Arc;
use alloc::vec::Vec;

use skills_pack::{Command, Named, Pack, Skill};

use super::bundle::Bundle;
use super::files::Files;

/// The origin of what was compiled in, where the host gives no other label.
pub(crate) const BUNDLE: &str = "bundle";

/// One pack of a registry.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Layer<'a> {
    /// The origin of its skills.
    pub label: &'a str,
    /// The skills and slash commands.
    pub pack: Pack<'a>,
    /// Where the contents of its files are, if they are not in the pack.
    pub files: Option<&'a dyn Files>,
    /// The bundle whose pack it is.
    bundle: Option<&'a Bundle>,
    is_sealed: bool,
}

impl<'a> Layer<'a> {
    /// A layer of skills that were compiled in.
    pub const fn of_bundle(label: &'a str, bundle: &'a Bundle) -> Self {
        Self { label, pack: bundle.pack(), files: None, bundle: Some(bundle), is_sealed: false }
    }

    /// A layer of skills that were packed at run time. `files` gives the contents of those files that
    /// are not in the pack.
    pub const fn of_pack(label: &'a str, pack: Pack<'a>, files: Option<&'a dyn Files>) -> Self {
        Self { label, pack, files, bundle: None, is_sealed: false }
    }

    /// The layer of the bundle alone, under its usual label.
    pub const fn bundled(bundle: &'a Bundle) -> Self {
        Self::of_bundle(BUNDLE, bundle)
    }

    /// Whether the names of its skills, and of their directories, are its own alone. Sealed layers must
    /// come first in the list.
    #[must_use]
    pub const fn sealed(mut self, yes: bool) -> Self {
        self.is_sealed = yes;
        self
    }

    /// Whether it was compiled in.
    pub const fn is_bundle(&self) -> bool {
        self.bundle.is_some()
    }

    /// The skill with a name in look-up form.
    #[inline]
    fn named(&self, name: &str) -> Option<Named> {
        match self.bundle {
            Some(bundle) => bundle.named(name),
            None => self.pack.find(name),
        }
    }
}

/// Where a skill is: the number of its layer and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) layer: usize,
    pub(crate) index: usize,
}

/// The layers of a registry, the first one first.
#[derive(Debug, Clone)]
pub(crate) enum Layers<'a> {
    /// A bundle or none: can be made in a constant.
    Bundle(Option<&'a Bundle>),
    /// Bundles with their labels: can be made in a constant.
    Bundles(&'a [(&'a str, &'a Bundle)]),
    /// Any layers, made at run time.
    Any {
        layers: Arc<[Layer<'a>]>,
        /// Whether a layer may hide a skill of another one.
        may_hide: bool,
    },
}

impl<'a> Layers<'a> {
    /// Layers that were put together at run time.
    pub(crate) fn new(layers: Vec<Layer<'a>>) -> Self {
        let may_hide = layers.len() > 1;
        Self::Any { layers: layers.into(), may_hide }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bundle(bundle) => usize::from(bundle.is_some()),
            Self::Bundles(bundles) => bundles.len(),
            Self::Any { layers, .. } => layers.len(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, layer: usize) -> Option<Layer<'a>> {
        match self {
            Self::Bundle(bundle) => bundle.filter(|_| layer == 0).map(Layer::bundled),
            Self::Bundles(bundles) => {
                bundles.get(layer).map(|(label, bundle)| Layer::of_bundle(label, bundle))
            }
            Self::Any { layers, .. } => layers.get(layer).copied(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Layer<'a>> + Clone {
        (0..self.len()).filter_map(|layer| self.get(layer))
    }

    /// The skill at a place.
    #[inline]
    pub(crate) fn skill(&self, place: Place) -> Option<Skill<'a>> {
        self.get(place.layer)?.pack.skill(place.index)
    }

    /// The skill under a name in look-up form.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<Place> {
        if let Self::Bundle(bundle) = self {
            let Named { index, .. } = bundle.as_ref()?.named(name)?;
            return Some(Place { layer: 0, index });
        }
        let (place, is_own) = self.first(true, name).or_else(|| self.first(false, name))?;
        let skill = self.skill(place)?;
        // Another name of a skill that is hidden leads to the one that hides it.
        if is_own && skill.name() == name { Some(place) } else { self.winner(skill.name()) }
    }

    /// The skills that are served, by name.
    pub(crate) fn winners(&self) -> Vec<(Place, Skill<'a>)> {
        let all = (0..).zip(self.iter()).flat_map(|(layer, one)| {
            let skills = one.pack.skills().enumerate();
            skills.map(move |(index, skill)| (Place { layer, index }, skill))
        });
        let mut all: Vec<(Place, Skill<'a>)> = all.collect();
        if self.len() > 1 {
            // The sort is stable, and fast where there are a few sorted runs: of one name the first stays.
            all.sort_by(|(_, a), (_, b)| a.name().cmp(b.name()));
            all.dedup_by(|(_, later), (_, first)| later.name() == first.name());
            if self.is_any_sealed() {
                all.retain(|(place, skill)| self.winner(skill.name()) == Some(*place));
            }
        }
        all
    }

    /// The skills that are hidden, by layer and name, each with the one that hides it.
    pub(crate) fn hidden(&self) -> Vec<(Place, Place)> {
        let mut hidden = Vec::new();
        for (layer, one) in (0..).zip(self.iter()).skip(1) {
            for (index, skill) in one.pack.skills().enumerate() {
                let place = Place { layer, index };
                hidden.extend(
                    self.winner(skill.name()).filter(|winner| *winner != place).map(|by| (place, by)),
                );
            }
        }
        hidden
    }

    /// Whether a skill is not hidden by one of an earlier layer.
    pub(crate) fn wins(&self, place: Place, skill: Skill<'_>) -> bool {
        let may_hide = match self {
            Self::Bundle(_) => false,
            Self::Bundles(_) => true,
            Self::Any { may_hide, .. } => *may_hide,
        };
        place.layer == 0 || !may_hide || self.winner(skill.name()) == Some(place)
    }

    /// Every slash command with its layer, but for those that take a name of a skill in a sealed layer.
    pub(crate) fn commands(&self) -> impl Iterator<Item = (Layer<'a>, Command<'a>)> {
        let all = self.iter().flat_map(|layer| layer.pack.commands().map(move |command| (layer, command)));
        all.filter(|(layer, command)| self.may_be_called(layer, *command))
    }

    /// The slash command with a name in look-up form.
    pub(crate) fn command(&self, name: &str) -> Option<(Layer<'a>, Command<'a>)> {
        let all = self.iter().filter_map(|layer| Some((layer, layer.pack.command(name)?)));
        all.clone().find(|(layer, command)| self.may_be_called(layer, *command))
    }

    fn may_be_called(&self, layer: &Layer<'a>, command: Command<'a>) -> bool {
        layer.is_sealed || !self.is_any_sealed() || self.first(true, command.name()).is_none()
    }

    /// The skill with this very name that is served.
    fn winner(&self, name: &str) -> Option<Place> {
        if self.is_any_sealed()
            && let Some((place, _)) = self.first(true, name)
        {
            return Some(place);
        }
        (0..).zip(self.iter()).find_map(|(layer, one)| {
            let Named { index, is_own, .. } = one.named(name)?;
            let is_it = is_own && one.pack.skill(index)?.name() == name;
            is_it.then_some(Place { layer, index })
        })
    }

    /// The first sealed layer's skill under a name, or the first of the others, and whether the name is
    /// its own.
    fn first(&self, sealed: bool, name: &str) -> Option<(Place, bool)> {
        if sealed && !self.is_any_sealed() {
            return None;
        }
        let mut of_directory = None;
        for (layer, one) in (0..).zip(self.iter()).filter(|(_, one)| one.is_sealed == sealed) {
            let Some(Named { index, is_own, .. }) = one.named(name) else { continue };
            let place = Place { layer, index };
            if is_own {
                return Some((place, true));
            }
            of_directory = of_directory.or(Some((place, false)));
        }
        of_directory
    }

    fn is_any_sealed(&self) -> bool {
        matches!(self, Self::Any { layers, .. } if layers.first().is_some_and(|layer| layer.is_sealed))
    }
}
