//! Text in place of files on disk: what an editor hasn't saved, or what came on stdin.
//!
//! A file is known here by its place on disk with every symlink resolved, as a scan finds it. Nothing
//! is judged here.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills_source::scan::{self, FoundFile, Scan, real};

/// The texts, by the place of the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts(BTreeMap<PathBuf, Arc<[u8]>>);

impl Texts {
    /// Has `text` read instead of the file at `path`, whether there is one or not.
    pub(crate) fn set(&mut self, path: &Path, text: Vec<u8>) {
        self.0.insert(real(path), text.into());
    }

    /// Has the file at `path` read again.
    pub(crate) fn remove(&mut self, path: &Path) {
        self.0.remove(&real(path));
    }

    /// The text in place of the file that is at `disk`.
    pub(crate) fn get(&self, disk: &Path) -> Option<&[u8]> {
        self.0.get(disk).map(AsRef::as_ref)
    }

    /// Reads a file that a scan found.
    pub(crate) fn read(&self, file: &FoundFile) -> io::Result<Vec<u8>> {
        match self.get(&file.disk) {
            Some(text) => Ok(text.to_vec()),
            None => scan::read_file(file),
        }
    }

    /// The places of the texts: the files need not be on disk.
    pub(crate) fn places(&self) -> Vec<PathBuf> {
        self.0.keys().cloned().collect()
    }

    /// Gives the files of a scan the lengths of their texts.
    pub(crate) fn set_lengths(&self, scan: &mut Scan) {
        if self.0.is_empty() {
            return;
        }
        let of_commands = scan.commands.definitions.iter_mut().chain(&mut scan.commands.templates);
        for file in scan.skills.iter_mut().flat_map(|dir| &mut dir.files).chain(of_commands) {
            if let Some(text) = self.get(&file.disk) {
                file.len = text.len() as u64;
            }
        }
    }
}
