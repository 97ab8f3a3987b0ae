//! `mcp --http`: connections that are open, wait, idle or are notified, and how they end.

use std::io::{Read as _, Write as _};
#[cfg(unix)]
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::http_server::{Answer, LEGACY, Server, call, newest};
use crate::mcp::hello;
use crate::place::Place;

#[test]
fn more_connections_wait_for_a_place() {
    let place = Place::new();
    let server = Server::start(&place, &["--max-connections", "2", "--keep-alive", "600"]);
    let idle = [(); 2].map(|()| server.connect());
    let mut waits = server.connect();
    let hello = server.bytes("POST", "/mcp", "", &hello().to_string());
    waits.write_all(hello.as_bytes()).expect("it is queued");
    waits.set_read_timeout(Some(Duration::from_millis(300))).expect("there is a clock");
    assert!(waits.read(&mut [0; 1]).is_err(), "there is no place yet");
    // A busy server isn't a dead one.
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
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
