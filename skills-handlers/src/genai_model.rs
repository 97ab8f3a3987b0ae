//! Models of many providers through the client `genai`: chat completions, Responses, Anthropic's messages and
//! others.
//!
//! The client, its keys, its timeouts and its TLS belong to the host. This adapter only turns a conversation
//! into a request, and the reply into a message.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable as _};
use futures_util::StreamExt as _;
use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatStreamEvent, ContentPart, MessageContent, Tool as WireTool,
    ToolCall as WireCall, ToolResponse, Usage as WireUsage,
};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ModelSpec, ServiceTarget, WebConfig, webc};
use serde_json::{Value, json};

use super::model::{Assistant, Message, Model, ModelError, ToolCall, Usage};
use super::tool::Tool;
use super::wire_name::wire_name;

/// A model of any provider that the crate `genai` supports.
///
/// ```no_run
/// use skills_handlers::genai::Client;
/// use skills_handlers::GenAi;
///
/// # fn demo() -> Result<(), skills_handlers::genai::Error> {
/// // The provider follows from the name, and the key is read from its usual variable.
/// let model = GenAi::new(Client::new()?, "claude-sonnet-5").on_text(|text| print!("{text}"));
/// # Ok(())
/// # }
/// ```
///
/// This crate brings no TLS, since each kind of it needs more than Rust to build. For a provider on the
/// network, choose one in your own `Cargo.toml`: `genai = { version = "0.7", features = ["rustls-tls"] }` (or
/// `"native-tls"`). Cargo builds one `genai` for both. Proxies and timeouts are set on the
/// client: `Client::builder().with_web_config(…)`.
#[derive(Clone)]
pub struct GenAi {
    client: Client,
    model: ModelSpec,
    options: ChatOptions,
    retries: usize,
    on_text: Option<Arc<OnText>>,
}

/// How often a request is sent again.
const RETRIES: usize = 2;

/// The time limit for an answer from [`GenAi::at`].
const TIMEOUT: Duration = Duration::from_secs(120);

type OnText = dyn Fn(&str) + Send + Sync;

impl GenAi {
    /// A model, given by its name or by a `genai::ModelSpec`, which also has its address.
    pub fn new(client: Client, model: impl Into<ModelSpec>) -> Self {
        let options = ChatOptions::default().with_capture_usage(true);
        let options = options.with_capture_content(true).with_capture_tool_calls(true);
        Self { client, model: model.into(), options, retries: RETRIES, on_text: None }
    }

    /// A model at your own address that implements the protocol of this kind. The URL ends before the name of
    /// the method, as in `http://127.0.0.1:8080/v1`. The key may be empty. Each try may take two
    /// minutes; for another limit, use [`new`](Self::new) with your own client.
    ///
    /// # Errors
    ///
    /// If the client can't be made, for example without TLS.
    pub fn at(
        kind: AdapterKind,
        base_url: impl AsRef<str>,
        model: impl Into<String>,
        key: impl Into<String>,
    ) -> Result<Self, ModelError> {
        let target = ServiceTarget {
            endpoint: Endpoint::from_owned(format!("{}/", base_url.as_ref().trim_end_matches('/'))),
            auth: AuthData::from_single(key),
            model: ModelIden::new(kind, model.into()),
        };
        let web = WebConfig::default().with_timeout(TIMEOUT);
        let client = Client::builder().with_web_config(web).build().map_err(failed)?;
        Ok(Self::new(client, target))
    }

    /// Sets how often a request is sent again if the provider can't be reached, is too busy or fails; twice by
    /// default. The waits grow from half a second, unless the provider says how long to wait (a minute at most).
    #[must_use]
    pub fn retries(mut self, retries: usize) -> Self {
        self.retries = retries;
        self
    }

    /// Streams the text: calls this function with each piece.
    #[must_use]
    pub fn on_text(mut self, on_text: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.on_text = Some(Arc::new(on_text));
        self
    }

    /// Sets options of the request, such as the temperature or the maximum number of tokens.
    #[must_use]
    pub fn options(mut self, options: ChatOptions) -> Self {
        self.options =
            options.with_capture_usage(true).with_capture_content(true).with_capture_tool_calls(true);
        self
    }
}

impl Model for GenAi {
    async fn reply(&self, messages: &[Message], tools: &[Tool]) -> Result<Assistant, ModelError> {
        let request = request(messages, tools);
        let ask = || self.ask(request.clone(), tools);
        let wait = ExponentialBuilder::default()
            .with_min_delay(FIRST_WAIT)
            .with_max_delay(LONGEST_WAIT)
            .with_max_times(self.retries)
            .with_jitter();
        let answer = ask.retry(wait).when(|refused| refused.may_pass);
        let answer = answer.adjust(|refused, wait| wait.map(|wait| refused.after.unwrap_or(wait)));
        answer.await.map_err(|refused| refused.error)
    }
}

impl GenAi {
    async fn ask(&self, request: ChatRequest, tools: &[Tool]) -> Result<Assistant, Refused> {
        let Some(on_text) = &self.on_text else {
            let answer = self.client.exec_chat(self.model.clone(), request, Some(&self.options)).await;
            let answer = answer.map_err(Refused::of)?;
            return Ok(assistant(answer.content, Some(&answer.usage), tools));
        };
        let answer = self.client.exec_chat_stream(self.model.clone(), request, Some(&self.options)).await;
        let mut stream = answer.map_err(Refused::of)?.stream;
        let (mut is_heard, mut received) = (false, 0);
        while let Some(event) = stream.next().await {
            // A piece that was passed on can't be taken back.
            let event = event.map_err(|error| {
                let refused = Refused::of(error);
                let (may_pass, error) = (refused.may_pass && !is_heard, refused.error.received(received));
                Refused { error, may_pass, ..refused }
            })?;
            match event {
                ChatStreamEvent::Chunk(chunk) => {
                    is_heard = true;
                    received += chunk.content.len();
                    on_text(&chunk.content);
                }
                ChatStreamEvent::ReasoningChunk(chunk) => received += chunk.content.len(),
                ChatStreamEvent::End(end) => {
                    let content = end.captured_content.unwrap_or_default();
                    return Ok(assistant(content, end.captured_usage.as_ref(), tools));
                }
                _ => {}
            }
        }
        // The text received so far may lack a call.
        let error = ModelError::new("the model broke off its answer").received(received);
        Err(Refused { error, may_pass: !is_heard, after: None })
    }
}

/// The wait before the first retry, unless the provider says how long.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// The longest wait, also if the provider asks for more.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// An answer that didn't come.
struct Refused {
    error: ModelError,
    /// Whether the same request may be answered later.
    may_pass: bool,
    /// How long the provider asks to wait.
    after: Option<Duration>,
}

impl Refused {
    fn of(error: genai::Error) -> Self {
        let cause = cause(&error);
        let may_pass = match cause.status() {
            Some(status) => matches!(status.as_u16(), 408 | 409 | 425 | 429 | 500 | 502..=504 | 529),
            None => connection(cause).is_some_and(|error| error.is_connect() || error.is_timeout()),
        };
        Self { may_pass, after: retry_after(cause), error: failed(error) }
    }
}

fn retry_after(error: &genai::Error) -> Option<Duration> {
    let headers = error.headers()?;
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
    let after = number("retry-after-ms").map(Duration::from_millis);
    let after = after.or_else(|| number("retry-after").map(Duration::from_secs))?;
    Some(after.min(LONGEST_WAIT))
}

impl fmt::Debug for GenAi {
    /// Without keys.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GenAi").field("streams", &self.on_text.is_some()).finish_non_exhaustive()
    }
}

fn failed(error: genai::Error) -> ModelError {
    let cause = cause(&error);
    let text = match (connection(cause), cause.status(), body(cause)) {
        (Some(connection), ..) => unreachable_text(connection),
        (None, Some(status), Some(body)) => format!("it answered {status}: {}", said(body)),
        _ => match cause {
            // Its own text begins with the whole request.
            genai::Error::ChatResponseGeneration { cause, .. } => {
                format!("its answer cannot be read: {cause}")
            }
            _ => cause.to_string(),
        },
    };
    let cut = text.char_indices().nth(400).map_or(text.as_str(), |(at, _)| &text[..at]);
    let told = ModelError::new(cut.trim());
    // The chain of causes is for logs, where the conversation has no place.
    if matches!(cause, genai::Error::ChatResponseGeneration { .. }) { told } else { told.from_source(error) }
}

/// The error itself, if it is wrapped in that of a stream.
fn cause(error: &genai::Error) -> &genai::Error {
    match error {
        genai::Error::WebStream { error: inner, .. } => inner.downcast_ref().unwrap_or(error),
        _ => error,
    }
}

/// The error of the HTTP client, if the answer didn't come that far.
fn connection(error: &genai::Error) -> Option<&reqwest::Error> {
    match error {
        genai::Error::WebAdapterCall { webc_error: webc::Error::Reqwest(error), .. }
        | genai::Error::WebModelCall { webc_error: webc::Error::Reqwest(error), .. } => Some(error),
        genai::Error::WebStream { error, .. } => error.downcast_ref(),
        _ => None,
    }
}

fn body(error: &genai::Error) -> Option<&str> {
    match error {
        genai::Error::HttpError { body, .. }
        | genai::Error::WebAdapterCall {
            webc_error: webc::Error::ResponseFailedStatus { body, .. }, ..
        }
        | genai::Error::WebModelCall { webc_error: webc::Error::ResponseFailedStatus { body, .. }, .. } => {
            Some(body)
        }
        _ => None,
    }
}

/// What a provider says in the body of an error.
fn said(body: &str) -> String {
    let json = serde_json::from_str::<Value>(body).ok();
    let message = json.as_ref().and_then(|json| json["error"]["message"].as_str());
    message.unwrap_or(body).to_owned()
}

fn unreachable_text(error: &reqwest::Error) -> String {
    let url = error.url().map(|url| format!("`{url}`")).unwrap_or_default();
    let is_secure = error.url().is_some_and(|url| url.scheme() == "https");
    if error.is_timeout() {
        format!("{url} did not answer in time")
    } else if error.is_connect() && is_secure {
        // A missing TLS library only shows when a secure connection is opened.
        format!(
            "{url} cannot be reached: if this program was built without TLS, enable the feature `rustls-tls` or \
             `native-tls` of `genai` in its Cargo.toml"
        )
    } else if error.is_connect() {
        format!("{url} cannot be reached: is the server running there?")
    } else {
        format!("{url} ended the connection before the end of its answer")
    }
}

/// Converts the conversation for the client. All results of a turn are one message, as some providers require.
fn request(messages: &[Message], tools: &[Tool]) -> ChatRequest {
    let mut wire: Vec<ChatMessage> = Vec::new();
    let mut results: Vec<ToolResponse> = Vec::new();
    let mut system: Vec<&str> = Vec::new();
    for message in messages {
        if let Message::Result { call, name, text } = message {
            let result = ToolResponse::new(call, text);
            results.push(ToolResponse { fn_name: Some(wire_name(name)), ..result });
            continue;
        }
        if !results.is_empty() {
            wire.push(ChatMessage::from(std::mem::take(&mut results)));
        }
        match message {
            Message::System { text } => system.push(text),
            Message::User { text } => wire.push(ChatMessage::user(text)),
            Message::Assistant(Assistant { text, calls, .. }) => {
                let text = Some(text).filter(|text| !text.is_empty() || calls.is_empty());
                let text = text.map(|text| ContentPart::Text(text.clone()));
                let calls = calls.iter().map(|call| ContentPart::ToolCall(wire_call(call)));
                let content: MessageContent = text.into_iter().chain(calls).collect();
                wire.push(ChatMessage::assistant(content));
            }
            Message::Result { .. } => {}
        }
    }
    if !results.is_empty() {
        wire.push(ChatMessage::from(results));
    }
    let mut request = ChatRequest::new(wire);
    if !system.is_empty() {
        request = request.with_system(system.join("\n\n"));
    }
    if tools.is_empty() { request } else { request.with_tools(tools.iter().map(wire_tool)) }
}

fn wire_tool(tool: &Tool) -> WireTool {
    let wire = WireTool::new(wire_name(&tool.name)).with_description(&tool.description);
    wire.with_schema(tool.parameters.clone())
}

fn wire_call(call: &ToolCall) -> WireCall {
    // Providers require an object, so anything else that a model wrote is wrapped in one.
    let arguments = serde_json::from_str(&call.arguments).ok().filter(Value::is_object);
    WireCall {
        call_id: call.id.clone(),
        fn_name: wire_name(&call.name),
        fn_arguments: arguments.unwrap_or_else(|| match call.arguments.trim() {
            "" => json!({}),
            written => json!({ "written": written }),
        }),
        thought_signatures: None,
    }
}

fn assistant(content: MessageContent, usage: Option<&WireUsage>, tools: &[Tool]) -> Assistant {
    let text = content.joined_texts().unwrap_or_default();
    let calls = content.into_tool_calls().into_iter().map(|call| {
        let tool = tools.iter().find(|tool| wire_name(&tool.name) == call.fn_name);
        ToolCall {
            id: call.call_id,
            name: tool.map_or(call.fn_name, |tool| tool.name.clone()),
            arguments: match call.fn_arguments {
                Value::String(text) => text,
                Value::Null => String::new(),
                value => value.to_string(),
            },
            token: None,
        }
    });
    let calls = calls.collect();
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    let reported = usage.map(|usage| (count(usage.prompt_tokens), count(usage.completion_tokens)));
    let usage = match reported {
        None | Some((None, None)) => None,
        Some((input, output)) => Some(Usage::new(input.unwrap_or(0), output.unwrap_or(0))),
    };
    Assistant { text, calls, usage }
}
