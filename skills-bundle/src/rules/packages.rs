//! Files that the published package would lack: L128.
//!
//! Cargo leaves out every directory below the package that holds a `Cargo.toml` of its own, without a word, and
//! the package that it verifies builds with fewer files. What else Cargo or git leaves out is asked by who
//! checks, not here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use skills_source::code::Code;
use skills_source::finding::Finding;
use skills_source::scan::FoundSkill;

use crate::roots::below;

const MANIFEST: &str = "Cargo.toml";

/// Judges the skills of a root that is at `root` and shown as `label`.
pub(crate) fn check(root: &Path, label: &str, dirs: &[FoundSkill]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen = BTreeSet::new();
    for dir in dirs {
        let below_root = below(label, &dir.path);
        // A manifest above the skill, but below the root, takes the whole skill away. Its own directory is
        // looked at with its files.
        let outermost = below_root
            .match_indices('/')
            .map(|(at, _)| &below_root[..at])
            .find(|above| fs::symlink_metadata(root.join(above).join(MANIFEST)).is_ok());
        if let Some(above) = outermost {
            let path = dir.path[..dir.path.len() - below_root.len()].to_owned() + above;
            if seen.insert(path.clone()) {
                findings.push(missing(path, "every skill in it"));
            }
            continue;
        }
        findings.extend(inside(dir, below_root.is_empty()));
    }
    findings
}

/// The outermost directories of a skill with a manifest. Where the root is the skill, it may be the package.
fn inside(dir: &FoundSkill, is_root: bool) -> Vec<Finding> {
    let mut packages: Vec<&str> = Vec::new();
    for file in &dir.files {
        let package = match file.path.rsplit_once('/') {
            Some((package, MANIFEST)) => package,
            None if file.path == MANIFEST && !is_root => "",
            _ => continue,
        };
        packages.push(package);
    }
    let is_below = |path: &str, package: &str| {
        package.is_empty() || path.strip_prefix(package).is_some_and(|rest| rest.starts_with('/'))
    };
    let outermost: Vec<&str> = packages
        .iter()
        .copied()
        .filter(|package| !packages.iter().any(|other| other != package && is_below(package, other)))
        .collect();
    outermost
        .into_iter()
        .map(|package| {
            let count = dir.files.iter().filter(|file| is_below(&file.path, package)).count();
            let files = if count == 1 { "a file".to_owned() } else { format!("{count} files") };
            let path = if package.is_empty() { dir.path.clone() } else { format!("{}/{package}", dir.path) };
            missing(path, &files)
        })
        .collect()
}

fn missing(path: String, what: &str) -> Finding {
    let message = format!(
        "the directory holds a `{MANIFEST}`: the published package would lack {what}, and build without a word"
    );
    let help =
        "give the file another name, such as Cargo.toml.template; or allow L128 if this is never published";
    Finding::on_path(Code::L128, path, message, help.to_owned())
}
