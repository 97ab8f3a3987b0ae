//! Runs a function within its time limit, on a thread where it may block, and catches its panic.
//!
//! Each call is a task of its own. When its future is dropped, an async function is stopped at its next
//! await. A blocking function can't be stopped: its context reports the cancellation, and its result is
//! dropped.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::{JoinError, JoinHandle};
use tracing::Instrument as _;

use super::binding::Prepared;
use super::context::Context;
use super::failure::Failure;
use super::panics;

/// Why a function returned no result.
pub(super) enum Stopped {
    /// It exceeded its time limit, and was stopped or may still be running.
    TimedOut {
        is_stopped: bool,
    },
    Panicked(String),
    Failed(Failure),
}

/// Runs a prepared call until it ends or exceeds its time limit.
pub(super) async fn execute(
    prepared: Prepared,
    limit: Duration,
    context: &Context,
    span: &tracing::Span,
) -> Result<String, Stopped> {
    let Ok(runtime) = Handle::try_current() else {
        return Err(Stopped::Failed(Failure::new("calls of handlers need a Tokio runtime")));
    };
    let is_blocking = matches!(prepared, Prepared::Blocking(_));
    let task = match prepared {
        Prepared::Async(future) => runtime.spawn(future.instrument(span.clone())),
        Prepared::Blocking(function) => {
            let (span, context) = (span.clone(), context.clone());
            runtime.spawn_blocking(move || {
                let _running = context.blocks();
                span.in_scope(function)
            })
        }
    };
    let mut running = Running { task, context };
    match tokio::time::timeout(limit, &mut running.task).await {
        Err(_) => Err(Stopped::TimedOut { is_stopped: running.stop(is_blocking).await }),
        Ok(Ok(result)) => result.map_err(Stopped::Failed),
        Ok(Err(error)) => Err(stopped(error)),
    }
}

/// Runs blocking work with a time limit. It can't be stopped; after the limit its result is dropped.
pub(super) async fn beside<R: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> R + Send + 'static,
) -> Result<R, Stopped> {
    let task = tokio::task::spawn_blocking(work);
    tokio::time::timeout(limit, task)
        .await
        .map_err(|_| Stopped::TimedOut { is_stopped: false })?
        .map_err(stopped)
}

/// Calls foreign code that must not panic through, such as deserialising a user's type.
pub(super) fn survive<R>(function: impl FnOnce() -> R) -> Result<R, Stopped> {
    panics::catch(function).map_err(Stopped::Panicked)
}

/// How long an async task may take to stop where it awaits.
const GRACE: Duration = Duration::from_millis(50);

/// A task that is stopped when this is dropped.
struct Running<'c> {
    task: JoinHandle<Result<String, Failure>>,
    context: &'c Context,
}

impl Running<'_> {
    /// Aborts the task and returns whether everything in it stopped. An async task that blocks its thread and a
    /// running blocking task continue, also one of a call that it made.
    async fn stop(&mut self, is_blocking: bool) -> bool {
        self.context.cancel();
        self.task.abort();
        if is_blocking && !self.task.is_finished() {
            return false;
        }
        let ended = tokio::time::timeout(GRACE, &mut self.task).await;
        matches!(ended, Ok(Err(error)) if error.is_cancelled()) && !self.context.is_blocking()
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.task.is_finished() {
            self.context.cancel();
            self.task.abort();
        }
    }
}

fn stopped(error: JoinError) -> Stopped {
    match error.try_into_panic() {
        Ok(panic) => Stopped::Panicked(panics::message(&*panic)),
        // A task that is awaited is only stopped when the runtime shuts down.
        Err(_) => Stopped::Failed(Failure::new("the program is shutting down")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_blocks_too_long_is_abandoned() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let long = Duration::from_secs(60);
            assert!(matches!(beside(long, || 1).await, Ok(1)));
            let (done, waits) = std::sync::mpsc::channel::<()>();
            let hangs = beside(Duration::from_millis(20), move || waits.recv()).await;
            assert!(matches!(hangs, Err(Stopped::TimedOut { .. })));
            drop(done);
            let panics = beside(long, || assert!(std::hint::black_box(false), "a fault")).await;
            assert!(matches!(panics, Err(Stopped::Panicked(what)) if what == "a fault"));
        });
    }
}
