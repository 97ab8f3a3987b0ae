//! What `update` does where the source has nothing new: it puts back files that are missing, or writes the locked
//! ones beside those that were edited.
//!
//! The lock says which bytes, so they come from this repository's history, else from the source as it was locked.

use std::collections::BTreeMap;

use skills_bundle::lock::{Compared, FileState, LockedFile, LockedSkill};
use skills_pack::text::{AndMore, Joined, Quoted};

use crate::failure::Failure;
use crate::sources::change::Change;
use crate::sources::history::{self, Contents};
use crate::sources::project::{Planned, Project, io_failure};
use crate::sources::upstream::Sources;
use crate::sources::{Content, disk};

/// How many names a line has.
const SHOWN: usize = 20;

/// What is done again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// Files that are missing are put back.
    Restore,
    /// The locked file is written beside an edited one, with `.new` behind its name.
    Beside,
}

/// Makes the change of a skill ready, and says what it is; none if there is nothing to do. The inner error says why
/// the locked files can't be had.
///
/// # Errors
///
/// If the files on disk can't be read, or something is where a file would be written.
pub(crate) fn ready(
    project: &Project,
    sources: &mut Sources,
    (locked, compared): (&LockedSkill, &Compared),
    what: What,
    is_offline: bool,
    change: &mut Change,
) -> Result<Result<Option<Planned>, String>, Failure> {
    let state = if what == What::Restore { FileState::Missing } else { FileState::Edited };
    let is_meant =
        |file: &&LockedFile| compared.files.iter().any(|(path, of)| *path == file.path && *of == state);
    let mut wanted: Vec<&LockedFile> = locked.files.iter().filter(is_meant).collect();
    let directory = project.directory.join(&locked.dir);
    let is_there = directory.symlink_metadata().is_ok();
    let mine = if is_there && !wanted.is_empty() { disk::files(&directory)? } else { BTreeMap::new() };
    if what == What::Beside {
        for file in &wanted {
            let beside = format!("{}.new", file.path);
            if mine.get(&beside).is_some_and(|there| there.line.sha256 != file.sha256) {
                let message = format!("`{}/{beside}` is there already", locked.dir);
                return Err(Failure::other("EXISTS", message, "use it, and remove it"));
            }
        }
        wanted.retain(|file| !mine.contains_key(&format!("{}.new", file.path)));
    }
    if wanted.is_empty() {
        return Ok(Ok(None));
    }
    let known = match contents(project, sources, locked, &wanted, is_offline)? {
        Ok(known) => known,
        Err(why) => return Ok(Err(why)),
    };
    let mut all: Vec<Content> = mine.into_values().collect();
    for file in &wanted {
        let Some(bytes) = known.get(&file.sha256).cloned() else {
            return Ok(Err(format!("`{}` as it is locked is nowhere", file.path)));
        };
        let path = if what == What::Beside { format!("{}.new", file.path) } else { file.path.clone() };
        all.push(Content { line: LockedFile { path, ..(*file).clone() }, bytes });
    }
    if is_there {
        change.take_away(&locked.dir);
    }
    change.put(&locked.dir, &all).map_err(|error| io_failure("nothing was changed", &error))?;
    let names = Joined(wanted.iter().take(SHOWN).map(|file| Quoted(file.path.as_str())), ", ").to_string();
    let more = AndMore(wanted.len().saturating_sub(SHOWN));
    let (action, why) = match what {
        What::Restore => ("restore", format!("missing: {names}{more}")),
        What::Beside => ("write new", format!("edited, with the locked file beside it: {names}{more}")),
    };
    Ok(Ok(Some(Planned { name: locked.name.clone(), dir: locked.dir.clone(), action, why })))
}

/// The locked contents, by their SHA-256, or why they can't be had.
fn contents(
    project: &Project,
    sources: &mut Sources,
    locked: &LockedSkill,
    wanted: &[&LockedFile],
    is_offline: bool,
) -> Result<Result<Contents, String>, Failure> {
    let mut known = history::contents(&project.directory, &[&locked.dir], wanted.iter().copied())?;
    if wanted.iter().all(|file| known.contains_key(&file.sha256)) {
        return Ok(Ok(known));
    }
    if is_offline {
        let why =
            "this repository's history doesn't have the locked files, and --offline permits nothing else";
        return Ok(Err(why.to_owned()));
    }
    Ok(sources.locked_files(&project.trust, locked).map(|files| {
        known.extend(files.into_iter().map(|content| (content.line.sha256, content.bytes)));
        known
    }))
}
