//! One writer at a time in a project, on one machine.

use std::fs::File;
use std::io;
use std::path::Path;

/// Held while a lock and its skills are changed. The system takes it back when the program ends, however it
/// ends.
#[derive(Debug)]
pub(crate) struct Guard {
    _held: File,
}

impl Guard {
    /// Waits until nobody else writes in this directory.
    pub(crate) fn take(directory: &Path) -> io::Result<Self> {
        Ok(Self { _held: hold(directory)? })
    }
}

/// Locks the directory itself, so that no file is left behind.
#[cfg(unix)]
fn hold(directory: &Path) -> io::Result<File> {
    let file = File::open(directory)?;
    rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
    Ok(file)
}

/// A file that nobody else can open, and that goes away when it is closed.
#[cfg(windows)]
fn hold(directory: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    use std::time::Duration;

    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const SHARING_VIOLATION: i32 = 32;
    let mut options = File::options();
    options.write(true).create(true).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    loop {
        match options.open(directory.join(".skills-guard")) {
            Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => {
                std::thread::sleep(Duration::from_millis(50));
            }
            other => return other,
        }
    }
}

#[cfg(not(any(unix, windows)))]
fn hold(_: &Path) -> io::Result<File> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no locks"))
}
