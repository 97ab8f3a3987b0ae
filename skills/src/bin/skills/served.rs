//! What is served: the roots that were given, in their order, above the stock skills.
//!
//! A root goes through the same pipeline as a bundle. What is broken in it is reported and left out;
//! what only an author has to know, and `check` says, is not said with every answer.

use std::collections::BTreeMap;
use std::path::Path;

use skills::Registry;
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

    /// A line for each skill that one of the same name hides.
    pub(crate) fn shadowed(&self) -> String {
        let roots = self.layers.iter().flat_map(|layer| {
            // A pack that does not fit has stopped the registry before.
            let skills = layer.generated.pack().into_iter().flat_map(|pack| pack.skills());
            skills.map(|skill| (skill.name(), layer.label.as_str()))
        });
        let stock = self.with_stock.then(|| STOCK.skills()).into_iter().flatten();
        let mut first: BTreeMap<&str, &str> = BTreeMap::new();
        let mut notes = String::new();
        for (name, origin) in roots.chain(stock.map(|skill| (skill.name(), "this program"))) {
            let by = *first.entry(name).or_insert(origin);
            if by != origin {
                let note = format!("note: `{name}` of {origin} is hidden by `{name}` of {by}");
                notes.push_str(&render::escape(&note));
                notes.push('\n');
            }
        }
        notes
    }
}

/// Rules that say nothing of how a skill is served.
const OF_AUTHORS: &[&str] =
    &["L104", "L105", "L106", "L107", "L110", "L111", "L112", "L113", "L115", "L117", "L118"];

impl Layer {
    fn read(root: &Path) -> Self {
        let config = Config::new(root).paths_as_given(true);
        let config = OF_AUTHORS.iter().fold(config, |config, rule| config.allow(rule));
        let generated = compile::compile_good(&config);
        Self { label: compile::label(root), generated }
    }
}

/// The findings that say that a root cannot be read at all, and the others.
pub(crate) fn split_unreadable(
    findings: impl Iterator<Item = Finding>,
    roots: &[&str],
) -> (Vec<Finding>, Vec<Finding>) {
    findings.partition(|finding| finding.code == Code::E017 && roots.contains(&finding.path.as_str()))
}
