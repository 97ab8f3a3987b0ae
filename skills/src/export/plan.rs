//! What to do with a file, by what stands there and what was written before. No disk.

use super::What;

/// A file by its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) sha256: [u8; 32],
    pub(super) executable: bool,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    File(Sum),
    /// A link, a directory, or what else is no plain file.
    Obstacle,
}

/// What to do with a file that shall be there as `wanted`. `written` are the digests of what was written
/// there before.
pub(super) fn write(wanted: Sum, found: Found, written: &[[u8; 32]], force: bool) -> What {
    match found {
        Found::Nothing => What::Created,
        Found::Obstacle => What::KeptObstacle,
        Found::File(sum) if sum.sha256 == wanted.sha256 => {
            // Where there is no such bit, none is missing.
            let is_same = !cfg!(unix) || sum.executable == wanted.executable;
            if is_same { What::Unchanged } else { What::Updated }
        }
        Found::File(sum) if force || written.contains(&sum.sha256) => What::Updated,
        Found::File(_) if written.is_empty() => What::KeptForeign,
        Found::File(_) => What::KeptChanged,
    }
}

/// What to do with a file that was written before and shall not be there; `None` where it is gone.
pub(super) fn remove(found: Found, written: &[[u8; 32]], force: bool) -> Option<What> {
    match found {
        Found::Nothing => None,
        Found::Obstacle => Some(What::KeptObstacle),
        Found::File(sum) if force || written.contains(&sum.sha256) => Some(What::Removed),
        Found::File(_) => Some(What::KeptChanged),
    }
}
