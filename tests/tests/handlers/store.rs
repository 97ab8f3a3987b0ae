//! A host's store, which several processes of a service share.

use std::collections::HashMap;
use std::future::{pending, ready};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use skills::mcp::{Functions as _, RequestParts};
use skills_handlers::{Context, ErrorCode, Failure, Handlers, Served, Store, Storing};
use tokio::time::Instant;

use crate::acting::{count, editor, handlers, with};

/// A value, its owner, and until when it is kept.
type Values = HashMap<String, (Vec<u8>, String, Instant)>;

/// A store that can be reached from several sets of handlers, and may be broken or hang.
#[derive(Clone, Default)]
pub(crate) struct Shared {
    values: Arc<Mutex<Values>>,
    broken: Arc<Mutex<&'static str>>,
}

impl Shared {
    fn set(&self, broken: &'static str) {
        *self.broken.lock().unwrap() = broken;
    }

    fn answer<'s, T: Send + 's>(&self, value: T) -> Storing<'s, T> {
        match *self.broken.lock().unwrap() {
            "fails" => Box::pin(ready(Err("connection refused by 10.0.0.7".into()))),
            "hangs" => Box::pin(pending()),
            _ => Box::pin(ready(Ok(value))),
        }
    }
}

impl Store for Shared {
    fn put<'s>(
        &'s self,
        owner: &'s str,
        key: &'s str,
        value: Vec<u8>,
        lifetime: Duration,
    ) -> Storing<'s, ()> {
        assert!(key.len() <= 100 && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '/'), "{key}");
        let kept = (value, owner.to_owned(), Instant::now() + lifetime);
        self.values.lock().unwrap().insert(key.to_owned(), kept);
        self.answer(())
    }

    fn get<'s>(&'s self, key: &'s str) -> Storing<'s, Option<Vec<u8>>> {
        let values = self.values.lock().unwrap();
        let value = values.get(key).filter(|(.., until)| Instant::now() < *until);
        self.answer(value.map(|(value, ..)| value.clone()))
    }

    fn remove<'s>(&'s self, key: &'s str) -> Storing<'s, bool> {
        self.answer(self.values.lock().unwrap().remove(key).is_some())
    }
}

const DELETE: (&str, &str) = ("file-delete", r#"{"path": "a"}"#);

/// Asks for a confirmation, and returns its token.
async fn token(handlers: &Handlers) -> String {
    let error = handlers.call(DELETE.0, DELETE.1, &editor()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConfirmationRequired);
    error.pending.unwrap().token
}

#[tokio::test(start_paused = true)]
async fn a_confirmation_that_one_process_asked_for_is_redeemed_by_another() {
    let store = Shared::default();
    let [one, other] = [handlers().store(store.clone()), handlers().store(store.clone())];
    let first = token(&one).await;
    {
        let values = store.values.lock().unwrap();
        let (key, (value, owner, _)) = values.iter().next().unwrap();
        assert!(!format!("{key} {value:?}").contains(&first), "whoever reads the store can't confirm a call");
        assert_eq!((values.len(), owner.as_str()), (1, "ada"));
    }
    // Not by another user, not for another call.
    let bob = Context::new("bob").role("editor");
    let refused = other.call_confirmed(DELETE.0, DELETE.1, &first, &bob).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ConfirmationRequired);
    let refused = other.call_confirmed(DELETE.0, r#"{"path": "b"}"#, &first, &editor()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ConfirmationRequired);
    let done = other.call_confirmed(DELETE.0, DELETE.1, &first, &editor()).await.unwrap();
    assert_eq!(done.text, "deleted a");
    let again = one.call_confirmed(DELETE.0, DELETE.1, &first, &editor()).await.unwrap_err();
    assert_eq!(again.code, ErrorCode::ConfirmationRequired);

    let late = token(&one).await;
    tokio::time::advance(Duration::from_secs(301)).await;
    let late = other.call_confirmed(DELETE.0, DELETE.1, &late, &editor()).await.unwrap_err();
    assert_eq!(late.code, ErrorCode::ConfirmationRequired);
}

/// Sixteen processes redeem one token at the same time.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_confirmation_serves_one_call() {
    let store = Shared::default();
    let token = token(&handlers().store(store.clone())).await;
    let calls = (0..16).map(|_| {
        let (handlers, token) = (handlers().store(store.clone()), token.clone());
        tokio::spawn(
            async move { handlers.call_confirmed(DELETE.0, DELETE.1, &token, &editor()).await.is_ok() },
        )
    });
    let mut done = 0;
    for call in calls.collect::<Vec<_>>() {
        done += usize::from(call.await.unwrap());
    }
    assert_eq!(done, 1);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_confirmed_by_a_store_that_fails() {
    let store = Shared::default();
    let handlers = handlers().store(store.clone());
    let token = token(&handlers).await;
    for broken in ["fails", "hangs"] {
        store.set(broken);
        for error in [
            handlers.call(DELETE.0, DELETE.1, &editor()).await.unwrap_err(),
            handlers.call_confirmed(DELETE.0, DELETE.1, &token, &editor()).await.unwrap_err(),
        ] {
            assert_eq!(
                error.to_string(),
                r#"{"error":"FAILED","message":"the call was not run, since its confirmation cannot be kept or looked up","suggestion":"try again later"}"#
            );
            assert!(error.pending.is_none());
        }
    }
    store.set("");
    assert!(handlers.call_confirmed(DELETE.0, DELETE.1, &token, &editor()).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_long_result_is_read_on_in_another_process() {
    let store = Shared::default();
    let long = || {
        with(count(|_| async { Ok::<_, Failure>("é\n".repeat(50)) }).result_limit(11)).store(store.clone())
    };
    let output = long().call("row-count", "", &editor()).await.unwrap();
    let rest = output.rest.clone().unwrap();
    assert_eq!((output.text.as_str(), rest.total_chars, rest.lines), ("é\né\né\né\né\né", 100, 50));
    assert!(editor().results().dir().is_none(), "no file is written");

    let served =
        Served::new(long()).context(|request| Context::new(request.header("x-user").unwrap_or("ada")));
    let read = async |offset: usize| {
        let arguments = format!(r#"{{"handle": "{}", "offset": {offset}}}"#, rest.handle);
        served.call("read_result", &arguments, None, &RequestParts::default()).await.unwrap()
    };
    assert_eq!(read(97).await.text, "\né\n\n\n[end: 100 characters in all]");
    assert!(read(101).await.text.contains("the offset 101 is past the end"));

    let bob = Served::new(long()).context(|_| Context::new("bob"));
    let arguments = format!(r#"{{"handle": "{}"}}"#, rest.handle);
    let refused = bob.call("read_result", &arguments, None, &RequestParts::default()).await.unwrap();
    assert!(refused.text.contains("no result has the handle") && refused.is_error, "{refused:?}");

    store.set("fails");
    let unread = read(0).await;
    assert!(unread.text.contains("the result cannot be read") && !unread.text.contains("10.0.0.7"));
    let unstored = long().call("row-count", "", &editor()).await.unwrap_err();
    assert!(unstored.message.starts_with("the call has run, but its result is too long"), "{unstored}");
}

/// A store is made for what models read, not for files.
#[tokio::test(start_paused = true)]
async fn a_result_that_is_too_large_for_a_store_is_refused() {
    const MOST: usize = 16 * 1024 * 1024;
    let store = Shared::default();
    let sized = |bytes: usize| {
        let text = move |_| async move { Ok::<_, Failure>("x".repeat(bytes)) };
        with(count(text).result_limit(10)).store(store.clone())
    };
    let fits = sized(MOST).call("row-count", "", &editor()).await.unwrap();
    assert_eq!((fits.text.len(), fits.rest.unwrap().total_chars), (10, MOST));
    let error = sized(MOST + 1).call("row-count", "", &editor()).await.unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        (ErrorCode::Failed, "the call has run, but its result of 16777217 bytes is more than can be stored")
    );
    assert_eq!(store.values.lock().unwrap().len(), 1);
}
