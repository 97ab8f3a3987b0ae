//! Input that must not stop a program: each gets its error in time, and the next call works.

use std::time::{Duration, Instant};

use skills_handlers::{Binding, Context, ErrorCode, Failure, Handlers, ResultStore};

use crate::acting::{Nothing, SOON, count, editor, with};

/// The error code of a call of `row-count`; afterwards another skill must still answer.
async fn ends_in(handlers: &Handlers, arguments: &str) -> ErrorCode {
    ends(handlers, arguments, &editor()).await
}

async fn ends(handlers: &Handlers, arguments: &str, context: &Context) -> ErrorCode {
    let begun = Instant::now();
    let error = handlers.call("row-count", arguments, context).await.unwrap_err();
    assert!(begun.elapsed() < SOON);
    let next = handlers.call("file-search", r#"{"word": "next"}"#, context).await;
    assert!(next.is_ok(), "{next:?}");
    error.code
}

#[tokio::test]
async fn a_handler_that_panics() {
    let panics = count(|context| async move {
        assert!(context.user().is_empty(), "a secret of the program");
        Ok(())
    });
    let handlers = with(panics);
    assert_eq!(ends_in(&handlers, "").await, ErrorCode::Panicked);
    let error = handlers.call("row-count", "", &editor()).await.unwrap_err();
    assert_eq!(error.message, "the handler of `row-count` panicked");
    assert!(!error.to_string().contains("secret"));
    let blocking = Binding::blocking("row-count", |_: Nothing, context: Context| {
        assert!(context.user().is_empty(), "x");
        Ok::<_, Failure>(())
    });
    assert_eq!(ends_in(&with(blocking), "").await, ErrorCode::Panicked);
}

#[tokio::test]
async fn a_type_that_panics() {
    #[derive(schemars::JsonSchema)]
    struct Broken {}
    impl<'de> serde::Deserialize<'de> for Broken {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            panic!("reading it has a fault")
        }
    }
    let broken = Binding::new("row-count", |_: Broken, _: Context| async { Ok::<_, Failure>(()) });
    assert_eq!(ends_in(&with(broken), "").await, ErrorCode::Panicked);
}

#[tokio::test]
async fn a_type_that_requires_more_than_its_schema() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[allow(dead_code, reason = "it is there to be read")]
    struct Address {
        #[schemars(with = "String")]
        ip: std::net::IpAddr,
    }
    let binding = Binding::new("row-count", |_: Address, _: Context| async { Ok::<_, Failure>(()) });
    let handlers = with(binding);
    let error = handlers.call("row-count", r#"{"ip": "x"}"#, &editor()).await.unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        (ErrorCode::InvalidArguments, "`row-count`: invalid IP address syntax")
    );
}

#[tokio::test]
async fn a_handler_that_hangs() {
    let hangs = count(|_| async {
        std::future::pending::<()>().await;
        Ok(())
    });
    assert_eq!(ends_in(&with(hangs.timeout(Duration::from_millis(20))), "").await, ErrorCode::Timeout);
    let sleeps = Binding::blocking("row-count", |_: Nothing, _: Context| {
        std::thread::sleep(Duration::from_millis(600));
        Ok::<_, Failure>(())
    });
    assert_eq!(ends_in(&with(sleeps.timeout(Duration::from_millis(20))), "").await, ErrorCode::Timeout);
}

/// An async function that never awaits blocks its thread, but not its caller.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_blocks_its_thread() {
    let busy = count(|_| async {
        std::thread::sleep(Duration::from_secs(2));
        Ok(())
    });
    let handlers = with(busy.timeout(Duration::from_millis(50)));
    let begun = Instant::now();
    let calls = tokio::spawn(async move { ends_in(&handlers, "").await });
    assert_eq!(calls.await.unwrap(), ErrorCode::Timeout);
    assert!(begun.elapsed() < Duration::from_millis(1900), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_hundred_megabytes_come_back() {
    let handlers = with(count(|_| async { Ok("0123456789".repeat(10_000_000)) }));
    let context = editor();
    let output = handlers.call("row-count", "", &context).await.unwrap();
    let rest = output.rest.unwrap();
    assert_eq!((rest.total_chars, output.text.len()), (100_000_000, 24_000));
    let piece = context.results().read(&rest.handle, 99_999_995, 100).unwrap();
    assert_eq!((piece.text.as_str(), piece.next_offset), ("56789", None));
    assert!(handlers.call("file-search", r#"{"word": "next"}"#, &context).await.is_ok());
}

#[tokio::test]
async fn more_than_a_conversation_may_keep() {
    let handlers = with(count(|_| async { Ok("0123456789".repeat(10_000)) }));
    let parent = tempfile::tempdir().unwrap();
    let store = ResultStore::under(parent.path(), 150_000);
    let context = editor().results_in(&store);
    assert!(handlers.call("row-count", "", &context).await.is_ok());
    assert_eq!(ends(&handlers, "", &context).await, ErrorCode::Failed);
    let error = handlers.call("row-count", "", &context).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Failed);
    assert!(error.message.contains("more than this conversation may store"), "{}", error.message);
    assert!(handlers.call("row-count", "", &editor()).await.is_ok());
}

#[tokio::test]
async fn a_result_that_is_not_json() {
    let handlers =
        with(count(|_| async { Ok(std::collections::BTreeMap::from([((1, 2), "a key of two numbers")])) }));
    assert_eq!(ends_in(&handlers, "").await, ErrorCode::Failed);
}

#[tokio::test]
async fn a_handler_that_calls_itself() {
    let recurses = count(|context| async move {
        match context.call("row-count", "").await {
            Ok(output) => Ok(output.text),
            Err(error) => Err(Failure::new(error.message)),
        }
    });
    let handlers = with(recurses);
    let error = handlers.call("row-count", "", &editor()).await.unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        (ErrorCode::Failed, "handlers call each other more than 4 levels deep")
    );
    let counts = handlers.counts();
    let count = counts.iter().find(|count| count.skill == "row-count").unwrap();
    assert_eq!(count.calls, 6, "the first, four levels, and the one that was too deep");
    assert_eq!(count.failures.get(&ErrorCode::TooDeep), Some(&1));
    // Two that call each other count the same, and with 0 none may call.
    let flat = handlers.max_depth(0);
    let error = flat.call("row-count", "", &editor()).await.unwrap_err();
    assert_eq!(error.message, "handlers call each other more than 0 levels deep");
}

#[tokio::test]
async fn ten_megabytes_of_arguments() {
    let handlers = with(count(|_| async { Ok(()) }));
    for arguments in [
        format!("{{\"a\": \"{}\"}}", "x".repeat(10_000_000)),
        "[".repeat(10_000_000),
        "{\"a\":".repeat(2_000_000),
        "9".repeat(10_000_000),
        "\u{0}".repeat(10_000_000),
    ] {
        assert_eq!(ends_in(&handlers, &arguments).await, ErrorCode::InvalidArguments);
    }
    let error = handlers.call("row-count", &" ".repeat(10_000_000), &editor()).await.unwrap_err();
    assert_eq!(error.message, "`row-count`: the arguments are larger than 1048576 bytes: they have 10000000");
    // The host may allow them.
    let generous = handlers.max_argument_bytes(usize::MAX);
    assert!(generous.call("row-count", &" ".repeat(10_000_000), &editor()).await.is_ok());
}

#[test]
fn without_a_runtime_there_is_an_error() {
    // The future is polled by hand: nothing in it waits.
    let handlers = with(count(|_| async { Ok(()) }));
    let context = editor();
    let mut call = Box::pin(handlers.call("row-count", "", &context));
    let waker = std::task::Waker::noop();
    let std::task::Poll::Ready(outcome) = call.as_mut().poll(&mut std::task::Context::from_waker(waker))
    else {
        panic!("it waits")
    };
    assert_eq!(outcome.unwrap_err().message, "calls of handlers need a Tokio runtime");
}
