//! The client for OpenAI-compatible endpoints, against a scripted server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use skills_handlers::{Assistant, Limits, Message, Model, OpenAi, Tool, run};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::acting::{REGISTRY, editor, handlers};

/// A request: its head and its body.
pub(crate) type Requests = Arc<Mutex<Vec<(String, Value)>>>;

/// Answers each request with the next of these, and keeps the requests.
pub(crate) async fn serve(answers: Vec<(u16, String)>) -> (String, Requests) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let requests = Requests::default();
    let kept = requests.clone();
    tokio::spawn(async move {
        for (status, answer) in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut bytes = Vec::new();
            let (head, body) = loop {
                let mut chunk = [0; 4096];
                let read = stream.read(&mut chunk).await.unwrap();
                assert!(read > 0, "the request ended early");
                bytes.extend_from_slice(&chunk[..read]);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                let head = head.to_lowercase();
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
                if body.len() >= length.parse().unwrap() {
                    break (head, serde_json::from_str(body).unwrap());
                }
            };
            kept.lock().unwrap().push((head, body));
            let length = answer.len();
            let kind = if answer.starts_with("data:") { "text/event-stream" } else { "application/json" };
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            stream.write_all((head + &answer).as_bytes()).await.unwrap();
        }
    });
    (url, requests)
}

fn says(message: &Value) -> (u16, String) {
    (200, json!({"choices": [{"index": 0, "message": message}]}).to_string())
}

#[tokio::test]
async fn a_conversation_with_calls() {
    let call = json!([{"id": "c1", "type": "function", "function": {"name": "file-search", "arguments": "{\"word\": \"a\"}"}}]);
    let (status, first) = says(&json!({"role": "assistant", "content": null, "tool_calls": call}));
    let usage = r#"{"usage": {"prompt_tokens": 40, "completion_tokens": 2}, "#;
    let (url, requests) = serve(vec![
        (status, first.replacen('{', usage, 1)),
        says(&json!({"role": "assistant", "content": "It is a-0.txt."})),
    ])
    .await;
    let model = OpenAi::new(&url, "small").key("secret-key");
    assert!(!format!("{model:?}").contains("secret-key"));
    let messages = vec![Message::system("Be brief."), Message::user("Where is a?")];
    let run = run(&model, &REGISTRY, &handlers(), messages, &Limits::default(), &editor()).await;
    assert_eq!(run.answer(), Some("It is a-0.txt."), "{}", run.end);

    assert_eq!((run.steps[0].usage.input, run.steps[0].usage.output, run.steps[0].reported), (40, 2, true));
    assert!(!run.steps[1].reported);

    let requests = requests.lock().unwrap();
    let (head, first) = &requests[0];
    assert!(head.starts_with("post /v1/chat/completions http/1.1\r\n"), "{head}");
    assert!(head.contains("authorization: bearer secret-key"));
    assert_eq!(first["model"], "small");
    assert_eq!(
        first["messages"],
        json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Where is a?"},
        ])
    );
    let names: Vec<&str> = first["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["function"]["name"].as_str())
        .collect();
    assert_eq!(names, ["file-delete", "file-search", "skills_tool", "read_result"]);
    let (_, second) = &requests[1];
    assert_eq!(second["messages"][2], json!({"role": "assistant", "content": "", "tool_calls": call}));
    assert_eq!(
        second["messages"][3],
        json!({
            "role": "tool", "tool_call_id": "c1",
            "content": "[step 1, file-search: ok]\n{\"files\":[\"a-0.txt\"],\"user\":\"ada\"}",
        })
    );
}

#[tokio::test]
async fn variants_of_servers_are_understood() {
    let bare = json!({"content": "x", "tool_calls": [{"function": {"name": "a", "arguments": {"b": 1}}}, {"id": "2", "function": {"name": "c"}}]});
    let (url, requests) = serve(vec![says(&bare)]).await;
    let messages = [Message::system("One."), Message::system("Two.")];
    let reply = OpenAi::new(&url, "m").reply(&messages, &[]).await.unwrap();
    assert_eq!(reply, Assistant::new("x").call("", "a", "{\"b\":1}").call("2", "c", ""));
    let (head, body) = &requests.lock().unwrap()[0];
    assert!(!head.contains("authorization"));
    assert_eq!(body["messages"], json!([{"role": "system", "content": "One.\n\nTwo."}]));
    assert_eq!(body.get("tools"), None);
}

#[tokio::test]
async fn errors_say_what_to_do() {
    let (url, _) = serve(vec![
        (429, json!({"error": {"message": "slow down"}}).to_string()),
        (500, "x".repeat(100_000)),
        (200, "<html>".to_owned()),
        (200, "{\"choices\": []}".to_owned()),
    ])
    .await;
    let model = OpenAi::new(&url, "m");
    let asked = format!("{url}chat/completions");
    let error = async || model.reply(&[], &[Tool::read_result()]).await.unwrap_err().to_string();
    assert_eq!(error().await, format!("`{asked}` answered 429 Too Many Requests: slow down"));
    let long = error().await;
    assert!(long.starts_with(&format!("`{asked}` answered 500 ")) && long.len() < 300, "{long}");
    assert_eq!(error().await, format!("the answer of `{asked}` is not a chat completion"));
    assert_eq!(error().await, format!("the answer of `{asked}` has no choices"));
    assert_eq!(error().await, format!("`{asked}` cannot be reached: is the server running there?"));

    let secure = OpenAi::new(url.replace("http:", "https:"), "m").reply(&[], &[]).await.unwrap_err();
    assert!(secure.to_string().contains("enable the feature `rustls`"), "{secure}");
    assert!(std::error::Error::source(&secure).is_some());
    let wrong = OpenAi::new("not a url", "m").reply(&[], &[]).await.unwrap_err();
    assert_eq!(wrong.to_string(), "`not a url/chat/completions` is not a valid URL");
}

#[tokio::test]
async fn a_server_that_does_not_answer_times_out() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let model = OpenAi::new(&url, "m").timeout(Duration::from_millis(50));
    let error = model.reply(&[], &[]).await.unwrap_err();
    assert_eq!(error.to_string(), format!("`{url}/chat/completions` did not answer within 50ms"));
}
