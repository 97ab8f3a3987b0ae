//! Directory trees for one test.
//!
//! What git doesn't store well (symlinks, pipes, other encodings) is created when a test runs. A failure here
//! is a problem of the test's environment, so it panics and says what it tried.

#![allow(clippy::panic, reason = "a test that cannot make its files has nothing to test")]

use std::fs;
use std::path::{Path, PathBuf};

pub use tempfile::TempDir;

/// A directory that is deleted with the value.
pub fn temp() -> TempDir {
    tempfile::tempdir().unwrap_or_else(|error| panic!("a temporary directory cannot be made: {error}"))
}

/// Writes a file, and the directories above it.
pub fn write(root: &Path, path: &str, content: impl AsRef<[u8]>) {
    let file = root.join(path);
    let parent = file.parent().unwrap_or(root);
    fs::create_dir_all(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    fs::write(&file, content).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// Reads a file.
pub fn read(file: &Path) -> Vec<u8> {
    fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Reads a file that is text.
pub fn read_text(file: &Path) -> String {
    String::from_utf8(read(file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// A `SKILL.md` with these two fields and one line of body.
pub fn skill_md(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\nBody of {name}.\n")
}

/// Creates the symlink `path` with this target.
#[cfg(unix)]
pub fn link(root: &Path, path: &str, target: &str) {
    let link = root.join(path);
    let parent = link.parent().unwrap_or(root);
    fs::create_dir_all(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    std::os::unix::fs::symlink(target, &link).unwrap_or_else(|error| panic!("{}: {error}", link.display()));
}

/// Copies a tree with its file modes, so that the copy can be changed.
pub fn copy(from: &Path, to: &Path) {
    for relative in files(from) {
        let (source, copy) = (from.join(&relative), to.join(&relative));
        let parent = copy.parent().unwrap_or(to);
        fs::create_dir_all(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
        fs::copy(&source, &copy).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    }
}

/// All files below a directory, relative to it, sorted. Symlinks aren't followed.
pub fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![PathBuf::new()];
    while let Some(relative) = todo.pop() {
        for entry in entries(&root.join(&relative)) {
            let path = relative.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => todo.push(path),
                _ => found.push(path),
            }
        }
    }
    found.sort();
    found
}

/// The directories in a directory, sorted.
pub fn directories(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        entries(root).iter().map(fs::DirEntry::path).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// The name of a file or directory.
pub fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A directory beside the checkout with data that we may not publish, for tests that are ignored by default.
pub fn shared(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(name);
    assert!(path.is_dir(), "this test needs `{name}` beside the checkout: there is no {}", path.display());
    path
}

fn entries(directory: &Path) -> Vec<fs::DirEntry> {
    let listing = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    listing.map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", directory.display()))).collect()
}

/// Removes a file or a symlink.
pub fn remove(path: &Path) {
    fs::remove_file(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
