//! A scripted server in place of a model's provider.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// A request: its head and its body.
pub(crate) type Requests = Arc<Mutex<Vec<(String, Value)>>>;

/// Answers each request with the next of these, and keeps the requests.
pub(crate) async fn serve(answers: Vec<(u16, String)>) -> (String, Requests) {
    serve_with(answers, "").await
}

/// The same, with these lines in the head of each answer.
pub(crate) async fn serve_with(answers: Vec<(u16, String)>, lines: &'static str) -> (String, Requests) {
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
                "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n{lines}\r\n"
            );
            stream.write_all((head + &answer).as_bytes()).await.unwrap();
        }
    });
    (url, requests)
}
