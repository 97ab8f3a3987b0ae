//! Lists the directories of a root on all processors, before the walk comes to them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills_source::parallel;
use skills_source::scan::{self, Listed};

/// What each directory that was walked holds.
pub(super) type Lists = Vec<(PathBuf, Arc<[Listed]>)>;

/// The lists that are known before the walk asks for them.
#[derive(Debug)]
pub(super) struct Ahead {
    known: RefCell<HashMap<PathBuf, Arc<[Listed]>>>,
    listed: RefCell<Lists>,
}

impl Ahead {
    /// With lists that are still current.
    pub(super) fn new(known: impl Iterator<Item = (PathBuf, Arc<[Listed]>)>) -> Self {
        Self { known: RefCell::new(known.collect()), listed: RefCell::default() }
    }

    /// Lists a directory, as [`scan::list`] does, and those in it, if they are many.
    pub(super) fn list(&self, directory: &Path, most: usize) -> io::Result<Arc<[Listed]>> {
        let before = self.known.borrow().get(directory).filter(|listed| listed.len() < most).map(Arc::clone);
        let listed = match before {
            Some(listed) => listed,
            None => scan::list(directory, most)?,
        };
        let wanted = wanted_next(directory, &listed, |path| self.known.borrow().contains_key(path));
        let next = parallel::map(&wanted, |path| Some((path.clone(), scan::list(path, MAX_AHEAD).ok()?)));
        let next = next.into_iter().flatten().filter(|(_, listed)| listed.len() < MAX_AHEAD);
        let mut known = self.known.borrow_mut();
        for (path, listed) in next {
            known.entry(path).or_insert(listed);
        }
        drop(known);
        self.listed.borrow_mut().push((directory.to_owned(), Arc::clone(&listed)));
        Ok(listed)
    }

    /// What was listed, in the order of the walk.
    pub(super) fn into_lists(self) -> Lists {
        self.listed.into_inner()
    }
}

/// A directory with at least so many in it has them listed on all processors, before the walk comes to them.
const MANY: usize = 64;

/// Longer lists aren't made ahead.
const MAX_AHEAD: usize = 10_000;

/// The directories in a large one that the walk will come to: all but those of a skill and hidden ones.
fn wanted_next(directory: &Path, listed: &[Listed], is_known: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    if listed.len() < MANY || listed.iter().any(Listed::has_skill_name) {
        return Vec::new();
    }
    let is_hidden = |entry: &&Listed| entry.name.as_encoded_bytes().starts_with(b".");
    let is_directory = |entry: &&Listed| entry.kind.is_some_and(|kind| kind.is_dir()) && !is_hidden(entry);
    let directories = listed.iter().filter(is_directory).map(|entry| directory.join(&entry.name));
    let wanted: Vec<PathBuf> = directories.filter(|path| !is_known(path)).collect();
    if wanted.len() < MANY { Vec::new() } else { wanted }
}
