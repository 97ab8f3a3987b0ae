//! Reads a file that the walk found, and says in our own words why one cannot be read.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::FoundFile;
use super::walk::is_executable;
pub use skills_pack::in_words;

/// Reads the whole of a file.
///
/// Only the plain file that the walk saw is read: a symlink that took its place is not followed, and
/// nothing is read from a pipe or a device. The length is not limited here; check [`FoundFile::len`]
/// first. A file that memory has no room for is an error.
///
/// # Errors
///
/// What the system says, or [`io::ErrorKind::InvalidInput`] for what is no plain file;
/// [`in_words`] gives the text to show.
pub fn read_file(file: &FoundFile) -> io::Result<Vec<u8>> {
    let (mut opened, len) = open(file)?;
    // With room for all of it and a limit above all of it, the length is not asked for again.
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(len).unwrap_or(usize::MAX).saturating_add(1))?;
    opened.by_ref().take(u64::MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file as [`read_file`] does, and reads nothing of it: whether it can be read at all.
///
/// # Errors
///
/// As [`read_file`].
pub fn try_file(file: &FoundFile) -> io::Result<()> {
    open(file).map(drop)
}

/// The plain file with this path, with `/`, in a skill's directory, also one that a walk leaves out.
///
/// # Errors
///
/// What the system says, or [`io::ErrorKind::InvalidInput`] where it is no plain file or any part of the path
/// is a symlink.
pub fn find_file(directory: &Path, path: &str) -> io::Result<FoundFile> {
    let mut disk = directory.to_owned();
    for part in path.split('/') {
        if matches!(part, "" | "." | "..") || fs::symlink_metadata(&disk)?.is_symlink() {
            return Err(not_a_plain_file());
        }
        disk.push(part);
    }
    let seen = fs::symlink_metadata(&disk)?;
    if !seen.is_file() {
        return Err(not_a_plain_file());
    }
    Ok(FoundFile { path: path.to_owned(), disk, len: seen.len(), executable: is_executable(&seen) })
}

/// A path with the symlinks in it resolved, as far as it exists: the place of a file that need not be saved yet.
pub fn real(path: &Path) -> PathBuf {
    let mut rest = Vec::new();
    for above in path.ancestors() {
        // Nothing is what is left of a relative path.
        let above = if above == Path::new("") { Path::new(".") } else { above };
        if let Ok(real) = above.canonicalize() {
            return rest.iter().rev().fold(real, |path, part| path.join(part));
        }
        rest.extend(above.file_name());
    }
    path.to_owned()
}

/// Opens a plain file, and returns its length too.
///
/// What opens a file without following a link or waiting for a pipe differs by system and needs a crate
/// of its own, which every first build would pay for. So this looks before it opens, and then whether
/// what it opened is what it saw. (Files of a live root are opened by a guard, one part of a path after
/// the other.)
fn open(file: &FoundFile) -> io::Result<(File, u64)> {
    let seen = fs::symlink_metadata(&file.disk)?;
    if !seen.is_file() {
        return Err(not_a_plain_file());
    }
    open_seen(&file.disk, &seen)
}

/// Opens the file that was seen at a path, unless something else is there by now.
fn open_seen(path: &Path, seen: &fs::Metadata) -> io::Result<(File, u64)> {
    let file = File::open(path)?;
    let opened = file.metadata()?;
    if opened.is_file() && is_same(&opened, seen) {
        Ok((file, opened.len()))
    } else {
        Err(not_a_plain_file())
    }
}

#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Elsewhere a file has no number that can be compared: its time of creation has to do.
#[cfg(not(unix))]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    one.created().ok() == other.created().ok()
}

fn not_a_plain_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")
}

#[cfg(all(test, unix))]
#[allow(clippy::disallowed_methods, reason = "the tests make their own files")]
mod tests {
    use super::*;
    use crate::scan::tests::make_pipe;

    fn file_at(disk: std::path::PathBuf) -> FoundFile {
        FoundFile { path: "file".to_owned(), disk, len: 0, executable: false }
    }

    #[test]
    fn a_pipe_is_not_opened() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let pipe = dir.path().join("pipe");
        make_pipe(&pipe);
        assert_eq!(in_words(&read_file(&file_at(pipe)).expect_err("no plain file")), "not a plain file");
    }

    #[test]
    fn a_symlink_in_the_place_of_a_file_is_not_followed() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let (file, secret) = (dir.path().join("file"), dir.path().join("secret"));
        fs::write(&file, "f").expect("written");
        fs::write(&secret, "s").expect("written");
        let seen = fs::symlink_metadata(&file).expect("it is there");
        assert!(open_seen(&file, &seen).is_ok());

        // Between the look and the opening.
        fs::remove_file(&file).expect("removed");
        std::os::unix::fs::symlink("secret", &file).expect("linked");
        assert_eq!(in_words(&open_seen(&file, &seen).expect_err("it is another")), "not a plain file");
        // Before the look.
        assert_eq!(in_words(&read_file(&file_at(file)).expect_err("a symlink")), "not a plain file");
    }

    #[test]
    fn a_file_that_is_gone_is_not_found() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = file_at(dir.path().join("gone"));
        assert_eq!(in_words(&read_file(&file).expect_err("it is gone")), "not found");
    }
}
