//! Stops a run from outside, for example from a button while the loop runs in a task.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Stops a run. A clone stops the same one.
///
/// The run doesn't wait for the model's answer or ask it again, and it cancels running calls, as if their futures
/// were dropped. In contrast to dropping the future of the run, this keeps the messages, and every call has a
/// result.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    told: Notify,
}

impl Cancel {
    /// A `Cancel` that hasn't been used.
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
        // Registered before the flag is read, so that no notification is missed.
        let told = self.0.told.notified();
        if !self.is_cancelled() {
            told.await;
        }
    }
}
