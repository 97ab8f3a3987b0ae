//! An agent in one file: a model with an OpenAI-compatible API, and skills that are compiled in.
//!
//! ```sh
//! OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL=qwen3 cargo run -p agent -- "Greet Ada in French"
//! ```
//!
//! The model is offered four tools, and decides itself when to load a skill. What it calls is answered by
//! the registry; there is nothing else that it could do here.

#![allow(clippy::disallowed_methods, reason = "where the model is, the environment says")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a program for people")]

use std::env;
use std::error::Error;
use std::process::ExitCode;

use serde_json::{Value, json};
use skills::{Provider, Registry, ToolOptions, Toolset};

static SKILLS: skills::Bundle = skills::include_skills!("skills");
static REGISTRY: Registry<'_> = Registry::new(&SKILLS);

/// Answers of the model until it has to be done.
const TURNS: usize = 8;

fn main() -> ExitCode {
    let task = env::args().skip(1).collect::<Vec<_>>().join(" ");
    if task.trim().is_empty() {
        eprintln!("say what to do: cargo run -p agent -- \"Greet Ada in French\"");
        return ExitCode::from(2);
    }
    match run(&task) {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("agent: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &str) -> Result<String, Box<dyn Error>> {
    let tools: Value =
        serde_json::from_str(&REGISTRY.tools(Provider::OpenAi, &ToolOptions::new(Toolset::PerAction)))?;
    let mut messages = vec![
        json!({"role": "system", "content": "You have skills. Load the one that fits before you begin a task."}),
        json!({"role": "user", "content": task}),
    ];
    for _ in 0..TURNS {
        let answer = ask(&json!({"model": model(), "messages": messages, "tools": tools}))?;
        let message = answer["choices"][0]["message"].clone();
        let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
        if calls.is_empty() {
            let text = message["content"].as_str().ok_or_else(|| format!("this is no answer: {answer}"))?;
            return Ok(text.to_owned());
        }
        messages.push(message);
        for call in calls {
            let (name, arguments) = (&call["function"]["name"], &call["function"]["arguments"]);
            let name = name.as_str().unwrap_or_default();
            // An error is for the model to read: it can call again.
            let text = match REGISTRY.call_tool(name, arguments.as_str().unwrap_or_default()) {
                Some(reply) => reply.text,
                None => format!("Error: there is no tool '{name}'."),
            };
            eprintln!("{name} {arguments}");
            messages.push(json!({"role": "tool", "tool_call_id": call["id"], "content": text}));
        }
    }
    Err(format!("the model was not done after {TURNS} answers").into())
}

/// Asks the model for its next message.
fn ask(request: &Value) -> Result<Value, Box<dyn Error>> {
    let base = env::var("OPENAI_BASE_URL").unwrap_or_else(|_| "http://127.0.0.1:11434/v1".to_owned());
    let url = format!("{}/chat/completions", base.trim_end_matches('/'));
    let mut post = ureq::post(&url);
    if let Ok(key) = env::var("OPENAI_API_KEY") {
        post = post.header("Authorization", &format!("Bearer {key}"));
    }
    let answer = post.send_json(request).map_err(|error| format!("{url}: {error}"))?;
    Ok(answer.into_body().read_json()?)
}

fn model() -> String {
    env::var("OPENAI_MODEL").unwrap_or_else(|_| "qwen3".to_owned())
}
