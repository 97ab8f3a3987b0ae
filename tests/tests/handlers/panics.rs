//! A stage or a store of the host's that panics: the call fails with a code of its own, and everything else goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use skills::mcp::{Functions as _, RequestParts};
use skills_handlers::{
    Call, CallError, Context, ErrorCode, Failure, Handlers, Next, Passing, Place, Served, Stage, Store,
    Storing,
};

use crate::acting::{count, editor, handlers, with};

/// Panics for the user `eve`, at once or in its future, before or after the rest of the call.
struct Panics(When);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    AtOnce,
    Before,
    After,
}

impl Stage for Panics {
    fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        let panics = |when: When| assert!(when != self.0, "a secret of the host");
        if call.context().user() != "eve" {
            return next.run(call);
        }
        panics(When::AtOnce);
        Box::pin(async move {
            tokio::task::yield_now().await;
            panics(When::Before);
            let outcome = next.run(call).await;
            panics(When::After);
            outcome
        })
    }
}

const PLACES: [Place; 9] = [
    Place::Trace,
    Place::Time,
    Place::Depth,
    Place::Name,
    Place::Permissions,
    Place::Schema,
    Place::Confirmation,
    Place::Result,
    Place::Function,
];

fn is_failure(error: &CallError) {
    assert_eq!((error.code, error.code_str()), (ErrorCode::Panicked, "STAGE_PANICKED"));
    assert!(error.message.contains("`row-count`") && !error.to_string().contains("secret"), "{error}");
}

#[tokio::test]
async fn a_stage_that_panics_is_a_failure_of_its_call() {
    for place in PLACES {
        for when in [When::AtOnce, When::Before, When::After] {
            let ran = Arc::new(AtomicUsize::new(0));
            let runs = Arc::clone(&ran);
            let handlers = with(count(move |_| {
                runs.fetch_add(1, Ordering::SeqCst);
                std::future::ready(Ok::<_, Failure>("done"))
            }));
            let handlers = handlers.after(place, Panics(when));
            is_failure(&handlers.call("row-count", "{}", &Context::new("eve")).await.unwrap_err());
            assert_eq!(handlers.call("row-count", "{}", &Context::new("ada")).await.unwrap().text, "done");
            let counts = handlers.counts();
            let count = counts.iter().find(|count| count.skill == "row-count").unwrap();
            assert_eq!((count.calls, count.cancelled), (2, 0), "{place:?} {when:?}");
            assert_eq!(count.by_code().into_iter().collect::<Vec<_>>(), [("STAGE_PANICKED".to_owned(), 1)]);
            let is_run = when == When::After;
            assert_eq!(ran.load(Ordering::SeqCst), 1 + usize::from(is_run), "{place:?} {when:?}");
        }
    }
}

/// Before the trace nothing is counted yet, but the caller gets its answer.
#[tokio::test]
async fn a_stage_that_panics_before_the_trace_is_a_failure_too() {
    let handlers = handlers().before(Place::Trace, Panics(When::AtOnce));
    let error = handlers.call("file-search", r#"{"word": "a"}"#, &Context::new("eve")).await.unwrap_err();
    assert_eq!(error.code_str(), "STAGE_PANICKED");
    assert!(handlers.call("file-search", r#"{"word": "a"}"#, &editor()).await.is_ok());
}

/// The other calls of the turn have their results, and an MCP host gets an answer.
#[tokio::test]
async fn a_stage_that_panics_takes_nothing_with_it() {
    use skills_handlers::{Assistant, Limits, Message, Model, ModelError, Tool, run};

    struct Two;
    impl Model for Two {
        async fn reply(&self, messages: &[Message], _: &[Tool]) -> Result<Assistant, ModelError> {
            Ok(match messages.len() {
                1 => Assistant::default().call("a", "row-count", "{}").call(
                    "b",
                    "file-search",
                    r#"{"word": "a"}"#,
                ),
                _ => Assistant::new("done"),
            })
        }
    }
    struct OfCount;
    impl Stage for OfCount {
        fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
            assert!(call.skill() != "row-count", "a fault");
            next.run(call)
        }
    }
    let handlers = with(count(|_| async { Ok(1) })).before(Place::Schema, OfCount);
    let asks = vec![Message::user("x")];
    let run = run(&Two, &crate::acting::REGISTRY, &handlers, asks, &Limits::default(), &editor()).await;
    assert_eq!(run.answer(), Some("done"));
    let outcomes: Vec<&str> = run.steps[0].calls.iter().map(|call| call.outcome.as_str()).collect();
    assert_eq!(outcomes, ["STAGE_PANICKED", "ok"]);

    let served = Served::new(handlers);
    let reply = served.call("row-count", "{}", None, &RequestParts::default()).await.unwrap();
    assert!(reply.is_error && reply.text.starts_with(r#"{"error":"STAGE_PANICKED""#), "{reply:?}");
}

/// Panics at once, or when its future is awaited.
struct Broken {
    at_once: bool,
}

impl Broken {
    fn panics<T: Send>(&self) -> Storing<'_, T> {
        let fails = || assert!(std::hint::black_box(false), "connection to 10.0.0.7 refused");
        if self.at_once {
            fails();
        }
        Box::pin(async move {
            tokio::task::yield_now().await;
            fails();
            Err("not reached".into())
        })
    }
}

impl Store for Broken {
    fn put<'s>(&'s self, _: &'s str, _: &'s str, _: Vec<u8>, _: Duration) -> Storing<'s, ()> {
        self.panics()
    }

    fn get<'s>(&'s self, _: &'s str) -> Storing<'s, Option<Vec<u8>>> {
        self.panics()
    }

    fn remove<'s>(&'s self, _: &'s str) -> Storing<'s, bool> {
        self.panics()
    }
}

#[tokio::test]
async fn a_store_that_panics_confirms_nothing_and_loses_no_call() {
    for at_once in [true, false] {
        let handlers: Handlers = with(count(|_| async { Ok("0123456789".repeat(10)) }).result_limit(30));
        let handlers = handlers.store(Broken { at_once });
        let (delete, context) = (("file-delete", r#"{"path": "a"}"#), editor());
        let errors = [
            handlers.call(delete.0, delete.1, &context).await.unwrap_err(),
            handlers.call_confirmed(delete.0, delete.1, "token", &context).await.unwrap_err(),
            handlers.decline("token", &context).await.unwrap_err(),
            handlers.call("row-count", "{}", &context).await.unwrap_err(),
        ];
        for error in errors {
            assert_eq!((error.code, error.code_str()), (ErrorCode::Failed, "STORE_PANICKED"));
            assert!(!error.to_string().contains("10.0.0.7") && error.pending.is_none(), "{error}");
        }
        let counts = handlers.counts();
        let codes = |skill: &str| {
            let count = counts.iter().find(|count| count.skill == skill).unwrap();
            (count.calls, count.cancelled, count.by_code().get("STORE_PANICKED").copied())
        };
        assert_eq!(codes("file-delete"), (2, 0, Some(2)));
        assert_eq!(codes("row-count"), (1, 0, Some(1)));
        // What needs no store works.
        assert!(handlers.call("file-search", r#"{"word": "a"}"#, &context).await.is_ok());
    }
}
