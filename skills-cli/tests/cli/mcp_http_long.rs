//! `mcp --http` after many requests: nothing of them stays.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http_server::{LEGACY, Server, call};
use crate::mcp::hello;
use crate::place::Place;

/// How many requests are sent before the first answer is read.
const AT_ONCE: usize = 50;

/// Sends a request many times over one connection. Every answer must be a success with this in its body.
fn ask(stream: &mut BufReader<TcpStream>, request: &str, times: usize, part: &str) {
    for _ in 0..times / AT_ONCE {
        stream.get_mut().write_all(request.repeat(AT_ONCE).as_bytes()).expect("it reads");
        for _ in 0..AT_ONCE {
            let (mut length, mut line) = (0, String::new());
            stream.read_line(&mut line).expect("it answers");
            assert!(line.starts_with("HTTP/1.1 200"), "{line}");
            while !line.trim().is_empty() {
                line.clear();
                stream.read_line(&mut line).expect("it answers");
                let header = line.to_lowercase();
                if let Some(value) = header.strip_prefix("content-length:") {
                    length = value.trim().parse().expect("a number");
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).expect("it answers");
            let body = String::from_utf8(body).expect("text");
            assert!(body.contains(part), "{body}");
        }
    }
}

/// The memory of the server, in KiB.
fn resident(server: &Server) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("Linux counts it");
    line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}

/// A client of an old protocol begins with `initialize` and may never come back: each left 50 KiB once.
#[test]
fn clients_that_never_come_back_leave_nothing_behind() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let of_hello = server.bytes("POST", "/mcp", "", &hello().to_string());
    let load = call("load_skill", &json!({"skill_name": "write-skill"}));
    let of_load = server.bytes("POST", "/mcp", LEGACY, &load.to_string());
    let [of_hello, of_load] = [of_hello, of_load].map(|request| request.replace("Connection: close\r\n", ""));
    let mut stream = BufReader::new(server.connect());
    let mut round = |times: usize| {
        ask(&mut stream, &of_hello, times, "\"serverInfo\"");
        ask(&mut stream, &of_load, times, "Skill: write-skill");
    };
    round(500);
    let before = resident(&server);
    round(4_000);
    let after = resident(&server);
    assert!(after < before + 32 * 1024, "{before} KiB, then {after} KiB");
}

/// A client that listens and answers keeps its session, however long nothing happens; one that is gone doesn't.
#[test]
fn a_session_lives_as_long_as_its_client_answers() {
    let place = Place::new();
    place.skill("skills/zebra", "Counts stripes");
    let server = Server::start(
        &place,
        &["--root", "skills", "--sessions", "--session-keep-alive", "6", "--keep-alive", "60"],
    );
    let begin = || {
        let greeted = server.post("", &hello());
        let id = greeted.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        let of_session = format!("{LEGACY}Mcp-Session-Id: {}\r\n", id.expect("a session"));
        let started = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(server.post(&of_session, &started).status, 202);
        of_session
    };
    let (gone, there) = (begin(), begin());
    // It was asked meanwhile, as one whose connection was away for a while.
    std::thread::sleep(Duration::from_millis(4600));
    let mut stream = server.connect();
    stream.write_all(server.bytes("GET", "/mcp", &there, "").as_bytes()).expect("it reads");
    let mut events = BufReader::new(stream);
    let mut pings = 0;
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        let mut line = String::new();
        assert!(events.read_line(&mut line).expect("the stream is open") > 0, "the stream ended");
        let Some(data) = line.trim().strip_prefix("data: ").filter(|data| !data.is_empty()) else { continue };
        let message: Value = serde_json::from_str(data).expect("a message");
        assert_eq!(message["method"], "ping", "{message}");
        let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": {}});
        assert_eq!(server.post(&there, &answer).status, 202);
        pings += 1;
    }
    assert!(pings > 1, "{pings}");
    let load = call("load_skill", &json!({"skill_name": "zebra"}));
    assert_eq!(server.post(&there, &load).status, 200);
    assert_eq!(server.post(&gone, &load).status, 404, "nobody answered for it");
}
