//! Access to files below a directory, without following symlinks or leaving it. Each file is written
//! completely or not at all.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use super::plan::{Found, Sum};
use super::{ExportError, hidden};

/// An open directory.
#[derive(Debug)]
pub(super) struct Tree {
    dir: Dir,
    /// The path, for messages.
    shown: PathBuf,
}

impl Tree {
    /// Opens the directory at a path; `None` if it doesn't exist.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, ExportError> {
        refuse_links_of_others(path)?;
        match Dir::open_ambient_dir(path, ambient_authority()) {
            Ok(dir) => Ok(Some(Self { dir, shown: path.to_owned() })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ExportError::Io { path: path.to_owned(), what: "open", source }),
        }
    }

    /// Opens the directory at a path, and creates it if necessary.
    pub(super) fn make(path: &Path) -> Result<Self, ExportError> {
        refuse_links_of_others(path)?;
        refuse_dangling_links(path)?;
        let refuse = |source| ExportError::Io { path: path.to_owned(), what: "make", source };
        Dir::create_ambient_dir_all(path, ambient_authority()).map_err(refuse)?;
        let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(refuse)?;
        Ok(Self { dir, shown: path.to_owned() })
    }

    /// Opens a directory in this one; `None` if there is none with this name.
    pub(super) fn child(&self, name: &str) -> Option<Self> {
        let dir = self.dir.open_dir_nofollow(name).ok()?;
        Some(Self { dir, shown: self.shown.join(name) })
    }

    /// Opens a directory in this one, and creates it if necessary.
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

    /// The names of the directories in this one, sorted, without those that are being written.
    pub(super) fn children(&self) -> Result<Vec<String>, ExportError> {
        let entries = self.entries()?.into_iter();
        let names =
            entries.filter(|(name, is_dir)| *is_dir && !hidden::is_temporary(name)).map(|(name, _)| name);
        Ok(names.collect())
    }

    /// The names in this directory, sorted, and whether each is a directory.
    pub(super) fn entries(&self) -> Result<Vec<(String, bool)>, ExportError> {
        let entries = self.dir.entries().map_err(|source| self.refuse("", "read", source))?;
        let mut all = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|source| self.refuse("", "read", source))?;
            if let Ok(name) = entry.file_name().into_string() {
                all.push((name, entry.file_type().is_ok_and(|kind| kind.is_dir())));
            }
        }
        all.sort_unstable();
        Ok(all)
    }

    /// Whether anything has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.dir.symlink_metadata(name).is_ok()
    }

    /// Gives something in this directory another name.
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<(), ExportError> {
        self.dir.rename(from, &self.dir, to).map_err(|source| self.refuse(from, "rename", source))
    }

    /// Moves something to another directory.
    pub(super) fn rename_to(&self, name: &str, to: &Self) -> Result<(), ExportError> {
        self.dir.rename(name, &to.dir, name).map_err(|source| self.refuse(name, "move", source))
    }

    /// Removes a file or a directory with all that is in it, if possible.
    pub(super) fn remove_all(&self, name: &str) {
        // What stays is found by the next run.
        let _ = self.dir.remove_dir_all(name).or_else(|_| self.dir.remove_file(name));
    }

    /// What is at a path.
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
        Ok(Found::File(Sum::of(&bytes, is_executable(&metadata))))
    }

    /// The bytes of a file in this directory.
    pub(super) fn read_file(&self, name: &str) -> Result<Vec<u8>, ExportError> {
        let refuse = |source| self.refuse(name, "read", source);
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No);
        // Opening a pipe would otherwise wait for a writer.
        if !self.dir.symlink_metadata(name).map_err(refuse)?.is_file() {
            return Err(refuse(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")));
        }
        let mut bytes = Vec::new();
        let mut file = self.dir.open_with(name, &options).map_err(refuse)?;
        // One byte more than the limit shows that the file is too large.
        (&mut file).take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(refuse)?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(refuse(io::Error::new(io::ErrorKind::FileTooLarge, "too large")));
        }
        Ok(bytes)
    }

    /// The bytes of a file at a path.
    pub(super) fn read_path(&self, path: &str) -> Result<Vec<u8>, ExportError> {
        match self.walk(path)? {
            Some((Some(dir), name)) => dir.read_file(name),
            _ => Err(self.refuse(path, "read", io::ErrorKind::NotFound.into())),
        }
    }

    /// Writes a file and creates the directories above it. The file is written under another name, then
    /// renamed.
    pub(super) fn write(&self, path: &str, bytes: &[u8], executable: bool) -> Result<(), ExportError> {
        if let Some((above, rest)) = path.split_once('/') {
            return self.make_child(above)?.write(rest, bytes, executable);
        }
        let temporary = hidden::temporary();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        set_mode(&mut options, executable);
        let written = self
            .dir
            .open_with(&temporary, &options)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| self.dir.rename(&temporary, &self.dir, path));
        written.map_err(|source| {
            // Don't leave half a file behind.
            let _ = self.dir.remove_file(&temporary);
            self.refuse(path, "write", source)
        })
    }

    /// Removes a file, and the directories above it that become empty.
    pub(super) fn remove(&self, path: &str) -> Result<(), ExportError> {
        if let Some((above, rest)) = path.split_once('/') {
            let Some(child) = self.child(above) else { return Ok(()) };
            child.remove(rest)?;
            self.remove_empty(above);
            return Ok(());
        }
        self.dir.remove_file(path).map_err(|source| self.refuse(path, "remove", source))
    }

    /// Removes a directory if it is empty.
    pub(super) fn remove_empty(&self, name: &str) {
        // A directory that isn't empty stays.
        let _ = self.dir.remove_dir(name);
    }

    /// The directory that contains the last part of a path, and that part. `None` if a directory above
    /// doesn't exist; no directory if something else has its name.
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

/// Whether every part of a path is a valid file name on this system.
pub(super) fn is_plain(path: &str) -> bool {
    let is_sign = |c: char| c == '\0' || cfg!(windows) && matches!(c, '\\' | ':');
    path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains(is_sign))
}

/// Making a directory where a symlink points to nothing fails in the words of the system, which don't say that.
fn refuse_dangling_links(path: &Path) -> Result<(), ExportError> {
    let dangles = |path: &&Path| {
        path.symlink_metadata().is_ok_and(|found| found.is_symlink())
            && path.metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    };
    match path.ancestors().find(dangles) {
        Some(link) => Err(ExportError::DanglingLink {
            path: link.to_owned(),
            target: link.read_link().unwrap_or_default(),
        }),
        None => Ok(()),
    }
}

/// A directory of skills may be a symlink of the user's own, such as `.claude/skills` to `.agents/skills`. One that
/// another user has made could point anywhere.
#[cfg(unix)]
fn refuse_links_of_others(path: &Path) -> Result<(), ExportError> {
    use std::os::unix::fs::MetadataExt as _;
    let of_others = |path: &&Path| {
        let found = path.symlink_metadata();
        let mine = [rustix::process::geteuid().as_raw(), 0];
        found.is_ok_and(|found| found.is_symlink() && !mine.contains(&found.uid()))
    };
    match path.ancestors().take(2).find(of_others) {
        Some(link) => Err(ExportError::LinkOfAnother { path: link.to_owned() }),
        None => Ok(()),
    }
}

/// This system doesn't say whose a symlink is.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
fn refuse_links_of_others(_: &Path) -> Result<(), ExportError> {
    Ok(())
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

/// This system has no execute bits.
#[cfg(not(unix))]
fn is_executable(_: &cap_std::fs::Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn set_mode(_: &mut OpenOptions, _: bool) {}

/// The largest file that is compared, in bytes; no exported skill has a larger one, since a bundle has at
/// most 4 GiB.
const MAX_FILE: u64 = 1024 * 1024 * 1024;
