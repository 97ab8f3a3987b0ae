//! For tests of agents: a model that says what a script says, at an endpoint on this machine with OpenAI's chat
//! completions. It understands nothing, so it shows what an agent sends, not what a model makes of it.

#![allow(clippy::missing_panics_doc, reason = "a test fails by panicking, and so do its helpers")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::{Value, json};

pub mod release_notes;

/// Starts a model that says these messages, one for each request, and then no more. Returns its base URL, and what
/// it is asked.
pub fn start(script: Vec<Value>) -> (String, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let base = format!("http://{}/v1", listener.local_addr().expect("it is bound"));
    let (asked, requests) = channel();
    thread::spawn(move || {
        for message in script {
            let (stream, _) = listener.accept().expect("a connection");
            // Whoever doesn't look at the requests has dropped their end.
            let _ = asked.send(read(&stream));
            answer(&stream, &message);
        }
    });
    (base, requests)
}

/// A message that calls tools, by name with the arguments. The calls have the ids `call-0`, `call-1`, ….
pub fn calls(calls: &[(&str, Value)]) -> Value {
    let calls = calls.iter().enumerate().map(|(at, (tool, arguments))| {
        let function = json!({"name": tool, "arguments": arguments.to_string()});
        json!({"id": format!("call-{at}"), "type": "function", "function": function})
    });
    json!({"role": "assistant", "content": null, "tool_calls": calls.collect::<Vec<_>>()})
}

/// A message of text, which ends the turn.
pub fn says(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

/// The names of the tools that a request offers.
pub fn tools(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().expect("tools").iter();
    tools.map(|tool| tool["function"]["name"].as_str().expect("a name")).collect()
}

/// The texts of the results of tools in a request, in order.
pub fn results(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().expect("messages").iter();
    let text = |content: &Value| match content {
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        content => content.as_str().expect("text").to_owned(),
    };
    messages.filter(|message| message["role"] == "tool").map(|message| text(&message["content"])).collect()
}

fn answer(mut stream: &TcpStream, message: &Value) {
    let reason = if message["tool_calls"].is_array() { "tool_calls" } else { "stop" };
    let choice = json!({"index": 0, "message": message, "finish_reason": reason});
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
    let body = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "scripted",
        "choices": [choice], "usage": usage,
    });
    let body = body.to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length:";
    write!(stream, "{head} {}\r\n\r\n{body}", body.len()).expect("the agent reads");
}

fn read(stream: &TcpStream) -> Value {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("a request");
    assert_eq!(line, "POST /v1/chat/completions HTTP/1.1\r\n");
    let mut length = None;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a header");
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok();
        }
    }
    let mut body = vec![0; length.expect("the agent says how long its request is")];
    reader.read_exact(&mut body).expect("a body");
    serde_json::from_slice(&body).expect("JSON")
}
