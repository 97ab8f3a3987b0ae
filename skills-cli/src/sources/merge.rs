//! Three-way truth about a skill: what was locked, what is on disk, and what its source has now.
//!
//! Files are compared by mode and digest. A file that only one side changed is that side's; where both did, the
//! one on disk stays. Nothing is merged inside a file, and no file on disk is lost, whatever it is.

use std::collections::{BTreeMap, BTreeSet};

use skills_bundle::lock::{Compared, FileState, LockedFile, LockedSkill};

use super::Content;
use crate::failure::Failure;

/// What a skill will be.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    /// All files of its directory.
    pub(crate) contents: Vec<Content>,
    /// The files that are as the user has them, and whether the source changed them too.
    pub(crate) kept: Vec<(String, bool)>,
}

impl Merged {
    /// The source's side alone.
    pub(crate) fn of(theirs: &[Content]) -> Self {
        Self { contents: theirs.iter().map(copy).collect(), kept: Vec::new() }
    }
}

/// Merges `theirs` into `mine`, which is all that is on disk. `compared` says how the disk stands to the lock.
/// With `write_new` the source's side of a file that both changed is written beside it.
///
/// # Errors
///
/// If something is where the source's side would be written.
pub(crate) fn merge(
    locked: &LockedSkill,
    compared: &Compared,
    mut mine: BTreeMap<String, Content>,
    theirs: &[Content],
    write_new: bool,
) -> Result<Merged, Failure> {
    let of_theirs: BTreeMap<&str, &Content> =
        theirs.iter().map(|content| (content.line.path.as_str(), content)).collect();
    let states: BTreeMap<&str, FileState> =
        compared.files.iter().map(|(path, state)| (path.as_str(), *state)).collect();
    let paths: BTreeSet<String> =
        of_theirs.keys().map(|path| (*path).to_owned()).chain(mine.keys().cloned()).collect();
    let taken: BTreeSet<String> = paths.clone();
    let mut merged = Merged::default();
    // What was deleted on disk is an edit too.
    let deleted =
        locked.files.iter().filter(|file| !paths.contains(&file.path)).map(|file| file.path.clone());
    for path in paths.iter().cloned().chain(deleted.collect::<Vec<_>>()) {
        let base = locked.file(&path);
        let (mine, theirs) = (mine.remove(&path), of_theirs.get(path.as_str()).copied());
        let is_as_locked =
            base.is_some() && matches!(states.get(path.as_str()), Some(FileState::Ok | FileState::LineEnds));
        if is_as_locked || same(mine.as_ref(), theirs) || (base.is_none() && mine.is_none()) {
            merged.contents.extend(theirs.map(copy));
            continue;
        }
        let is_changed_there = theirs.map(|content| &content.line) != base;
        if write_new
            && is_changed_there
            && let Some(theirs) = theirs
        {
            let beside = format!("{path}.new");
            if taken.contains(&beside) {
                let message = format!("`{}/{beside}` is there already", locked.dir);
                return Err(Failure::other("EXISTS", message, "use it, and remove it"));
            }
            merged.contents.push(renamed(theirs, beside));
        }
        merged.contents.extend(mine);
        merged.kept.push((path, is_changed_there));
    }
    Ok(merged)
}

fn same(mine: Option<&Content>, theirs: Option<&Content>) -> bool {
    match (mine, theirs) {
        (Some(mine), Some(theirs)) => {
            mine.line.sha256 == theirs.line.sha256
                && (cfg!(not(unix)) || mine.line.executable == theirs.line.executable)
        }
        (None, None) => true,
        _ => false,
    }
}

fn copy(content: &Content) -> Content {
    renamed(content, content.line.path.clone())
}

fn renamed(content: &Content, path: String) -> Content {
    let line = LockedFile { path, ..content.line.clone() };
    Content { line, bytes: content.bytes.clone() }
}
