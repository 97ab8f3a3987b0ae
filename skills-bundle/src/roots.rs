//! How a root and what is in it are shown, to people and in the pack.

use std::path::Path;

use skills_source::code::Code;
use skills_source::finding::Finding;
pub(crate) use skills_source::root::label;

use crate::config::Config;

/// The finding on a root that would be missing from a published package, at its own level.
pub(crate) fn outside_package(config: &Config, root: &Path, label: &str) -> Option<Finding> {
    let package = config.package.as_ref()?.canonicalize().ok()?;
    let on_disk = config.on_disk(root).canonicalize().ok()?;
    if on_disk.starts_with(package) {
        return None;
    }
    Some(Finding::on_path(
        Code::L116,
        label.to_owned(),
        "the root lies outside the package that builds it".to_owned(),
        "move the skills into the package, or allow L116 if it is never published".to_owned(),
    ))
}

/// The part of a shown path that is below its root, which is shown as `label`.
pub(crate) fn below<'p>(label: &str, path: &'p str) -> &'p str {
    path.strip_prefix(label).unwrap_or_default().trim_start_matches('/')
}

/// How a skill's directory, or a command's definition, is shown in the pack: without what is above
/// the package, so that a program says nothing of the machine it was built on.
pub(crate) fn pack_path(config: &Config, label: &str, path: &str, dir_name: &str) -> String {
    let below = below(label, path);
    let root = match Path::new(label).has_root() || label.contains(':') {
        _ if config.paths_as_given => label,
        true => label.rsplit('/').next().unwrap_or_default(),
        false => label.trim_start_matches("../"),
    };
    match (root, below) {
        ("" | "." | "..", "") => dir_name.to_owned(),
        ("" | "." | "..", below) => below.to_owned(),
        (root, "") => root.to_owned(),
        (root, below) => format!("{}/{below}", root.trim_end_matches('/')),
    }
}
