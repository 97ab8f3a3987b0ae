//! Lists what was written to a directory.

use std::path::Path;

use super::ExportError;
use super::hidden::is_beside;
use super::plan;
use super::record::Record;
use super::tree::Tree;

/// A skill that a program has written to a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Installed {
    /// The name of its directory.
    pub name: String,
    /// The program that has written it.
    pub by: String,
    /// The origin that it had: `bundle`, or the label of its root. Old versions recorded none.
    pub from: Option<String>,
    /// The files that were changed or removed since, sorted.
    pub changed: Vec<String>,
}

/// The skills that programs have written to a directory, by name. Those of others have no record and aren't listed.
///
/// # Errors
///
/// [`ExportError`] on an I/O error. A directory that doesn't exist has none.
pub fn installed(dir: &Path) -> Result<Vec<Installed>, ExportError> {
    let Some(tree) = Tree::open(dir)? else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for name in tree.children()?.into_iter().filter(|name| !is_beside(name)) {
        let Some(there) = tree.child(&name) else { continue };
        let Some(record) = Record::read(&there) else { continue };
        let mut changed = Vec::new();
        for (path, digests) in &record.files {
            // What would be removed is as it was written.
            if plan::remove(there.find(path)?, digests, false) != Some(super::What::Removed) {
                changed.push(path.clone());
            }
        }
        all.push(Installed { name, by: record.by, from: record.from, changed });
    }
    Ok(all)
}
