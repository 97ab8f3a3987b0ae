//! Finds skills on disk that a registry has in another version.

use std::path::Path;

use super::record::Record;
use super::tree::Tree;
use super::{ExportError, ExportReport, Exporter, What, remove};
use crate::{Entry, Registry};

/// The skills that the exporter's program has written to `dir` and would now change there, by name. The files of a
/// skill are only read if its record differs.
pub(super) fn stale(
    exporter: &Exporter,
    registry: &Registry<'_>,
    dir: &Path,
) -> Result<Vec<String>, ExportError> {
    let Some(tree) = Tree::open(dir)? else { return Ok(Vec::new()) };
    let mut stale = Vec::new();
    for name in tree.children()? {
        let record = tree.child(&name).as_ref().and_then(Record::read);
        let differs = record
            .is_some_and(|record| record.by == exporter.by && differs(exporter, &record, registry, &name));
        // A file that somebody has changed differs in each version.
        if differs && would_change(exporter, registry, dir, &name)? {
            stale.push(name);
        }
    }
    Ok(stale)
}

/// Whether the registry has this skill with other files than those in its record, or lacks one that is removed then.
fn differs(exporter: &Exporter, record: &Record, registry: &Registry<'_>, name: &str) -> bool {
    let Some(entry) = find(registry, name) else { return exporter.may_prune(record) };
    // A file from disk has no digest.
    let is_written =
        |path: &str, sha256: Option<&[u8; 32]>| sha256.is_some_and(|sha256| record.of(path).contains(sha256));
    record.files.keys().any(|path| entry.skill.file(path).is_none())
        || entry.skill.files().any(|file| !is_written(file.path(), file.sha256()))
}

fn find<'a>(registry: &Registry<'a>, name: &str) -> Option<Entry<'a>> {
    registry.get(name).filter(|entry| entry.skill.name() == name).map(Entry::with_files)
}

fn would_change(
    exporter: &Exporter,
    registry: &Registry<'_>,
    dir: &Path,
    name: &str,
) -> Result<bool, ExportError> {
    let exporter = exporter.clone().dry_run(true).force(false);
    let report = if find(registry, name).is_some() {
        exporter.only([name]).install(registry, dir)?
    } else {
        let mut report = ExportReport::default();
        if let Some(tree) = Tree::open(dir)? {
            remove::gone(&exporter, &tree, name, &mut report)?;
        }
        report
    };
    let changes = [What::Created, What::Updated, What::Removed];
    Ok(changes.iter().any(|what| report.count(*what) > 0))
}
