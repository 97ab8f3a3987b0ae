//! Writes skills to a directory.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::plan::{self, Found, Sum};
use super::record::Record;
use super::remove;
use super::tree::{Tree, is_plain};
use super::{ExportError, ExportReport, Exporter, What};
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
    let mut report = ExportReport::default();
    for entry in &entries {
        write_skill(exporter, entry, tree.as_ref(), &mut report)?;
    }
    if let Some(tree) = tree.filter(|_| exporter.prune && exporter.names.is_empty()) {
        let is_gone = |name: &String| entries.iter().all(|entry| entry.skill.name() != name);
        for name in tree.children()?.iter().filter(|name| is_gone(name)) {
            remove::skill(exporter, &tree, name, &mut report)?;
        }
    }
    Ok(report)
}

/// A file, and what to do with it.
struct Step<'a> {
    path: &'a str,
    bytes: std::borrow::Cow<'a, [u8]>,
    sum: Sum,
    what: What,
}

fn write_skill(
    exporter: &Exporter,
    entry: &Entry<'_>,
    tree: Option<&Tree>,
    report: &mut ExportReport,
) -> Result<(), ExportError> {
    let name = entry.skill.name();
    if !is_plain(name) || name.contains('/') {
        report.add(name, "", What::KeptObstacle);
        return Ok(());
    }
    // In a dry run the directory may not exist.
    let there = match tree {
        Some(tree) => match (tree.find(name)?, tree.child(name)) {
            (_, Some(there)) => Some(there),
            (Found::Nothing, None) => None,
            (_, None) => {
                report.add(name, "", What::KeptObstacle);
                return Ok(());
            }
        },
        None => None,
    };
    let record = there.as_ref().and_then(Record::read);
    let is_of_another = record.as_ref().is_some_and(|record| record.by != exporter.by);
    let before = record.filter(|record| record.by == exporter.by);
    let steps = steps(exporter, entry, there.as_ref(), before.as_ref())?;
    // Only the program that wrote a skill updates and removes it.
    if is_of_another && !exporter.force {
        report.add(name, "", What::KeptForeign);
        return Ok(());
    }
    // Don't mix the files of two skills.
    if before.is_none() && steps.iter().any(|step| step.path == "SKILL.md" && step.what == What::KeptForeign)
    {
        report.add(name, "", What::KeptForeign);
        return Ok(());
    }
    let before = before.unwrap_or_else(|| Record { by: exporter.by.clone(), ..Record::default() });
    let gone = gone(exporter, &steps, there.as_ref(), &before)?;
    if let (Some(tree), false) = (tree, exporter.dry_run) {
        carry_out(&tree.make_child(name)?, &steps, &gone, &before)?;
    }
    for step in &steps {
        report.add(name, step.path, step.what);
    }
    for (path, what) in gone {
        report.add(name, &path, what);
    }
    Ok(())
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
        let sha256 = file.sha256().copied().unwrap_or_else(|| Sha256::digest(&bytes).into());
        let sum = Sum { sha256, executable: file.is_executable() };
        let what = if is_plain(file.path()) {
            let found = there.map_or(Ok(Found::Nothing), |there| there.find(file.path()))?;
            plan::write(sum, found, before.map_or(&[], |record| record.of(file.path())), exporter.force)
        } else {
            What::KeptObstacle
        };
        steps.push(Step { path: file.path(), bytes, sum, what });
    }
    Ok(steps)
}

/// The files that were written before and that the skill no longer has.
fn gone(
    exporter: &Exporter,
    steps: &[Step<'_>],
    there: Option<&Tree>,
    before: &Record,
) -> Result<Vec<(String, What)>, ExportError> {
    let Some(there) = there else { return Ok(Vec::new()) };
    let mut gone = Vec::new();
    for (path, digests) in &before.files {
        if steps.iter().all(|step| step.path != path)
            && let Some(what) = plan::remove(there.find(path)?, digests, exporter.force)
        {
            gone.push((path.clone(), what));
        }
    }
    Ok(gone)
}

fn carry_out(
    there: &Tree,
    steps: &[Step<'_>],
    gone: &[(String, What)],
    before: &Record,
) -> Result<(), ExportError> {
    let mut after = Record { by: before.by.clone(), ..Record::default() };
    for step in steps {
        // Keep the digests of files that stay: only what was written is ever replaced.
        let digests = if step.what.is_kept() { before.of(step.path).to_vec() } else { vec![step.sum.sha256] };
        if !digests.is_empty() {
            after.files.insert(step.path.to_owned(), digests);
        }
    }
    for (path, what) in gone {
        if what.is_kept() {
            after.files.insert(path.clone(), before.of(path).to_vec());
        }
    }
    let writes = |step: &&Step<'_>| matches!(step.what, What::Created | What::Updated);
    if steps.iter().any(|step| writes(&step)) || gone.iter().any(|(_, what)| *what == What::Removed) {
        let mut both = after.clone();
        for (path, digests) in &before.files {
            both.files.entry(path.clone()).or_default().extend(digests);
        }
        both.write(there)?;
        for step in steps.iter().filter(writes) {
            there.write(step.path, &step.bytes, step.sum.executable)?;
        }
        for (path, what) in gone {
            if *what == What::Removed {
                there.remove(path)?;
            }
        }
        return after.write(there);
    }
    if after == *before { Ok(()) } else { after.write(there) }
}
