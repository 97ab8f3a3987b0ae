//! Catches the panics of code that a handler or a host brings, so that a call ends with an error.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

/// Calls a function. The error is the message of its panic.
pub(super) fn catch<R>(function: impl FnOnce() -> R) -> Result<R, String> {
    // What the function has left half done is dropped, not used.
    catch_unwind(AssertUnwindSafe(function)).map_err(|panic| message(&*panic))
}

/// Calls a function that makes a future, and awaits that. The error is the message of a panic in either.
pub(super) fn catch_async<'f, R: 'f>(
    begin: impl FnOnce() -> Pin<Box<dyn Future<Output = R> + Send + 'f>>,
) -> impl Future<Output = Result<R, String>> + Send {
    let begun = catch(begin);
    async move {
        let mut future = begun?;
        poll_fn(move |context| match catch(|| future.as_mut().poll(context)) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(done)) => Poll::Ready(Ok(done)),
            Err(panic) => Poll::Ready(Err(panic)),
        })
        .await
    }
}

/// The message of a panic.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").to_owned()
}
