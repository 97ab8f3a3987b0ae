//! Locks a mutex, also after a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Nothing is left half done under a lock, so one that a panic left is used on.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
