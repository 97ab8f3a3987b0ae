//! The packs of a registry in order of precedence, and which skill a name finds.
//!
//! If two layers have a skill with the same name, the earlier layer wins. A skill's own name comes before the
//! directory name of another skill, in any layer; in a sealed layer both come before all other layers.
//! Each layer looks a name up in its perfect hash or its sorted table, unless the answers were worked out before, in a
//! [`NameTable`]. This module doesn't know who may see a skill.

use alloc::sync::Arc;
use alloc::vec::Vec;

use skills_pack::{Command, Named, Pack, Skill, hidden};

use super::bundle::{Bundle, OnceHashed};
use super::files::Files;
use super::name_table::NameTable;

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
    fn named(&self, name: &str) -> Option<Named> {
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

/// The layers of a registry, in order of precedence.
#[derive(Debug, Clone)]
pub(crate) enum Layers<'a> {
    /// A bundle or nothing; can be made in a constant.
    Bundle(Option<&'a Bundle>),
    /// Bundles with their labels; can be made in a constant.
    Bundles(&'a [(&'a str, &'a Bundle)]),
    /// Any layers, made at run time.
    Any {
        layers: Arc<[Layer<'a>]>,
        /// Whether a layer may hide a skill of another one.
        may_hide: bool,
        /// What each name finds, if that was worked out before.
        names: Option<&'a NameTable>,
    },
}

impl<'a> Layers<'a> {
    /// Layers that were put together at run time.
    pub(crate) fn new(layers: Vec<Layer<'a>>) -> Self {
        let may_hide = layers.len() > 1;
        Self::Any { layers: layers.into(), may_hide, names: None }
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

    /// The skill at a position.
    #[inline]
    pub(crate) fn skill(&self, place: Place) -> Option<Skill<'a>> {
        self.get(place.layer)?.pack.skill(place.index)
    }

    /// The skill that a normalised name finds.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<Place> {
        if let Self::Bundle(bundle) = self {
            let Named { index, .. } = bundle.as_ref()?.named(name)?;
            return Some(Place { layer: 0, index });
        }
        if let Self::Any { layers, names: Some(names), .. } = self {
            return names.find(layers, name);
        }
        let (place, is_own) = self.first(true, name).or_else(|| self.first(false, name))?;
        self.meant(place, is_own, name)
    }

    /// The skill that a name finds, if this place is the first that has it, as its own or not. The other name of a
    /// hidden skill finds the skill that hides it.
    pub(crate) fn meant(&self, place: Place, is_own: bool, name: &str) -> Option<Place> {
        // A skill that was compiled in has other forms of its own name only if that isn't ASCII. In a single root, say,
        // nothing hides anything.
        if is_own && name.is_ascii() && matches!(self, Self::Bundles(_)) || self.len() == 1 {
            return Some(place);
        }
        let skill = self.skill(place)?;
        let is_it = is_own && skill.name() == name;
        if is_it { Some(place) } else { self.winner(skill.name()) }
    }

    /// The skills that are served, by name.
    pub(crate) fn winners(&self) -> Vec<(Place, Skill<'a>)> {
        let all = (0..).zip(self.iter()).flat_map(|(layer, one)| {
            let skills = one.pack.skills().enumerate();
            skills.map(move |(index, skill)| (Place { layer, index }, skill))
        });
        let mut all: Vec<(Place, Skill<'a>)> = all.collect();
        if self.len() > 1 {
            // The sort is stable and fast on a few sorted runs. Of equal names, the first stays.
            all.sort_by(|(_, a), (_, b)| a.name().cmp(b.name()));
            all.dedup_by(|(_, later), (_, first)| later.name() == first.name());
            if self.is_any_sealed() {
                all.retain(|(place, skill)| self.winner(skill.name()) == Some(*place));
            }
        }
        all
    }

    /// The hidden skills by layer and name, each with the skill that hides it.
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

    /// Whether no earlier layer hides the skill at this place, which has this name.
    pub(crate) fn wins(&self, place: Place, name: &str) -> bool {
        let may_hide = match self {
            Self::Bundle(_) => false,
            Self::Bundles(_) => true,
            Self::Any { may_hide, .. } => *may_hide,
        };
        if place.layer == 0 || !may_hide {
            return true;
        }
        match self {
            Self::Bundles(bundles) => own(bundles.get(..place.layer).unwrap_or_default(), name).is_none(),
            _ => self.winner(name) == Some(place),
        }
    }

    /// Every slash command with its layer, except those whose name belongs to a skill in a sealed layer.
    pub(crate) fn commands(&self) -> impl Iterator<Item = (Layer<'a>, Command<'a>)> {
        let all = self.iter().flat_map(|layer| layer.pack.commands().map(move |command| (layer, command)));
        all.filter(|(layer, command)| self.may_be_called(layer, *command))
    }

    /// The slash command with a normalised name.
    pub(crate) fn command(&self, name: &str) -> Option<(Layer<'a>, Command<'a>)> {
        let all = self.iter().filter_map(|layer| Some((layer, layer.pack.command(name)?)));
        all.clone().find(|(layer, command)| self.may_be_called(layer, *command))
    }

    fn may_be_called(&self, layer: &Layer<'a>, command: Command<'a>) -> bool {
        self.sealed_skill(layer, command.name()).is_none()
    }

    /// The skill of a sealed layer that keeps its name from the commands of another layer.
    pub(crate) fn sealed_skill(&self, layer: &Layer<'a>, name: &str) -> Option<(Layer<'a>, Skill<'a>)> {
        let (place, _) = self.first(true, name).filter(|_| !layer.is_sealed)?;
        Some((self.get(place.layer)?, self.skill(place)?))
    }

    /// The skill that is served under exactly this name.
    fn winner(&self, name: &str) -> Option<Place> {
        if let Self::Bundles(bundles) = self {
            return own(bundles, name);
        }
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

    /// The skill that the first sealed layer, or else the first other layer, has for a name, and whether the
    /// name is its own (not its directory's).
    fn first(&self, sealed: bool, name: &str) -> Option<(Place, bool)> {
        if sealed && !self.is_any_sealed() {
            return None;
        }
        if let Self::Bundles(bundles) = self {
            return first_of_bundles(bundles, name);
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

    /// How many layers, from the first on, are sealed.
    pub(crate) fn sealed(&self) -> usize {
        match self {
            Self::Any { layers, .. } => layers.iter().take_while(|layer| layer.is_sealed).count(),
            Self::Bundle(_) | Self::Bundles(_) => 0,
        }
    }

    /// The skill whose directory has this path, as `load` shows it or as it is, unless another skill hides it.
    pub(crate) fn at_path(&self, path: &str) -> Option<Place> {
        let shown = hidden::unescaped(path).and_then(|name| self.at(&name));
        shown.or_else(|| self.at(path))
    }

    fn at(&self, path: &str) -> Option<Place> {
        (0..).zip(self.iter()).find_map(|(layer, one)| {
            let skill = one.pack.skills().find(|skill| skill.path() == path)?;
            let place = Place { layer, index: skill.index() };
            self.wins(place, skill.name()).then_some(place)
        })
    }

    fn is_any_sealed(&self) -> bool {
        matches!(self, Self::Any { layers, .. } if layers.first().is_some_and(|layer| layer.is_sealed))
    }
}

/// The skill of the first bundle that has a name, and whether the name is its own (not its directory's).
fn first_of_bundles(bundles: &[(&str, &Bundle)], name: &str) -> Option<(Place, bool)> {
    let mut hashed = OnceHashed::new(name);
    let mut of_directory = None;
    for (layer, (_, bundle)) in bundles.iter().enumerate() {
        let Some(Named { index, is_own, .. }) = bundle.named_once_hashed(&mut hashed) else { continue };
        let place = Place { layer, index };
        if is_own {
            return Some((place, true));
        }
        of_directory = of_directory.or(Some((place, false)));
    }
    of_directory
}

/// The skill of the first bundle that has exactly this as the name of a skill.
fn own(bundles: &[(&str, &Bundle)], name: &str) -> Option<Place> {
    let mut hashed = OnceHashed::new(name);
    bundles.iter().enumerate().find_map(|(layer, (_, bundle))| {
        let Named { index, is_own, .. } = bundle.named_once_hashed(&mut hashed)?;
        let is_it = is_own && bundle.pack().skill(index)?.name() == name;
        is_it.then_some(Place { layer, index })
    })
}
