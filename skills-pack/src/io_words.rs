//! Messages for I/O errors that are the same on every system.

use std::io;

/// What to do about an I/O error, for the person whose disk it is.
pub fn what_to_do(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull => "make room on the disk, and try again",
        io::ErrorKind::QuotaExceeded => {
            "make room among this user's files, or raise the limit, and try again"
        }
        io::ErrorKind::ReadOnlyFilesystem => "use another directory, or make the disk writable",
        _ => "check the directory and its permissions",
    }
}

/// A message for an I/O error, the same on every system, without the system's number.
pub fn in_words(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "not found",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::NotADirectory => "not a directory",
        io::ErrorKind::IsADirectory => "a directory",
        io::ErrorKind::InvalidFilename => "the name or path is too long",
        io::ErrorKind::InvalidInput => "not a plain file",
        io::ErrorKind::OutOfMemory => "out of memory",
        io::ErrorKind::StorageFull => "no space is left on the disk",
        io::ErrorKind::QuotaExceeded => "no space is left for this user",
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only",
        io::ErrorKind::StaleNetworkFileHandle => "the network disk lost it",
        _ => "the system cannot read it",
    }
}
