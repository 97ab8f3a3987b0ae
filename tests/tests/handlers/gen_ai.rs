//! Models through the client `genai`, against a scripted server: three protocols, and streamed text.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use skills_handlers::genai::adapter::AdapterKind;
use skills_handlers::{Assistant, GenAi, Limits, Message, Model, Run, Tool, run};

use crate::acting::{REGISTRY, editor, handlers};
use crate::openai::serve;

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

#[tokio::test]
async fn an_error_of_the_provider_ends_the_run() {
    let (url, _) = serve(vec![(429, json!({"error": {"message": "slow down"}}).to_string())]).await;
    let run = drive(&model(AdapterKind::OpenAI, &url)).await;
    let text = run.end.to_string();
    assert!(text.starts_with("Stopped: the model did not answer: ") && text.contains("429"), "{text}");
    assert!(!text.contains("secret-key") && text.len() < 600);
    // The server is gone.
    let run = drive(&model(AdapterKind::OpenAI, &url)).await;
    assert!(run.answer().is_none() && run.turns == 1);
}
