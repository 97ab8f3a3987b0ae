//! Reads a file that the walk found, and says in our own words why one cannot be read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::SkillFile;

/// Reads the whole of a file.
///
/// Only a plain file is read, even where something else stands in its place by now: a pipe makes no
/// one wait, a link is not followed and nothing is read from a device. The length is not limited here; check
/// [`SkillFile::len`] first. What memory has no room for is an error.
///
/// # Errors
///
/// What the system says, or [`io::ErrorKind::InvalidInput`] for what is no plain file;
/// [`in_words`] gives the text to show.
pub fn read_file(file: &SkillFile) -> io::Result<Vec<u8>> {
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
pub fn try_file(file: &SkillFile) -> io::Result<()> {
    open(file).map(drop)
}

/// An I/O error in words that are the same on every system, without a number.
pub fn in_words(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "not found",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::NotADirectory => "not a directory",
        io::ErrorKind::IsADirectory => "a directory",
        io::ErrorKind::InvalidFilename => "the name or path is too long",
        io::ErrorKind::InvalidInput => "not a plain file",
        io::ErrorKind::OutOfMemory => "out of memory",
        io::ErrorKind::StaleNetworkFileHandle => "the network disk lost it",
        _ => "the system cannot read it",
    }
}

#[cfg(unix)]
fn open(file: &SkillFile) -> io::Result<(File, u64)> {
    // The walk saw a plain file. What came since is opened without waiting and without following it.
    open_plain(&file.disk).map_err(|error| match fs::symlink_metadata(&file.disk) {
        Ok(metadata) if !metadata.is_file() => not_a_plain_file(),
        _ => error,
    })
}

#[cfg(not(unix))]
fn open(file: &SkillFile) -> io::Result<(File, u64)> {
    // There is no way to open without following a link, so look before and, against races, after.
    if !fs::symlink_metadata(&file.disk)?.is_file() {
        return Err(not_a_plain_file());
    }
    open_plain(&file.disk)
}

/// Opens a plain file, and returns its length too.
fn open_plain(path: &Path) -> io::Result<(File, u64)> {
    let file = options().open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok((file, metadata.len())) } else { Err(not_a_plain_file()) }
}

#[cfg(unix)]
fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    options.read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_NOCTTY);
    options
}

#[cfg(not(unix))]
fn options() -> OpenOptions {
    let mut options = File::options();
    options.read(true);
    options
}

fn not_a_plain_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")
}

#[cfg(all(test, unix))]
#[allow(clippy::disallowed_methods, reason = "the tests make their own files")]
mod tests {
    use super::*;
    use crate::source::scan::tests::make_pipe;

    #[test]
    fn a_pipe_that_came_between_makes_no_one_wait() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let pipe = dir.path().join("pipe");
        make_pipe(&pipe);
        let error = open_plain(&pipe).expect_err("it is no plain file");
        assert_eq!(in_words(&error), "not a plain file");
        let file = SkillFile { path: "pipe".to_owned(), disk: pipe, len: 0, executable: false };
        assert_eq!(in_words(&read_file(&file).expect_err("nor here")), "not a plain file");
    }

    #[test]
    fn a_link_that_came_between_is_not_followed() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let link = dir.path().join("link");
        fs::write(dir.path().join("secret"), "s").expect("written");
        std::os::unix::fs::symlink("secret", &link).expect("linked");
        assert!(open_plain(&link).is_err());
        let file = SkillFile { path: "link".to_owned(), disk: link, len: 0, executable: false };
        assert_eq!(in_words(&read_file(&file).expect_err("not followed")), "not a plain file");
    }

    #[test]
    fn a_file_that_is_gone_is_not_found() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let disk = dir.path().join("gone");
        let file = SkillFile { path: "gone".to_owned(), disk, len: 0, executable: false };
        assert_eq!(in_words(&read_file(&file).expect_err("it is gone")), "not found");
    }
}
