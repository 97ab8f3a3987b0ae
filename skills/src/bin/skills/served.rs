//! What is served: the roots that were given, in their order, above the stock skills.
//!
//! A root goes through the same pipeline as a bundle. What is broken in it is reported and left out.

use std::collections::BTreeMap;
use std::path::Path;

use skills::{Pack, Registry};
use skills_bundle::compile::{self, Generated};
use skills_bundle::{Code, Config, Finding, render};

use crate::args::Global;
use crate::failure::Failure;
use crate::{STOCK, output};

/// The skills that are served.
#[derive(Debug)]
pub(crate) struct Served {
    layers: Vec<Layer>,
    with_stock: bool,
}

#[derive(Debug)]
struct Layer {
    label: String,
    generated: Generated,
}

impl Served {
    /// Reads the roots and reports what is wrong with them.
    pub(crate) fn open(global: &Global) -> Result<Self, Failure> {
        let layers: Vec<Layer> = global.root.iter().map(|root| Layer::read(root)).collect();
        let served = Self { layers, with_stock: !global.no_bundle };
        let roots: Vec<&str> = served.layers.iter().map(|layer| layer.label.as_str()).collect();
        let (unreadable, findings) = split_unreadable(served.findings().cloned(), &roots);
        output::tell_findings(&findings);
        match Failure::unreadable(&unreadable) {
            Some(failure) => Err(failure),
            None => Ok(served),
        }
    }

    /// What is wrong with the roots, by root.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.layers.iter().flat_map(|layer| &layer.generated.report.findings)
    }

    pub(crate) fn registry(&self) -> Result<Registry<'_>, Failure> {
        let base = if self.with_stock { Registry::new(&STOCK) } else { Registry::empty() };
        self.layers.iter().try_fold(base, |registry, layer| {
            let pack = layer.generated.pack().map_err(|error| {
                let message = format!("the skills of `{}` cannot be served: {error}", layer.label);
                Failure::other("INTERNAL", message, "give a smaller root, or report this")
            })?;
            Ok(registry.with_pack(&layer.label, pack))
        })
    }

    /// A line for each skill and slash command that one of the same name hides.
    pub(crate) fn shadowed(&self) -> String {
        let roots = self.layers.iter().flat_map(|layer| {
            // A pack that does not fit has stopped the registry before.
            layer.generated.pack().into_iter().flat_map(|pack| names(pack, &layer.label))
        });
        let skills = self.with_stock.then(|| STOCK.skills().map(|skill| skill.name().to_owned()));
        let commands = self.with_stock.then(|| STOCK.commands().map(|command| slash(command.name())));
        let stock = skills.into_iter().flatten().chain(commands.into_iter().flatten());
        let mut first: BTreeMap<String, &str> = BTreeMap::new();
        let mut notes = String::new();
        for (name, origin) in roots.chain(stock.map(|name| (name, "this program"))) {
            let by = *first.entry(name.clone()).or_insert(origin);
            if by != origin {
                let note = format!("note: `{name}` of {origin} is hidden by `{name}` of {by}");
                notes.push_str(&render::escape(&note));
                notes.push('\n');
            }
        }
        notes
    }
}

impl Layer {
    fn read(root: &Path) -> Self {
        let generated = compile::compile_good(&Config::new(root).paths_as_given(true));
        Self { label: compile::label(root), generated }
    }
}

/// The names of a pack's skills and, with their slash, commands.
fn names<'p>(pack: Pack<'p>, origin: &'p str) -> impl Iterator<Item = (String, &'p str)> {
    let skills = pack.skills().map(|skill| skill.name().to_owned());
    skills.chain(pack.commands().map(|command| slash(command.name()))).map(move |name| (name, origin))
}

fn slash(name: &str) -> String {
    format!("/{name}")
}

/// The findings that say that a root cannot be read at all, and the others.
pub(crate) fn split_unreadable(
    findings: impl Iterator<Item = Finding>,
    roots: &[&str],
) -> (Vec<Finding>, Vec<Finding>) {
    findings.partition(|finding| finding.code == Code::E017 && roots.contains(&finding.path.as_str()))
}
