//! Handlers as tools of an MCP server, so that any host can call them.
//!
//! A call goes through the same stages as any other. Calls that wait to be confirmed and long results are kept in
//! this process ([`callers`](super::callers)), unless the handlers have a [`Store`](super::Store). Over HTTP, the next
//! request may reach another process, so without a store these are offered there only in a session, or after
//! [`Served::one_process`].

use std::fmt;

use serde_json::{Value, json};
use skills::Provider;
use skills::mcp::{Calling, Declining, FunctionReply, Functions, RequestParts};
use skills_pack::text::Hex;

use super::bound::Handlers;
use super::callers::Callers;
use super::calls::read_result;
use super::context::Context;
use super::digest::Digest;
use super::error::CallError;
use super::observe::Trace;
use super::output::{NotKept, Output, READ_RESULT};
use super::tool::Tool;

/// Handlers for [`Server::with_handlers`](skills::mcp::Server::with_handlers).
///
/// ```no_run
/// use skills::mcp::Server;
/// use skills_handlers::{Context, Handlers, Served};
///
/// # fn demo(registry: skills::Registry<'static>) -> Result<(), Box<dyn std::error::Error>> {
/// let handlers = Handlers::all(&registry)?;
/// # fn user_of(token: &str) -> Option<String> { None }
/// let served = Served::new(handlers).context(|request| {
///     // One user starts a server on stdin. Over HTTP anybody can send any header: verify who calls.
///     let user = match request.header("authorization") {
///         _ if !request.is_http => Some("me".to_owned()),
///         token => token.and_then(user_of),
///     };
///     user.map_or_else(|| Context::new(""), |user| Context::new(user).role("editor"))
/// });
/// Server::new(registry).with_handlers(served).serve_stdio()?;
/// # Ok(())
/// # }
/// ```
pub struct Served {
    handlers: Handlers,
    context: Option<Box<WhoCalls>>,
    is_one_process: bool,
    callers: Callers,
    /// The trace of callers on stdin, who have one conversation.
    trace_id: String,
}

type WhoCalls = dyn Fn(&RequestParts) -> Context + Send + Sync;

impl Served {
    /// Serves these handlers. Without [`context`](Self::context), the caller has no name and no roles.
    pub fn new(handlers: Handlers) -> Self {
        let (callers, trace_id) = (Callers::default(), Context::new("").trace_id().to_owned());
        Self { handlers, context: None, is_one_process: false, callers, trace_id }
    }

    /// Sets the function that identifies the caller. Over HTTP it gets only the headers, so it must verify them.
    ///
    /// A trace ([`Context::trace`]) or a store ([`Context::results_in`]) that it sets is used. Otherwise, the trace is that
    /// of the request's `traceparent`, or else one for each session, and long results are kept for a day, at most 256 MiB
    /// for each caller and 1 GiB in all: those that were read longest ago make room.
    #[must_use]
    pub fn context(mut self, context: impl Fn(&RequestParts) -> Context + Send + Sync + 'static) -> Self {
        self.context = Some(Box::new(context));
        self
    }

    /// States that every HTTP request reaches this process, for example because there is only one. Handlers that
    /// must be confirmed, and the rest of long results, are then offered over HTTP too. Handlers with a store
    /// ([`Handlers::store`]) don't need this.
    #[must_use]
    pub fn one_process(mut self) -> Self {
        self.is_one_process = true;
        self
    }

    /// Whether what this request leaves is found again by the next one.
    fn keeps(&self, request: &RequestParts) -> bool {
        !request.is_http || request.in_session || self.keeps_over_http()
    }

    fn keeps_over_http(&self) -> bool {
        self.is_one_process || self.handlers.shared.store.is_some()
    }

    fn caller(&self, request: &RequestParts) -> Context {
        let context = self.context.as_ref().map_or_else(|| Context::new(""), |context| context(request));
        if context.has_trace() {
            return context;
        }
        match (request.trace_id(), request.session()) {
            (Some(trace), _) => context.trace(trace),
            // The id of a session lets others use it, so it isn't in logs.
            (None, Some(session)) => context.trace(Hex(&Digest::of(&["trace", session])[..16]).to_string()),
            (None, None) if !request.is_http => context.trace(&self.trace_id),
            (None, None) => context,
        }
    }

    async fn answer(
        &self,
        name: &str,
        arguments: &str,
        token: Option<&str>,
        context: &Context,
        keeps: bool,
    ) -> Option<FunctionReply> {
        if name == READ_RESULT && keeps {
            let (text, is_error) = read_result(arguments, &self.handlers, context).await;
            return Some(FunctionReply::new(text, is_error));
        }
        if self.handlers.bound(name).is_none() || (self.waits(name) && !keeps) {
            let error = self.handlers.unknown(name, context);
            Trace::start(&self.handlers, name, arguments, token.is_some(), context).failed(&error);
            return None;
        }
        let outcome = match token {
            Some(token) => self.handlers.call_confirmed(name, arguments, token, context).await,
            None => self.handlers.call(name, arguments, context).await,
        };
        Some(outcome.map_or_else(failed, |output| FunctionReply::new(shown(&output, keeps), false)))
    }

    fn waits(&self, skill: &str) -> bool {
        self.handlers.bound(skill).is_some_and(|bound| bound.binding.confirm.is_some())
    }

    fn define(&self, tool: &Tool) -> Value {
        let mut defined = tool.to_value(Provider::Mcp, &tool.name);
        // Clients may warn about irreversible calls.
        if self.waits(&tool.name) {
            defined["annotations"] = json!({"readOnlyHint": false, "destructiveHint": true});
        }
        defined
    }
}

impl Functions for Served {
    fn tools(&self, request: &RequestParts) -> Vec<Value> {
        let keeps = self.keeps(request);
        let tools = self.handlers.tools(&self.caller(request)).into_iter();
        let tools = tools.filter(|tool| keeps || !self.waits(&tool.name));
        let mut tools: Vec<Tool> = tools.collect();
        if keeps && !tools.is_empty() {
            tools.push(Tool::read_result());
        }
        tools.iter().map(|tool| self.define(tool)).collect()
    }

    fn call<'c>(
        &'c self,
        name: &'c str,
        arguments: &'c str,
        token: Option<&'c str>,
        request: &'c RequestParts,
    ) -> Calling<'c> {
        Box::pin(async move {
            let (keeps, context) = (self.keeps(request), self.caller(request));
            if context.has_results() || self.handlers.shared.store.is_some() {
                return self.answer(name, arguments, token, &context, keeps).await;
            }
            if !keeps {
                return self.answer(name, arguments, token, &context.cut_results(), keeps).await;
            }
            let visit = self.callers.begin(&owner(&context, request));
            let context = context.results_in(&visit.store);
            self.answer(name, arguments, token, &context, keeps).await
        })
    }

    fn decline<'c>(&'c self, token: &'c str, request: &'c RequestParts) -> Declining<'c> {
        Box::pin(async move {
            // If the store fails, it is logged, and the token expires.
            let _ = self.handlers.decline(token, &self.caller(request)).await;
        })
    }

    fn left_out(&self) -> Vec<String> {
        let waits = self.handlers.skills().filter(|skill| !self.keeps_over_http() && self.waits(skill));
        waits.map(str::to_owned).collect()
    }
}

/// Whose long results these are: a user's, or if nobody knows the user, those of a session.
fn owner(context: &Context, request: &RequestParts) -> String {
    match (context.user(), request.session()) {
        ("", Some(session)) => format!("session {session}"),
        (user, _) => format!("user {user}"),
    }
}

fn failed(error: CallError) -> FunctionReply {
    let reply = FunctionReply::new(error.to_string(), true);
    match error.pending {
        Some(pending) => reply.waits(pending.to_string(), pending.token),
        None => reply,
    }
}

/// The text of a result. If its rest isn't kept, the text says so.
fn shown(output: &Output, keeps: bool) -> String {
    match &output.rest {
        Some(rest) if !keeps => {
            let not_kept = NotKept { shown: rest.next_offset, total_chars: rest.total_chars };
            format!("{}{not_kept}", output.text)
        }
        _ => output.to_string(),
    }
}

impl fmt::Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served")
            .field("handlers", &self.handlers.skills().collect::<Vec<_>>())
            .field("says_who_calls", &self.context.is_some())
            .field("is_one_process", &self.is_one_process)
            .finish_non_exhaustive()
    }
}
