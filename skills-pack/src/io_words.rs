//! Messages for I/O errors that are the same on every system.

use std::io;

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
        io::ErrorKind::StaleNetworkFileHandle => "the network disk lost it",
        _ => "the system cannot read it",
    }
}
