//! What a registry with overlays serves at one moment.

use std::collections::HashMap;
use std::sync::Arc;

use skills_core::{Audience, Bundle, Layer, NameTable, Registry, Shadowed};
use skills_pack::Command;
use skills_source::finding::Finding;

use super::diagnostics::{Diagnostic, Reason};
use super::overlays::Overlays;
use super::packed::Packed;
use super::skill_state::SkillOnDisk;

/// What is served at one moment. It never changes while it is held, whatever happens on disk, except that the
/// contents of files are read on request.
#[derive(Debug)]
pub struct Snapshot {
    overlays: Overlays,
    packed: Vec<Arc<Packed>>,
    /// Whether a skill hides another one.
    may_hide: bool,
    /// What each name finds in the layers.
    names: NameTable,
}

impl Snapshot {
    pub(super) fn new(overlays: Overlays, packed: Vec<Arc<Packed>>) -> Self {
        let mut snapshot = Self { overlays, packed, may_hide: true, names: NameTable::default() };
        let layers: Vec<Layer<'_>> = snapshot.layers().into_iter().map(|(layer, _)| layer).collect();
        let names = NameTable::new(&layers);
        snapshot.names = names;
        let skills: usize = snapshot.layers().iter().map(|(layer, _)| layer.pack.len()).sum();
        snapshot.may_hide = snapshot.of_everyone().winners().len() < skills;
        snapshot
    }

    /// The registry at this moment.
    pub fn registry(&self) -> Registry<'_> {
        self.overlays.complete(self.of_everyone())
    }

    /// The findings of the roots, by root, path and line. A skill that only breaks rules of style is served.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.packed.iter().flat_map(|packed| &packed.findings)
    }

    /// What is wrong with the files beside a skill's SKILL.md, such as a symlink that leads out of the root. Such a
    /// file isn't served; the skill is. Looks at the files now, unless the skill was loaded. Empty for a bundled
    /// skill.
    pub fn file_findings(&self, name: &str) -> &[Finding] {
        let of_everyone = self.of_everyone();
        let Some(path) = of_everyone.get(name).map(|entry| entry.skill.path()) else { return &[] };
        let mut disks = self.packed.iter().map(|packed| &packed.disk);
        let found = disks.find_map(|disk| disk.files(disk.find(path)?));
        found.map_or(&[], |files| files.findings())
    }

    /// The skills, then the slash commands, that are hidden by one with the same name in an earlier root, in
    /// the order of the roots. A command's name has its slash.
    pub fn shadowed(&self) -> Vec<Shadowed> {
        self.of_everyone().shadowed()
    }

    /// One record for each directory that was examined and isn't served as it is, in the order of the roots.
    /// A finding on something that is served anyway is only in [`findings`](Self::findings).
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

    /// Every slash command, with its slash, and every skill that is served, by name, with what identifies its
    /// version.
    pub(super) fn identities(&self) -> Vec<(String, Identity<'_>)> {
        let layers = self.layers();
        let registry = self.registry();
        let commands = registry.commands().into_iter().map(|entry| {
            let command = Some(entry.command);
            (format!("/{}", entry.command.name()), Identity { origin: entry.origin, served: None, command })
        });
        let mut identities: Vec<(String, Identity<'_>)> = commands.collect();
        let places = self.of_everyone().winners().into_iter().filter_map(|(at, skill)| {
            let (layer, packed) = layers.get(at)?;
            let served = packed.and_then(|packed| packed.served(skill.index()));
            Some((skill.name().to_owned(), Identity { origin: layer.label, served, command: None }))
        });
        identities.extend(places);
        // Names from lenient roots may begin with a character that sorts before a slash.
        identities.sort_by(|(a, _), (b, _)| a.cmp(b));
        identities
    }

    fn of_everyone(&self) -> Registry<'_> {
        let layers = self.layers().into_iter().map(|(layer, _)| layer).collect();
        Registry::layered(layers, self.may_hide, Some(&self.names)).for_audience(Audience::Everyone)
    }

    /// The layers in order of precedence, each with its root unless it is the bundle.
    fn layers(&self) -> Vec<(Layer<'_>, Option<&Packed>)> {
        let mut layers: Vec<(Layer<'_>, Option<&Packed>)> = Vec::with_capacity(self.packed.len() + 1);
        for packed in &self.packed {
            let pack = packed.pack().unwrap_or_else(|| Bundle::EMPTY.pack());
            layers.push((Layer::of_pack(&packed.label, pack, Some(&packed.disk)), Some(packed)));
        }
        let place = if self.overlays.is_sealed() { 0 } else { self.overlays.above() };
        let bundles = self.overlays.bundles().map(|layer| (layer, None));
        layers.splice(place..place, bundles);
        layers
    }
}

/// Identifies the version of a skill or command.
#[derive(Debug)]
pub(super) struct Identity<'a> {
    origin: &'a str,
    served: Option<&'a SkillOnDisk>,
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
            // A finding on something that the scan couldn't read belongs to no skill.
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
