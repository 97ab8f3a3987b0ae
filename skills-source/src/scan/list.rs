//! The entries of one directory.
//!
//! A live root keeps them, to see what a change of the directory means for its skills, so callers of the walk
//! may bring their own function for it.

use std::ffi::OsString;
use std::fs::{self, FileType};
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::is_skill_name;

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// The name.
    pub name: OsString,
    /// What it is, links not followed; `None` where the system did not tell.
    pub kind: Option<FileType>,
}

impl Listed {
    /// Whether it is named `SKILL.md` in any letters. Of a skill, a scan for a live root looks at no other.
    pub fn has_skill_name(&self) -> bool {
        self.name.to_str().is_some_and(is_skill_name)
    }
}

/// Lists a directory, with every link on the way resolved: its entries by name, at most this many, of
/// which it does not matter which ones.
pub type List<'l> = dyn Fn(&Path, usize) -> io::Result<Arc<[Listed]>> + 'l;

/// Lists a directory from disk.
///
/// # Errors
///
/// What the system says.
#[expect(clippy::disallowed_methods, reason = "this is the one walk")]
pub fn list(directory: &Path, most: usize) -> io::Result<Arc<[Listed]>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok(Listed { kind: entry.file_type().ok(), name: entry.file_name() })
    };
    let mut entries: Vec<Listed> =
        fs::read_dir(directory)?.take(most).map(entry).collect::<io::Result<_>>()?;
    entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(entries.into())
}
