//! The program from its command line to its answer, against a model server that follows a script.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rusqlite::Connection;
use serde_json::{Value, json};

/// Gives the messages of the script one after the other, and passes on what it was asked. Anything
/// but a chat completion is answered with a page.
fn model(script: Vec<Value>) -> (String, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (asked, requests) = channel();
    thread::spawn(move || {
        let mut script = script.into_iter();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (line, body) = request(&stream);
            let answer = if line.starts_with("POST /v1/chat/completions ") {
                asked.send(serde_json::from_slice(&body).unwrap()).unwrap();
                let message = script.next().expect("the script is at its end");
                json!({"choices": [{"message": message}]}).to_string()
            } else {
                "<h1>All is well</h1>".to_owned()
            };
            let length = answer.len();
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{answer}"
            )
            .unwrap();
        }
    });
    (address, requests)
}

fn request(stream: &TcpStream) -> (String, Vec<u8>) {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (first, body)
}

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments.to_string()}})
}

fn calls(calls: &[Value]) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

fn says(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

/// Runs the program below a root with a few files and a database, and says this to what it asks.
fn agent(root: &Path, address: &str, request: &str, answer: &str) -> (bool, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_agent-with-handlers"))
        .args(["--endpoint", &format!("{address}/v1"), "--database"])
        .arg(root.join("garden.db"))
        .arg("--root")
        .arg(root)
        .arg(request)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(answer.as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

fn garden() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("beds")).unwrap();
    fs::write(root.path().join("beds/Old-Plan.txt"), "tulips").unwrap();
    fs::write(root.path().join("plan.txt"), "roses").unwrap();
    let database = Connection::open(root.path().join("garden.db")).unwrap();
    database
        .execute_batch("CREATE TABLE beds (name TEXT, plants INTEGER); INSERT INTO beds VALUES ('north', 7), ('south', 5)")
        .unwrap();
    root
}

/// The text of the result of this call in a request.
fn result<'r>(request: &'r Value, id: &str) -> &'r str {
    let messages = request["messages"].as_array().unwrap();
    messages.iter().find(|message| message["tool_call_id"] == id).unwrap()["content"].as_str().unwrap()
}

#[test]
fn it_searches_queries_fetches_and_deletes_after_a_yes() {
    let root = garden();
    // The page is on the server of the model, whose address is known only once it runs.
    let (address, _) = model(Vec::new());
    let page = format!("{address}/status");
    let (address, requests) = model(vec![
        calls(&[
            call("a", "file-search", &json!({"word": "plan"})),
            call("b", "skills_tool", &json!({"action": "search", "query": "query the database"})),
        ]),
        calls(&[
            call("c", "table-query", &json!({"sql": "SELECT sum(plants) AS plants FROM beds"})),
            call("d", "page-fetch", &json!({"url": page})),
        ]),
        calls(&[call("e", "file-delete", &json!({"path": "beds/Old-Plan.txt"}))]),
        says("The old plan is gone; 12 plants are left."),
    ]);
    let (success, said) = agent(root.path(), &address, "Delete a file: the old plan", "y\n");
    assert!(success, "{said}");
    assert_eq!(
        said,
        "file-delete {\"path\":\"beds/Old-Plan.txt\"}: it deletes the file for good. Do it? [y/N] \
         The old plan is gone; 12 plants are left.\n"
    );
    assert!(!root.path().join("beds/Old-Plan.txt").exists() && root.path().join("plan.txt").exists());

    let requests: Vec<Value> = requests.try_iter().collect();
    assert_eq!(requests.len(), 4);
    let tools = |at: usize| {
        let tools = requests[at]["tools"].as_array().unwrap().iter();
        tools.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // The request is about files; the rest is found on the way.
    assert_eq!(tools(0), ["file-delete", "file-search", "skills_tool", "read_result"]);
    assert!(tools(1).contains(&"table-query".to_owned()));
    assert_eq!(
        result(&requests[1], "a"),
        "[step 1, file-search: ok]\n{\"files\":[\"beds/Old-Plan.txt\",\"plan.txt\"],\"more\":false}"
    );
    assert_eq!(
        result(&requests[2], "c"),
        "[step 2, table-query: ok]\n{\"rows\":[{\"plants\":12}],\"more\":false}"
    );
    assert_eq!(result(&requests[2], "d"), "[step 2, page-fetch: ok]\n<h1>All is well</h1>");
    assert_eq!(result(&requests[3], "e"), "[step 3, file-delete: ok]\n`beds/Old-Plan.txt` is deleted");
}

#[test]
fn a_no_leaves_the_file() {
    let root = garden();
    let (address, requests) =
        model(vec![calls(&[call("a", "file-delete", &json!({"path": "plan.txt"}))]), says("Then it stays.")]);
    let (success, said) = agent(root.path(), &address, "Delete a file: plan.txt", "");
    assert!(success && said.ends_with("Then it stays.\n"), "{said}");
    assert!(root.path().join("plan.txt").exists());
    let last = requests.try_iter().last().unwrap();
    assert_eq!(result(&last, "a"), "[step 1, file-delete: DECLINED]\nThe user declined.");
}

#[test]
fn what_handlers_may_not_do_they_do_not() {
    let root = garden();
    let outside = tempfile::NamedTempFile::new().unwrap();
    let outside = outside.path().to_str().unwrap();
    let refused = [
        ("table-query", json!({"sql": "DELETE FROM beds"}), "the database is only read"),
        (
            "table-query",
            json!({"sql": format!("ATTACH '{outside}' AS other")}),
            "too many attached databases",
        ),
        ("table-query", json!({"sql": "SELECT 1; DROP TABLE beds"}), "FAILED"),
        ("page-fetch", json!({"url": "http://example.org/"}), "only pages of this machine"),
        ("page-fetch", json!({"url": "file:///etc/hosts"}), "only pages of this machine"),
        ("file-search", json!({"word": ""}), "INVALID_ARGUMENTS"),
    ];
    let all: Vec<Value> = (0..)
        .zip(&refused)
        .map(|(id, (name, arguments, _))| call(&format!("c{id}"), name, arguments))
        .collect();
    let delete = |path: &str| calls(&[call("x", "file-delete", &json!({"path": path}))]);
    let (address, requests) =
        model(vec![calls(&all), delete(outside), delete("../x"), delete("beds"), says("I could not.")]);
    let (success, said) = agent(root.path(), &address, "Try", "y\ny\ny\n");
    assert!(success && said.ends_with("I could not.\n"), "{said}");
    let requests: Vec<Value> = requests.try_iter().collect();
    for (id, (name, arguments, expected)) in (0..).zip(&refused) {
        let said = result(&requests[1], &format!("c{id}"));
        assert!(said.contains(expected), "{name} {arguments}: {said}");
    }
    assert!(Path::new(outside).exists());
    let last = requests.last().unwrap()["messages"].as_array().unwrap();
    let deletes: Vec<&str> = last
        .iter()
        .filter(|message| message["tool_call_id"] == "x")
        .filter_map(|message| message["content"].as_str())
        .collect();
    assert_eq!(deletes.len(), 3);
    assert!(deletes.iter().all(|said| said.contains("file-delete: FAILED]")), "{deletes:?}");
}

/// Against a real endpoint, if `AGENT_ENDPOINT`, `AGENT_MODEL` and `AGENT_KEY` say where it is. What a real
/// model answers is its own affair; that nothing is deleted without a yes isn't.
#[test]
fn a_real_endpoint_deletes_nothing_without_a_yes() {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (Some(endpoint), Some(_), Some(_)) = (set("AGENT_ENDPOINT"), set("AGENT_MODEL"), set("AGENT_KEY"))
    else {
        println!("not asked: AGENT_ENDPOINT, AGENT_MODEL and AGENT_KEY say where");
        return;
    };
    let root = garden();
    let address = endpoint.trim_end_matches('/').trim_end_matches("/v1");
    let (_, said) = agent(root.path(), address, "Delete the file plan.txt", "n\n");
    assert!(root.path().join("plan.txt").exists(), "{said}");
    assert!(!said.is_empty());
}
