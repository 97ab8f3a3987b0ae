//! Removes what was written.

use std::path::Path;

use super::hidden::beside;
use super::plan::{self, Found};
use super::record::{self, Record};
use super::tree::{Tree, is_plain};
use super::{ExportError, ExportReport, Exporter, What, swap};

pub(super) fn uninstall(exporter: &Exporter, dir: &Path) -> Result<ExportReport, ExportError> {
    let mut report = ExportReport::default();
    let Some(tree) = Tree::open(dir)? else { return Ok(report) };
    if !exporter.dry_run {
        swap::sweep(&tree)?;
    }
    let names = match exporter.names.as_slice() {
        [] => tree.children()?,
        names => names.iter().filter(|name| is_plain(name) && !name.contains('/')).cloned().collect(),
    };
    for name in names {
        skill(exporter, &tree, &name, &mut report)?;
        skill(exporter, &tree, &beside(&name), &mut report)?;
    }
    Ok(report)
}

/// Removes a skill, if the exporter's program has written it and no file of it was changed: else all of it stays.
pub(super) fn skill(
    exporter: &Exporter,
    tree: &Tree,
    name: &str,
    report: &mut ExportReport,
) -> Result<(), ExportError> {
    let Some(there) = tree.child(name) else { return Ok(()) };
    let Some(record) = Record::read(&there).filter(|record| record.by == exporter.by) else { return Ok(()) };
    whole(exporter, tree, name, there, &record, report)
}

/// Removes a skill that its source no longer has, unless a file of it was changed: then all of it stays.
pub(super) fn gone(
    exporter: &Exporter,
    tree: &Tree,
    name: &str,
    report: &mut ExportReport,
) -> Result<(), ExportError> {
    let Some(there) = tree.child(name) else { return Ok(()) };
    let Some(record) = Record::read(&there).filter(|record| exporter.may_prune(record)) else {
        return Ok(());
    };
    whole(exporter, tree, name, there, &record, report)
}

fn whole(
    exporter: &Exporter,
    tree: &Tree,
    name: &str,
    there: Tree,
    record: &Record,
    report: &mut ExportReport,
) -> Result<(), ExportError> {
    let mut plan = planned(exporter, &there, record)?;
    if plan::keep_together(plan.iter_mut().map(|(_, what)| what)) {
        for (path, what) in plan {
            report.add(name, &path, what);
        }
        return Ok(());
    }
    remove_files(exporter, tree, name, there, record, plan, report)
}

fn planned(exporter: &Exporter, there: &Tree, record: &Record) -> Result<Vec<(String, What)>, ExportError> {
    let mut plan = Vec::new();
    for (path, digests) in &record.files {
        if let Some(what) = plan::remove(there.find(path)?, digests, exporter.force) {
            plan.push((path.clone(), what));
        }
    }
    Ok(plan)
}

fn remove_files(
    exporter: &Exporter,
    tree: &Tree,
    name: &str,
    there: Tree,
    record: &Record,
    plan: Vec<(String, What)>,
    report: &mut ExportReport,
) -> Result<(), ExportError> {
    let mut kept = Record { files: std::collections::BTreeMap::new(), ..record.clone() };
    for (path, what) in plan {
        if what == What::Removed && !exporter.dry_run {
            there.remove(&path)?;
        }
        if what.is_kept() {
            kept.files.insert(path.clone(), record.of(&path).to_vec());
        }
        report.add(name, &path, what);
    }
    if exporter.dry_run {
        return Ok(());
    }
    if !kept.files.is_empty() {
        // A file that stays can still be removed later, with `force`.
        return kept.write(&there);
    }
    if there.find(record::FILE)? != Found::Nothing {
        there.remove(record::FILE)?;
    }
    drop(there);
    tree.remove_empty(name);
    Ok(())
}
