//! A server of `mcp --http`, and requests over real connections.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::place::Place;

/// A server, which ends with the test.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
    pub(crate) stderr: BufReader<ChildStderr>,
}

impl Server {
    pub(crate) fn start(place: &Place, args: &[&str]) -> Self {
        let mut command = place.command(["mcp", "--http", "0"]);
        let mut child = command.args(args).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("stderr is a pipe"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("it says where");
        let address = line.trim().strip_prefix("serving at http://").and_then(|url| url.strip_suffix("/mcp"));
        let address = address.expect("the address comes first").to_owned();
        Self { child, address, stderr }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("there is a clock");
        stream
    }

    /// An answer on a connection of its own.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(self.bytes(method, path, headers, body).as_bytes()).expect("it reads");
        Answer::of(&mut stream)
    }

    pub(crate) fn bytes(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let host =
            if headers.contains("Host: ") { String::new() } else { format!("Host: {}\r\n", self.address) };
        let accept = if headers.contains("Accept: ") || method == "GET" && path != "/mcp" {
            ""
        } else {
            "Accept: application/json, text/event-stream\r\n"
        };
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Content-Type: application/json\r\n\
             {accept}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    }

    pub(crate) fn post(&self, headers: &str, message: &Value) -> Answer {
        self.request("POST", "/mcp", headers, &message.to_string())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "Host: any.example\r\n", "")
    }

    #[cfg(unix)]
    pub(crate) fn signal(&self) {
        let status = std::process::Command::new("kill").arg(self.child.id().to_string()).status();
        assert!(status.expect("there is kill").success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// Reads to the end of a connection.
    pub(crate) fn of(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("it answers and closes");
        let text = String::from_utf8(bytes).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Self { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("a JSON document")
    }
}

pub(crate) const LEGACY: &str = "MCP-Protocol-Version: 2025-11-25\r\n";

pub(crate) fn call(tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// A request whose params have an argument of so many levels.
pub(crate) fn nested(levels: usize) -> String {
    let (open, close) = ("[".repeat(levels - 1), "]".repeat(levels - 1));
    format!(
        r#"{{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{{"name":"list_skills","arguments":{{"x":{open}{close}}}}}}}"#
    )
}

/// The same request in the protocol 2026-07-28, and its headers.
pub(crate) fn newest(mut message: Value) -> (String, Value) {
    message["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let method = message["method"].as_str().expect("a request").to_owned();
    let name = message["params"]["name"].as_str().map(|name| format!("Mcp-Name: {name}\r\n"));
    let name = name.unwrap_or_default();
    (format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n{name}"), message)
}
