//! Runs a function within its time, on a thread where it does no harm, and survives its panic.
//!
//! Each call is a task of its own. When nobody waits for it any more, an async one is stopped where it
//! awaits; a blocking one cannot be stopped, so it is told, through its context, and its result is dropped.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::{JoinError, JoinHandle};
use tracing::Instrument as _;

use super::binding::Prepared;
use super::context::Context;
use super::failure::Failure;

/// Why a function gave no result.
pub(super) enum Stopped {
    /// Its time is over; whether it was stopped then, or may still be going on.
    TimedOut {
        is_stopped: bool,
    },
    Panicked(String),
    Failed(Failure),
}

/// Runs a prepared call to its end or its time limit, whichever is first.
pub(super) async fn execute(
    prepared: Prepared,
    limit: Duration,
    context: &Context,
    span: &tracing::Span,
) -> Result<String, Stopped> {
    let Ok(runtime) = Handle::try_current() else {
        return Err(Stopped::Failed(Failure::new("calls of handlers need a Tokio runtime around them")));
    };
    let is_blocking = matches!(prepared, Prepared::Blocking(_));
    let task = match prepared {
        Prepared::Async(future) => runtime.spawn(future.instrument(span.clone())),
        Prepared::Blocking(function) => {
            let span = span.clone();
            runtime.spawn_blocking(move || span.in_scope(function))
        }
    };
    let mut running = Running { task, context };
    match tokio::time::timeout(limit, &mut running.task).await {
        Err(_) => Err(Stopped::TimedOut { is_stopped: running.stop(is_blocking).await }),
        Ok(Ok(result)) => result.map_err(Stopped::Failed),
        Ok(Err(error)) => Err(stopped(error)),
    }
}

/// Runs what may keep a thread, within a time. It cannot be stopped; past the time its result is dropped.
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

/// Calls what must not panic but is not ours, such as reading a user's type from JSON.
pub(super) fn survive<R>(function: impl FnOnce() -> R) -> Result<R, Stopped> {
    catch_unwind(AssertUnwindSafe(function)).map_err(|panic| Stopped::Panicked(message(&*panic)))
}

/// How long an async task may take to stop where it awaits.
const GRACE: Duration = Duration::from_millis(50);

/// A task that is stopped when this is dropped.
struct Running<'c> {
    task: JoinHandle<Result<String, Failure>>,
    context: &'c Context,
}

impl Running<'_> {
    /// Stops the task, and says whether it has stopped. An async one that keeps its thread, and a blocking
    /// one that has begun, go on.
    async fn stop(&mut self, is_blocking: bool) -> bool {
        self.context.cancel();
        self.task.abort();
        if is_blocking && !self.task.is_finished() {
            return false;
        }
        let ended = tokio::time::timeout(GRACE, &mut self.task).await;
        matches!(ended, Ok(Err(error)) if error.is_cancelled())
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
        Ok(panic) => Stopped::Panicked(message(&*panic)),
        // Only a runtime that shuts down stops a task that is waited for.
        Err(_) => Stopped::Failed(Failure::new("the program is shutting down")),
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_a_thread_too_long_is_not_waited_for() {
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
