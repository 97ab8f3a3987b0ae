//! Puts a fix on disk: whole or not at all, and only over the file that was read.
//!
//! The new content goes into a file beside the old one, with its permissions and owner, and takes its
//! place in one step. Nothing is written through a link. What the new content is was decided before.

#![allow(
    clippy::disallowed_methods,
    reason = "this file writes; it lists one directory, to see how a name is spelt"
)]

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::Path;

use skills_source::scan::{self, SKILL_FILE};

use super::FileFix;

/// Why a fix was not written. The file is as it was before.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotWritten {
    /// It is not the file that was read any more: its content, its kind, or the way to it.
    Changed,
    /// It may not be written, or its directory may not.
    NotAllowed,
    /// It has a second name, by a hard link, or is renamed where it is a link: one of the two would
    /// keep the old content or lead nowhere.
    Linked,
    /// A file with the new name is there already.
    Exists,
    /// A new file in its place would belong to somebody else.
    Owner,
    /// The system refused for another reason.
    Io(io::Error),
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Changed => "it was changed while it was checked; check again",
            Self::NotAllowed => "it or its directory may not be written; change the permissions",
            Self::Linked => "it is a symlink or has a hard link; fix it by hand",
            Self::Exists => "there is a `SKILL.md` already; keep one of the two",
            Self::Owner => "it belongs to somebody else, and a new file would not; let its owner fix it",
            Self::Io(error) => match error.kind() {
                io::ErrorKind::StorageFull => "no space is left; make room and try again",
                io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only; fix a copy elsewhere",
                _ => "the system refused to write it; look at the disk",
            },
        })
    }
}

impl std::error::Error for NotWritten {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for NotWritten {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput => {
                Self::Changed
            }
            io::ErrorKind::PermissionDenied => Self::NotAllowed,
            _ => Self::Io(error),
        }
    }
}

/// Writes a fix, and gives the file its new name if it gets one.
///
/// # Errors
///
/// Where the file is not the one that was read, or may not be written; it is then untouched. A file
/// that was fixed but could not be renamed keeps its old name, and the error says why.
pub fn write(fix: &FileFix) -> Result<(), NotWritten> {
    let metadata = same_as_read(fix)?;
    if fix.before != fix.after {
        replace(fix, &metadata)?;
    }
    match fix.new_path {
        Some(_) => rename(fix),
        None => Ok(()),
    }
}

/// The file's metadata, if it is still the one that was read.
fn same_as_read(fix: &FileFix) -> Result<Metadata, NotWritten> {
    let metadata = fs::symlink_metadata(&fix.file.disk)?;
    let is_same_way = fs::canonicalize(fix.directory())? == fix.directory();
    if is_same_way && scan::read_file(&fix.file)? == fix.before {
        Ok(metadata)
    } else {
        Err(NotWritten::Changed)
    }
}

fn replace(fix: &FileFix, metadata: &Metadata) -> Result<(), NotWritten> {
    // A rename would get past the file's own permissions.
    if metadata.permissions().readonly() {
        return Err(NotWritten::NotAllowed);
    }
    File::options().write(true).open(&fix.file.disk)?;
    if has_second_name(metadata) {
        return Err(NotWritten::Linked);
    }
    let mut new = tempfile::Builder::new().prefix(".skills-fix-").tempfile_in(fix.directory())?;
    new.write_all(&fix.after)?;
    keep_owner(new.path(), metadata)?;
    new.as_file().set_permissions(metadata.permissions())?;
    new.as_file().sync_all()?;
    same_as_read(fix)?;
    new.persist(&fix.file.disk).map_err(|error| NotWritten::from(error.error))?;
    Ok(())
}

fn rename(fix: &FileFix) -> Result<(), NotWritten> {
    let (from, to) = (&fix.entry, fix.entry.with_file_name(SKILL_FILE));
    if fs::symlink_metadata(from)?.is_symlink() {
        return Err(NotWritten::Linked);
    }
    // Unlike a rename, a link never takes the place of a file that is there.
    match fs::hard_link(from, &to) {
        Ok(()) => Ok(fs::remove_file(from)?),
        // Either there is such a file, or the system does not tell the two names apart, or it has no
        // hard links.
        Err(_) if is_listed(&to)? => Err(NotWritten::Exists),
        Err(_) => Ok(fs::rename(from, &to)?),
    }
}

/// Whether a directory has a file by this very name, letter by letter.
fn is_listed(path: &Path) -> io::Result<bool> {
    let directory = path.parent().unwrap_or(Path::new("."));
    for entry in fs::read_dir(directory)? {
        if Some(entry?.file_name().as_os_str()) == path.file_name() {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(unix)]
fn has_second_name(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.nlink() > 1
}

#[cfg(not(unix))]
fn has_second_name(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn keep_owner(new: &Path, old: &Metadata) -> Result<(), NotWritten> {
    use std::os::unix::fs::MetadataExt as _;
    let made = fs::symlink_metadata(new)?;
    if (made.uid(), made.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    std::os::unix::fs::chown(new, Some(old.uid()), Some(old.gid())).map_err(|_| NotWritten::Owner)
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &Metadata) -> Result<(), NotWritten> {
    Ok(())
}
