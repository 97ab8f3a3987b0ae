//! The agent against a scripted model: a server on this machine that says what a model would, and looks at
//! what it is sent.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do its helpers"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread;

use serde_json::{Value, json};

#[test]
fn the_agent_loads_a_skill_and_reads_its_file() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1/", listener.local_addr().unwrap());
    let model = thread::spawn(move || {
        let says = [
            call("load_skill", &json!({"skill_name": "greeting", "arguments": "Ada French"})),
            call(
                "read_skill_resource",
                &json!({"skill_name": "greeting", "file_path": "references/forms.md"}),
            ),
            call("rm", &json!({"path": "/"})),
            json!({"role": "assistant", "content": "Salut Ada"}),
        ];
        says.map(|message| answer(&listener, &message))
    });
    let agent = Command::new(env!("CARGO_BIN_EXE_agent"))
        .args(["Greet", "Ada", "in", "French"])
        .env("OPENAI_BASE_URL", base)
        .env("OPENAI_API_KEY", "secret")
        .env("OPENAI_MODEL", "scripted")
        .output()
        .unwrap();
    assert!(agent.status.success(), "{}", String::from_utf8_lossy(&agent.stderr));
    assert_eq!(String::from_utf8_lossy(&agent.stdout), "Salut Ada\n");
    let [first, second, third, last] = model.join().unwrap();

    assert_eq!(first["model"], "scripted");
    assert_eq!(first["messages"][1]["content"], "Greet Ada in French");
    let tools: Vec<&str> = first["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(tools, ["list_skills", "search_skills", "load_skill", "read_skill_resource"]);
    let load = &first["tools"][2]["function"];
    assert!(load["description"].as_str().unwrap().contains("- greeting: Greets people"));
    assert_eq!(load["parameters"]["properties"]["skill_name"]["enum"], json!(["greeting"]));

    let text = |request: &Value| request["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(text(&second)["tool_call_id"], "call-load_skill");
    assert!(text(&second)["content"].as_str().unwrap().contains("Greet Ada in French."));
    assert!(text(&third)["content"].as_str().unwrap().contains("| French | Bonjour NAME | Salut NAME |"));
    assert_eq!(text(&last)["content"], "Error: there is no tool 'rm'.");
}

fn call(tool: &str, arguments: &Value) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [{
        "id": format!("call-{tool}"), "type": "function",
        "function": {"name": tool, "arguments": arguments.to_string()},
    }]})
}

/// Answers one request with a message of the model's, and gives back what was asked.
fn answer(listener: &TcpListener, message: &Value) -> Value {
    let (stream, _) = listener.accept().unwrap();
    let request = read(&stream);
    let body = json!({"choices": [{"message": message}]}).to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length:";
    write!(&stream, "{head} {}\r\n\r\n{body}", body.len()).unwrap();
    request
}

fn read(stream: &TcpStream) -> Value {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "POST /v1/chat/completions HTTP/1.1\r\n");
    let (mut length, mut has_key) = (None, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        has_key |= line == "authorization: bearer secret";
        if let Some(value) = line.strip_prefix("content-length:") {
            length = Some(value.trim().parse().unwrap());
        }
    }
    assert!(has_key);
    let mut body = vec![0; length.expect("the agent says how long its request is")];
    reader.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}
