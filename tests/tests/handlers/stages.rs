//! Each stage of a call: when it lets the call pass, and when it doesn't.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use skills_handlers::{Binding, CallError, Context, ErrorCode, Failure, RESULT_LIMIT, ResultStore};

use crate::acting::{Find, Nothing, SOON, count, editor, handlers, with};

async fn error(skill: &str, arguments: &str, context: &Context) -> CallError {
    handlers().call(skill, arguments, context).await.unwrap_err()
}

#[tokio::test]
async fn a_call_gives_its_result_in_json() {
    let output = handlers().call("file-search", r#"{"word": "a", "limit": 2}"#, &editor()).await.unwrap();
    assert_eq!(output.to_string(), r#"{"files":["a-0.txt","a-1.txt"],"user":"ada"}"#);
    assert_eq!(output.rest, None);
    // Names are looked up as in a registry.
    for name in [" File-Search ", "**file-search**", "`file search`"] {
        assert!(handlers().call(name, r#"{"word": "a"}"#, &editor()).await.is_ok(), "{name}");
    }
}

#[tokio::test]
async fn the_name() {
    let unknown = error("file-serch", "{}", &Context::new("bob")).await;
    assert_eq!(
        unknown.to_string(),
        r#"{"error":"UNKNOWN_SKILL","message":"no skill `file-serch` can be called","suggestion":"did you mean `file-search`? the skills are `file-search`"}"#
    );
    // A caller with more rights sees more names.
    let unknown = error("zzz", "{}", &editor()).await;
    assert_eq!(unknown.suggestion, "the skills are `file-delete`, `file-search`");
    let unknown = error("plain-advice", "{}", &editor()).await;
    assert_eq!(unknown.message, "the skill `plain-advice` has no handler: it can be loaded, but not called");
    let long = error(&"x".repeat(1_000_000), "{}", &editor()).await;
    assert!(long.to_string().len() < 400);
}

#[tokio::test]
async fn permissions() {
    for context in [Context::new("bob"), Context::new("bob").role("reader")] {
        let refused = error("file-delete", r#"{"path": "a"}"#, &context).await;
        assert_eq!(refused.code, ErrorCode::NotAllowed);
        assert_eq!(
            refused.message,
            "this user may not call `file-delete`: it requires the role `editor` or `admin`"
        );
        assert_eq!(refused.pending, None);
    }
    for role in ["editor", "admin"] {
        let asked = error("file-delete", r#"{"path": "a"}"#, &Context::new("bob").role(role)).await;
        assert_eq!(asked.code, ErrorCode::ConfirmationRequired);
    }
}

#[tokio::test]
async fn the_schema() {
    let refused = error("file-search", r#"{"word": "a", "limit": "5"}"#, &editor()).await;
    assert_eq!(
        refused.to_string(),
        r#"{"error":"INVALID_ARGUMENTS","message":"`file-search`: `limit`: expected an integer, found the string \"5\"","suggestion":"write it without quotes: 5; for example {\"word\": \"notes\"}"}"#
    );
    let refused = error("file-search", r#"{"wrd": "a"}"#, &editor()).await;
    assert_eq!(refused.message, "`file-search`: there is no field `wrd`");
    // What the type and the SKILL.md both ask for is asked once.
    let refused = error("file-search", r#"{"query": "a", "limit": 51}"#, &editor()).await;
    assert_eq!(
        refused.message,
        "`file-search`: 3 problems: `limit`: expected at most 50, found 51; there is no field `query`; `word` is missing"
    );
    assert_eq!(refused.faults.len(), 3);
    // Without an example of the binding's, one is made from the schema.
    let refused = error("file-delete", "", &editor()).await;
    assert_eq!(refused.suggestion, "add `path`; for example {\"path\":\"text\"}");
}

/// Requirements of a SKILL.md beyond the type apply too.
#[tokio::test]
async fn the_parameters_of_the_skill() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[allow(dead_code, reason = "it is there for its schema")]
    struct Loose {
        word: String,
        limit: Option<i64>,
    }
    let search = Binding::new("file-search", |_: Loose, _: Context| async { Ok::<_, Failure>(true) });
    let handlers = skills_handlers::Handlers::new(&crate::acting::REGISTRY).bind(search).unwrap();
    assert!(handlers.call("file-search", r#"{"word": "a", "limit": 50}"#, &editor()).await.is_ok());
    let refused = handlers.call("file-search", r#"{"word": "a", "limit": 51}"#, &editor()).await.unwrap_err();
    assert_eq!(refused.message, "`file-search`: `limit`: expected at most 50, found 51");
}

#[tokio::test]
async fn the_time_limit_of_an_async_function() {
    struct Flag(std::sync::Arc<std::sync::atomic::AtomicBool>);
    impl Drop for Flag {
        fn drop(&mut self) {
            self.0.store(true, std::sync::atomic::Ordering::SeqCst);
        }
    }
    let stopped = std::sync::Arc::<std::sync::atomic::AtomicBool>::default();
    let inside = stopped.clone();
    let slow = count(move |_| {
        let flag = Flag(inside.clone());
        async move {
            let _flag = flag;
            std::future::pending::<()>().await;
            Ok(())
        }
    });
    let handlers = with(slow.timeout(Duration::from_millis(30)));
    let error = handlers.call("row-count", "{}", &editor()).await.unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        (ErrorCode::Timeout, "`row-count` took longer than 30ms and was stopped")
    );
    let until = Instant::now() + SOON;
    while !stopped.load(std::sync::atomic::Ordering::SeqCst) && Instant::now() < until {
        tokio::task::yield_now().await;
    }
    assert!(stopped.load(std::sync::atomic::Ordering::SeqCst), "its work was dropped");
}

#[tokio::test]
async fn the_time_limit_of_a_blocking_function() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let busy = Binding::blocking("row-count", move |_: Nothing, context: Context| {
        while !context.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        sender.send(()).ok();
        Ok::<_, Failure>(())
    });
    let handlers = with(busy.timeout(Duration::from_millis(30)));
    let error = handlers.call("row-count", "{}", &editor()).await.unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str(), error.suggestion.as_str()),
        (
            ErrorCode::Timeout,
            "`row-count` took longer than 30ms and can't be stopped: it may still be running, and its outcome is unknown",
            "don't just repeat the call: find out first what it did, and tell the user",
        )
    );
    assert!(receiver.recv_timeout(SOON).is_ok(), "its context says that nobody waits");
}

/// Nothing can stop a blocking function, but after its time limit it can't call other handlers.
///
/// The clock is paused and only the test advances it, so a busy machine can't make the test fail.
#[tokio::test(start_paused = true)]
async fn a_blocking_function_whose_time_is_over_calls_no_others() {
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let busy = Binding::blocking("row-count", move |_: Nothing, context: Context| {
        let search = || context.call_blocking("file-search", r#"{"word": "a"}"#).map(|output| output.text);
        sender.send(search()).ok();
        while !context.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        sender.send(search()).ok();
        Ok::<_, Failure>(())
    });
    let handlers = with(busy.timeout(Duration::from_millis(300)));
    let called = tokio::spawn(async move { handlers.call("row-count", "{}", &editor()).await });
    let before = receiver.recv().await.unwrap();
    assert!(before.is_ok(), "{before:?}");
    tokio::time::advance(Duration::from_millis(301)).await;
    assert_eq!(called.await.unwrap().unwrap_err().code, ErrorCode::Timeout);
    let after = receiver.recv().await.unwrap();
    assert_eq!(
        after.unwrap_err().to_string(),
        r#"{"error":"TIMEOUT","message":"`file-search` was not called: the time of the handler that calls it is over","suggestion":"return: nobody waits for the result"}"#
    );
}

/// An async function that a blocking one called is stopped with it, although the blocking one only waits.
#[tokio::test(start_paused = true)]
async fn an_async_call_within_a_blocking_one_is_stopped_with_it() {
    /// Sends a message when it is dropped.
    struct Held(tokio::sync::mpsc::UnboundedSender<&'static str>);
    impl Drop for Held {
        fn drop(&mut self) {
            self.0.send("dropped").ok();
        }
    }
    let second = Duration::from_secs(1);
    // Its time is over, its future was dropped, or it has enough time.
    for (limit, given_up, stopped) in
        [(Duration::from_millis(50), false, true), (2 * second, true, true), (2 * second, false, false)]
    {
        let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
        let (answer, answered) = std::sync::mpsc::channel();
        let acted = Arc::new(AtomicUsize::new(0));
        let acts = Arc::clone(&acted);
        let inner = Binding::new("page-fetch", move |_: Nothing, _: Context| {
            let (sender, acts) = (sender.clone(), Arc::clone(&acts));
            async move {
                let _held = Held(sender.clone());
                sender.send("begun").ok();
                tokio::time::sleep(second).await;
                acts.fetch_add(1, Ordering::SeqCst);
                Ok::<_, Failure>("it acted")
            }
        });
        let outer = Binding::blocking("row-count", move |_: Nothing, context: Context| {
            let inner = context.call_blocking("page-fetch", "{}").map(|output| output.text);
            answer.send(inner.clone()).ok();
            inner
        });
        let handlers = with(outer.timeout(limit)).bind(inner.timeout(SOON)).unwrap();
        let called = tokio::spawn(async move { handlers.call("row-count", "{}", &editor()).await });
        assert_eq!(receiver.recv().await, Some("begun"));
        if given_up {
            called.abort();
            assert!(called.await.unwrap_err().is_cancelled());
        } else if stopped {
            tokio::time::advance(limit).await;
            assert_eq!(called.await.unwrap().unwrap_err().code, ErrorCode::Timeout);
        } else {
            tokio::time::advance(second).await;
            assert_eq!(called.await.unwrap().unwrap().text, "it acted");
        }
        let answer = answered.recv_timeout(SOON).expect("the blocking function waits no longer");
        assert_eq!(receiver.recv().await, Some("dropped"));
        tokio::time::advance(2 * second).await;
        assert_eq!((answer.is_err(), acted.load(Ordering::SeqCst)), (stopped, usize::from(!stopped)));
        if let Err(error) = answer {
            assert_eq!(
                error.to_string(),
                r#"{"error":"TIMEOUT","message":"`page-fetch` was stopped: the time of the handler that calls it is over","suggestion":"return: nobody waits for the result"}"#
            );
        }
    }
}

/// Calls of a handler end with it, although a blocking handler can't be stopped while it waits.
#[tokio::test]
async fn a_call_within_a_call_is_cancelled_with_it() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let inner = Binding::blocking("page-fetch", move |_: Nothing, context: Context| {
        while !context.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        sender.send(()).ok();
        Ok::<_, Failure>(())
    });
    let outer = Binding::blocking("row-count", |_: Nothing, context: Context| {
        context.call_blocking("page-fetch", "{}").map(|output| output.text)
    });
    let handlers = with(outer.timeout(Duration::from_millis(50))).bind(inner.timeout(SOON)).unwrap();
    let error = handlers.call("row-count", "{}", &editor()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Timeout);
    assert!(receiver.recv_timeout(SOON).is_ok());
}

/// An async handler is stopped, but not the blocking one that it has called.
#[tokio::test]
async fn what_goes_on_below_a_stopped_handler_is_said() {
    let (go_on, waits) = std::sync::mpsc::channel::<()>();
    let (begins, begun) = tokio::sync::mpsc::unbounded_channel();
    let mut begun = begun;
    let waits = std::sync::Mutex::new(waits);
    let inner = Binding::blocking("page-fetch", move |_: Nothing, _: Context| {
        begins.send(()).ok();
        waits.lock().unwrap().recv().ok();
        Ok::<_, Failure>(())
    });
    let outer = count(|context: Context| async move {
        let inner = context.call("page-fetch", "{}").await;
        Ok(inner.map_err(|error| Failure::new(error.message))?.text)
    });
    let limit = Duration::from_millis(200);
    let handlers = with(outer.timeout(limit)).bind(inner.timeout(SOON)).unwrap();
    let calling = handlers.clone();
    let called = tokio::spawn(async move { calling.call("row-count", "{}", &editor()).await });
    assert_eq!(begun.recv().await, Some(()));
    let error = called.await.unwrap().unwrap_err();
    assert_eq!(error.code, ErrorCode::Timeout);
    assert!(error.message.contains("may still be running, and its outcome is unknown"), "{}", error.message);
    drop(go_on);

    // Without it, the handler is stopped.
    let sleeps = count(|_| async {
        tokio::time::sleep(SOON).await;
        Ok(())
    });
    let error = with(sleeps.timeout(limit)).call("row-count", "{}", &editor()).await.unwrap_err();
    assert!(error.message.ends_with("and was stopped"), "{}", error.message);
}

#[tokio::test]
async fn a_dropped_call_is_stopped() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let busy = Binding::blocking("row-count", move |_: Nothing, context: Context| {
        while !context.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        sender.send(()).ok();
        Ok::<_, Failure>(())
    });
    let handlers = with(busy);
    let context = editor();
    let gave_up =
        tokio::time::timeout(Duration::from_millis(20), handlers.call("row-count", "{}", &context)).await;
    assert!(gave_up.is_err());
    assert!(receiver.recv_timeout(SOON).is_ok());
    assert_eq!(handlers.counts().last().map(|count| (count.calls, count.cancelled)), Some((1, 1)));
}

#[tokio::test]
async fn blocking_functions_run_off_the_async_threads() {
    // This runtime has one thread; a function that blocked it would keep the other from ever starting.
    let barrier = std::sync::Arc::new(std::sync::Barrier::new(2));
    let meet = Binding::blocking("row-count", move |_: Nothing, _: Context| {
        barrier.wait();
        Ok::<_, Failure>(())
    });
    let handlers = with(meet);
    let context = editor();
    let (one, other) =
        tokio::join!(handlers.call("row-count", "", &context), handlers.call("row-count", "", &context));
    assert!(one.is_ok() && other.is_ok());
}

#[tokio::test]
async fn the_function_itself() {
    let refused = error("file-search", r#"{"word": "missing"}"#, &editor()).await;
    assert_eq!(
        refused.to_string(),
        r#"{"error":"FAILED","message":"there is no such file","suggestion":"use another word"}"#
    );
    // Every standard error becomes a failure.
    let handlers =
        with(Binding::blocking("row-count", |_: Nothing, _: Context| Ok::<_, Failure>("x".parse::<u8>()?)));
    let failed = handlers.call("row-count", "", &editor()).await.unwrap_err();
    assert_eq!((failed.code, failed.message.as_str()), (ErrorCode::Failed, "invalid digit found in string"));
}

#[tokio::test]
async fn the_size_of_the_result() {
    let handlers = with(count(|_| async { Ok((0..10_000).collect::<Vec<u32>>()) }));
    let context = editor();
    let output = handlers.call("row-count", "", &context).await.unwrap();
    let rest = output.rest.clone().unwrap();
    assert_eq!((rest.items, rest.next_offset, output.text.len()), (Some(10_000), RESULT_LIMIT, RESULT_LIMIT));
    assert!(output.to_string().contains("48891 characters, 10000 items in all; read on with read_result"));
    let dir = context.results().dir().unwrap();
    assert!(dir.is_dir());
    // Another conversation does not have it.
    let error = editor().results().read(&rest.handle, 0, 10).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidArguments);
    assert_eq!(context.results().read(&rest.handle, 48_886, 10).unwrap().text, "9999]");
    drop(context);
    assert!(!dir.exists());
}

#[tokio::test]
async fn contexts_of_one_conversation_share_its_results() {
    let handlers = with(count(|_| async { Ok("é".repeat(100)) }).result_limit(10));
    let store = ResultStore::new();
    let handle = {
        let context = editor().results_in(&store);
        handlers.call("row-count", "", &context).await.unwrap().rest.unwrap().handle
    };
    let piece = editor().results_in(&store).results().read(&handle, 95, 10).unwrap();
    assert_eq!((piece.text.as_str(), piece.total_chars, piece.next_offset), ("ééééé", 100, None));
}

#[tokio::test]
async fn handlers_call_each_other() {
    let handlers = with(count(|context| async move {
        let inner = context.call("file-search", r#"{"word": "inner"}"#).await;
        Ok(inner.map_err(|error| Failure::new(error.message))?.text)
    }));
    let output = handlers.call("row-count", "", &editor()).await.unwrap();
    assert_eq!(output.text, r#"{"files":["inner-0.txt"],"user":"ada"}"#);
    let blocking = with(Binding::blocking("row-count", |_: Nothing, context: Context| {
        let inner = context.call_blocking("file-search", r#"{"word": "missing"}"#);
        Ok::<_, Failure>(
            inner.map_err(|error| error.code.to_string()).map_or_else(|code| code, |output| output.text),
        )
    }));
    assert_eq!(blocking.call("row-count", "", &editor()).await.unwrap().text, "FAILED");
    // A context outside of a call can't call handlers.
    assert_eq!(editor().call("file-search", "{}").await.unwrap_err().code, ErrorCode::Failed);
}

/// The arguments of the caller are one struct, also by value with a context by value.
#[skills_handlers::handler(skill = "page-fetch" in "fixtures/acting", record_arguments)]
async fn page_fetch(input: &Find, context: Context) -> Result<String, std::num::ParseIntError> {
    tokio::task::yield_now().await;
    let number: u8 = input.word.parse()?;
    Ok(format!("{} {number}", context.user()))
}

#[tokio::test]
async fn a_handler_may_fail_with_its_own_error() {
    let handlers = with(page_fetch::binding());
    assert_eq!(handlers.call("page-fetch", r#"{"word": "7"}"#, &editor()).await.unwrap().text, "ada 7");
    let failed = handlers.call("page-fetch", r#"{"word": "x"}"#, &editor()).await.unwrap_err();
    assert_eq!((failed.code, failed.message.as_str()), (ErrorCode::Failed, "invalid digit found in string"));
}

/// Even if the function itself acts, rather than the future that it returns.
#[tokio::test]
async fn nothing_of_a_handler_runs_before_the_confirmation() {
    let acted = Arc::new(AtomicUsize::new(0));
    let acts = Arc::clone(&acted);
    let handlers = with(
        count(move |_| {
            acts.fetch_add(1, Ordering::SeqCst);
            std::future::ready(Ok("done"))
        })
        .confirm("it acts"),
    );
    let context = editor();
    let waiting = handlers.call("row-count", "{}", &context).await.unwrap_err();
    assert_eq!(acted.load(Ordering::SeqCst), 0);
    let token = waiting.pending.unwrap().token;
    handlers.call_confirmed("row-count", "{}", &token, &context).await.unwrap();
    assert_eq!(acted.load(Ordering::SeqCst), 1);
}
