//! Models through the client `genai`, against a scripted server: three protocols, and streamed text.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use skills_handlers::genai::adapter::AdapterKind;
use skills_handlers::genai::{Client, WebConfig};
use skills_handlers::{Assistant, GenAi, Limits, Message, Model, Run, Tool, run};

use crate::acting::{REGISTRY, editor, handlers};
use crate::endpoint::{serve, serve_with};

async fn drive(model: &GenAi) -> Run {
    let messages = vec![Message::system("Be brief."), Message::user("Where are a and b?")];
    run(model, &REGISTRY, &handlers(), messages, &Limits::default(), &editor()).await
}

fn model(kind: AdapterKind, url: &str) -> GenAi {
    let model = GenAi::at(kind, url, "small", "secret-key").unwrap();
    assert!(!format!("{model:?}").contains("secret-key"));
    model
}

/// What all protocols have in common: two calls at once, their results in order, and the tokens.
fn check(run: &Run) {
    assert_eq!(run.answer(), Some("They are here."), "{}", run.end);
    let results: Vec<&Message> =
        run.messages.iter().filter(|message| matches!(message, Message::Result { .. })).collect();
    assert!(
        matches!(results[0], Message::Result { call, text, .. } if call == "c1" && text.contains("a-0.txt"))
    );
    assert!(
        matches!(results[1], Message::Result { call, text, .. } if call == "c2" && text.contains("b-0.txt"))
    );
    assert_eq!((run.usage.input, run.usage.output), (120, 14));
    assert!(run.steps.iter().all(|step| step.reported));
}

#[tokio::test]
async fn chat_completions() {
    let call = |id: &str, word: &str| json!({"id": id, "type": "function", "function": {"name": "file-search", "arguments": format!("{{\"word\": \"{word}\"}}")}});
    let says = |message: Value, input: u32| {
        let usage = json!({"prompt_tokens": input, "completion_tokens": 7, "total_tokens": input + 7});
        let choices = json!([{"index": 0, "message": message, "finish_reason": "stop"}]);
        (200, json!({"id": "x", "model": "small", "choices": choices, "usage": usage}).to_string())
    };
    let (url, requests) = serve(vec![
        says(
            json!({"role": "assistant", "content": null, "tool_calls": [call("c1", "a"), call("c2", "b")]}),
            50,
        ),
        says(json!({"role": "assistant", "content": "They are here."}), 70),
    ])
    .await;
    check(&drive(&model(AdapterKind::OpenAI, &url)).await);
    let requests = requests.lock().unwrap();
    let (head, first) = &requests[0];
    assert!(
        head.starts_with("post /v1/chat/completions ") && head.contains("authorization: bearer secret-key")
    );
    assert_eq!(first["tools"][0]["function"]["name"], "file-delete");
    let (_, second) = &requests[1];
    let roles: Vec<&str> = second["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|message| message["role"].as_str())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool"]);
}

#[tokio::test]
async fn responses() {
    let call = |id: &str, word: &str| json!({"type": "function_call", "id": format!("f{id}"), "call_id": id, "name": "file-search", "arguments": format!("{{\"word\": \"{word}\"}}"), "status": "completed"});
    let says = |output: Value, input: u32| {
        let usage = json!({"input_tokens": input, "output_tokens": 7, "total_tokens": input + 7});
        (
            200,
            json!({"id": "r", "status": "completed", "model": "small", "output": output, "usage": usage})
                .to_string(),
        )
    };
    let text = json!([{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "They are here."}]}]);
    let (url, requests) =
        serve(vec![says(json!([call("c1", "a"), call("c2", "b")]), 50), says(text, 70)]).await;
    check(&drive(&model(AdapterKind::OpenAIResp, &url)).await);
    let requests = requests.lock().unwrap();
    assert!(requests[0].0.starts_with("post /v1/responses "), "{}", requests[0].0);
    assert!(requests[1].1["input"].to_string().contains("function_call_output"));
}

#[tokio::test]
async fn messages_of_anthropic() {
    let call = |id: &str, word: &str| json!({"type": "tool_use", "id": id, "name": "file-search", "input": {"word": word}});
    let says = |content: Value, input: u32| {
        let usage = json!({"input_tokens": input, "output_tokens": 7});
        let message = json!({"id": "m", "type": "message", "role": "assistant", "model": "small", "content": content, "stop_reason": "end_turn", "usage": usage});
        (200, message.to_string())
    };
    let (url, requests) = serve(vec![
        says(json!([{"type": "text", "text": "I look."}, call("c1", "a"), call("c2", "b")]), 50),
        says(json!([{"type": "text", "text": "They are here."}]), 70),
    ])
    .await;
    check(&drive(&model(AdapterKind::Anthropic, &url)).await);
    let requests = requests.lock().unwrap();
    assert!(
        requests[0].0.starts_with("post /v1/messages ") && requests[0].0.contains("x-api-key: secret-key")
    );
    // Both results are in one message.
    let last = requests[1].1["messages"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["role"], last["content"].as_array().map(Vec::len)), (&json!("user"), Some(2)));
}

#[tokio::test]
async fn text_is_streamed() {
    let chunk =
        |delta: Value| json!({"id": "x", "model": "small", "choices": [{"index": 0, "delta": delta}]});
    let events = [
        chunk(json!({"role": "assistant", "content": "They "})),
        chunk(json!({"content": "are "})),
        chunk(json!({"content": "here."})),
        chunk(
            json!({"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": {"name": "file-search", "arguments": "{\"word\": "}}]}),
        ),
        chunk(json!({"tool_calls": [{"index": 0, "function": {"arguments": "\"a\"}"}}]})),
        json!({"id": "x", "model": "small", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}}),
    ];
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let cut = format!("data: {}\n\n", events[0]);
    let (url, requests) = serve(vec![(200, body + "data: [DONE]\n\n"), (200, cut)]).await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    let model =
        model(AdapterKind::OpenAI, &url).on_text(move |text| hears.lock().unwrap().push(text.to_owned()));
    let reply = model.reply(&[Message::user("x")], &[Tool::read_result()]).await.unwrap();
    assert_eq!(
        reply,
        Assistant::new("They are here.").call("c1", "file-search", r#"{"word":"a"}"#).used(9, 4)
    );
    assert_eq!(*heard.lock().unwrap(), ["They ", "are ", "here."]);
    assert_eq!(requests.lock().unwrap()[0].1["stream"], true);
    // A partial answer isn't accepted: it may lack a call.
    let broken = model.reply(&[Message::user("x")], &[]).await;
    assert!(!matches!(&broken, Ok(reply) if reply.usage.is_some()), "{broken:?}");
}

fn completion(message: &Value) -> (u16, String) {
    (200, json!({"choices": [{"index": 0, "message": message}]}).to_string())
}

#[tokio::test]
async fn variants_of_servers_are_understood() {
    let bare = json!({"role": "assistant", "content": "x", "tool_calls": [{"id": "2", "type": "function", "function": {"name": "c", "arguments": "{}"}}]});
    let (url, requests) = serve(vec![completion(&bare)]).await;
    let messages = [Message::system("One."), Message::system("Two."), Message::user("x")];
    let model = GenAi::at(AdapterKind::OpenAI, &url, "m", "").unwrap();
    let reply = model.reply(&messages, &[]).await.unwrap();
    assert_eq!(reply, Assistant::new("x").call("2", "c", "{}"));
    let (_, body) = &requests.lock().unwrap()[0];
    assert_eq!(body["messages"][0], json!({"role": "system", "content": "One.\n\nTwo."}));
    assert_eq!(body.get("tools"), None);
}

#[tokio::test]
async fn errors_say_what_to_do() {
    let (url, _) = serve(vec![
        (401, json!({"error": {"message": "wrong key"}}).to_string()),
        (400, "x".repeat(100_000)),
        (200, "<html>".to_owned()),
        completion(&json!({"role": "assistant", "tool_calls": [{"id": "2", "type": "function", "function": {"name": "c", "arguments": "{"}}]})),
    ])
    .await;
    let model = model(AdapterKind::OpenAI, &url).retries(0);
    let error =
        async || model.reply(&[Message::user("x")], &[Tool::read_result()]).await.unwrap_err().to_string();
    assert_eq!(error().await, "it answered 401 Unauthorized: wrong key");
    let long = error().await;
    assert!(long.starts_with("it answered 400 Bad Request: xxx") && long.len() < 500, "{long}");
    let html = error().await;
    assert!(html.contains("<html>"), "{html}");
    assert_eq!(
        error().await,
        "its answer cannot be read: Serde JSON error: EOF while parsing an object at line 1 column 1"
    );
    assert_eq!(
        error().await,
        format!("`{url}chat/completions` cannot be reached: is the server running there?")
    );
    let secure = GenAi::at(AdapterKind::OpenAI, url.replace("http:", "https:"), "m", "").unwrap().retries(0);
    let secure = secure.reply(&[Message::user("x")], &[]).await.unwrap_err();
    assert!(secure.to_string().contains("enable the feature `rustls-tls`"), "{secure}");
    assert!(std::error::Error::source(&secure).is_some());
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    let busy = (429, json!({"error": {"message": "slow down"}}).to_string());
    let done = completion(&json!({"role": "assistant", "content": "Done."}));
    let wait = "retry-after-ms: 20\r\n";
    let (url, requests) = serve_with(vec![busy.clone(), (503, String::new()), done.clone()], wait).await;
    let reply = model(AdapterKind::OpenAI, &url).reply(&[Message::user("x")], &[]).await.unwrap();
    assert_eq!((reply.text.as_str(), requests.lock().unwrap().len()), ("Done.", 3));

    // Not more often than it should, and not what stays wrong.
    let (url, requests) = serve_with(vec![busy.clone(), busy.clone(), done.clone()], wait).await;
    let error =
        model(AdapterKind::OpenAI, &url).retries(1).reply(&[Message::user("x")], &[]).await.unwrap_err();
    assert_eq!(error.to_string(), "it answered 429 Too Many Requests: slow down");
    assert_eq!(requests.lock().unwrap().len(), 2);
    let (url, requests) = serve_with(vec![(400, String::new()), done.clone()], wait).await;
    model(AdapterKind::OpenAI, &url).reply(&[Message::user("x")], &[]).await.unwrap_err();
    assert_eq!(requests.lock().unwrap().len(), 1);

    // A streamed answer too, as long as nobody has heard a part of it.
    let chunk = json!({"id": "x", "model": "m", "choices": [{"index": 0, "delta": {"content": "Done."}}]});
    let end =
        json!({"id": "x", "model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let body = format!("data: {chunk}\n\ndata: {end}\n\ndata: [DONE]\n\n");
    let (url, requests) = serve_with(vec![busy, (200, body)], wait).await;
    let heard = Arc::new(Mutex::new(String::new()));
    let hears = Arc::clone(&heard);
    let model = model(AdapterKind::OpenAI, &url).on_text(move |text| hears.lock().unwrap().push_str(text));
    assert_eq!(model.reply(&[Message::user("x")], &[]).await.unwrap().text, "Done.");
    assert_eq!((heard.lock().unwrap().as_str(), requests.lock().unwrap().len()), ("Done.", 2));
}

#[tokio::test]
async fn a_server_that_does_not_answer_times_out() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let resolver = skills_handlers::genai::ServiceTarget {
        endpoint: skills_handlers::genai::resolver::Endpoint::from_owned(url.clone()),
        auth: skills_handlers::genai::resolver::AuthData::from_single(""),
        model: skills_handlers::genai::ModelIden::new(AdapterKind::OpenAI, "m"),
    };
    let web = WebConfig::default().with_timeout(std::time::Duration::from_millis(50));
    let client = Client::builder().with_web_config(web).build().unwrap();
    let model = GenAi::new(client, resolver).retries(0);
    let error = model.reply(&[Message::user("x")], &[]).await.unwrap_err();
    assert_eq!(error.to_string(), format!("`{url}chat/completions` did not answer in time"));
}

#[tokio::test]
async fn an_error_of_the_provider_ends_the_run() {
    let (url, _) = serve(vec![(401, json!({"error": {"message": "who are you"}}).to_string())]).await;
    let model = model(AdapterKind::OpenAI, &url).retries(0);
    let run = drive(&model).await;
    let text = run.end.to_string();
    assert!(text.starts_with("Stopped: the model did not answer: ") && text.contains("401"), "{text}");
    assert!(!text.contains("secret-key") && text.len() < 600);
    // The server is gone.
    let run = drive(&model).await;
    assert!(run.answer().is_none() && run.turns == 1);
}

/// What had arrived before a stream broke is in the usage.
#[tokio::test]
async fn a_broken_stream_is_paid_for() {
    let delta = json!({"content": "x".repeat(400)});
    let chunk = json!({"id": "x", "model": "m", "choices": [{"index": 0, "delta": delta}]});
    let (url, requests) = serve(vec![(200, format!("data: {chunk}\n\ndata: {{\n\n"))]).await;
    let model = model(AdapterKind::OpenAI, &url).on_text(|_| {});
    let run = drive(&model).await;
    assert!(matches!(run.end, skills_handlers::End::ModelFailed(_)), "{}", run.end);
    assert_eq!((run.usage.output, requests.lock().unwrap().len()), (100, 1));
}
