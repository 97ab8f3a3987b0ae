//! Every file below a skill's directory on disk, also those that no build looks at.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use skills_bundle::lock::LockedFile;
use skills_source::scan;

use super::{Content, MAX_BYTES, MAX_FILES, refused, too_much};
use crate::failure::Failure;

/// All files, by path.
///
/// # Errors
///
/// If there is a symlink, a pipe or a name that isn't UTF-8, or too much.
pub(crate) fn files(directory: &Path) -> Result<BTreeMap<String, Content>, Failure> {
    let (found, others) = below(directory, true)?;
    match others.first() {
        None => Ok(found),
        Some((path, what)) => {
            let message = format!("`{path}` in `{}` is {what}", directory.display());
            Err(refused(message, "move it away; a skill has plain files"))
        }
    }
}

/// What is in a directory and isn't a plain file: its path, and what it is.
pub(crate) type Others = Vec<(String, String)>;

/// All files, by path, and what isn't one. The own files of a repository whose top this is are none of a skill.
///
/// # Errors
///
/// If a directory or a file can't be read, has a name that isn't UTF-8, or there is too much.
pub(crate) fn all(directory: &Path) -> Result<(BTreeMap<String, Content>, Others), Failure> {
    below(directory, false)
}

fn below(directory: &Path, with_git: bool) -> Result<(BTreeMap<String, Content>, Others), Failure> {
    let mut walk = Walk { found: BTreeMap::new(), others: Vec::new(), left: MAX_BYTES, with_git };
    walk.below(directory, "")?;
    walk.others.sort();
    Ok((walk.found, walk.others))
}

struct Walk {
    found: BTreeMap<String, Content>,
    others: Others,
    /// How many bytes may still be read.
    left: u64,
    /// Whether the directory `.git` at the top counts.
    with_git: bool,
}

impl Walk {
    #[allow(clippy::disallowed_methods, reason = "also the files that aren't a skill's are kept")]
    fn below(&mut self, directory: &Path, prefix: &str) -> Result<(), Failure> {
        let unreadable = |error: std::io::Error| {
            let why = scan::in_words(&error);
            refused(format!("`{}` cannot be read: {why}", directory.display()), "look at it")
        };
        for entry in fs::read_dir(directory).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name().into_string().map_err(|name| {
                let message = format!("`{prefix}{}` is not UTF-8", name.to_string_lossy());
                refused(message, "rename it, or move it away")
            })?;
            let (path, kind) = (format!("{prefix}{name}"), entry.file_type().map_err(unreadable)?);
            if path == ".git" && !self.with_git {
                continue;
            }
            if kind.is_dir() {
                self.below(&entry.path(), &format!("{path}/"))?;
                continue;
            }
            if !kind.is_file() {
                let what = if kind.is_symlink() { "a symlink" } else { "not a file" };
                self.others.push((path, what.to_owned()));
                continue;
            }
            let file = scan::find_file(directory, &name).map_err(unreadable)?;
            self.left = self.left.checked_sub(file.len).ok_or_else(|| too_much(&path))?;
            let bytes = scan::read_file(&file).map_err(unreadable)?;
            let line = LockedFile::of(path.clone(), file.executable, &bytes);
            self.found.insert(path.clone(), Content { line, bytes });
            if self.found.len() > MAX_FILES {
                return Err(too_much(&path));
            }
        }
        Ok(())
    }
}
