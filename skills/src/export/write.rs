//! Writes skills to a directory.

use std::borrow::Cow;
use std::path::Path;

use super::hidden::beside;
use super::plan::{self, Found, Sum};
use super::record::{self, Record};
use super::tree::{Tree, is_plain};
use super::{ExportError, ExportReport, Exporter, What, remove, swap};
use crate::{Entry, Registry};

pub(super) fn install(
    exporter: &Exporter,
    registry: &Registry<'_>,
    dir: &Path,
) -> Result<ExportReport, ExportError> {
    let entries = match exporter.names.as_slice() {
        [] => registry.skills(),
        names => {
            let entry = |name: &String| registry.load(name).map(|loaded| loaded.entry);
            names.iter().map(entry).collect::<Result<_, _>>().map_err(ExportError::Action)?
        }
    };
    let tree = if exporter.dry_run { Tree::open(dir)? } else { Some(Tree::make(dir)?) };
    if let (Some(tree), false) = (&tree, exporter.dry_run) {
        swap::sweep(tree)?;
    }
    let mut report = ExportReport::default();
    for entry in &entries {
        let entry = entry.with_files();
        let name = entry.skill.name();
        let stays = write_skill(exporter, &entry, name, tree.as_ref(), &mut report)?;
        let beside = beside(name);
        if stays && exporter.write_new {
            write_skill(exporter, &entry, &beside, tree.as_ref(), &mut report)?;
        } else if let (Some(tree), false) = (&tree, stays) {
            // The version beside it is in place now.
            remove::skill(exporter, tree, &beside, &mut report)?;
        }
    }
    if let Some(tree) = tree.filter(|_| exporter.names.is_empty()) {
        let is_there = |name: &str| {
            entries.iter().any(|entry| name == entry.skill.name() || name == beside(entry.skill.name()))
        };
        for name in tree.children()?.iter().filter(|name| !is_there(name)) {
            remove::gone(exporter, &tree, name, &mut report)?;
        }
    }
    Ok(report)
}

/// A file, and what to do with it.
struct Step<'a> {
    path: &'a str,
    bytes: Cow<'a, [u8]>,
    sum: Sum,
    found: Found,
    what: What,
}

/// A file that was written before and that the skill no longer has.
struct Gone {
    path: String,
    found: Found,
    what: What,
}

/// Writes a skill to a directory of this name. Returns whether it stays as it is although another content was
/// requested.
fn write_skill(
    exporter: &Exporter,
    entry: &Entry<'_>,
    name: &str,
    tree: Option<&Tree>,
    report: &mut ExportReport,
) -> Result<bool, ExportError> {
    let mut keep = |what| {
        report.add(name, "", what);
        Ok(true)
    };
    if !is_plain(name) || name.contains('/') {
        return keep(What::KeptObstacle);
    }
    // In a dry run the directory may not exist.
    let there = match tree {
        Some(tree) => match (tree.find(name)?, tree.child(name)) {
            (_, Some(there)) => Some(there),
            (Found::Nothing, None) => None,
            (_, None) => return keep(What::KeptObstacle),
        },
        None => None,
    };
    let record = there.as_ref().and_then(Record::read);
    let is_of_another = record.as_ref().is_some_and(|record| record.by != exporter.by);
    let before = record.filter(|record| record.by == exporter.by);
    let mut steps = steps(exporter, entry, there.as_ref(), before.as_ref())?;
    // Only the program that wrote a skill updates and removes it.
    if is_of_another && !exporter.force {
        return keep(What::KeptForeign);
    }
    // Don't mix the files of two skills.
    if before.is_none() && steps.iter().any(|step| step.path == "SKILL.md" && step.what == What::KeptForeign)
    {
        return keep(What::KeptForeign);
    }
    let before = before.unwrap_or_default();
    let mut gone = gone(exporter, &steps, there.as_ref(), &before)?;
    let all = steps.iter_mut().map(|step| &mut step.what);
    let stays = plan::keep_together(all.chain(gone.iter_mut().map(|gone| &mut gone.what)));
    if let (Some(tree), false, false) = (tree, stays, exporter.dry_run) {
        // Windows renames no directory that is open.
        drop(there);
        if !carry_out(exporter, entry, name, tree, &steps, &gone, &before)? {
            return keep(What::KeptChanged);
        }
    }
    for step in &steps {
        report.add(name, step.path, step.what);
    }
    for gone in gone {
        report.add(name, &gone.path, gone.what);
    }
    Ok(stays)
}

fn steps<'a>(
    exporter: &Exporter,
    entry: &Entry<'a>,
    there: Option<&Tree>,
    before: Option<&Record>,
) -> Result<Vec<Step<'a>>, ExportError> {
    let mut steps = Vec::new();
    for file in entry.skill.files() {
        let bytes = entry.read(&file).map_err(ExportError::Action)?;
        let sum = Sum::of(&bytes, file.is_executable());
        let (found, what) = if is_plain(file.path()) && file.path() != record::FILE {
            let found = there.map_or(Ok(Found::Nothing), |there| there.find(file.path()))?;
            let written = before.map_or(&[][..], |record| record.of(file.path()));
            (found, plan::write(sum, found, written, exporter.force))
        } else {
            (Found::Nothing, What::KeptObstacle)
        };
        steps.push(Step { path: file.path(), bytes, sum, found, what });
    }
    Ok(steps)
}

fn gone(
    exporter: &Exporter,
    steps: &[Step<'_>],
    there: Option<&Tree>,
    before: &Record,
) -> Result<Vec<Gone>, ExportError> {
    let Some(there) = there else { return Ok(Vec::new()) };
    let mut gone = Vec::new();
    for (path, digests) in &before.files {
        if steps.iter().any(|step| step.path == path) {
            continue;
        }
        let found = there.find(path)?;
        if let Some(what) = plan::remove(found, digests, exporter.force) {
            gone.push(Gone { path: path.clone(), found, what });
        }
    }
    Ok(gone)
}

/// Puts the skill in place as a whole. Returns whether it did: not if somebody has changed a file meanwhile.
fn carry_out(
    exporter: &Exporter,
    entry: &Entry<'_>,
    name: &str,
    tree: &Tree,
    steps: &[Step<'_>],
    gone: &[Gone],
    before: &Record,
) -> Result<bool, ExportError> {
    let files = steps.iter().map(|step| (step.path.to_owned(), step.sum.digests())).collect();
    let after = Record { by: exporter.by.clone(), from: Some(exporter.place(entry.origin)), files };
    let is_whole = steps.iter().all(|step| step.what == What::Unchanged) && gone.is_empty();
    if is_whole {
        if let Some(there) = tree.child(name).filter(|_| after != *before) {
            after.write(&there)?;
        }
        return Ok(true);
    }
    let fill = |new: &Tree| -> Result<(), ExportError> {
        let there = tree.child(name);
        for step in steps {
            match &there {
                // Its lines may have other ends.
                Some(there) if step.what == What::Unchanged => {
                    new.write(step.path, &there.read_path(step.path)?, step.sum.executable)?;
                }
                _ => new.write(step.path, &step.bytes, step.sum.executable)?,
            }
        }
        after.write(new)
    };
    let is_as_planned = || -> Result<bool, ExportError> {
        let there = tree.child(name);
        let is_same = |path: &str, found: Found| -> Result<bool, ExportError> {
            match &there {
                Some(there) => Ok(there.find(path)? == found),
                None => Ok(found == Found::Nothing && !tree.has(name)),
            }
        };
        for step in steps {
            if !is_same(step.path, step.found)? {
                return Ok(false);
            }
        }
        for gone in gone {
            if !is_same(&gone.path, gone.found)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    swap::put(tree, name, fill, is_as_planned)
}
