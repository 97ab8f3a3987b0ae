//! Removes what was written.

use std::path::Path;

use super::plan::{self, Found};
use super::record::{self, Record};
use super::tree::{Tree, is_plain};
use super::{ExportError, ExportReport, Exporter, What};

pub(super) fn uninstall(exporter: &Exporter, dir: &Path) -> Result<ExportReport, ExportError> {
    let mut report = ExportReport::default();
    let Some(tree) = Tree::open(dir)? else { return Ok(report) };
    let names = match exporter.names.as_slice() {
        [] => tree.children()?,
        names => names.iter().filter(|name| is_plain(name) && !name.contains('/')).cloned().collect(),
    };
    for name in names {
        skill(exporter, &tree, &name, &mut report)?;
    }
    Ok(report)
}

/// Removes a skill, if the exporter's program has written it.
pub(super) fn skill(
    exporter: &Exporter,
    tree: &Tree,
    name: &str,
    report: &mut ExportReport,
) -> Result<(), ExportError> {
    let Some(there) = tree.child(name) else { return Ok(()) };
    let Some(record) = Record::read(&there).filter(|record| record.by == exporter.by) else { return Ok(()) };
    remove_files(exporter, name, &there, &record, report)?;
    if !exporter.dry_run {
        tree.remove_empty(name);
    }
    Ok(())
}

fn remove_files(
    exporter: &Exporter,
    name: &str,
    there: &Tree,
    record: &Record,
    report: &mut ExportReport,
) -> Result<(), ExportError> {
    let mut kept = Record { by: record.by.clone(), ..Record::default() };
    for (path, digests) in &record.files {
        let Some(what) = plan::remove(there.find(path)?, digests, exporter.force) else { continue };
        if what == What::Removed && !exporter.dry_run {
            there.remove(path)?;
        }
        if what.is_kept() {
            kept.files.insert(path.clone(), digests.clone());
        }
        report.add(name, path, what);
    }
    match (exporter.dry_run, kept.files.is_empty()) {
        (true, _) => Ok(()),
        // A file that stays can still be removed later, with `force`.
        (false, false) => kept.write(there),
        (false, true) if there.find(record::FILE)? == Found::Nothing => Ok(()),
        (false, true) => there.remove(record::FILE),
    }
}
