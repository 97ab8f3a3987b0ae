//! Input that must not stop a program: each gets its error in time, and the next call works.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use skills_handlers::{Binding, Context, ErrorCode, Failure, Handlers, ResultStore};

use crate::acting::{Nothing, SOON, count, editor, with};

/// The error code of a call of `row-count`; afterwards another skill must still answer.
async fn ends_in(handlers: &Handlers, arguments: &str) -> ErrorCode {
    ends(handlers, arguments, &editor()).await
}

async fn ends(handlers: &Handlers, arguments: &str, context: &Context) -> ErrorCode {
    let call = handlers.call("row-count", arguments, context);
    let error = tokio::time::timeout(SOON, call).await.unwrap().unwrap_err();
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
    let (go_on, waits) = std::sync::mpsc::channel::<()>();
    let waits = Arc::new(Mutex::new(waits));
    let busy = count(move |_| {
        let waits = Arc::clone(&waits);
        async move {
            // It ends when the other end is dropped.
            let _ = waits.lock().unwrap().recv();
            Ok(())
        }
    });
    let handlers = with(busy.timeout(Duration::from_millis(50)));
    let calls = tokio::spawn(async move { handlers.call("row-count", "", &editor()).await });
    let error = calls.await.unwrap().unwrap_err();
    assert_eq!(error.code, ErrorCode::Timeout);
    assert!(error.message.contains("its outcome is unknown"), "{}", error.message);
    drop(go_on);
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

/// Thirty definitions, each of which uses the next one twice: a billion paths.
#[test]
fn a_schema_that_takes_very_long_is_not_bound() {
    struct Hostile;
    impl<'de> serde::Deserialize<'de> for Hostile {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Ok(Self)
        }
    }
    impl schemars::JsonSchema for Hostile {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Hostile".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            let mut schema =
                serde_json::json!({"type": "object", "$ref": "#/$defs/a0", "$defs": {"a30": true}});
            for number in 0..30 {
                let next = serde_json::json!({"$ref": format!("#/$defs/a{}", number + 1)});
                schema["$defs"][format!("a{number}")] =
                    serde_json::json!({"anyOf": [{"allOf": [next, false]}, next]});
            }
            schema.try_into().unwrap()
        }
    }
    // Checking it would take very long.
    let hostile = Binding::new("row-count", |_: Hostile, _: Context| async { Ok::<_, Failure>(()) });
    let error = Handlers::new(&crate::acting::REGISTRY).bind(hostile).unwrap_err();
    assert!(error.to_string().contains("more than 10000 paths"), "{error}");
}

/// A tree of either kind of node, whose forms are all tried at each level.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code, reason = "it is there for its schema")]
enum Tree {
    And { a: Option<Box<Tree>>, rows: Option<Vec<Tree>> },
    Or { a: Option<Box<Tree>>, rows: Option<Vec<Tree>> },
    Leaf,
}

/// One thread is enough: long checks run on another.
#[tokio::test]
async fn deep_arguments_block_nobody() {
    let tree = Binding::new("row-count", |_: Tree, _: Context| async { Ok::<_, Failure>("checked") });
    let handlers = with(tree.timeout(Duration::from_secs(5)));
    let nested = |depth: usize| {
        (0..depth).fold(r#"{"kind": "leaf"}"#.to_owned(), |a, _| format!(r#"{{"kind": "or", "a": {a}}}"#))
    };
    assert_eq!(handlers.call("row-count", &nested(5), &editor()).await.unwrap().text, "checked");
    for depth in [12, 14, 16, 20, 60, 100] {
        let (handlers, arguments) = (handlers.clone(), nested(depth));
        let deep = tokio::spawn(async move { handlers.call("row-count", &arguments, &editor()).await });
        let mut turns = 0;
        while !deep.is_finished() {
            tokio::time::sleep(Duration::from_millis(1)).await;
            turns += 1;
        }
        match deep.await.unwrap() {
            Ok(output) => assert!(output.text == "checked" && depth < 60),
            Err(error) => {
                assert!(matches!(error.code, ErrorCode::InvalidArguments | ErrorCode::Timeout), "{error}");
                assert!(depth > 10);
                // While it was checked for five seconds, the thread was free for others.
                assert!(error.code != ErrorCode::Timeout || turns > 5, "{turns}");
            }
        }
    }
    let error = handlers.call("row-count", &nested(100), &editor()).await.unwrap_err();
    assert_eq!(error.message, "`row-count`: the arguments are too deep or too many to check");
}

#[tokio::test]
async fn duplicate_keys_are_refused() {
    let handlers = crate::acting::handlers();
    let error = handlers.call("file-search", r#"{"word": "a", "word": "b"}"#, &editor()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"{"error":"INVALID_ARGUMENTS","message":"`file-search`: `word` is there twice","suggestion":"give each field once; for example {\"word\": \"notes\"}"}"#
    );
    assert!(handlers.call("file-search", r#"{"word": "a"}"#, &editor()).await.is_ok());
}

/// A type whose schema this is, and which takes any arguments.
macro_rules! of_schema {
    ($name:ident, $schema:tt) => {
        struct $name;
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(arguments: D) -> Result<Self, D::Error> {
                serde::de::IgnoredAny::deserialize(arguments).map(|_| Self)
            }
        }
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                serde_json::json!($schema).try_into().unwrap()
            }
        }
    };
}

/// Waits for a call, while it must not hold the only thread of this runtime. Returns its error.
async fn beside(handlers: &Handlers, arguments: String) -> Result<(), ErrorCode> {
    let handlers = handlers.clone();
    let call = tokio::spawn(async move { handlers.call("row-count", &arguments, &editor()).await });
    let mut turns = 0;
    while !call.is_finished() {
        tokio::time::sleep(Duration::from_millis(1)).await;
        turns += 1;
    }
    assert!(turns > 0);
    call.await.unwrap().map(|_| ()).map_err(|error| error.code)
}

/// Expressions that take exponential time in an engine that backtracks.
#[tokio::test]
async fn a_nasty_pattern_takes_linear_time() {
    of_schema!(Nasty, {"type": "object", "properties": {
        "a": {"type": "string", "pattern": "^(a+)+$"},
        "b": {"type": "string", "pattern": "^(a|a|aa)*b$"},
        "c": {"type": "string", "pattern": "^([a-z]+){3,30}[0-9]$"},
    }});
    let nasty = Binding::new("row-count", |_: Nasty, _: Context| async { Ok::<_, Failure>("matched") });
    let handlers = with(nasty.timeout(SOON));
    for (name, length) in [("a", 40), ("b", 40), ("c", 40), ("a", 40_000), ("b", 40_000), ("c", 40_000)] {
        let text = "a".repeat(length);
        let wrong = beside(&handlers, format!(r#"{{"{name}": "{text}!"}}"#)).await;
        assert_eq!(wrong, Err(ErrorCode::InvalidArguments), "{name} {length}");
    }
    let right = format!(r#"{{"a": "{0}", "b": "{0}b", "c": "{0}1"}}"#, "a".repeat(10_000));
    assert_eq!(beside(&handlers, right).await, Ok(()));
    // A text for which even linear time is long.
    let error =
        handlers.call("row-count", &format!(r#"{{"a": "{}"}}"#, "a".repeat(1_000_000)), &editor()).await;
    assert!(error.unwrap_err().message.ends_with("the arguments are too deep or too many to check"));
}

/// A pattern whose compiled form is large isn't bound, nor one that only an engine with backtracking could match.
#[test]
fn a_pattern_that_is_too_large_is_not_bound() {
    of_schema!(Large, {"type": "object", "properties": {"a": {"pattern": "^(\\w{1,300}){1,300}$"}}});
    of_schema!(Back, {"type": "object", "properties": {"a": {"pattern": "^(a)\\1$"}}});
    of_schema!(Usual, {"type": "object", "properties": {"a": {"pattern": "^[\\w.+-]{1,64}@[\\w-]+(\\.[\\w-]+)*$"}}});
    let bind = |binding: Binding| Handlers::new(&crate::acting::REGISTRY).bind(binding).map(|_| ());
    let large = Binding::new("row-count", |_: Large, _: Context| async { Ok::<_, Failure>(()) });
    let back = Binding::new("row-count", |_: Back, _: Context| async { Ok::<_, Failure>(()) });
    let usual = Binding::new("row-count", |_: Usual, _: Context| async { Ok::<_, Failure>(()) });
    for error in [bind(large).unwrap_err(), bind(back).unwrap_err()] {
        assert!(matches!(&error, skills_handlers::BindError::InvalidSchema { .. }), "{error}");
    }
    bind(usual).unwrap();
}

/// Many small values are parsed and counted on another thread.
#[tokio::test]
async fn many_values_block_nobody() {
    of_schema!(Rows, {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "integer"}}}});
    let rows = Binding::new("row-count", |_: Rows, _: Context| async { Ok::<_, Failure>("checked") });
    let handlers = with(rows.timeout(SOON));
    let many = |last: &str| format!(r#"{{"rows": [{}{last}]}}"#, "1,".repeat(300_000));
    assert_eq!(beside(&handlers, many("1")).await, Ok(()));
    assert_eq!(beside(&handlers, many("true")).await, Err(ErrorCode::InvalidArguments));
    assert_eq!(beside(&handlers, many("}")).await, Err(ErrorCode::InvalidArguments));
}

/// What comes of arguments is the same on every kind of runtime and thread, whatever their size.
#[test]
fn large_arguments_from_outside_of_the_runtime() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Texts {
        texts: Vec<String>,
        #[schemars(with = "Option<String>")]
        ip: Option<std::net::IpAddr>,
    }
    let runtimes = [
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap(),
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap(),
    ];
    let sum =
        |input: &Texts| input.texts.iter().map(String::len).sum::<usize>() + usize::from(input.ip.is_some());
    let bindings = [
        Binding::new(
            "row-count",
            move |input: Texts, _: Context| async move { Ok::<_, Failure>(sum(&input)) },
        ),
        Binding::blocking("row-count", move |input: Texts, _: Context| Ok::<_, Failure>(sum(&input))),
    ];
    for (runtime, binding) in
        runtimes.iter().flat_map(|runtime| bindings.iter().map(move |binding| (runtime, binding)))
    {
        for texts in [1, 2_000, 20_000] {
            let handlers = with(binding.clone());
            let text = format!("[{}\"x\"]", "\"x\",".repeat(texts - 1));
            let call = |rest: &str| {
                let arguments = format!(r#"{{"texts": {text}{rest}}}"#);
                runtime.block_on(async { handlers.call("row-count", &arguments, &editor()).await })
            };
            assert_eq!(call("").unwrap().text, texts.to_string());
            assert_eq!(call(r#", "ip": "::1""#).unwrap().text, (texts + 1).to_string());
            let error = call(r#", "ip": "x""#).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidArguments);
            assert!(error.message.starts_with("`row-count`: invalid IP address syntax"), "{error}");
            assert_eq!(call(r#", "texts": []"#).unwrap_err().code, ErrorCode::InvalidArguments);
            assert_eq!(call(r#", "ip": 7"#).unwrap_err().faults[0].path, "ip");
            let counts = handlers.counts();
            let count = counts.iter().find(|count| count.skill == "row-count").unwrap();
            assert_eq!((count.calls, count.argument_errors()), (5, 3));
        }
    }
}
