//! The MCP server as a client sees it: JSON lines in, JSON lines out, over a connection in memory.
//!
//! `tests/mcp/client.py` is a client that isn't ours. These tests send what such a client never would.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do its helpers"
)]

use std::future::Future;
use std::time::Duration;

use serde_json::{Value, json};
use skills::Registry;
use skills::mcp::{ServeError, Server};
use skills_tests::SKILLS;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

mod bad;
mod completion;
mod docs;
mod live;
mod long;
mod shown;
mod skills_extension;

/// Skills and slash commands, which [`SKILLS`] has none of.
static COMMANDS: skills::Bundle = skills::include_skills!("commands");

/// A client, and the server that it talks to.
struct Client {
    to: WriteHalf<DuplexStream>,
    from: BufReader<ReadHalf<DuplexStream>>,
    served: JoinHandle<Result<(), ServeError>>,
    last: u64,
}

/// Runs a test on one thread, with a time limit.
fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let in_time = async { tokio::time::timeout(Duration::from_secs(180), test).await };
    runtime.block_on(in_time).expect("the server still answers");
}

impl Client {
    /// Connected to the skills of this package.
    async fn new() -> Self {
        Self::of(Server::new(Registry::new(&SKILLS))).await
    }

    async fn of(server: Server) -> Self {
        let mut client = Self::silent(server);
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
                           "clientInfo": {"name": "test", "version": "0"}});
        let answer = client.ask("initialize", &hello).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        client
    }

    /// Connected, before the handshake.
    fn silent(server: Server) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(theirs);
        let served = tokio::spawn(server.serve(reader, writer));
        let (from, to) = tokio::io::split(ours);
        Self { to, from: BufReader::new(from), served, last: 0 }
    }

    async fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes()).await;
    }

    async fn send_bytes(&mut self, line: &[u8]) {
        self.to.write_all(line).await.unwrap();
        self.to.write_all(b"\n").await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Sends a request, and waits for its answer.
    async fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let id = self.last;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        // A long request and its answer would block each other.
        let sent = async {
            self.to.write_all(request.as_bytes()).await.unwrap();
            self.to.write_all(b"\n").await.unwrap();
        };
        let received = async {
            loop {
                let mut line = String::new();
                let read = self.from.read_line(&mut line).await.unwrap();
                assert!(read > 0, "the connection is closed");
                let message: Value = serde_json::from_str(&line).unwrap();
                if message["id"] == id {
                    return message;
                }
            }
        };
        tokio::join!(sent, received).1
    }

    async fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments})).await;
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    /// The text of an answer, which is all that a model sees of it.
    async fn text(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.call(tool, arguments).await;
        let content = result["content"].as_array().unwrap();
        assert_eq!((content.len(), result.get("structuredContent")), (1, None), "{result}");
        content[0]["text"].as_str().unwrap().to_owned()
    }

    async fn error_code(&mut self, method: &str, params: &Value) -> i64 {
        let answer = self.ask(method, params).await;
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method} {params} was answered: {answer}"))
    }

    /// Closes the connection, and waits until the server has ended without an error.
    async fn close(self) {
        drop((self.to, self.from));
        self.served.await.unwrap().unwrap();
    }
}

#[test]
fn the_answers_for_a_host() {
    run(async {
        let mut client = Client::new().await;
        let tools = client.ask("tools/list", &json!({})).await;
        let prompts = client.ask("prompts/list", &json!({})).await;
        // The order of keys depends on a feature of `serde_json` that any crate may switch on.
        insta::with_settings!({ sort_maps => true }, {
            insta::assert_json_snapshot!("tools", tools["result"]["tools"]);
            insta::assert_json_snapshot!("prompts", prompts["result"]["prompts"]);
        });
        client.close().await;
    });
}

#[test]
fn each_audience_sees_its_skills() {
    run(async {
        let mut client = Client::new().await;
        let listed = client.text("list_skills", &json!({})).await;
        let names = |list: &Value, name: &str| -> Vec<String> {
            list.as_array()
                .unwrap()
                .iter()
                .map(|item| item.pointer(name).unwrap().as_str().unwrap().to_owned())
                .collect()
        };
        let lines = listed.lines().filter_map(|line| line.strip_prefix("- "));
        let model: Vec<String> =
            lines.map(|line| line.split([' ', ':']).next().unwrap_or_default().to_owned()).collect();
        let user = names(&client.ask("prompts/list", &json!({})).await["result"]["prompts"], "/name");
        let all =
            names(&client.ask("skills/list", &json!({})).await["result"]["skills"], "/frontmatter/name");
        assert!(model.contains(&"model-only".to_owned()) && !user.contains(&"model-only".to_owned()));
        assert!(
            user.contains(&"release-by-hand".to_owned()) && !model.contains(&"release-by-hand".to_owned())
        );
        assert!(all.contains(&"model-only".to_owned()) && all.contains(&"release-by-hand".to_owned()));
        let hidden = client.call("load_skill", &json!({"skill_name": "release-by-hand"})).await;
        assert_eq!(hidden["isError"], true);
        assert_eq!(client.error_code("prompts/get", &json!({"name": "model-only"})).await, -32602);
        client.close().await;
    });
}

#[test]
fn without_skills_there_are_no_tools() {
    run(async {
        let mut client = Client::of(Server::new(Registry::empty())).await;
        for (method, key) in [
            ("tools/list", "tools"),
            ("prompts/list", "prompts"),
            ("skills/list", "skills"),
            ("resources/list", "resources"),
        ] {
            let answer = client.ask(method, &json!({})).await;
            assert_eq!(answer["result"][key], json!([]), "{method}");
        }
        client.close().await;
    });
}

#[test]
fn a_policy_applies_to_everything() {
    run(async {
        let policy = skills::Policy::allow_all().block("pdf-forms");
        let mut client = Client::of(Server::new(Registry::new(&SKILLS).with_policy(policy))).await;
        let blocked = client.text("load_skill", &json!({"skill_name": "pdf-forms"})).await;
        assert!(blocked.starts_with("Error: skill not found: 'pdf-forms'."), "{blocked}");
        assert!(!client.text("list_skills", &json!({})).await.contains("pdf-forms"));
        let uri = json!({"uri": "skill://pdf-forms/SKILL.md"});
        assert_eq!(client.error_code("skills/get", &uri).await, -32602);
        assert_eq!(client.error_code("resources/read", &uri).await, -32002);
        assert_eq!(
            client.error_code("resources/directory/read", &json!({"uri": "skill://pdf-forms"})).await,
            -32602
        );
        assert_eq!(client.error_code("prompts/get", &json!({"name": "pdf-forms"})).await, -32602);
        for method in ["tools/list", "prompts/list", "skills/list", "resources/list"] {
            assert!(!client.ask(method, &json!({})).await.to_string().contains("pdf-forms"), "{method}");
        }
        client.close().await;
    });
}
