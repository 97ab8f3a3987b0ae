//! Opens files below a directory without following symlinks.
//!
//! The scan resolves symlinks and records the real path of each file. Before the file is read, somebody could
//! replace it, or a directory above it, with a symlink. So the directory stays open from the scan on, and
//! each part of a path is opened relative to the one before; a symlink is refused wherever it points. This
//! module doesn't know which files there are.

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

/// A file that was read, with the metadata of the opened file.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The content.
    pub(crate) bytes: Vec<u8>,
    /// Identifies the version of the file.
    pub(crate) stamp: Stamp,
}

impl Guard {
    /// Opens a directory. The path is absolute, with symlinks resolved.
    ///
    /// # Errors
    ///
    /// The I/O error of the system.
    pub(crate) fn open(real: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(real, ambient_authority())?;
        Ok(Self { real: real.to_owned(), dir })
    }

    /// Whether both hold the same directory open, even if its path has changed.
    pub(crate) fn holds_same(&self, other: &Self) -> bool {
        other.dir.dir_metadata().is_ok_and(|other| self.holds(&Stamp::of_opened(&other)))
    }

    /// Whether the open directory is the one that had this stamp.
    pub(crate) fn holds(&self, stamp: &Stamp) -> bool {
        self.dir.dir_metadata().is_ok_and(|metadata| Stamp::of_opened(&metadata).is_of_same(stamp))
    }

    /// The directory.
    pub(crate) fn path(&self) -> &Path {
        &self.real
    }

    /// Reads a plain file of at most `limit` bytes. `disk` is the path at which the scan found the file:
    /// absolute, below the directory, with symlinks resolved.
    ///
    /// # Errors
    ///
    /// The I/O error of the system; [`io::ErrorKind::InvalidInput`] if it isn't a plain file,
    /// [`io::ErrorKind::FileTooLarge`] if it is larger than `limit`. Which error a symlink causes depends on
    /// the system; [`leads_out`] recognises it.
    pub(crate) fn read(&self, disk: &Path, limit: u64) -> io::Result<Opened> {
        let mut file = self.find(disk)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
        }
        let mut bytes = Vec::with_capacity(metadata.len().min(limit) as usize);
        // One byte more than the limit shows that the file is too large, even if it has grown meanwhile.
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

/// Opening a pipe would otherwise wait for a writer.
#[cfg(unix)]
fn never_wait(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt as _;
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
}

#[cfg(not(unix))]
fn never_wait(_: &mut OpenOptions) {}

/// Identifies a version of a file or directory, as far as the system's metadata allows.
///
/// Equal stamps mean equal content only if the stamp was taken some time after the last change, since the
/// clocks of file systems are coarse ([`Stamp::is_settled`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    id: [u64; 2],
    len: u64,
    modified: i128,
    changed: i128,
}

/// FAT has the coarsest clock of the file systems in use: 2 s.
const COARSEST_TICK_NS: i128 = 2_000_000_000;

impl Stamp {
    /// The stamp of the file at a path. A symlink itself is stamped, not its target.
    ///
    /// # Errors
    ///
    /// The I/O error of the system.
    #[allow(clippy::disallowed_methods, reason = "reads metadata of what the scan has found")]
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        std::fs::symlink_metadata(path).and_then(|metadata| Self::of_listed(path, &metadata))
    }

    /// Whether both are of the same file or directory, in whatever version.
    pub(crate) fn is_of_same(&self, other: &Self) -> bool {
        self.id == other.id
    }

    /// Whether the last change is so far before `now` that another change would have a different stamp. Never
    /// `true` if the system only knows when the content was modified.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        let now = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |time| i128::try_from(time.as_nanos()).unwrap_or(i128::MAX));
        // Anyone can set the modification time, even to the future.
        self.changed != UNKNOWN && self.changed + COARSEST_TICK_NS < now
    }

    #[cfg(unix)]
    #[allow(clippy::unnecessary_wraps, reason = "elsewhere the path has to be opened")]
    fn of_listed(_: &Path, metadata: &std::fs::Metadata) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;
        Ok(Self {
            id: [metadata.dev(), metadata.ino()],
            len: metadata.len(),
            modified: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        })
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

    /// Windows tells what identifies a file only once it is open. What a symlink points at isn't asked for.
    #[cfg(windows)]
    fn of_listed(path: &Path, metadata: &std::fs::Metadata) -> io::Result<Self> {
        let id = match metadata.is_symlink() {
            true => [0; 2],
            false => match file_id::get_low_res_file_id(path)? {
                file_id::FileId::LowRes { volume_serial_number, file_index } => {
                    [u64::from(volume_serial_number), file_index]
                }
                _ => [0; 2],
            },
        };
        Ok(Self::of_times(id, metadata.len(), metadata.modified()))
    }

    #[cfg(windows)]
    fn of_opened(metadata: &Metadata) -> Self {
        use cap_fs_ext::MetadataExt as _;
        // The metadata is always that of an open file or directory here, as these two require.
        let id = [metadata.dev(), metadata.ino()];
        Self::of_times(id, metadata.len(), metadata.modified().map(cap_std::time::SystemTime::into_std))
    }

    #[cfg(not(any(unix, windows)))]
    fn of_listed(_: &Path, metadata: &std::fs::Metadata) -> io::Result<Self> {
        Ok(Self::of_times([0; 2], metadata.len(), metadata.modified()))
    }

    #[cfg(not(any(unix, windows)))]
    fn of_opened(metadata: &Metadata) -> Self {
        Self::of_times([0; 2], metadata.len(), metadata.modified().map(cap_std::time::SystemTime::into_std))
    }

    #[cfg(not(unix))]
    fn of_times(id: [u64; 2], len: u64, modified: io::Result<SystemTime>) -> Self {
        let since = modified.ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let modified = since.map_or(0, |time| time.as_nanos() as i128);
        Self { id, len, modified, changed: UNKNOWN }
    }
}

/// The system has no change time.
const UNKNOWN: i128 = i128::MIN;

#[cfg(unix)]
fn nanoseconds(seconds: i64, nanoseconds: i64) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds)
}

/// Whether an error of [`Guard::read`] means that a symlink is in the path or that the path points elsewhere.
pub(crate) fn leads_out(error: &io::Error) -> bool {
    #[cfg(unix)]
    let is_link = error.raw_os_error().is_some_and(|code| code == libc::ELOOP || code == libc::EMLINK);
    // ERROR_STOPPED_ON_SYMLINK, ERROR_TOO_MANY_LINKS and ERROR_CANT_RESOLVE_FILENAME.
    #[cfg(windows)]
    let is_link = error.raw_os_error().is_some_and(|code| matches!(code, 681 | 1142 | 1921));
    #[cfg(not(any(unix, windows)))]
    let is_link = false;
    is_link || matches!(error.kind(), io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput)
}
