//! The skills and slash commands that are hidden by others with the same name.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::layer::Place;
use super::layers::Layers;

/// A skill or slash command that is hidden by one with the same name in an earlier pack or root.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shadowed {
    /// The name of both; for a slash command, with its slash.
    pub name: String,
    /// The directory or file of the hidden one.
    pub path: String,
    /// The origin of the hidden one: `bundle`, or the label of its pack or live root.
    pub origin: String,
    /// The directory or file of the one that is served.
    pub by_path: String,
    /// The origin of the one that is served.
    pub by_origin: String,
}

/// The hidden skills, then the hidden slash commands, by layer.
pub(crate) fn of(layers: &Layers<'_>) -> Vec<Shadowed> {
    let mut shadowed = Vec::new();
    for (hidden, served) in layers.hidden() {
        let find = |place: Place| Some((layers.get(place.layer)?.label, layers.skill(place)?));
        if let (Some((origin, hidden)), Some((by_origin, served))) = (find(hidden), find(served)) {
            shadowed.push(Shadowed {
                name: hidden.name().to_owned(),
                path: hidden.path().to_owned(),
                origin: origin.to_owned(),
                by_path: served.path().to_owned(),
                by_origin: by_origin.to_owned(),
            });
        }
    }
    let mut first: BTreeMap<&str, (usize, &str, &str)> = BTreeMap::new();
    for (number, layer) in layers.iter().enumerate() {
        for command in layer.pack.commands() {
            let (name, here) = (command.name(), (number, layer.label, command.path()));
            let by = match layers.sealed_skill(&layer, name) {
                Some((by, skill)) => Some((by.label, skill.path())),
                None => match *first.entry(name).or_insert(here) {
                    (by, ..) if by == number => None,
                    (_, label, path) => Some((label, path)),
                },
            };
            shadowed.extend(by.map(|(by_origin, by_path)| Shadowed {
                name: format!("/{name}"),
                path: command.path().to_owned(),
                origin: layer.label.to_owned(),
                by_path: by_path.to_owned(),
                by_origin: by_origin.to_owned(),
            }));
        }
    }
    shadowed
}
