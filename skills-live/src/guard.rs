//! Opens files under a directory without ever following a link.
//!
//! The scan resolves links and says where each file really stands. Between that and the reading,
//! somebody may put a link in the place of a file or of a directory above it. So the directory is
//! held open from the scan on, and every part of a path is opened from the one before it: what has
//! become a link is refused, whatever it points at. Which files there are is not known here.

use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

/// A directory that is held open.
#[derive(Debug)]
pub(crate) struct Guard {
    real: PathBuf,
    dir: Dir,
}

/// A file that was read, and what the system said of the very file that was opened.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The content.
    pub(crate) bytes: Vec<u8>,
    /// Which version of which file it is.
    pub(crate) stamp: Stamp,
}

impl Guard {
    /// Opens a directory, given absolute and with every link resolved.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn open(real: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(real, ambient_authority())?;
        Ok(Self { real: real.to_owned(), dir })
    }

    /// Whether both hold the same directory open, whatever its path is now.
    pub(crate) fn holds_same(&self, other: &Self) -> bool {
        other.dir.dir_metadata().is_ok_and(|other| self.holds(&Stamp::of_opened(&other)))
    }

    /// Whether it holds open the directory that once had this stamp.
    pub(crate) fn holds(&self, stamp: &Stamp) -> bool {
        self.dir.dir_metadata().is_ok_and(|metadata| Stamp::of_opened(&metadata).id == stamp.id)
    }

    /// The directory.
    pub(crate) fn path(&self) -> &Path {
        &self.real
    }

    /// Reads a plain file of at most `limit` bytes. `disk` is absolute and stood under the directory,
    /// with every link resolved, when it was found.
    ///
    /// # Errors
    ///
    /// What the system says; [`io::ErrorKind::InvalidInput`] for what is no plain file,
    /// [`io::ErrorKind::FileTooLarge`] past the limit. A link in the way is one or the other, by
    /// system; [`leads_out`] tells.
    pub(crate) fn read(&self, disk: &Path, limit: u64) -> io::Result<Opened> {
        let mut file = self.find(disk)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
        }
        let mut bytes = Vec::with_capacity(metadata.len().min(limit) as usize);
        // One byte more tells a file that is too large from one that just fits; a file may grow.
        (&mut file).take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "too large"));
        }
        Ok(Opened { bytes, stamp: Stamp::of_opened(&metadata) })
    }

    fn find(&self, disk: &Path) -> io::Result<File> {
        let outside = || io::Error::new(io::ErrorKind::InvalidInput, "not under the directory");
        let below = disk.strip_prefix(&self.real).map_err(|_| outside())?;
        let name = below.file_name().ok_or_else(outside)?;
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No);
        never_wait(&mut options);
        let mut inner: Option<Dir> = None;
        for component in below.parent().into_iter().flat_map(Path::components) {
            let Component::Normal(name) = component else { return Err(outside()) };
            inner = Some(inner.as_ref().unwrap_or(&self.dir).open_dir_nofollow(name)?);
        }
        inner.as_ref().unwrap_or(&self.dir).open_with(name, &options)
    }
}

/// Opening a pipe waits for somebody to write to it, unless told otherwise.
#[cfg(unix)]
fn never_wait(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt as _;
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
}

#[cfg(not(unix))]
fn never_wait(_: &mut OpenOptions) {}

/// Which version of which file or directory something is, as far as the system tells.
///
/// Two equal stamps mean the same content, if some time lies between the last change and the moment
/// at which the stamp was taken: clocks of file systems tick slowly ([`Stamp::is_settled`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    id: [u64; 2],
    len: u64,
    modified: i128,
    changed: i128,
}

/// The coarsest clock of a file system in use is that of FAT: 2 s.
const COARSEST_TICK_NS: i128 = 2_000_000_000;

impl Stamp {
    /// The stamp of what stands at a path now; a link is looked at itself.
    ///
    /// # Errors
    ///
    /// What the system says.
    #[allow(clippy::disallowed_methods, reason = "a look at what the walk has found")]
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        std::fs::symlink_metadata(path).map(|metadata| Self::of_listed(&metadata))
    }

    /// Whether the change lies so far back from `now` that a later one has another stamp. Where the
    /// system does not tell when something changed but for its content, nothing is ever settled.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        let now = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |time| i128::try_from(time.as_nanos()).unwrap_or(i128::MAX));
        // The other time is for anybody to set, to a day to come as well.
        self.changed != UNKNOWN && self.changed + COARSEST_TICK_NS < now
    }

    #[cfg(unix)]
    fn of_listed(metadata: &std::fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self {
            id: [metadata.dev(), metadata.ino()],
            len: metadata.len(),
            modified: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    #[cfg(unix)]
    fn of_opened(metadata: &Metadata) -> Self {
        use cap_std::fs::MetadataExt as _;
        Self {
            id: [metadata.dev(), metadata.ino()],
            len: metadata.len(),
            modified: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    #[cfg(not(unix))]
    fn of_listed(metadata: &std::fs::Metadata) -> Self {
        Self::of_times(metadata.len(), metadata.modified())
    }

    #[cfg(not(unix))]
    fn of_opened(metadata: &Metadata) -> Self {
        Self::of_times(metadata.len(), metadata.modified().map(cap_std::time::SystemTime::into_std))
    }

    #[cfg(not(unix))]
    fn of_times(len: u64, modified: io::Result<SystemTime>) -> Self {
        let since = modified.ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let modified = since.map_or(0, |time| time.as_nanos() as i128);
        Self { id: [0; 2], len, modified, changed: UNKNOWN }
    }
}

/// No time of change is known.
const UNKNOWN: i128 = i128::MIN;

#[cfg(unix)]
fn nanoseconds(seconds: i64, nanoseconds: i64) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds)
}

/// Whether an error of [`Guard::read`] says that a link stands in the way, or that the path was led
/// elsewhere.
pub(crate) fn leads_out(error: &io::Error) -> bool {
    #[cfg(unix)]
    let is_link = error.raw_os_error().is_some_and(|code| code == libc::ELOOP || code == libc::EMLINK);
    #[cfg(not(unix))]
    let is_link = false;
    is_link || matches!(error.kind(), io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput)
}
