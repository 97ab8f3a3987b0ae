//! What the operators of a program see: spans, counts, metrics and the audit log.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use skills_handlers::{Context, ErrorCode, Handlers};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::acting::{count, editor, handlers, with};

/// Keeps the fields of all spans and events.
#[derive(Clone, Default)]
struct Watcher(Arc<Mutex<Vec<BTreeMap<&'static str, String>>>>);

struct Fields<'f>(&'f mut BTreeMap<&'static str, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Subscriber for Watcher {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("skills")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = BTreeMap::from([("span", span.metadata().name().to_owned())]);
        span.record(&mut Fields(&mut fields));
        let mut seen = self.0.lock().unwrap();
        seen.push(fields);
        Id::from_u64(seen.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let at = usize::try_from(span.into_u64()).unwrap() - 1;
        values.record(&mut Fields(&mut self.0.lock().unwrap()[at]));
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = BTreeMap::new();
        event.record(&mut Fields(&mut fields));
        self.0.lock().unwrap().push(fields);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn a_span_has_user_skill_duration_and_outcome() {
    let handlers = with(
        count(|_| async {
            assert!(std::hint::black_box(false), "the text of the panic");
            Ok(())
        })
        .record_arguments(),
    );
    let calls = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let context = Context::new("ada").trace("trace-1");
            handlers.call("file-search", r#"{"word": "private"}"#, &context).await.unwrap();
            handlers.call("row-count", "{ }", &context).await.unwrap_err();
            handlers.call("wormhole", "private", &context).await.unwrap_err();
        });
    };
    // The first thread that reaches a span decides once whether it is enabled. That can be another test's
    // thread, which has no subscriber. So the cache is rebuilt, repeatedly if necessary.
    let watcher = (0..100).find_map(|_| {
        let watcher = Watcher::default();
        tracing::subscriber::with_default(watcher.clone(), || {
            tracing::callsite::rebuild_interest_cache();
            calls();
        });
        let is_whole = watcher.0.lock().unwrap().iter().filter(|seen| seen.contains_key("span")).count() > 2;
        is_whole.then_some(watcher)
    });
    let watcher = watcher.expect("every call has a span");
    let seen = watcher.0.lock().unwrap();
    let spans: Vec<_> = seen.iter().filter(|fields| fields.contains_key("span")).collect();
    let get = |at: usize, field: &str| spans[at].get(field).map(String::as_str);
    for (at, skill, outcome, arguments) in [
        (0, "file-search", "ok", None),
        (1, "row-count", "PANICKED", Some("{ }")),
        (2, "", "UNKNOWN_SKILL", None),
    ] {
        assert_eq!(get(at, "span"), Some("skill_call"));
        assert_eq!(get(at, "trace_id"), Some("trace-1"));
        assert_eq!((get(at, "skill"), get(at, "outcome")), (Some(skill), Some(outcome)));
        assert_eq!(get(at, "arguments"), arguments);
        for number in ["duration_us", "tokens_in", "tokens_out"] {
            assert!(get(at, number).unwrap().parse::<u64>().is_ok(), "{number}");
        }
    }
    assert_eq!(spans.len(), 3);
    assert!(
        seen.iter().any(|fields| fields.get("panic").map(String::as_str) == Some("the text of the panic"))
    );
    assert!(!format!("{seen:?}").contains("private"));
}

async fn some_calls(handlers: &Handlers) {
    let context = editor().trace("trace-2");
    handlers.call("file-search", r#"{"word": "wxyz"}"#, &context).await.unwrap();
    handlers.call("file-search", r#"{"word": "missing"}"#, &context).await.unwrap_err();
    handlers.call("file-search", r#"{"word": 1}"#, &context).await.unwrap_err();
    handlers.call("file-delete", r#"{"path": "a"}"#, &context).await.unwrap_err();
    handlers.call("no\"such\n", "{}", &context).await.unwrap_err();
}

#[tokio::test]
async fn calls_are_counted() {
    let handlers = handlers();
    some_calls(&handlers).await;
    let counts = handlers.counts();
    let names: Vec<&str> = counts.iter().map(|count| count.skill.as_str()).collect();
    assert_eq!(names, ["file-delete", "file-search", ""]);
    let search = &counts[1];
    assert_eq!((search.calls, search.argument_errors(), search.cancelled), (3, 1, 0));
    assert_eq!(
        search.failures.iter().map(|(code, count)| (*code, *count)).collect::<Vec<_>>(),
        [(ErrorCode::InvalidArguments, 1), (ErrorCode::Failed, 1)]
    );
    // 16 + 19 + 11 bytes went in.
    assert_eq!(search.tokens_in, 12);
    assert!(search.tokens_out > 20 && !search.time.is_zero());
    assert_eq!(counts[0].failures.get(&ErrorCode::ConfirmationRequired), Some(&1));
}

#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_audit_log_has_a_line_per_call() {
    let log = Log::default();
    let handlers = with(count(|_| async { Ok(1) }).record_arguments()).audit_to(log.clone());
    some_calls(&handlers).await;
    handlers.call("row-count", "{\n}", &editor()).await.unwrap();
    let error = handlers.call("file-delete", r#"{"path": "b"}"#, &editor()).await.unwrap_err();
    let token = error.pending.unwrap().token;
    handlers.call_confirmed("file-delete", r#"{"path": "b"}"#, &token, &editor()).await.unwrap();

    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said: Vec<(&str, &str, bool)> = lines
        .iter()
        .map(|line| {
            let text = |key: &str| line[key].as_str().unwrap();
            (text("skill"), text("outcome"), line["confirmed"].as_bool().unwrap())
        })
        .collect();
    assert_eq!(
        said,
        [
            ("file-search", "ok", false),
            ("file-search", "FAILED", false),
            ("file-search", "INVALID_ARGUMENTS", false),
            ("file-delete", "CONFIRMATION_REQUIRED", false),
            ("no\"such\n", "UNKNOWN_SKILL", false),
            ("row-count", "ok", false),
            ("file-delete", "CONFIRMATION_REQUIRED", false),
            ("file-delete", "ok", true),
        ]
    );
    assert_eq!((&lines[0]["user"], &lines[0]["trace_id"]), (&Value::from("ada"), &Value::from("trace-2")));
    assert!(lines[0]["time_ms"].as_u64().unwrap() > 1_600_000_000_000);
    assert_eq!(lines[5]["arguments"], "{\n}");
    assert!(!text.contains("wxyz") && !text.contains(&token));
}

#[tokio::test]
async fn a_failing_log_does_not_stop_calls() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let handlers = handlers().audit_to(Full);
    assert!(handlers.call("file-search", r#"{"word": "a"}"#, &editor()).await.is_ok());
}

pub(crate) fn lines(log: &Log) -> Vec<Value> {
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// It has the argument, role or limit that failed, but no value that the caller sent.
#[tokio::test]
async fn the_audit_log_says_why() {
    let log = Log::default();
    let slow = count(|_| async {
        std::future::pending::<()>().await;
        Ok(())
    });
    let handlers = with(slow.timeout(std::time::Duration::from_millis(20))).audit_to(log.clone());
    let bob = Context::new("bob");
    handlers.call("file-search", r#"{"limit": "secret", "wobble": 1}"#, &bob).await.unwrap_err();
    handlers.call("file-delete", r#"{"path": "a"}"#, &bob).await.unwrap_err();
    handlers.call("row-count", "", &bob).await.unwrap_err();
    handlers.call_confirmed("file-delete", r#"{"path": "a"}"#, "x", &editor()).await.unwrap_err();
    handlers.max_depth(0).call("file-search", r#"{"word": "a"}"#, &bob).await.unwrap();
    let lines = lines(&log);
    let why: Vec<&str> = lines.iter().map(|line| line["why"].as_str().unwrap_or_default()).collect();
    let mut faults: Vec<&str> = why[0].split(", ").collect();
    faults.sort_unstable();
    assert_eq!(faults, ["limit: type", "wobble: additionalProperties", "word: required"]);
    assert_eq!(why[1..], ["role: `editor` or `admin`", "time limit: 20ms", "the token isn't valid", ""]);
    assert!(lines.iter().all(|line| line["kind"] == "call" && line["step"] == 0));
    assert!(lines[0]["tokens_in"] == 8 && lines[0]["tokens_out"].as_u64() > Some(20), "{}", lines[0]);
    assert!(!format!("{lines:?}").contains("secret"));
}

#[tokio::test]
async fn the_audit_log_has_the_steps_of_a_run() {
    use skills_handlers::{Assistant, Limits, Message, Model, ModelError, Tool, run};

    struct Two(std::sync::atomic::AtomicUsize);
    impl Model for Two {
        async fn reply(&self, _: &[Message], _: &[Tool]) -> Result<Assistant, ModelError> {
            let call = Assistant::default().call("1", "file-search", r#"{"word": "a"}"#).used(50, 7);
            match self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
                0 => Ok(call),
                1 => Ok(Assistant::new("done").used(60, 3)),
                _ => Err(ModelError::new("no more")),
            }
        }
    }
    let log = Log::default();
    let handlers = handlers().audit_to(log.clone());
    let context = Context::new("ada").trace("trace-7");
    let model = Two(0.into());
    for _ in 0..2 {
        let asks = vec![Message::user("x")];
        run(&model, &crate::acting::REGISTRY, &handlers, asks, &Limits::default(), &context).await;
    }
    let lines = lines(&log);
    let get = |at: usize, keys: &[&str]| keys.iter().map(|key| lines[at][*key].clone()).collect::<Value>();
    assert_eq!(
        get(0, &["kind", "step", "decision", "calls"]),
        serde_json::json!(["turn", 1, "calls", ["file-search"]])
    );
    assert_eq!(get(0, &["tokens_in", "tokens_out", "reported"]), serde_json::json!([50, 7, true]));
    assert_eq!(
        get(1, &["kind", "step", "skill", "outcome"]),
        serde_json::json!(["call", 1, "file-search", "ok"])
    );
    assert_eq!(get(2, &["kind", "step", "decision", "calls"]), serde_json::json!(["turn", 2, "answer", []]));
    assert_eq!(
        get(3, &["kind", "outcome", "turns", "tokens_in"]),
        serde_json::json!(["run", "answered", 2, 110])
    );
    assert_eq!(get(4, &["kind", "decision"]), serde_json::json!(["turn", "failed"]));
    assert_eq!(get(5, &["kind", "outcome", "turns"]), serde_json::json!(["run", "model_failed", 1]));
    assert!(lines.iter().all(|line| line["trace_id"] == "trace-7" && line["user"] == "ada"));
}

#[tokio::test]
async fn failures_are_counted_by_their_own_code() {
    use skills_handlers::Failure;

    let handlers = with(count(|context: Context| async move {
        match context.user() {
            "io" => Err(std::io::Error::from(std::io::ErrorKind::NotFound).into()),
            "plain" => Err(Failure::new("no")),
            many => Err(Failure::new("no").code(many.to_owned())),
        }
        .map(|(): ()| 1)
    }));
    for user in ["io", "io", "plain", "QUOTA"] {
        handlers.call("row-count", "", &Context::new(user)).await.unwrap_err();
    }
    let error = handlers.call("row-count", "", &Context::new("io")).await.unwrap_err();
    assert_eq!((error.code, error.code_str()), (ErrorCode::Failed, "FILE_NOT_FOUND"));
    assert_eq!(
        error.to_string(),
        r#"{"error":"FILE_NOT_FOUND","message":"the file or directory doesn't exist","suggestion":"check the path, or search for the file first"}"#
    );
    let counts = handlers.counts();
    let count = counts.iter().find(|count| count.skill == "row-count").unwrap();
    assert_eq!(count.failures.get(&ErrorCode::Failed), Some(&5));
    let codes: Vec<(String, u64)> = count.by_code().into_iter().collect();
    assert_eq!(codes, [("FAILED".to_owned(), 1), ("FILE_NOT_FOUND".to_owned(), 3), ("QUOTA".to_owned(), 1)]);
    // Many different codes don't fill the memory, and no failure is lost.
    for number in 0..300 {
        handlers.call("row-count", "", &Context::new(format!("CODE_{number}"))).await.unwrap_err();
    }
    let counts = handlers.counts();
    let count = counts.iter().find(|count| count.skill == "row-count").unwrap();
    assert!(count.own_codes.len() <= 101 && count.by_code().values().sum::<u64>() == 305);
}

#[test]
fn calls_are_recorded_as_metrics() {
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let handlers = handlers();
            some_calls(&handlers).await;
            let handlers = with(count(|_| std::future::pending::<Result<(), skills_handlers::Failure>>()));
            let context = editor();
            let waits = handlers.call("row-count", "{}", &context);
            assert!(futures_now(waits).is_none(), "it must be cancelled before it ends");
        });
    });
    let text = recorder.handle().render();
    for line in [
        "# TYPE skill_failures_total counter",
        "skill_call_seconds_count{skill=\"file-search\"} 3",
        "skill_call_seconds_count{skill=\"\"} 1",
        "skill_failures_total{skill=\"file-search\",code=\"INVALID_ARGUMENTS\"} 1",
        "skill_failures_total{skill=\"file-delete\",code=\"CONFIRMATION_REQUIRED\"} 1",
        "skill_failures_total{skill=\"\",code=\"UNKNOWN_SKILL\"} 1",
        "skill_cancelled_total{skill=\"row-count\"} 1",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let tokens =
        |line: &str| line.strip_prefix("skill_tokens_in_total{skill=\"file-search\"} ")?.parse::<u64>().ok();
    assert!(text.lines().find_map(tokens).is_some_and(|count| count >= 12), "{text}");
    assert!(!text.contains("no\\\"such"), "the text of a model is a label: {text}");
}

/// The output of a future if it is ready at once. It is dropped.
fn futures_now<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}

#[test]
fn a_request_that_nothing_fits_leaves_a_line_in_the_trace() {
    let routed = |request: &str| {
        (0..100).find_map(|_| {
            let watcher = Watcher::default();
            tracing::subscriber::with_default(watcher.clone(), || {
                tracing::callsite::rebuild_interest_cache();
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                let context = Context::new("ada").trace("trace-9");
                let router = skills_handlers::Router::new();
                runtime.block_on(router.route(request, &crate::acting::REGISTRY, &handlers(), &context));
            });
            let seen = watcher.0.lock().unwrap();
            let line =
                seen.iter().find(|seen| seen.get("trace_id").is_some_and(|id| id.contains("trace-9")))?;
            line.get("message").cloned()
        })
    };
    assert_eq!(routed("удали файл").as_deref(), Some("no group fits the request: all tools are shown"));
    assert_eq!(routed("find a file"), None);
}

/// Calls that no handler gets are counted and in the log too.
#[tokio::test]
async fn unknown_names_and_read_result_are_observed() {
    use skills::mcp::{Functions as _, RequestParts};
    use skills_handlers::{Assistant, Limits, Message, Model, ModelError, Served, Tool, run};

    struct Wrong;
    impl Model for Wrong {
        async fn reply(&self, messages: &[Message], _: &[Tool]) -> Result<Assistant, ModelError> {
            let long = "wormhole".repeat(100_000);
            let asks =
                Assistant::default().call("a", long, "{}").call("b", "read_result", r#"{"handle": "x"}"#);
            Ok(if messages.len() == 1 { asks } else { Assistant::new("done") })
        }
    }
    let log = Log::default();
    let long = count(|_| async { Ok("0123456789".repeat(10)) }).result_limit(30);
    let handlers = with(long).audit_to(log.clone());
    let asks = vec![Message::user("x")];
    run(&Wrong, &crate::acting::REGISTRY, &handlers, asks, &Limits::default(), &editor()).await;
    let seen = |log: &Log| -> Vec<Value> {
        let lines = lines(log);
        let calls = lines.iter().filter(|line| line["kind"] == "call");
        calls.map(|line| serde_json::json!([line["skill"], line["outcome"], line["step"]])).collect()
    };
    let mut calls = seen(&log);
    calls.sort_by_key(ToString::to_string);
    let cut = "wormhole".repeat(10);
    assert_eq!(
        calls,
        [
            serde_json::json!(["read_result", "INVALID_ARGUMENTS", 1]),
            serde_json::json!([cut, "UNKNOWN_SKILL", 1])
        ]
    );
    let turn = lines(&log).into_iter().find(|line| line["kind"] == "turn").unwrap();
    assert_eq!(turn["calls"], serde_json::json!([cut, "read_result"]));

    log.0.lock().unwrap().clear();
    let (served, request) = (Served::new(handlers.clone()), RequestParts::default());
    assert_eq!(served.call("wormhole", "{}", None, &request).await, None);
    let text = served.call("row-count", "{}", None, &request).await.unwrap().text;
    let handle = text.split("handle=").nth(1).unwrap().split(' ').next().unwrap();
    let read = format!(r#"{{"handle": "{handle}", "offset": 95}}"#);
    assert!(!served.call("read_result", &read, None, &request).await.unwrap().is_error);
    let calls: Vec<Value> = seen(&log);
    assert_eq!(
        calls,
        [
            serde_json::json!(["wormhole", "UNKNOWN_SKILL", 0]),
            serde_json::json!(["row-count", "ok", 0]),
            serde_json::json!(["read_result", "ok", 0])
        ]
    );
    let counts = handlers.counts();
    let names: Vec<(&str, u64)> = counts.iter().map(|count| (count.skill.as_str(), count.calls)).collect();
    assert_eq!(
        names,
        [("file-delete", 0), ("file-search", 0), ("row-count", 1), ("read_result", 2), ("", 2)]
    );
    let reading = counts.iter().find(|count| count.skill == "read_result").unwrap();
    assert_eq!((reading.argument_errors(), reading.tokens_out > 5), (1, true));
}

/// However long a path is that a model sends, the log and the error have its beginning.
#[tokio::test]
async fn long_paths_are_cut() {
    let log = Log::default();
    let handlers = handlers().audit_to(log.clone());
    let key = "k".repeat(400_000);
    for arguments in [
        format!(r#"{{"{key}": 1, "{key}": 2}}"#),
        format!(r#"{{"word": "a", "{key}": 1}}"#),
        format!(r#"{{"word": {{"{key}": {{"{key}": 1, "{key}": 1}}}}}}"#),
    ] {
        let error = handlers.call("file-search", &arguments, &editor()).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArguments);
        assert!(error.to_string().len() < 800, "{}", error.to_string().len());
        assert!(error.faults.iter().all(|fault| fault.path.len() < 100 && fault.message.len() < 200));
    }
    assert!(lines(&log).iter().all(|line| line["why"].as_str().unwrap().len() < 200));
    assert_eq!(lines(&log).len(), 3);
}
