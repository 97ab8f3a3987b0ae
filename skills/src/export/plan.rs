//! Decides what to do with a file, from what is on disk and what was written before. Does no I/O.

use super::What;

/// The content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) sha256: [u8; 32],
    pub(super) executable: bool,
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    File(Sum),
    /// A symlink, a directory, or anything else that isn't a plain file.
    Obstacle,
}

/// What to do with a file that should be as `wanted`. `written` has the digests of what was written there
/// before.
pub(super) fn write(wanted: Sum, found: Found, written: &[[u8; 32]], force: bool) -> What {
    match found {
        Found::Nothing => What::Created,
        Found::Obstacle => What::KeptObstacle,
        Found::File(sum) if sum.sha256 == wanted.sha256 => {
            // A system without execute bits lacks none.
            let is_same = !cfg!(unix) || sum.executable == wanted.executable;
            if is_same { What::Unchanged } else { What::Updated }
        }
        Found::File(sum) if force || written.contains(&sum.sha256) => What::Updated,
        Found::File(_) if written.is_empty() => What::KeptForeign,
        Found::File(_) => What::KeptChanged,
    }
}

/// What to do with a file that was written before and should be removed; `None` if it no longer exists.
pub(super) fn remove(found: Found, written: &[[u8; 32]], force: bool) -> Option<What> {
    match found {
        Found::Nothing => None,
        Found::Obstacle => Some(What::KeptObstacle),
        Found::File(sum) if force || written.contains(&sum.sha256) => Some(What::Removed),
        Found::File(_) => Some(What::KeptChanged),
    }
}
