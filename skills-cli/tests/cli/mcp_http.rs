//! `mcp --http`, over real connections: who is answered, what is refused, and how it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::mcp::hello;
use crate::place::Place;

/// A server, which ends with the test.
pub(crate) struct Server {
    pub(crate) child: Child,
    address: String,
    stderr: BufReader<ChildStderr>,
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
    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(self.bytes(method, path, headers, body).as_bytes()).expect("it reads");
        Answer::of(&mut stream)
    }

    pub(crate) fn bytes(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let host =
            if headers.contains("Host: ") { String::new() } else { format!("Host: {}\r\n", self.address) };
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Content-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    }

    pub(crate) fn post(&self, headers: &str, message: &Value) -> Answer {
        self.request("POST", "/mcp", headers, &message.to_string())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "Host: any.example\r\n", "")
    }

    #[cfg(unix)]
    fn signal(&self) {
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
    fn of(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("it answers and closes");
        let text = String::from_utf8(bytes).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Self { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("a JSON document")
    }
}

pub(crate) const LEGACY: &str = "MCP-Protocol-Version: 2025-11-25\r\n";

pub(crate) fn call(tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// The same request in the protocol 2026-07-28, and its headers.
fn newest(mut message: Value) -> (String, Value) {
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

#[test]
fn any_instance_answers_any_request() {
    let place = Place::new();
    place.skill("skills/zebra", "Counts stripes");
    let fleet = [(); 2].map(|()| Server::start(&place, &["--root", "skills"]));
    let greeted = fleet[0].post("", &hello());
    assert!(!greeted.head.contains("\nmcp-session-id:"), "{greeted:?}");
    let capabilities = &greeted.json()["result"]["capabilities"];
    assert_eq!(capabilities["tools"], json!({}), "nobody could be notified");
    let started = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(fleet[1].post(LEGACY, &started).status, 202);
    let load = call("load_skill", &json!({"skill_name": "zebra"}));
    for server in &fleet {
        let (headers, modern) = newest(load.clone());
        for answer in [server.post(LEGACY, &load), server.post(&headers, &modern)] {
            assert_eq!(answer.status, 200, "{answer:?}");
            let text = answer.json()["result"]["content"][0]["text"].clone();
            assert!(text.as_str().is_some_and(|text| text.starts_with("Skill: zebra\n")), "{answer:?}");
            assert!(answer.head.contains("content-type: application/json"), "{answer:?}");
        }
    }
    let (headers, discover) =
        newest(json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}));
    let found = fleet[0].post(&headers, &discover).json();
    assert_eq!(found["result"]["capabilities"]["tools"]["listChanged"], true, "{found}");
}

#[test]
fn hosts_and_origins_must_be_known() {
    let place = Place::new();
    let plain = Server::start(&place, &[]);
    let named = ["--allow-host", "skills.example", "--allow-origin", "https://app.example"];
    let named = Server::start(&place, &named);
    for (headers, of_plain, of_named) in [
        ("", 200, 200),
        ("Host: localhost\r\n", 200, 200),
        ("Host: [::1]:80\r\n", 200, 200),
        ("Host: skills.example\r\n", 403, 200),
        ("Host: skills.example:8443\r\n", 403, 200),
        ("Host: skills.example.evil.example\r\n", 403, 403),
        ("Origin: http://localhost:5173\r\n", 200, 200),
        ("Origin: https://127.0.0.1\r\n", 200, 200),
        ("Origin: https://app.example\r\n", 403, 200),
        ("Origin: http://app.example\r\n", 403, 403),
        ("Origin: https://app.example:8443\r\n", 403, 403),
        ("Origin: https://localhost.evil.example\r\n", 403, 403),
        ("Origin: null\r\n", 403, 403),
    ] {
        assert_eq!(plain.post(headers, &hello()).status, of_plain, "{headers}");
        assert_eq!(named.post(headers, &hello()).status, of_named, "{headers}");
    }
    // A browser asks first whether a page may send this, and may read the answer.
    let asks = |origin: &str| {
        let headers = format!(
            "Origin: {origin}\r\nAccess-Control-Request-Method: POST\r\n\
             Access-Control-Request-Headers: content-type, mcp-protocol-version\r\n"
        );
        named.request("OPTIONS", "/mcp", &headers, "")
    };
    let yes = asks("https://app.example");
    assert!(
        yes.status == 200 && yes.head.contains("access-control-allow-origin: https://app.example"),
        "{yes:?}"
    );
    let no = asks("https://evil.example");
    assert!(!no.head.contains("access-control-allow-origin"), "{no:?}");
}

#[test]
fn a_token_is_asked_for() {
    let place = Place::new();
    place.file("tokens", "# for the agents\n\nold-token\n new-token \n").file("none", "# nobody\n");
    let server = Server::start(&place, &["--token-file", "tokens"]);
    for (headers, status) in [
        ("", 401),
        ("Authorization: Bearer wrong\r\n", 401),
        ("Authorization: Basic old-token\r\n", 401),
        ("Authorization: Bearer\r\n", 401),
        ("Authorization: Bearer # for the agents\r\n", 401),
        ("Authorization: Bearer old-token\r\n", 200),
        ("Authorization: bearer new-token\r\n", 200),
    ] {
        let answer = server.post(headers, &hello());
        assert_eq!(answer.status, status, "{headers}");
        assert_eq!(answer.head.contains("www-authenticate: bearer"), status == 401);
    }
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    for (args, code, why) in [
        (&["--http", "0.0.0.0:0"][..], "ACCESS", "--token-file"),
        (&["--http", "0", "--token-file", "none"], "TOKEN_FILE", "one token per line"),
        (&["--http", "0", "--token-file", "missing"], "TOKEN_FILE", "one token per line"),
    ] {
        let ran = place.run([&["mcp", "--json"], args].concat());
        assert_eq!((ran.error_code().as_str(), ran.code), (code, 2));
        assert!(ran.stdout.contains(why), "{}", ran.stdout);
    }
    for args in [&["--token-file", "tokens"][..], &["--http", "0", "--allow-origin", "app.example"]] {
        assert_eq!(place.run([&["mcp"], args].concat()).code, 2, "{args:?}");
    }
}

#[test]
fn each_path_has_its_use() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    for path in ["/", "/mcp/x", "/MCP", "/metrics/x", "/healthz/"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    assert_eq!(server.request("GET", "/mcp", "", "").status, 405);
    for (tool, name) in [("load_skill", "write-skill"), ("load_skill", "none"), ("rm", "x")] {
        server.post(LEGACY, &call(tool, &json!({"skill_name": name})));
    }
    let metrics = server.get("/metrics");
    assert!(metrics.head.contains("content-type: application/openmetrics-text"), "{metrics:?}");
    for line in [
        "skills_requests_total{tool=\"load_skill\",outcome=\"ok\"} 1",
        "skills_requests_total{tool=\"load_skill\",outcome=\"error\"} 1",
        "skills_requests_total{tool=\"other\",outcome=\"error\"} 1",
        "skills_request_seconds_count{tool=\"load_skill\"} 2",
        "skills_refreshes_total 0",
    ] {
        assert!(metrics.body.lines().any(|one| one == line), "{line}: {}", metrics.body);
    }
    let served = metrics.body.lines().find_map(|line| line.strip_prefix("skills_served "));
    assert!(served.and_then(|served| served.parse::<u32>().ok()).is_some_and(|served| served > 2));
    assert!(!metrics.body.contains("write-skill"), "no skill is named");
    let empty = Server::start(&place, &["--no-bundle"]);
    assert_eq!((empty.get("/healthz").status, empty.get("/readyz").status), (200, 503));
}

#[test]
fn a_body_has_limits() {
    let place = Place::new();
    let server = Server::start(&place, &["--max-body", "2000", "--body-timeout", "1"]);
    let long = call("search_skills", &json!({"query": "x".repeat(2000)}));
    assert_eq!(server.post(LEGACY, &long).status, 413);
    let chunk = format!("7d0\r\n{}\r\n", " ".repeat(2000));
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Accept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    let mut stream = server.connect();
    stream.write_all(format!("{head}{chunk}{chunk}").as_bytes()).expect("it reads");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("it answers");
    assert_eq!(&answer, b"HTTP/1.1 413");
    let mut stream = server.connect();
    stream.write_all(format!("{head}1\r\n{{\r\n").as_bytes()).expect("it reads");
    assert_eq!(Answer::of(&mut stream).status, 408);
    for (body, code, id) in [
        ("not json", -32700, json!(null)),
        ("", -32700, json!(null)),
        ("[]", -32600, json!(null)),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}"#, -32602, json!(7)),
    ] {
        let answer = server.request("POST", "/mcp", LEGACY, body);
        assert_eq!(answer.status, 400, "{body}");
        let error = answer.json();
        assert_eq!((&error["error"]["code"], error.get("id")), (&json!(code), Some(&id)), "{body}");
    }
    let wrong = server.post(LEGACY, &call("list_skills", &json!([])));
    assert_eq!(wrong.json()["error"]["code"], -32602, "{wrong:?}");
}

#[test]
fn more_connections_wait_for_a_place() {
    let place = Place::new();
    let server = Server::start(&place, &["--max-connections", "2", "--keep-alive", "600"]);
    let idle = [(); 2].map(|()| server.connect());
    let mut waits = server.connect();
    waits.write_all(server.bytes("GET", "/healthz", "", "").as_bytes()).expect("it is queued");
    waits.set_read_timeout(Some(Duration::from_millis(300))).expect("there is a clock");
    assert!(waits.read(&mut [0; 1]).is_err(), "there is no place yet");
    drop(idle);
    waits.set_read_timeout(Some(Duration::from_secs(30))).expect("there is a clock");
    assert_eq!(Answer::of(&mut waits).status, 200);
}

#[test]
fn an_idle_connection_is_closed() {
    let place = Place::new();
    let server = Server::start(&place, &["--keep-alive", "1"]);
    let mut stream = server.connect();
    let request = server.bytes("GET", "/healthz", "", "").replace("Connection: close\r\n", "");
    stream.write_all(request.as_bytes()).expect("it reads");
    assert_eq!(Answer::of(&mut stream).status, 200, "and then it is closed");
}

#[test]
#[cfg(unix)]
fn the_signal_to_end_drops_no_request() {
    let place = Place::new();
    place.skill("skills/zebra", "Counts stripes");
    let args = ["--root", "skills", "--sessions", "--grace", "1", "--drain", "20"];
    let mut server = Server::start(&place, &args);
    // One request is in flight, one stream is open, and one connection idles.
    let load = call("load_skill", &json!({"skill_name": "zebra"})).to_string();
    let (headers, listen) = newest(json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen",
        "params": {"notifications": {"toolsListChanged": true}}}));
    let mut stream = server.connect();
    stream
        .write_all(server.bytes("POST", "/mcp", &headers, &listen.to_string()).as_bytes())
        .expect("it reads");
    let mut session = server.connect();
    let greeted = server.post("", &hello());
    let id = greeted.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");
    let of_session = format!("{LEGACY}Mcp-Session-Id: {id}\r\n");
    session.write_all(server.bytes("GET", "/mcp", &of_session, "").as_bytes()).expect("it reads");
    let idle = server.connect();
    let modern = newest(serde_json::from_str(&load).expect("it is JSON"));
    let request = server.bytes("POST", "/mcp", &modern.0, &modern.1.to_string());
    let (first, rest) = request.split_at(request.len() - 10);
    let mut slow = server.connect();
    slow.write_all(first.as_bytes()).expect("it reads");
    std::thread::sleep(Duration::from_millis(300));
    server.signal();
    std::thread::sleep(Duration::from_millis(300));
    // New requests are answered, and asked to go elsewhere.
    let ready = server.get("/readyz");
    assert_eq!((ready.status, ready.body.as_str()), (503, "draining\n"));
    let request = server.bytes("POST", "/mcp", &modern.0, &modern.1.to_string());
    let mut late = server.connect();
    late.write_all(request.replace("Connection: close\r\n", "").as_bytes()).expect("it reads");
    let late = Answer::of(&mut late);
    assert!(late.status == 200 && late.head.contains("connection: close"), "{late:?}");
    std::thread::sleep(Duration::from_millis(1200));
    assert!(TcpStream::connect(&server.address).is_err(), "it accepts no more");
    slow.write_all(rest.as_bytes()).expect("it still reads");
    let slow = Answer::of(&mut slow);
    assert!(slow.status == 200 && slow.body.contains("Skill: zebra"), "{slow:?}");
    let stream = Answer::of(&mut stream);
    assert!(stream.body.contains("subscriptions/acknowledged"), "{stream:?}");
    assert!(stream.body.contains("\"id\":\"l\""), "it ends as the protocol says: {stream:?}");
    assert_eq!(Answer::of(&mut session).status, 200, "the stream of a session ends");
    let status = server.child.wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
    drop(idle);
}

#[test]
#[cfg(unix)]
fn it_ends_in_time_whatever_clients_do() {
    let place = Place::new();
    let mut server = Server::start(&place, &["--grace", "5", "--drain", "1", "--body-timeout", "600"]);
    let mut slow = server.connect();
    let request = server.bytes("POST", "/mcp", LEGACY, &hello().to_string());
    slow.write_all(&request.as_bytes()[..request.len() - 1]).expect("it reads");
    std::thread::sleep(Duration::from_millis(200));
    server.signal();
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn clients_are_notified_of_changes() {
    let place = Place::new();
    place.skill("skills/zebra", "Counts stripes");
    let server = Server::start(&place, &["--root", "skills", "--sessions"]);
    let greeted = server.post("", &hello());
    assert!(greeted.body.contains("\"listChanged\":true"), "{greeted:?}");
    let id = greeted.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");
    let of_session = format!("{LEGACY}Mcp-Session-Id: {id}\r\n");
    let started = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(server.post(&of_session, &started).status, 202);
    let mut legacy = server.connect();
    legacy.write_all(server.bytes("GET", "/mcp", &of_session, "").as_bytes()).expect("it reads");
    let (headers, listen) = newest(json!({"jsonrpc": "2.0", "id": 9, "method": "subscriptions/listen",
        "params": {"notifications": {"toolsListChanged": true}}}));
    let mut modern = server.connect();
    modern
        .write_all(server.bytes("POST", "/mcp", &headers, &listen.to_string()).as_bytes())
        .expect("it reads");
    std::thread::sleep(Duration::from_millis(300));
    place.skill("skills/yak", "Grows hair");
    for stream in [&mut legacy, &mut modern] {
        let mut seen = String::new();
        let mut part = [0; 4096];
        while !seen.contains("notifications/tools/list_changed") {
            let length = stream.read(&mut part).expect("it notifies");
            assert!(length > 0, "the stream ended: {seen}");
            seen.push_str(&String::from_utf8_lossy(&part[..length]));
        }
    }
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("skills_refreshes_total 1\n"), "{metrics}");
}

#[test]
fn each_request_is_logged_on_a_line() {
    let place = Place::new();
    let mut server = Server::start(&place, &["--log", "json"]);
    server.post("Authorization: Bearer secret\r\n", &hello());
    server.get("/nowhere?secret");
    let mut lines = [String::new(), String::new()];
    for line in &mut lines {
        server.stderr.read_line(line).expect("it logs");
    }
    let logged = lines.each_ref().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    for (line, (path, status)) in logged.iter().zip([("/mcp", 200), ("/nowhere", 404)]) {
        assert_eq!(
            (&line["span"]["path"], &line["fields"]["status"]),
            (&json!(path), &json!(status)),
            "{line}"
        );
        assert!(line["fields"]["ms"].is_number(), "{line}");
    }
    assert!(!lines.concat().contains("secret"), "{lines:?}");
    let mut server = Server::start(&place, &["--log", "text"]);
    server.get("/healthz");
    let mut line = String::new();
    server.stderr.read_line(&mut line).expect("it logs");
    assert!(line.contains("path=\"/healthz\"") && line.contains("status=200"), "{line}");
}

#[test]
fn what_is_no_address_is_explained() {
    for wrong in ["x", "localhost", "70000", "127.0.0.1"] {
        let ran = Place::new().run(["mcp", "--http", wrong]);
        assert!(ran.code == 2 && ran.stderr.contains("such as 8080"), "{}", ran.stderr);
    }
}
