//! `mcp --http`: who is answered, what is refused, and what is logged.

use std::io::{BufRead as _, Read as _, Write as _};

use serde_json::{Value, json};

use crate::http_server::{Answer, LEGACY, Server, call, nested, newest};
use crate::mcp::hello;
use crate::place::Place;

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
    let accept =
        "Accept: application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5\r\n";
    let open = server.request("GET", "/metrics", accept, "");
    assert!(open.head.contains("content-type: application/openmetrics-text; version=1.0.0"), "{open:?}");
    assert!(
        open.body.contains("# TYPE skills_requests counter\n") && open.body.ends_with("# EOF\n"),
        "{open:?}"
    );
    let metrics = server.get("/metrics");
    assert!(metrics.head.contains("content-type: text/plain; version=0.0.4"), "{metrics:?}");
    assert!(metrics.body.contains("# TYPE skills_requests_total counter\n"), "{metrics:?}");
    assert!(!metrics.body.contains("# EOF"), "{metrics:?}");
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
        // The message is two levels, so this is the 128th.
        (&nested(126), -32700, json!(null)),
    ] {
        let answer = server.request("POST", "/mcp", LEGACY, body);
        assert_eq!(answer.status, 400, "{body}");
        let error = answer.json();
        assert_eq!((&error["error"]["code"], error.get("id")), (&json!(code), Some(&id)), "{body}");
    }
    assert_eq!(server.request("POST", "/mcp", LEGACY, &nested(125)).status, 200, "127 levels");
    let wrong = server.post(LEGACY, &call("list_skills", &json!([])));
    assert_eq!(wrong.json()["error"]["code"], -32602, "{wrong:?}");
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
