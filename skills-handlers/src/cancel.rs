//! Stops a run from elsewhere: from a button, say, while the loop goes on in a task.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Stops a run. A clone stops the same one.
///
/// The model is asked no more, its answer is not waited for, and the calls that are running are stopped, as
/// if their futures were dropped. Unlike with dropping the future of the run, the messages are kept, and no
/// call is left without a result.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    told: Notify,
}

impl Cancel {
    /// One that has not been used.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the run, now or when it begins.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Release);
        self.0.told.notify_waiters();
    }

    /// Whether it was used.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Acquire)
    }

    /// Waits until it is used.
    pub async fn cancelled(&self) {
        // Asked for before the flag is read, so that no notice falls between them.
        let told = self.0.told.notified();
        if !self.is_cancelled() {
            told.await;
        }
    }
}
