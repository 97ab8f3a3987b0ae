//! `mcp`, as a host starts it. What it answers is tested where the library is.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::Place;

fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}})
}

/// What the program answers to these, one answer a line.
fn answers(place: &Place, args: &[&str], requests: &[Value]) -> (Vec<Value>, String, i32) {
    let mut command = place.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
    let mut answers = Vec::new();
    for request in requests {
        writeln!(stdin, "{request}").expect("it reads");
        if request.get("id").is_some() {
            let mut line = String::new();
            stdout.read_line(&mut line).expect("it answers");
            answers.push(serde_json::from_str(&line).expect("an answer is JSON"));
        }
    }
    drop(stdin);
    let output = child.wait_with_output().expect("it ends with its host");
    (answers, String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code().expect("not killed"))
}

#[test]
fn a_host_is_served_and_told_what_is_broken() {
    let place = Place::new();
    place.skill("skills/zebra", "Counts stripes").file("skills/broken/SKILL.md", "no frontmatter");
    let started = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let load = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "load_skill", "arguments": {"skill_name": "zebra"}}});
    let (answers, stderr, code) = answers(&place, &["mcp", "--root", "skills"], &[hello(), started, load]);
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "skills");
    assert_eq!(answers[0]["result"]["capabilities"]["tools"]["listChanged"], true);
    assert_eq!(answers[1]["result"]["structuredContent"]["skill_name"], "zebra");
    assert!(stderr.contains("error[E001]"), "{stderr}");
    assert_eq!(code, 0);
}

#[test]
fn a_host_that_goes_away_ends_it() {
    let place = Place::new();
    for stdin in ["", "{", "not json\n"] {
        let ran = place.run_with(["mcp"], stdin.as_bytes());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{stdin:?}: {}", ran.stdout);
    }
    let ran = place.run(["mcp", "--root", "none", "--json"]);
    assert_eq!((ran.error_code().as_str(), ran.code), ("ROOT_UNREADABLE", 2));
}

#[cfg(feature = "mcp-http")]
mod http {
    use std::io::Read as _;
    use std::net::TcpStream;

    use super::*;

    /// The server's status line for a greeting with these headers.
    fn greet(address: &str, headers: &str) -> String {
        let mut stream = TcpStream::connect(address).expect("it listens");
        let body = hello().to_string();
        let head = format!(
            "POST /mcp HTTP/1.1\r\n{headers}Content-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).expect("it reads");
        stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).expect("there is a clock");
        let mut answer = [0; 2048];
        let length = stream.read(&mut answer).expect("it answers");
        String::from_utf8_lossy(&answer[..length]).lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_port_is_one_of_this_machine_and_strangers_are_refused() {
        let place = Place::new();
        let mut command = place.command(["mcp", "--http", "0"]);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("stderr is a pipe"))
            .read_line(&mut line)
            .expect("it says where");
        let address = line.trim().strip_prefix("serving at http://").and_then(|url| url.strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        let answers = [
            greet(&address, &format!("Host: {address}\r\n")),
            greet(&address, "Host: evil.example\r\n"),
            greet(&address, &format!("Host: {address}\r\nOrigin: https://evil.example\r\n")),
        ];
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        assert_eq!(answers[0], "HTTP/1.1 200 OK");
        assert!(answers[1..].iter().all(|answer| answer.starts_with("HTTP/1.1 403")), "{answers:?}");
    }

    #[test]
    fn what_is_no_address_is_explained() {
        for wrong in ["x", "localhost", "70000", "127.0.0.1"] {
            let ran = Place::new().run(["mcp", "--http", wrong]);
            assert!(ran.code == 2 && ran.stderr.contains("such as 8080"), "{}", ran.stderr);
        }
    }
}
