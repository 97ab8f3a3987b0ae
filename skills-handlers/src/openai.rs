//! A model at an endpoint that implements OpenAI's chat completions, as most servers do.
//!
//! It sends each request once; retries are up to the host. TLS isn't enabled here: see [`OpenAi`].

use std::fmt;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use serde::Deserialize;
use serde_json::{Value, json};
use skills::Provider;

use super::model::{Assistant, Message, Model, ModelError, ToolCall, Usage};
use super::results::shown;
use super::tool::Tool;
use super::wire_name::wire_name;

/// The default time limit for an answer.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The largest answer, in bytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A model at an endpoint that implements OpenAI's chat completions.
///
/// ```no_run
/// use skills_handlers::OpenAi;
///
/// let model = OpenAi::new("http://127.0.0.1:8080/v1", "my-model").key("secret");
/// ```
///
/// This crate doesn't enable TLS, since every TLS library needs more than Rust to build. For an `https://`
/// endpoint, choose one in your own `Cargo.toml`:
/// `reqwest = { version = "0.13", default-features = false, features = ["rustls"] }` (or `"native-tls"`).
/// Cargo then builds one `reqwest` with that feature.
#[derive(Clone)]
pub struct OpenAi {
    client: reqwest::Client,
    url: String,
    model: String,
    key: Option<String>,
    timeout: Duration,
}

impl OpenAi {
    /// A model at an endpoint. `url` is the part before `/chat/completions`.
    pub fn new(base_url: impl AsRef<str>, model: impl Into<String>) -> Self {
        Self {
            client: reqwest::Client::new(),
            url: format!("{}/chat/completions", base_url.as_ref().trim_end_matches('/')),
            model: model.into(),
            key: None,
            timeout: TIMEOUT,
        }
    }

    /// Sets the API key.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets the time limit for an answer; two minutes by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    async fn ask(&self, body: Value) -> Result<Vec<u8>, ModelError> {
        let mut request = self.client.post(&self.url).timeout(self.timeout);
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        let sent = request.header(CONTENT_TYPE, "application/json").body(body.to_string()).send().await;
        let mut response = sent.map_err(|error| self.failed(error))?;
        let status = response.status();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.failed(error))? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                return Err(ModelError::new(format!(
                    "`{}` sent an answer of more than {MAX_BYTES} bytes",
                    self.url
                )));
            }
            bytes.extend_from_slice(&chunk);
        }
        if status.is_success() {
            return Ok(bytes);
        }
        let text = String::from_utf8_lossy(&bytes);
        let said = serde_json::from_slice::<Value>(&bytes).ok();
        let said = said.as_ref().and_then(|said| said["error"]["message"].as_str()).unwrap_or(&text);
        Err(ModelError::new(format!("`{}` answered {status}: {}", self.url, cut(said))))
    }

    fn failed(&self, error: reqwest::Error) -> ModelError {
        let url = &self.url;
        // A missing TLS library only shows when a secure connection is opened.
        let message = if error.is_timeout() {
            format!("`{url}` did not answer within {:?}", self.timeout)
        } else if error.is_connect() && url.starts_with("https:") {
            format!(
                "`{url}` cannot be reached: if this program was built without TLS, enable the feature `rustls` or \
                     `native-tls` of `reqwest` in its Cargo.toml"
            )
        } else if error.is_connect() {
            format!("`{url}` cannot be reached: is the server running there?")
        } else if error.is_builder() {
            format!("`{url}` is not a valid URL")
        } else {
            format!("`{url}` ended the connection before the end of its answer")
        };
        ModelError::new(message).from_source(error)
    }
}

impl Model for OpenAi {
    async fn reply(&self, messages: &[Message], tools: &[Tool]) -> Result<Assistant, ModelError> {
        let bytes = self.ask(body(&self.model, messages, tools)).await?;
        let reply: Reply = serde_json::from_slice(&bytes).map_err(|error| {
            ModelError::new(format!("the answer of `{}` is not a chat completion", self.url))
                .from_source(error)
        })?;
        let choice = reply.choices.into_iter().next();
        let message = choice
            .ok_or_else(|| ModelError::new(format!("the answer of `{}` has no choices", self.url)))?
            .message;
        let usage = reply.usage.map(|usage| Usage::new(usage.prompt_tokens, usage.completion_tokens));
        Ok(Assistant { usage, ..message.into_assistant(tools) })
    }
}

impl fmt::Debug for OpenAi {
    /// Leaves out the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAi").field("url", &self.url).field("model", &self.model).finish_non_exhaustive()
    }
}

fn body(model: &str, messages: &[Message], tools: &[Tool]) -> Value {
    let mut body = json!({"model": model, "messages": wire(messages)});
    if !tools.is_empty() {
        let tools = tools.iter().map(|tool| tool.to_value(Provider::OpenAi, &wire_name(&tool.name)));
        body["tools"] = tools.collect();
    }
    body
}

/// The messages in the endpoint's format. Some servers accept only one system message.
fn wire(messages: &[Message]) -> Vec<Value> {
    let mut wire: Vec<Value> = Vec::new();
    for message in messages {
        match message {
            Message::System { text } => match wire.last_mut() {
                Some(last) if last["role"] == "system" => {
                    let before = last["content"].as_str().unwrap_or_default();
                    last["content"] = Value::from(format!("{before}\n\n{text}"));
                }
                _ => wire.push(json!({"role": "system", "content": text})),
            },
            Message::User { text } => wire.push(json!({"role": "user", "content": text})),
            Message::Assistant(Assistant { text, calls, .. }) => {
                let mut message = json!({"role": "assistant", "content": text});
                if !calls.is_empty() {
                    message["tool_calls"] = calls.iter().map(wire_call).collect();
                }
                wire.push(message);
            }
            Message::Result { call, text, .. } => {
                wire.push(json!({"role": "tool", "tool_call_id": call, "content": text}));
            }
        }
    }
    wire
}

fn wire_call(call: &ToolCall) -> Value {
    let function = json!({"name": wire_name(&call.name), "arguments": call.arguments});
    json!({"id": call.id, "type": "function", "function": function})
}

#[derive(Deserialize)]
struct Reply {
    choices: Vec<Choice>,
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct WireUsage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

#[derive(Deserialize)]
struct Choice {
    message: WireMessage,
}

#[derive(Deserialize)]
struct WireMessage {
    content: Option<String>,
    tool_calls: Option<Vec<WireCall>>,
}

#[derive(Deserialize)]
struct WireCall {
    id: Option<String>,
    function: WireFunction,
}

#[derive(Deserialize)]
struct WireFunction {
    name: String,
    /// Parses arguments in a JSON string; some servers send the object itself.
    #[serde(default)]
    arguments: Value,
}

impl WireMessage {
    fn into_assistant(self, tools: &[Tool]) -> Assistant {
        let calls = self.tool_calls.unwrap_or_default().into_iter().map(|call| {
            let WireFunction { name, arguments } = call.function;
            let tool = tools.iter().find(|tool| wire_name(&tool.name) == name);
            ToolCall {
                id: call.id.unwrap_or_default(),
                name: tool.map_or(name, |tool| tool.name.clone()),
                arguments: match arguments {
                    Value::String(text) => text,
                    Value::Null => String::new(),
                    bare => bare.to_string(),
                },
                token: None,
            }
        });
        Assistant { text: self.content.unwrap_or_default(), calls: calls.collect(), usage: None }
    }
}

fn cut(text: &str) -> String {
    let text = text.trim();
    if text.chars().count() <= 400 { text.to_owned() } else { shown(text) }
}
