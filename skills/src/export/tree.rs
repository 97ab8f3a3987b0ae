//! A directory that is never left: files in it by their parts, no link followed, each written whole.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use sha2::{Digest as _, Sha256};

use super::ExportError;
use super::plan::{Found, Sum};

/// A directory, held open.
#[derive(Debug)]
pub(super) struct Tree {
    dir: Dir,
    /// For people.
    shown: PathBuf,
}

impl Tree {
    /// The directory at a path; `None` where there is none.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, ExportError> {
        match Dir::open_ambient_dir(path, ambient_authority()) {
            Ok(dir) => Ok(Some(Self { dir, shown: path.to_owned() })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ExportError::Io { path: path.to_owned(), what: "open", source }),
        }
    }

    /// The same, made where there is none.
    pub(super) fn make(path: &Path) -> Result<Self, ExportError> {
        let refuse = |source| ExportError::Io { path: path.to_owned(), what: "make", source };
        Dir::create_ambient_dir_all(path, ambient_authority()).map_err(refuse)?;
        let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(refuse)?;
        Ok(Self { dir, shown: path.to_owned() })
    }

    /// A directory in it; `None` where there is none, or something else.
    pub(super) fn child(&self, name: &str) -> Option<Self> {
        let dir = self.dir.open_dir_nofollow(name).ok()?;
        Some(Self { dir, shown: self.shown.join(name) })
    }

    /// A directory in it, made where there is none.
    pub(super) fn make_child(&self, name: &str) -> Result<Self, ExportError> {
        match self.dir.create_dir(name) {
            Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
                return Err(self.refuse(name, "make", source));
            }
            _ => {}
        }
        let dir = self.dir.open_dir_nofollow(name).map_err(|source| self.refuse(name, "open", source))?;
        Ok(Self { dir, shown: self.shown.join(name) })
    }

    /// Names of the directories in it, sorted.
    pub(super) fn children(&self) -> Result<Vec<String>, ExportError> {
        let entries = self.dir.entries().map_err(|source| self.refuse("", "read", source))?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|source| self.refuse("", "read", source))?;
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if let (true, Ok(name)) = (is_dir, entry.file_name().into_string()) {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// What stands at a path.
    pub(super) fn find(&self, path: &str) -> Result<Found, ExportError> {
        let Some((dir, name)) = self.walk(path)? else { return Ok(Found::Nothing) };
        let Some(dir) = dir else { return Ok(Found::Obstacle) };
        let metadata = match dir.dir.symlink_metadata(name) {
            Ok(metadata) if metadata.is_file() => metadata,
            Ok(_) => return Ok(Found::Obstacle),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(source) => return Err(dir.refuse(name, "look at", source)),
        };
        let bytes = dir.read_file(name)?;
        Ok(Found::File(Sum { sha256: Sha256::digest(&bytes).into(), executable: is_executable(&metadata) }))
    }

    /// The bytes of a file right in it.
    pub(super) fn read_file(&self, name: &str) -> Result<Vec<u8>, ExportError> {
        let refuse = |source| self.refuse(name, "read", source);
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No);
        // Opening a pipe would wait for somebody to write to it.
        if !self.dir.symlink_metadata(name).map_err(refuse)?.is_file() {
            return Err(refuse(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")));
        }
        let mut bytes = Vec::new();
        let mut file = self.dir.open_with(name, &options).map_err(refuse)?;
        // One byte more than may be tells what is too large; nothing that is written here comes near.
        (&mut file).take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(refuse)?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(refuse(io::Error::new(io::ErrorKind::FileTooLarge, "too large")));
        }
        Ok(bytes)
    }

    /// Writes a file, with the directories above it: first beside its place, then put into it.
    pub(super) fn write(&self, path: &str, bytes: &[u8], executable: bool) -> Result<(), ExportError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if let Some((above, rest)) = path.split_once('/') {
            return self.make_child(above)?.write(rest, bytes, executable);
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = format!(".skills-export-{}-{number}.tmp", std::process::id());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        set_mode(&mut options, executable);
        let written = self
            .dir
            .open_with(&temporary, &options)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| self.dir.rename(&temporary, &self.dir, path));
        written.map_err(|source| {
            // Nobody has a use for half a file.
            let _ = self.dir.remove_file(&temporary);
            self.refuse(path, "write", source)
        })
    }

    /// Takes a file away, and the directories above it that are empty then.
    pub(super) fn remove(&self, path: &str) -> Result<(), ExportError> {
        if let Some((above, rest)) = path.split_once('/') {
            let Some(child) = self.child(above) else { return Ok(()) };
            child.remove(rest)?;
            self.remove_empty(above);
            return Ok(());
        }
        self.dir.remove_file(path).map_err(|source| self.refuse(path, "remove", source))
    }

    /// Takes away a directory if nothing is in it.
    pub(super) fn remove_empty(&self, name: &str) {
        // One with something in it stays.
        let _ = self.dir.remove_dir(name);
    }

    /// The directory of a path's last part, and that part. `None` where a directory above is not there;
    /// no directory where something else stands in its place.
    fn walk<'p>(&self, path: &'p str) -> Result<Option<(Option<Self>, &'p str)>, ExportError> {
        let dir = self.dir.try_clone().map_err(|source| self.refuse("", "open", source))?;
        let (mut tree, mut rest) = (Self { dir, shown: self.shown.clone() }, path);
        while let Some((above, below)) = rest.split_once('/') {
            match tree.child(above) {
                Some(child) => tree = child,
                None if tree.dir.symlink_metadata(above).is_ok() => return Ok(Some((None, below))),
                None => return Ok(None),
            }
            rest = below;
        }
        Ok(Some((Some(tree), rest)))
    }

    fn refuse(&self, name: &str, what: &'static str, source: io::Error) -> ExportError {
        let path = if name.is_empty() { self.shown.clone() } else { self.shown.join(name) };
        ExportError::Io { path, what, source }
    }
}

/// Whether every part of a path is a plain name here.
pub(super) fn is_plain(path: &str) -> bool {
    let is_sign = |c: char| c == '\0' || cfg!(windows) && matches!(c, '\\' | ':');
    path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains(is_sign))
}

#[cfg(unix)]
fn is_executable(metadata: &cap_std::fs::Metadata) -> bool {
    use cap_std::fs::MetadataExt as _;
    metadata.mode() & 0o100 != 0
}

#[cfg(unix)]
fn set_mode(options: &mut OpenOptions, executable: bool) {
    use cap_std::fs::OpenOptionsExt as _;
    options.mode(if executable { 0o777 } else { 0o666 });
}

/// There is no such bit.
#[cfg(not(unix))]
fn is_executable(_: &cap_std::fs::Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn set_mode(_: &mut OpenOptions, _: bool) {}

/// The most bytes of a file that are compared: no skill holds a larger one in a bundle of 4 GiB that
/// anybody would export.
const MAX_FILE: u64 = 1024 * 1024 * 1024;
