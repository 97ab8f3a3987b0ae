//! The names of a sealed bundle, which no root may imitate.

use std::collections::BTreeMap;

use skills_core::Layer;
use skills_pack::with_normalised;
use skills_source::code::Code;
use skills_source::finding::{Finding, Related};
use skills_source::look_alike::skeleton;

/// The names of sealed skills, each under what others that look like it have in common with it.
#[derive(Debug, Default)]
pub(super) struct Sealed(BTreeMap<String, String>);

impl Sealed {
    /// The names of the skills in these layers, and of their directories.
    pub(super) fn of(layers: impl Iterator<Item = Layer<'static>>) -> Self {
        let names = layers.flat_map(|layer| layer.pack.skills()).flat_map(|skill| {
            let directory = skill.path().rsplit('/').next().unwrap_or_default();
            [with_normalised(directory, str::to_owned), skill.name().to_owned()]
        });
        Self(names.map(|name| (skeleton(&name), name)).collect())
    }

    /// The finding on a name that looks like a sealed one without being it. Such a skill or command isn't served.
    pub(super) fn imitated(&self, name: &str, place: impl FnOnce() -> Related) -> Option<Finding> {
        let (message, help) = self.told(name)?;
        Some(Finding::at(place(), Code::E013, message, help))
    }

    /// The same for a directory of a skill, with its path. It may have the name of a sealed skill's directory.
    pub(super) fn imitated_by_directory(&self, dir_name: &str, path: &str) -> Option<Finding> {
        let (message, help) = with_normalised(dir_name, |name| self.told(name))?;
        Some(Finding::on_path(Code::E013, path.to_owned(), message, help))
    }

    /// The message and the help on a name that imitates a sealed one.
    fn told(&self, name: &str) -> Option<(String, String)> {
        if self.0.is_empty() {
            return None;
        }
        let sealed = self.0.get(&skeleton(name)).filter(|sealed| *sealed != name)?;
        let message = format!("`{}` looks like `{sealed}`, which is sealed", name.escape_debug());
        let help = "give it a name that people can tell from the one that comes with the program".to_owned();
        Some((message, help))
    }
}
