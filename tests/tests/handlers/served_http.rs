//! Handlers as tools over HTTP, in a server that listens: the headers say who calls, and only what can be found again is
//! kept.

use std::net::SocketAddr;

use serde_json::{Value, json};
use skills::mcp::{CONFIRMATION, HttpOptions, Server};
use skills_handlers::{Context, Handlers, Served};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::acting::{REGISTRY, handlers};
use crate::store::Shared;

/// A client of one server. Each request has a connection of its own.
struct Client {
    address: SocketAddr,
    user: &'static str,
    protocol: &'static str,
    session: String,
}

/// Serves handlers until the program ends. The caller is who the header `x-user` says.
async fn serve(handlers: Handlers, options: HttpOptions) -> SocketAddr {
    let served = Served::new(handlers).context(|request| match request.header("X-User") {
        Some("ada") => Context::new("ada").role("editor"),
        Some(user) => Context::new(user),
        None => Context::new(""),
    });
    let (tell, told) = tokio::sync::oneshot::channel();
    let server = Server::new(REGISTRY.clone()).with_handlers(served).http(options);
    std::thread::spawn(|| {
        server.serve_http(([127, 0, 0, 1], 0).into(), |address| tell.send(address).unwrap())
    });
    told.await.unwrap()
}

impl Client {
    fn new(address: SocketAddr, user: &'static str, protocol: &'static str) -> Self {
        Self { address, user, protocol, session: String::new() }
    }

    /// Sends a message, and returns the head of the answer and its result.
    async fn post(&self, message: &Value) -> (String, Value) {
        let (body, name) = (message.to_string(), message["params"]["name"].as_str());
        let mut head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nConnection: close\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\nX-User: {}\r\n\
             MCP-Protocol-Version: {}\r\nMcp-Method: {}\r\n",
            self.address,
            body.len(),
            self.user,
            self.protocol,
            message["method"].as_str().unwrap(),
        );
        if let Some(name) = name {
            head += &format!("Mcp-Name: {name}\r\n");
        }
        if !self.session.is_empty() {
            head += &format!("Mcp-Session-Id: {}\r\n", self.session);
        }
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).await.unwrap();
        let mut answer = String::new();
        let read = stream.read_to_string(&mut answer);
        tokio::time::timeout(crate::acting::SOON, read).await.unwrap().unwrap();
        // The message is the whole body, or an event of a stream.
        let found = answer.lines().find_map(|line| {
            let message: Value =
                serde_json::from_str(line.strip_prefix("data:").unwrap_or(line).trim()).ok()?;
            message["id"].is_number().then_some(message)
        });
        (answer, found.unwrap_or_default())
    }

    async fn ask(&self, method: &str, mut params: Value) -> Value {
        if self.protocol == NEWEST {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": NEWEST,
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
                "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
            });
        }
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let (answer, message) = self.post(&message).await;
        assert!(message["result"].is_object(), "{answer}");
        message["result"].clone()
    }

    async fn tools(&self) -> Vec<String> {
        let listed = self.ask("tools/list", json!({})).await;
        let tools = listed["tools"].as_array().unwrap().iter();
        let tools = tools.map(|tool| tool["name"].as_str().unwrap().to_owned());
        tools.filter(|name| name.starts_with("file-") || name == "read_result").collect()
    }

    /// Begins a session, as clients before 2026-07-28 do.
    async fn begin(mut self) -> Self {
        let hello = json!({"protocolVersion": self.protocol, "capabilities": {},
                           "clientInfo": {"name": "test", "version": "0"}});
        let (answer, _) =
            self.post(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})).await;
        let session = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("mcp-session-id").then(|| value.to_owned())
        });
        self.session = session.unwrap_or_default();
        self.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        self
    }
}

const NEWEST: &str = "2026-07-28";
const BEFORE: &str = "2025-11-25";
const DELETE: &str = "file-delete";

fn delete(path: &str) -> Value {
    json!({"name": DELETE, "arguments": {"path": path}})
}

#[tokio::test(flavor = "multi_thread")]
async fn the_headers_say_who_calls() {
    let address = serve(handlers().store(Shared::default()), HttpOptions::new()).await;
    for protocol in [NEWEST, BEFORE] {
        let ada = Client::new(address, "ada", protocol);
        assert_eq!(ada.tools().await, [DELETE, "file-search", "read_result"], "{protocol}");
        let found = ada.ask("tools/call", json!({"name": "file-search", "arguments": {"word": "a"}})).await;
        assert_eq!(found["content"][0]["text"], r#"{"files":["a-0.txt"],"user":"ada"}"#);
        let eve = Client::new(address, "eve", protocol);
        assert_eq!(eve.tools().await, ["file-search", "read_result"]);
        let refused = eve.ask("tools/call", delete("a")).await;
        assert!(refused["content"][0]["text"].as_str().unwrap().contains("NOT_ALLOWED"), "{refused}");
    }
}

/// Without sessions or a store, the next request may reach another process.
#[tokio::test(flavor = "multi_thread")]
async fn what_must_be_found_again_is_offered_in_sessions_alone() {
    let without = serve(handlers(), HttpOptions::new()).await;
    let with = serve(handlers(), HttpOptions::new().sessions(true)).await;
    for address in [without, with] {
        let newest = Client::new(address, "ada", NEWEST);
        assert_eq!(newest.tools().await, ["file-search"]);
    }
    assert_eq!(Client::new(without, "ada", BEFORE).tools().await, ["file-search"]);
    // Nobody gets them by saying that there is a session.
    let mut pretends = Client::new(without, "ada", BEFORE);
    pretends.session = "12345678-1234-1234-1234-123456789012".to_owned();
    assert_eq!(pretends.tools().await, ["file-search"]);

    let client = Client::new(with, "ada", BEFORE).begin().await;
    assert!(!client.session.is_empty());
    assert_eq!(client.tools().await, [DELETE, "file-search", "read_result"]);
    let waiting = client.ask("tools/call", delete("a")).await;
    let mut again = delete("a");
    again["_meta"] = json!({CONFIRMATION: waiting["_meta"][CONFIRMATION]});
    let done = client.ask("tools/call", again).await;
    assert_eq!(done["content"][0]["text"], "deleted a");
}

/// The newest protocol has no requests of the server: the answer says what must be asked, and the call comes again,
/// here at another process that shares the store.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_requires_input_is_confirmed_at_another_process() {
    let store = Shared::default();
    let [one, other] = [
        serve(handlers().store(store.clone()), HttpOptions::new()).await,
        serve(handlers().store(store), HttpOptions::new()).await,
    ];
    let ask = async || {
        let asked = Client::new(one, "ada", NEWEST).ask("tools/call", delete("a")).await;
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        asked
    };
    let asked = ask().await;
    let question = &asked["inputRequests"]["confirm"];
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(question["params"]["message"], r#"file-delete {"path":"a"}: it deletes a file for good"#);

    let answered = async |asked: &Value, user: &'static str, path: &str, answer: Value| {
        let mut again = delete(path);
        again["requestState"] = asked["requestState"].clone();
        again["inputResponses"] = json!({"confirm": answer});
        Client::new(other, user, NEWEST).ask("tools/call", again).await
    };
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    for no in [
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
        json!({"action": "accept", "content": {"confirm": false}}),
        json!({"action": "accept", "content": {"confirm": "true"}}),
        json!({}),
    ] {
        let asked = ask().await;
        let refused = answered(&asked, "ada", "a", no).await;
        assert_eq!(refused["content"][0]["text"], "This was not done: the user declined.");
        // The question was answered, so nobody can confirm it any more.
        let late = answered(&asked, "ada", "a", yes.clone()).await;
        assert_eq!(late["resultType"], "input_required", "{late}");
    }
    // Another user can't decline it.
    answered(&asked, "eve", "a", json!({"action": "decline"})).await;
    // Not another call, and not another user's.
    assert_eq!(answered(&asked, "ada", "b", yes.clone()).await["resultType"], "input_required");
    assert_eq!(answered(&asked, "eve", "a", yes.clone()).await["isError"], true);
    let done = answered(&asked, "ada", "a", yes.clone()).await;
    assert_eq!(done["content"][0]["text"], "deleted a");
    assert_eq!(answered(&asked, "ada", "a", yes).await["resultType"], "input_required", "it serves one call");
}

/// The trace that the client continues, or else one for each session.
#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_has_one_trace() {
    let log = crate::watching::Log::default();
    let address = serve(handlers().audit_to(log.clone()), HttpOptions::new().sessions(true)).await;
    let find = || json!({"name": "file-search", "arguments": {"word": "a"}});
    for _ in 0..2 {
        let client = Client::new(address, "ada", BEFORE).begin().await;
        for _ in 0..2 {
            client.ask("tools/call", find()).await;
        }
    }
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let mut call = find();
    call["_meta"] = json!({"traceparent": parent});
    Client::new(address, "ada", BEFORE).begin().await.ask("tools/call", call).await;
    let traces: Vec<String> = crate::watching::lines(&log)
        .iter()
        .map(|line| line["trace_id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(traces.len(), 5);
    assert!(traces.iter().all(|trace| trace.len() == 32), "{traces:?}");
    assert!(traces[0] == traces[1] && traces[2] == traces[3] && traces[0] != traces[2], "{traces:?}");
    assert_eq!(traces[4], "0af7651916cd43dd8448eb211c80319c");
}
