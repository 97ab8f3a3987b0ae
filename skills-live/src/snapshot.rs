//! What a registry with overlays serves at one moment.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::diagnostics::{Diagnostic, Reason, Shadowed};
use super::layer::{Packed, Served};
use skills_core::bundle::Bundle;
use skills_core::policy::Policy;
use skills_core::registry::{Audience, Registry};
use skills_core::resolved::{Layer, Place, Resolved};
use skills_pack::Command;
use skills_source::finding::Finding;

/// What is served at one moment. It never changes, and stays whole as long as it is held, whatever
/// happens on disk; only the contents of files are read when they are asked for.
#[derive(Debug)]
pub struct Snapshot {
    bundle: Option<&'static Bundle>,
    packed: Vec<Arc<Packed>>,
    /// How many of them stand above the bundle.
    above: usize,
    resolved: Resolved,
    audience: Audience,
    policy: Option<Arc<Policy>>,
}

impl Snapshot {
    pub(super) fn new(
        bundle: Option<&'static Bundle>,
        packed: Vec<Arc<Packed>>,
        above: usize,
        sealed: bool,
        audience: Audience,
        policy: Option<Arc<Policy>>,
    ) -> Self {
        let mut snapshot = Self { bundle, packed, above, resolved: Resolved::default(), audience, policy };
        snapshot.resolved = Resolved::new(&snapshot.layers(), sealed);
        snapshot
    }

    /// The registry of this moment.
    pub fn registry(&self) -> Registry<'_> {
        let registry = Registry::layered(self.layers(), &self.resolved).for_audience(self.audience);
        match &self.policy {
            Some(policy) => registry.with_policy(Arc::clone(policy)),
            None => registry,
        }
    }

    /// What is wrong with the roots, by root, path and line. What breaks only rules of style is served.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.packed.iter().flat_map(|packed| &packed.findings)
    }

    /// The skills, and then the slash commands, that one of the same name in an earlier root hides, by the
    /// order of the roots. A command's name has its slash.
    pub fn shadowed(&self) -> Vec<Shadowed> {
        let layers = self.layers();
        let find = |place: Place| {
            let layer = layers.get(place.layer as usize)?;
            Some((layer.label, layer.pack.skill(place.index as usize)?))
        };
        let pairs = self.resolved.shadowed().iter().filter_map(|&(loser, winner)| {
            let ((origin, hidden), (by_origin, served)) = (find(loser)?, find(winner)?);
            Some(Shadowed {
                name: hidden.name().to_owned(),
                path: hidden.path().to_owned(),
                origin: origin.to_owned(),
                by_path: served.path().to_owned(),
                by_origin: by_origin.to_owned(),
            })
        });
        let mut shadowed: Vec<Shadowed> = pairs.collect();
        let mut first: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
        for (_, layer) in self.resolved.precedence(&layers) {
            for command in layer.pack.commands() {
                let (by_origin, by_path) =
                    *first.entry(command.name()).or_insert((layer.label, command.path()));
                if (by_origin, by_path) != (layer.label, command.path()) {
                    shadowed.push(Shadowed {
                        name: format!("/{}", command.name()),
                        path: command.path().to_owned(),
                        origin: layer.label.to_owned(),
                        by_path: by_path.to_owned(),
                        by_origin: by_origin.to_owned(),
                    });
                }
            }
        }
        shadowed
    }

    /// One record for each directory that was looked at and is not served as it stands, by the order
    /// of the roots. A finding on something that is served all the same is not here, but in
    /// [`findings`](Self::findings).
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut diagnostics: Vec<Diagnostic> =
            self.packed.iter().flat_map(|packed| diagnostics_of(packed)).collect();
        diagnostics.extend(self.shadowed().into_iter().map(|shadowed| Diagnostic {
            path: shadowed.path,
            origin: shadowed.origin,
            reason: Reason::Shadowed { by_path: shadowed.by_path, by_origin: shadowed.by_origin },
        }));
        diagnostics
    }

    /// Every slash command, with its slash, and every skill that is served, by name, with what tells
    /// whether it is the same as before.
    pub(super) fn identities(&self) -> Vec<(String, Identity<'_>)> {
        let layers = self.layers();
        let registry = self.registry();
        let commands = registry.commands().into_iter().map(|entry| {
            let command = Some(entry.command);
            (format!("/{}", entry.command.name()), Identity { origin: entry.origin, served: None, command })
        });
        let mut identities: Vec<(String, Identity<'_>)> = commands.collect();
        let places = self.resolved.order().iter().filter_map(|&place| {
            let layer = layers.get(place.layer as usize)?;
            let skill = layer.pack.skill(place.index as usize)?;
            let packed = self.packed_at(place.layer as usize);
            let served = packed.and_then(|packed| packed.served(place.index as usize));
            Some((skill.name().to_owned(), Identity { origin: layer.label, served, command: None }))
        });
        identities.extend(places);
        // Lenient names may begin with what sorts before a slash.
        identities.sort_by(|(a, _), (b, _)| a.cmp(b));
        identities
    }

    fn layers(&self) -> Vec<Layer<'_>> {
        let mut layers = Vec::with_capacity(self.packed.len() + 1);
        for (at, packed) in self.packed.iter().enumerate() {
            if at == self.above {
                layers.extend(self.bundle.map(Layer::bundled));
            }
            let pack = packed.pack().unwrap_or_else(|| Bundle::EMPTY.pack());
            layers.push(Layer { label: &packed.label, pack, files: Some(&packed.disk), is_bundle: false });
        }
        if self.above >= self.packed.len() {
            layers.extend(self.bundle.map(Layer::bundled));
        }
        layers
    }

    /// The root of a layer; `None` for the bundle.
    fn packed_at(&self, layer: usize) -> Option<&Packed> {
        let at = match (self.bundle, layer) {
            (Some(_), layer) if layer == self.above => return None,
            (Some(_), layer) if layer > self.above => layer - 1,
            (_, layer) => layer,
        };
        self.packed.get(at).map(|packed| &**packed)
    }
}

/// What tells whether a skill or a command is the same as before.
#[derive(Debug)]
pub(super) struct Identity<'a> {
    origin: &'a str,
    served: Option<&'a Served>,
    command: Option<Command<'a>>,
}

impl PartialEq for Identity<'_> {
    fn eq(&self, other: &Self) -> bool {
        let parts = |command: &Command<'_>| {
            let (path, template) = (command.path().to_owned(), command.template().to_owned());
            let about = (command.description().to_owned(), command.argument_hint().map(str::to_owned));
            (path, template, about, command.is_hidden())
        };
        self.origin == other.origin
            && self.served == other.served
            && self.command.as_ref().map(parts) == other.command.as_ref().map(parts)
    }
}

fn diagnostics_of(packed: &Packed) -> Vec<Diagnostic> {
    let record =
        |path: &str, reason| Diagnostic { path: path.to_owned(), origin: packed.label.clone(), reason };
    let mut diagnostics: Vec<Diagnostic> =
        packed.missing.iter().map(|root| record(root, Reason::Missing)).collect();
    let mut of_skill: HashMap<&str, Vec<Finding>> =
        packed.broken.iter().map(String::as_str).chain(packed.paths()).map(|dir| (dir, Vec::new())).collect();
    for finding in &packed.findings {
        let mut dirs = std::iter::successors(Some(finding.path.as_str()), above);
        match dirs.find(|dir| of_skill.contains_key(dir)) {
            Some(dir) => of_skill.entry(dir).or_default().push(finding.clone()),
            // What the walk could not look at belongs to no skill.
            None => diagnostics.push(record(&finding.path, Reason::Broken(vec![finding.clone()]))),
        }
    }
    let mut of = |dir: &str| of_skill.remove(dir).unwrap_or_default();
    diagnostics.extend(packed.broken.iter().map(|dir| record(dir, Reason::Broken(of(dir)))));
    diagnostics.extend(packed.stale().map(|dir| record(dir, Reason::Stale(of(dir)))));
    diagnostics.extend(packed.left_out.iter().map(|left| record(&left.path, Reason::LeftOut(left.reason))));
    diagnostics.extend(packed.without_skill.iter().map(|path| record(path, Reason::NoSkill)));
    diagnostics.sort_by(|a, b| a.path.cmp(&b.path));
    diagnostics
}

fn above<'p>(path: &&'p str) -> Option<&'p str> {
    path.rsplit_once('/').map(|(above, _)| above)
}
