//! Private files for long results: only this user can read them.
//!
//! If the system allows it, a file is deleted while it is open, so a crash leaves nothing behind. Since the
//! number of open files is limited, files beyond a maximum keep their names until their results are dropped.
//! The next start sweeps files that a crash left behind, by owner and age.

use std::collections::BTreeSet;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::lock::lock;

/// The name of every directory of results begins with this.
const PREFIX: &str = "skills-results-";

/// How many files this process keeps open without a name. Many systems allow 1,024 open files, and a
/// program needs most of them for other work.
const OPEN_MOST: usize = 64;

/// A directory that hasn't been read or written for this long is taken for abandoned.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// The directories that were swept.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A directory that only this user can enter. It is deleted with this value.
#[derive(Debug)]
pub(super) struct PrivateDir {
    dir: TempDir,
    /// The directory as it was made.
    made: Metadata,
}

impl PrivateDir {
    /// Makes one in `parent`, or in the system's directory for temporary files. The first one in each parent sweeps
    /// what earlier programs left there.
    pub(super) fn make(parent: Option<&Path>) -> io::Result<Self> {
        let parent = parent.map_or_else(std::env::temp_dir, Path::to_owned);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let dir = builder.tempdir_in(&parent)?;
        let made = std::fs::symlink_metadata(dir.path())?;
        if lock(&SWEPT).insert(parent.clone()) {
            sweep(&parent, &made, SystemTime::now());
        }
        Ok(Self { dir, made })
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Makes the directory again if it is gone: another program may have swept it after a long time without a
    /// result. Returns `false` if something else is there, which another user may have put there.
    pub(super) fn renew(&self) -> io::Result<bool> {
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(self.path()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.is_ours(),
            Err(error) => Err(error),
        }
    }

    /// Whether there is a directory of this user that nobody else can enter.
    fn is_ours(&self) -> io::Result<bool> {
        // A symlink isn't followed, so it isn't a directory.
        let found = std::fs::symlink_metadata(self.path())?;
        Ok(found.is_dir() && has_same_owner(&found, &self.made) && is_private(&found))
    }
}

impl Drop for PrivateDir {
    fn drop(&mut self) {
        // What another user has put there is left alone.
        let is_ours = self.is_ours().unwrap_or(false);
        self.dir.disable_cleanup(!is_ours);
    }
}

/// Sweeps the system's directory for temporary files, once, on a thread of its own.
pub(super) fn sweep_at_start() {
    static START: Once = Once::new();
    START.call_once(|| {
        let swept =
            std::thread::Builder::new().name("skills-results".to_owned()).spawn(|| PrivateDir::make(None));
        // Without a thread, the first long result sweeps.
        drop(swept);
    });
}

/// Deletes the directories of results of this user that nobody has used for a day.
///
/// `own` describes a directory that this process made; only directories of the same owner are deleted.
#[allow(clippy::disallowed_methods, reason = "it reads names only, and no skills")]
fn sweep(parent: &Path, own: &Metadata, now: SystemTime) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        // A symlink is neither followed nor deleted.
        let Ok(found) = std::fs::symlink_metadata(entry.path()) else { continue };
        let age = found.modified().ok().and_then(|modified| now.duration_since(modified).ok());
        if found.is_dir() && has_same_owner(&found, own) && age.is_some_and(|age| age > ABANDONED) {
            // If this fails, the next start tries again.
            drop(std::fs::remove_dir_all(entry.path()));
        }
    }
}

#[cfg(unix)]
fn has_same_owner(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    one.uid() == other.uid()
}

/// Whether only its owner can enter a directory.
#[cfg(unix)]
fn is_private(found: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    found.permissions().mode() & 0o777 == 0o700
}

#[cfg(not(unix))]
fn is_private(_: &Metadata) -> bool {
    true
}

/// Whether both describe one file.
#[cfg(unix)]
fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Elsewhere the directory for temporary files belongs to one user.
#[cfg(not(unix))]
fn has_same_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// A file that only this user can read.
#[derive(Debug)]
pub(super) struct PrivateFile {
    path: PathBuf,
    /// The file as it was made.
    made: Metadata,
    /// The open file, if its name is deleted.
    nameless: Option<(File, Slot)>,
}

impl PrivateFile {
    /// Writes a new file. `keeps_name` keeps its name in the directory on every system.
    pub(super) fn write(path: PathBuf, text: &str, keeps_name: bool) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path)?;
        let made = file.metadata()?;
        let slot = if cfg!(unix) && !keeps_name { Slot::take() } else { None };
        let slot = slot.filter(|_| std::fs::remove_file(&path).is_ok());
        if let Err(error) = file.write_all(text.as_bytes()) {
            if slot.is_none() {
                drop(std::fs::remove_file(&path));
            }
            return Err(error);
        }
        Ok(Self { path, made, nameless: slot.map(|slot| (file, slot)) })
    }

    /// Reads at most this many bytes, from a byte offset.
    pub(super) fn read(&self, from: u64, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        #[cfg(unix)]
        if let Some((file, _)) = &self.nameless {
            // With an explicit position, since reads may be concurrent.
            let length = file.metadata()?.len().saturating_sub(from).min(most);
            bytes.resize(usize::try_from(length).map_err(io::Error::other)?, 0);
            std::os::unix::fs::FileExt::read_exact_at(file, &mut bytes, from)?;
            self.is_in_use();
            return Ok(bytes);
        }
        let mut file = File::open(&self.path)?;
        // After a sweep, another user could have put another file or a symlink in its place.
        if !is_same_file(&file.metadata()?, &self.made) {
            return Err(io::ErrorKind::NotFound.into());
        }
        file.seek(SeekFrom::Start(from))?;
        file.take(most).read_to_end(&mut bytes)?;
        self.is_in_use();
        Ok(bytes)
    }

    /// Deletes it. A file without a name is deleted when this value is dropped.
    pub(super) fn delete(&self) -> io::Result<()> {
        if self.nameless.is_some() { Ok(()) } else { std::fs::remove_file(&self.path) }
    }

    /// Keeps its directory from being swept. Some systems can't open directories; there, the time of the last new
    /// file counts.
    fn is_in_use(&self) {
        let dir = self.path.parent().and_then(|dir| File::open(dir).ok());
        drop(dir.map(|dir| dir.set_modified(SystemTime::now())));
    }
}

/// The right to keep one file open.
#[derive(Debug)]
struct Slot;

static OPEN: AtomicUsize = AtomicUsize::new(0);

impl Slot {
    fn take() -> Option<Self> {
        let more = |open| (open < OPEN_MOST).then_some(open + 1);
        OPEN.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).ok().map(|_| Self)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt};
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    use super::*;

    fn mode(path: &Path) -> Option<u32> {
        std::fs::metadata(path).ok().map(|found| found.permissions().mode() & 0o777)
    }

    /// A user who owns none of these files.
    const NOBODY: u32 = 65_534;

    fn can_read_as_nobody(path: &Path) -> bool {
        let mut read = Command::new("cat");
        read.arg(path).uid(NOBODY).gid(NOBODY).output().is_ok_and(|read| read.status.success())
    }

    #[test]
    fn only_their_user_can_read_them() {
        let parent = tempfile::tempdir().unwrap();
        std::fs::set_permissions(parent.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let dir = PrivateDir::make(Some(parent.path())).unwrap();
        let file = dir.path().join("result");
        let kept = PrivateFile::write(file.clone(), "private", true).unwrap();
        assert_eq!((mode(dir.path()), mode(&file)), (Some(0o700), Some(0o600)));
        assert_eq!(kept.read(0, 100).unwrap(), b"private");
        // Only root can run a command as another user.
        if std::fs::metadata(dir.path()).unwrap().uid() == 0 {
            let open = parent.path().join("open");
            std::fs::copy(&file, &open).unwrap();
            std::fs::set_permissions(&open, PermissionsExt::from_mode(0o644)).unwrap();
            assert!(can_read_as_nobody(&open), "the test itself can see a difference");
            assert!(!can_read_as_nobody(&file));
            std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
            assert!(!can_read_as_nobody(&file), "the file is closed by itself");
        }
        kept.delete().unwrap();
        assert!(!file.exists());
    }

    #[test]
    fn an_open_file_has_no_name_and_there_are_only_so_many() {
        let dir = tempfile::tempdir().unwrap();
        let write = |number: usize| {
            let path = dir.path().join(number.to_string());
            (PrivateFile::write(path.clone(), &format!("text {number}"), false).unwrap(), path)
        };
        let all: Vec<_> = (0..2 * OPEN_MOST).map(write).collect();
        let named = all.iter().filter(|(_, path)| path.exists()).count();
        // Other tests may hold some of the open files.
        assert!((OPEN_MOST..all.len()).contains(&named), "{named}");
        for (number, (file, _)) in all.iter().enumerate() {
            assert_eq!(file.read(5, 100).unwrap(), number.to_string().as_bytes());
            assert_eq!(file.read(0, 4).unwrap(), b"text");
        }
        let missing = PrivateFile::write(dir.path().join("none/there"), "x", false);
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_a_crash_left_is_swept_by_owner_and_age() {
        let parent = tempfile::tempdir().unwrap();
        let make = |name: &str, days: u64| {
            let dir = parent.path().join(name);
            std::fs::create_dir(&dir).unwrap();
            drop(PrivateFile::write(dir.join("result"), "private", true).unwrap());
            let then = SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60);
            File::open(&dir).unwrap().set_modified(then).unwrap();
            dir
        };
        let old = make("skills-results-old", 2);
        let (new, other) = (make("skills-results-new", 0), make("another-program", 2));
        let (read, linked) = (make("skills-results-read", 2), make("linked", 2));
        let link = parent.path().join("skills-results-link");
        std::os::unix::fs::symlink(&linked, &link).unwrap();
        let foreign = make("skills-results-foreign", 2);
        let is_root = std::fs::metadata(&foreign).unwrap().uid() == 0;
        if is_root {
            std::os::unix::fs::chown(&foreign, Some(NOBODY), None).unwrap();
        }
        // A long conversation is still being read.
        let path = read.join("result");
        let file = PrivateFile { made: std::fs::metadata(&path).unwrap(), path, nameless: None };
        assert_eq!(file.read(0, 7).unwrap(), b"private");

        let own = PrivateDir::make(Some(parent.path())).unwrap();
        assert!(!old.exists());
        assert!(new.exists() && other.exists() && read.exists() && own.path().exists());
        assert!(link.is_symlink() && linked.join("result").exists());
        assert_eq!(foreign.exists(), is_root);
        // Only the first one in this process sweeps.
        let later = make("skills-results-later", 2);
        drop(PrivateDir::make(Some(parent.path())).unwrap());
        assert!(later.exists());
    }

    /// Another program swept the directory, and somebody else made one of the same name.
    #[test]
    fn a_directory_that_was_taken_over_is_not_used() {
        let parent = tempfile::tempdir().unwrap();
        let dir = PrivateDir::make(Some(parent.path())).unwrap();
        assert!(dir.renew().unwrap(), "it is there");
        std::fs::remove_dir(dir.path()).unwrap();
        assert!(dir.renew().unwrap() && mode(dir.path()) == Some(0o700), "it is there again");

        std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
        assert!(!dir.renew().unwrap(), "others can enter it");
        std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o700)).unwrap();
        assert!(dir.renew().unwrap());
        if std::fs::metadata(dir.path()).unwrap().uid() == 0 {
            std::os::unix::fs::chown(dir.path(), Some(NOBODY), None).unwrap();
            assert!(!dir.renew().unwrap(), "it belongs to another user");
        }
        std::fs::remove_dir(dir.path()).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), dir.path()).unwrap();
        assert!(!dir.renew().unwrap(), "it is a symlink");
        std::fs::remove_file(dir.path()).unwrap();
        File::create(dir.path()).unwrap();
        assert!(!dir.renew().unwrap(), "it is a file");
        let path = dir.path().to_owned();
        drop(dir);
        assert!(path.is_file(), "what belongs to another user stays");
    }

    #[test]
    fn a_file_that_was_replaced_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("result");
        let file = PrivateFile::write(path.clone(), "mine", true).unwrap();
        assert_eq!(file.read(0, 100).unwrap(), b"mine");
        let other = dir.path().join("other");
        drop(PrivateFile::write(other.clone(), "not mine", true).unwrap());
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&other, &path).unwrap();
        assert_eq!(file.read(0, 100).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
