//! Handlers as tools of an MCP server, as a host sees them.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use skills::mcp::{CONFIRMATION, Functions as _, RequestParts, Server};
use skills_handlers::{Context, Handlers, ResultStore, Served};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf};

use crate::acting::{REGISTRY, count, handlers, with};

/// A client, and how its user answers questions; `None` if it can't ask any.
struct Client {
    to: WriteHalf<DuplexStream>,
    from: BufReader<ReadHalf<DuplexStream>>,
    last: u64,
    answer: Option<Value>,
    asked: Vec<Value>,
}

impl Client {
    async fn of(served: Served, answer: Option<Value>) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(theirs);
        tokio::spawn(Server::new(REGISTRY.clone()).with_handlers(served).serve(reader, writer));
        let (from, to) = tokio::io::split(ours);
        let mut client = Self { to, from: BufReader::new(from), last: 0, answer, asked: Vec::new() };
        let capabilities = if client.answer.is_some() { json!({"elicitation": {}}) } else { json!({}) };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities,
                           "clientInfo": {"name": "test", "version": "0"}});
        client.ask("initialize", &hello).await;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn send(&mut self, message: &Value) {
        self.to.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        loop {
            let mut line = String::new();
            let read = tokio::time::timeout(crate::acting::SOON, self.from.read_line(&mut line)).await;
            assert!(read.unwrap().unwrap() > 0, "the connection is closed");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["method"] == "elicitation/create" {
                self.asked.push(message["params"].clone());
                let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": self.answer});
                self.send(&answer).await;
            } else if message["id"] == id && message["method"].is_null() {
                assert!(message["result"].is_object(), "{message}");
                return message["result"].clone();
            }
        }
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> (String, bool, Value) {
        self.call_with(tool, arguments, json!({})).await
    }

    async fn call_with(&mut self, tool: &str, arguments: Value, meta: Value) -> (String, bool, Value) {
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let result = self.ask("tools/call", &params).await;
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        (text, result["isError"] == true, result["_meta"].clone())
    }

    async fn tools(&mut self) -> Vec<String> {
        let listed = self.ask("tools/list", &json!({})).await;
        let tools = listed["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

fn served(handlers: Handlers) -> Served {
    Served::new(handlers).context(|_| Context::new("ada").role("editor"))
}

#[tokio::test]
async fn a_host_calls_handlers_as_tools() {
    let mut client = Client::of(served(handlers()), None).await;
    let tools = client.tools().await;
    assert!(tools.ends_with(&["file-delete", "file-search", "read_result"].map(str::to_owned)), "{tools:?}");
    assert!(tools.contains(&"list_skills".to_owned()));
    let (text, is_error, _) = client.call("file-search", json!({"word": "a"})).await;
    assert_eq!((text.as_str(), is_error), (r#"{"files":["a-0.txt"],"user":"ada"}"#, false));
    let (text, is_error, _) = client.call("file-search", json!({"word": 1})).await;
    assert!(text.starts_with(r#"{"error":"INVALID_ARGUMENTS""#) && is_error, "{text}");
    // The tools of the skills still answer.
    let (text, is_error, _) = client.call("list_skills", json!({})).await;
    assert!(text.contains("file-search") && !is_error);
}

/// Without a context, a caller has no name and no role, so handlers that need one are not offered.
#[tokio::test]
async fn the_caller_decides_which_tools_are_offered() {
    let mut client = Client::of(Served::new(handlers()), None).await;
    let tools = client.tools().await;
    assert!(tools.contains(&"file-search".to_owned()) && !tools.contains(&"file-delete".to_owned()));
    let (text, is_error, _) = client.call("file-delete", json!({"path": "a"})).await;
    assert!(text.starts_with(r#"{"error":"NOT_ALLOWED""#) && is_error, "{text}");
}

#[tokio::test]
async fn a_host_that_can_ask_asks_the_user() {
    let answers = [
        (json!({"action": "accept", "content": {"confirm": true}}), Some("deleted a")),
        (json!({"action": "accept", "content": {"confirm": false}}), None),
        (json!({"action": "accept"}), None),
        (json!({"action": "decline"}), None),
        (json!({"action": "cancel"}), None),
    ];
    for (answer, done) in answers {
        let handlers = handlers();
        let mut client = Client::of(served(handlers.clone()), Some(answer.clone())).await;
        let (text, is_error, _) = client.call("file-delete", json!({"path": "a"})).await;
        assert_eq!(text, done.unwrap_or("This was not done: the user declined."), "{answer}");
        assert_eq!(is_error, done.is_none());
        assert_eq!(client.asked.len(), 1);
        assert_eq!(client.asked[0]["message"], r#"file-delete {"path":"a"}: it deletes a file for good"#);
        let counts = handlers.counts();
        // A declined question can't be confirmed later, and one that was confirmed served its call.
        assert_eq!(counts[0].failures.get(&skills_handlers::ErrorCode::ConfirmationRequired), Some(&1));
        assert_eq!(counts[0].calls - counts[0].failures.values().sum::<u64>(), u64::from(done.is_some()));
    }
}

#[tokio::test]
async fn another_host_repeats_the_call_with_the_token() {
    let mut client = Client::of(served(handlers()), None).await;
    let (text, is_error, meta) = client.call("file-delete", json!({"path": "a"})).await;
    let token = meta[CONFIRMATION].as_str().unwrap().to_owned();
    assert!(text.starts_with(r#"{"error":"CONFIRMATION_REQUIRED""#) && is_error);
    assert!(!text.contains(&token), "the model doesn't see it");
    // It is valid for this call only, and once.
    let meta = json!({CONFIRMATION: token});
    let (text, ..) = client.call_with("file-delete", json!({"path": "b"}), meta.clone()).await;
    assert!(text.starts_with(r#"{"error":"CONFIRMATION_REQUIRED""#), "{text}");
    let (text, is_error, _) = client.call_with("file-delete", json!({"path": "a"}), meta.clone()).await;
    assert_eq!((text.as_str(), is_error), ("deleted a", false));
    let (text, ..) = client.call_with("file-delete", json!({"path": "a"}), meta).await;
    assert!(text.starts_with(r#"{"error":"CONFIRMATION_REQUIRED""#), "{text}");
}

#[tokio::test]
async fn long_results_can_be_read_in_pieces() {
    let long = with(count(|_| async { Ok("0123456789".repeat(10)) }).result_limit(30));
    let mut client = Client::of(served(long), None).await;
    let (text, ..) = client.call("row-count", json!({})).await;
    let handle = text.split("handle=").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let (text, is_error, _) = client.call("read_result", json!({"handle": handle, "offset": 95})).await;
    assert_eq!((text.as_str(), is_error), ("56789\n\n[end: 100 characters in all]", false));
    assert!(client.call("read_result", json!({"handle": "none"})).await.1);
}

/// Over HTTP, the next request may reach another process, which knows nothing of this one.
#[tokio::test]
async fn tools_that_need_memory_are_not_offered_over_http() {
    let mut http = RequestParts::default();
    http.is_http = true;
    let names = |served: &Served| -> Vec<String> {
        let tools = served.tools(&http);
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let long = || with(count(|_| async { Ok("0123456789".repeat(10)) }).result_limit(30));
    let stateless = served(long());
    assert_eq!(names(&stateless), ["file-search", "row-count"]);
    assert_eq!(stateless.left_out(), ["file-delete"]);
    assert_eq!(Server::new(REGISTRY.clone()).with_handlers(served(long())).left_out(), ["file-delete"]);
    assert_eq!(stateless.call("file-delete", r#"{"path": "a"}"#, None, &http).await, None);
    assert_eq!(stateless.call("read_result", r#"{"handle": "x"}"#, None, &http).await, None);
    let cut = stateless.call("row-count", "{}", None, &http).await.unwrap();
    assert!(cut.text.ends_with("[truncated: 30 of 100 characters; ask for less]"), "{}", cut.text);
    for keeps in [served(long()).one_process(), served(long().store(crate::store::Shared::default()))] {
        assert_eq!(names(&keeps), ["file-delete", "file-search", "row-count", "read_result"]);
        assert_eq!(keeps.left_out(), [""; 0]);
        let asked = keeps.call("file-delete", r#"{"path": "a"}"#, None, &http).await.unwrap();
        assert!(asked.waits.is_some() && asked.is_error);
    }
}

/// Nobody could read it later. What a handler gets of another one is there as long as it runs.
#[tokio::test]
async fn a_long_result_that_nobody_can_read_is_not_written() {
    let seen: Arc<Mutex<Vec<Context>>> = Arc::default();
    let contexts = Arc::clone(&seen);
    let long = count(move |context| {
        contexts.lock().unwrap().push(context.clone());
        let is_inner = contexts.lock().unwrap().len() == 2;
        async move {
            if is_inner {
                return Ok("0123456789".repeat(10));
            }
            let inner = context.call("row-count", "{}").await?;
            let rest = inner.rest.unwrap();
            let end = context.results().read(&rest.handle, 95, 10)?;
            Ok(format!("{}{}", end.text, "x".repeat(60)))
        }
    });
    let mut http = RequestParts::default();
    http.is_http = true;
    let cut = served(with(long.result_limit(30))).call("row-count", "{}", None, &http).await.unwrap();
    let shown = format!("56789{}\n\n[truncated: 30 of 65 characters; ask for less]", "x".repeat(25));
    assert_eq!((cut.text, cut.is_error), (shown, false));
    assert_eq!(seen.lock().unwrap().len(), 2);

    let context: Arc<Mutex<Option<Context>>> = Arc::default();
    let kept = Arc::clone(&context);
    let alone = count(move |context| {
        *kept.lock().unwrap() = Some(context);
        async { Ok("é".repeat(40)) }
    });
    let cut = served(with(alone.result_limit(30))).call("row-count", "{}", None, &http).await.unwrap();
    assert!(cut.text.ends_with("é\n\n[truncated: 30 of 40 characters; ask for less]"), "{}", cut.text);
    assert_eq!(context.lock().unwrap().as_ref().unwrap().results().dir(), None, "nothing is on disk");
}

/// A host that keeps the token of a declined call can't use it.
#[tokio::test]
async fn a_declined_call_cannot_be_confirmed() {
    let (served, request) = (served(handlers()), RequestParts::default());
    let delete = ("file-delete", r#"{"path": "a"}"#);
    let ask = async || served.call(delete.0, delete.1, None, &request).await.unwrap().waits.unwrap().1;
    let (declined, other) = (ask().await, ask().await);
    served.decline(&declined, &request).await;
    served.decline("none", &request).await;
    let late = served.call(delete.0, delete.1, Some(&declined), &request).await.unwrap();
    assert!(late.is_error && late.waits.is_some());
    let done = served.call(delete.0, delete.1, Some(&other), &request).await.unwrap();
    assert_eq!(done.text, "deleted a");

    let (handlers, ada) = (handlers(), Context::new("ada").role("editor"));
    let token = handlers.call(delete.0, delete.1, &ada).await.unwrap_err().pending.unwrap().token;
    assert!(!handlers.decline(&token, &Context::new("eve")).await.unwrap(), "not another user's");
    assert!(handlers.decline(&token, &ada).await.unwrap() && !handlers.decline(&token, &ada).await.unwrap());
    let late = handlers.call_confirmed(delete.0, delete.1, &token, &ada).await.unwrap_err();
    assert_eq!(late.code, skills_handlers::ErrorCode::ConfirmationRequired);
}

fn handle_of(text: &str) -> String {
    text.split("handle=").nth(1).unwrap().split(' ').next().unwrap().to_owned()
}

/// Listing tools and short results take no place of the users who have long ones.
#[tokio::test]
async fn long_results_stay_however_many_others_call() {
    let user = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let calls = std::sync::Arc::clone(&user);
    let long = with(count(|_| async { Ok("0123456789".repeat(10)) }).result_limit(30));
    let served = Served::new(long).context(move |_| Context::new(calls.lock().unwrap().clone()));
    let request = RequestParts::default();
    let call = async |name: &str, tool: &str, arguments: &str| {
        name.clone_into(&mut user.lock().unwrap());
        served.call(tool, arguments, None, &request).await.unwrap()
    };
    let handle = handle_of(&call("ada", "row-count", "{}").await.text);
    for number in 0..600 {
        call(&format!("user-{number}"), "file-search", r#"{"word": "a"}"#).await;
        assert!(!served.tools(&request).is_empty());
    }
    let read = format!(r#"{{"handle": "{handle}", "offset": 95}}"#);
    assert!(call("ada", "read_result", &read).await.text.starts_with("56789"));
    assert!(call("eve", "read_result", &read).await.is_error, "another user doesn't have it");
}

/// The store that the host gave is used.
#[tokio::test]
async fn long_results_go_where_the_host_wants_them() {
    let parent = tempfile::tempdir().unwrap();
    let store = ResultStore::under(parent.path(), 1_000);
    let ours = store.clone();
    let long = with(count(|_| async { Ok("0123456789".repeat(10)) }).result_limit(30));
    let served = Served::new(long).context(move |_| Context::new("ada").results_in(&ours));
    let request = RequestParts::default();
    let text = served.call("row-count", "{}", None, &request).await.unwrap().text;
    let handle = handle_of(&text);
    assert_eq!(store.read(&handle, 95, 10).unwrap().text, "56789");
    let read = format!(r#"{{"handle": "{handle}", "offset": 95}}"#);
    assert!(served.call("read_result", &read, None, &request).await.unwrap().text.starts_with("56789"));
}

/// A server on stdin has one conversation. The trace of a client or of the host is continued.
#[tokio::test]
async fn a_conversation_has_one_trace() {
    let log = crate::watching::Log::default();
    let found = |log: &crate::watching::Log| -> Vec<String> {
        let lines = crate::watching::lines(log);
        lines.iter().map(|line| line["trace_id"].as_str().unwrap().to_owned()).collect()
    };
    let handlers = handlers().audit_to(log.clone());
    let mut client = Client::of(served(handlers.clone()), None).await;
    let find = || json!({"word": "a"});
    client.call("file-search", find()).await;
    client.call("file-search", find()).await;
    for (parent, is_valid) in [
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
        ("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", true),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", false),
        ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
        ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
        ("00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
        ("0af7651916cd43dd8448eb211c80319c", false),
        ("", false),
    ] {
        client.call_with("file-search", find(), json!({"traceparent": parent})).await;
        let traces = found(&log);
        let expected = if is_valid { "0af7651916cd43dd8448eb211c80319c" } else { traces[0].as_str() };
        assert_eq!(traces.last().unwrap(), expected, "{parent}");
    }
    assert_eq!(found(&log)[0], found(&log)[1]);
    let served = Served::new(handlers).context(|_| Context::new("ada").trace("the host's"));
    let mut client = Client::of(served, None).await;
    client.call("file-search", find()).await;
    assert_eq!(found(&log).last().unwrap(), "the host's");
}
