//! Functions that a server offers as tools next to those of the skills.
//!
//! The implementation of [`Functions`] decides what they do and who may call them; the crate `skills-handlers` has
//! one. If the host can ask its user, this module asks for a confirmation: since the protocol 2026-07-28 with an
//! answer that requires input, before that with a request of its own. Otherwise it passes the token to the
//! host in `_meta`. The model never sees it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientResult, ContentBlock,
    ElicitRequest, ElicitRequestParams, InputRequest, InputRequiredResult, MetaObject, ProtocolVersion,
    ServerRequest, Tool,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, RoleServer};
use serde_json::{Value, json};

use super::tools::is_ours;

/// The key in `_meta` for the token of a call that waits to be confirmed: in its result, and in the repeated call.
pub const CONFIRMATION: &str = "skills/confirmation";

/// Functions that a server offers as tools.
pub trait Functions: fmt::Debug + Send + Sync + 'static {
    /// The tools that this caller may call, each as MCP defines it: `name`, `description`, `inputSchema`.
    fn tools(&self, request: &RequestParts) -> Vec<Value>;

    /// Calls one of them; `None` if none has this name. `arguments` is JSON, and `token` is that of a call
    /// that the user confirmed.
    fn call<'c>(
        &'c self,
        name: &'c str,
        arguments: &'c str,
        token: Option<&'c str>,
        request: &'c RequestParts,
    ) -> Calling<'c>;

    /// Called with the token of a call that the user declined, so that it can't be confirmed any more.
    fn decline<'c>(&'c self, token: &'c str, request: &'c RequestParts) -> Declining<'c>;

    /// The names of the functions that aren't offered over HTTP outside of sessions, for a message when a server
    /// starts.
    fn left_out(&self) -> Vec<String>;
}

/// The future of a reply.
pub type Calling<'c> = Pin<Box<dyn Future<Output = Option<FunctionReply>> + Send + 'c>>;

/// The future of [`Functions::decline`].
pub type Declining<'c> = Pin<Box<dyn Future<Output = ()> + Send + 'c>>;

/// The reply of a function.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionReply {
    /// The text for the model.
    pub text: String,
    /// Whether it is an error.
    pub is_error: bool,
    /// The question that the user must confirm first, and the token for the repeated call.
    pub waits: Option<(String, String)>,
}

impl FunctionReply {
    /// A reply with this text.
    pub fn new(text: impl Into<String>, is_error: bool) -> Self {
        Self { text: text.into(), is_error, waits: None }
    }

    /// Marks a call that didn't run, since the user must confirm it first.
    #[must_use]
    pub fn waits(mut self, question: impl Into<String>, token: impl Into<String>) -> Self {
        self.waits = Some((question.into(), token.into()));
        self
    }
}

impl fmt::Debug for FunctionReply {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionReply")
            .field("text", &self.text)
            .field("is_error", &self.is_error)
            .field("waits", &self.waits.is_some())
            .finish()
    }
}

/// The known parts of a request: over HTTP, its headers.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct RequestParts {
    /// Whether it came over HTTP, where anybody may call.
    pub is_http: bool,
    /// Whether it belongs to a session over HTTP, all of whose requests reach this process.
    pub in_session: bool,
    /// The W3C trace context in `_meta`.
    traceparent: Option<String>,
    headers: Vec<(String, String)>,
}

impl RequestParts {
    /// The value of a header, if it is text and comes once. The name's case doesn't matter.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter().filter(|(header, _)| header.eq_ignore_ascii_case(name));
        let (_, value) = headers.next()?;
        headers.next().is_none().then_some(value.as_str())
    }

    /// The trace that the client continues: 32 hexadecimal digits from the W3C `traceparent` in `_meta`, or over HTTP in
    /// the header.
    pub fn trace_id(&self) -> Option<&str> {
        let in_meta = self.traceparent.as_deref().and_then(trace_id);
        in_meta.or_else(|| trace_id(self.header("traceparent")?))
    }

    /// The id of the session, if the request belongs to one. Whoever has it can use the session, so keep it out of logs.
    pub fn session(&self) -> Option<&str> {
        if self.in_session { self.header("mcp-session-id") } else { None }
    }

    /// `has_sessions` is whether the server has sessions; only clients of a protocol before 2026-07-28 get one.
    pub(super) fn of(context: &RequestContext<RoleServer>, has_sessions: bool) -> Self {
        let traceparent = context.meta.0.get("traceparent").and_then(Value::as_str).map(str::to_owned);
        #[cfg(feature = "mcp-http")]
        if let Some(parts) = context.extensions.get::<hyper::http::request::Parts>() {
            let headers = parts.headers.iter().filter_map(|(name, value)| {
                Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
            });
            let in_session =
                has_sessions && context.protocol_version().is_some_and(|version| version.has_initialize());
            return Self { is_http: true, in_session, traceparent, headers: headers.collect() };
        }
        let _ = has_sessions;
        Self { traceparent, ..Self::default() }
    }
}

impl fmt::Debug for RequestParts {
    /// Without the values of headers, some of which are secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("RequestParts")
            .field("is_http", &self.is_http)
            .field("in_session", &self.in_session)
            .field("traceparent", &self.traceparent)
            .field("headers", &names)
            .finish()
    }
}

/// The trace in a W3C `traceparent`: version, trace, parent and flags, in lower-case hexadecimal digits.
fn trace_id(traceparent: &str) -> Option<&str> {
    let mut parts = traceparent.trim().split('-');
    let [version, trace, parent, flags] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let is_hex = |part: &str, digits: usize| {
        part.len() == digits && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_whole = is_hex(version, 2) && is_hex(trace, 32) && is_hex(parent, 16) && is_hex(flags, 2);
    // Later versions may append parts.
    let ends = if version == "00" { parts.next().is_none() } else { version != "ff" };
    (is_whole && ends && trace.bytes().any(|byte| byte != b'0')).then_some(trace)
}

/// The definitions, except those with the name of one of this server's own tools.
pub(super) fn tools(functions: &dyn Functions, request: &RequestParts) -> Vec<Tool> {
    let tools =
        functions.tools(request).into_iter().filter_map(|tool| serde_json::from_value::<Tool>(tool).ok());
    tools.filter(|tool| !is_ours(&tool.name)).collect()
}

/// The name of the question in an answer that requires input.
const QUESTION: &str = "confirm";

/// Answers a call, unless no function has this name.
pub(super) async fn call(
    functions: &dyn Functions,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    parts: &RequestParts,
) -> Option<CallToolResponse> {
    let arguments = Value::from(request.arguments.clone().unwrap_or_default()).to_string();
    let answer = request.input_responses.as_ref().and_then(|answers| answers.get(QUESTION));
    let token = match (&request.request_state, answer) {
        (Some(token), Some(answer)) if is_yes(answer) => Some(token.as_str()),
        (Some(token), Some(_)) => {
            functions.decline(token, parts).await;
            return Some(declined().into());
        }
        _ => token_in_meta(request, context),
    };
    let reply = functions.call(&request.name, &arguments, token, parts).await?;
    let Some((question, token)) = &reply.waits else { return Some(result(&reply).into()) };
    if !context.client_capabilities().is_some_and(|client| can_ask(&client)) {
        return Some(with_token(&reply, token).into());
    }
    if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
        let question = InputRequest::Elicitation(elicit(question)?);
        let questions = [(QUESTION.to_owned(), question)].into();
        return Some(InputRequiredResult::new(Some(questions), Some(token.clone())).into());
    }
    match ask(&context.peer, question).await {
        Some(true) => {
            let reply = functions.call(&request.name, &arguments, Some(token), parts).await?;
            // If the user took too long, the call waits again.
            let again = reply.waits.as_ref().map(|(_, token)| with_token(&reply, token));
            Some(again.unwrap_or_else(|| result(&reply)).into())
        }
        Some(false) => {
            functions.decline(token, parts).await;
            Some(declined().into())
        }
        None => Some(with_token(&reply, token).into()),
    }
}

fn token_in_meta<'r>(
    request: &'r CallToolRequestParams,
    context: &'r RequestContext<RoleServer>,
) -> Option<&'r str> {
    let meta = request.meta.as_ref().and_then(|meta| meta.0.get(CONFIRMATION));
    meta.or_else(|| context.meta.0.get(CONFIRMATION)).and_then(Value::as_str)
}

fn result(reply: &FunctionReply) -> CallToolResult {
    let content = vec![ContentBlock::text(&*reply.text)];
    if reply.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) }
}

fn with_token(reply: &FunctionReply, token: &str) -> CallToolResult {
    let mut waiting = result(reply);
    let mut meta = MetaObject::default();
    meta.insert(CONFIRMATION.to_owned(), Value::from(token));
    waiting.meta = Some(meta);
    waiting
}

fn declined() -> CallToolResult {
    result(&FunctionReply::new("This was not done: the user declined.", true))
}

/// Whether the host shows its user a form.
fn can_ask(client: &ClientCapabilities) -> bool {
    client.elicitation.as_ref().is_some_and(|can| can.form.is_some() || can.url.is_none())
}

fn elicit(question: &str) -> Option<ElicitRequest> {
    let confirm = json!({"type": "boolean", "title": "Do it?"});
    let params = json!({
        "mode": "form",
        "message": question,
        "requestedSchema": {"type": "object", "properties": {"confirm": confirm}, "required": ["confirm"]},
    });
    serde_json::from_value::<ElicitRequestParams>(params).ok().map(ElicitRequest::new)
}

/// How long a user may take to answer.
const TO_ANSWER: Duration = Duration::from_secs(300);

/// Asks the user, and returns whether they confirm; `None` if they couldn't be asked, or don't answer.
async fn ask(peer: &Peer<RoleServer>, question: &str) -> Option<bool> {
    // `create_elicitation` needs a feature that adds a parser for URLs, which a form doesn't need.
    let request = ServerRequest::ElicitRequest(elicit(question)?);
    let asked =
        peer.send_request_with_option(request, PeerRequestOptions::with_timeout(TO_ANSWER)).await.ok()?;
    let ClientResult::ElicitResult(answer) = asked.await_response().await.ok()? else { return None };
    Some(serde_json::to_value(&answer).is_ok_and(|answer| is_yes(&answer)))
}

/// Whether the user confirmed: only an explicit `true` does.
fn is_yes(answer: &Value) -> bool {
    answer["action"] == "accept" && answer["content"]["confirm"] == true
}
