//! The calls of one turn: they run concurrently, each once, and are answered in order.
//!
//! Every call gets an answer, even one that isn't made, since providers refuse a conversation with an
//! unanswered call. [`run`](super::run) decides when to ask the model again.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::Value;
use skills::tools::TOOL_NAME;
use skills::{ActionError, Answer};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tracing::Instrument as _;

use super::binding::TIMEOUT;
use super::bound::Handlers;
use super::confirm::same_call;
use super::context::Context;
use super::conversation::Unanswered;
use super::counts::tokens;
use super::error::{CallError, ErrorCode};
use super::execute::beside;
use super::limits::Limits;
use super::model::{Message, ToolCall};
use super::observe::Trace;
use super::output::{Piece, READ_RESULT, RESULT_LIMIT};
use super::pending::Pending;
use super::source::Source;
use super::stopped::disk_failure;

/// State that is kept between turns.
pub(super) struct Round<'r> {
    pub(super) source: Source<'r>,
    pub(super) handlers: &'r Handlers,
    pub(super) limits: &'r Limits,
    pub(super) context: &'r Context,
    /// How often each call was made, the step of the last time, and the step at which it was first refused.
    pub(super) made: HashMap<[u8; 32], (u32, usize, Option<usize>)>,
}

/// The outcome of the calls of a turn.
pub(super) struct Answered {
    /// The results, in the order of the calls.
    pub(super) results: Vec<Message>,
    /// The calls and their tokens, in the same order, including those that wait.
    pub(super) uses: Vec<CallUse>,
    /// The calls that wait for the user; they have no result.
    pub(super) pending: Vec<Pending>,
    /// Skills that the model found with `skills_tool`.
    pub(super) found: BTreeSet<String>,
    /// The name of a repeated call that the model made again despite the warning.
    pub(super) stuck_on: Option<String>,
}

/// A call of a turn and its tokens, estimated: four bytes per token.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallUse {
    /// The name that was called.
    pub name: String,
    /// `ok`, or the code of its outcome.
    pub outcome: String,
    /// Tokens of the arguments.
    pub tokens_in: u64,
    /// Tokens of the result.
    pub tokens_out: u64,
}

/// The result of a call that was running when the run was stopped.
const CANCELLED: &str = "The run was stopped before this call ended. Its effects are unknown.";

/// The result of a call that waited for the user when the run was stopped.
const NOT_MADE: &str = "The run was stopped before this call was made.";

/// An outcome in one word, and the text for the model.
struct Given {
    outcome: String,
    text: String,
    pending: Option<Pending>,
}

impl Given {
    fn ok(text: String) -> Self {
        Self { outcome: "ok".to_owned(), text, pending: None }
    }

    fn cancelled(text: &str) -> Self {
        Self { outcome: "CANCELLED".to_owned(), text: text.to_owned(), pending: None }
    }
}

impl From<CallError> for Given {
    fn from(error: CallError) -> Self {
        Self {
            outcome: error.code_str().to_owned(),
            text: error.to_string(),
            pending: error.pending.map(|pending| *pending),
        }
    }
}

impl Round<'_> {
    pub(super) async fn answer(&mut self, open: &Unanswered) -> Answered {
        let mut answered = Answered {
            results: Vec::new(),
            uses: Vec::new(),
            pending: Vec::new(),
            found: BTreeSet::new(),
            stuck_on: None,
        };
        let mut given: Vec<Option<Given>> = Vec::new();
        // Dropping this future drops all calls.
        let mut running = JoinSet::new();
        let permits = Arc::new(Semaphore::new(self.limits.calls_a_turn.max(1)));
        for (at, call) in open.calls.iter().enumerate() {
            let unmade = self.without_handler(call, at, open.step, &mut answered).await;
            if unmade.is_none() {
                let work = made(call.clone(), self.handlers.clone(), self.context.in_step(open.step));
                let permits = Arc::clone(&permits);
                running.spawn(async move {
                    let _permit = permits.acquire().await;
                    (at, work.await)
                });
            }
            given.push(unmade);
        }
        loop {
            let done = tokio::select! {
                biased;
                done = running.join_next() => done,
                () = self.limits.cancelled() => None,
            };
            match done {
                Some(Ok((at, result))) => given[at] = Some(result),
                Some(Err(_)) => {}
                None => break,
            }
        }
        drop(running);
        for (call, given) in open.calls.iter().zip(given) {
            let given = given.unwrap_or_else(|| {
                if self.limits.is_cancelled() {
                    return Given::cancelled(CANCELLED);
                }
                CallError::new(ErrorCode::Failed, "the program is shutting down", "").into()
            });
            let given = match given.pending {
                // Nobody is asked any more.
                Some(_) if self.limits.is_cancelled() => Given::cancelled(NOT_MADE),
                _ => given,
            };
            answered.uses.push(CallUse {
                name: call.name.clone(),
                outcome: given.outcome.clone(),
                tokens_in: tokens(call.arguments.len()),
                tokens_out: tokens(given.text.len()),
            });
            match given.pending {
                Some(pending) => answered.pending.push(Pending { call: call.id.clone(), ..pending }),
                None => answered.results.push(Message::Result {
                    call: call.id.clone(),
                    name: call.name.clone(),
                    text: format!("[step {}, {}: {}]\n{}", open.step, call.name, given.outcome, given.text),
                }),
            }
        }
        answered
    }

    /// The result of a call that needs no handler: one that isn't made, or one of `skills_tool`.
    async fn without_handler(
        &mut self,
        call: &ToolCall,
        at: usize,
        step: usize,
        answered: &mut Answered,
    ) -> Option<Given> {
        if at >= self.limits.calls_a_turn {
            let most = self.limits.calls_a_turn;
            let text =
                format!("This call was not made: a turn may have {most} calls. Make it in the next turn.");
            return Some(Given { outcome: "TOO_MANY".to_owned(), text, pending: None });
        }
        // The call that the user has confirmed is the one that waited.
        if call.token.is_none() {
            let arguments = serde_json::from_str(&call.arguments);
            let key =
                same_call(&call.name, &arguments.unwrap_or_else(|_| Value::from(call.arguments.as_str())));
            let (times, last, refused_at) = self.made.entry(key).or_insert((0, step, None));
            if *times >= self.limits.same_call {
                if *refused_at.get_or_insert(step) < step {
                    answered.stuck_on = Some(call.name.clone());
                }
                let text = format!(
                    "This call was not made again: its result is above, at step {last}. Use it, do something \
                     else, or answer."
                );
                return Some(Given { outcome: "REPEATED".to_owned(), text, pending: None });
            }
            *times += 1;
            *last = step;
        }
        if call.name == TOOL_NAME || call.name.starts_with("skills_tool:") {
            return Some(self.skills_tool(call, &mut answered.found).await);
        }
        if call.name == READ_RESULT {
            return None;
        }
        // A skill that the registry no longer serves doesn't exist for the model either.
        let names: Vec<String> = self.handlers.skills().map(str::to_owned).collect();
        let name = self.handlers.bound(&call.name).map(|_| call.name.clone());
        let served = self.source.ask(move |registry| {
            let is_served = |name: &String| registry.get(name).is_some();
            match name.as_ref().filter(|name| is_served(name)) {
                Some(_) => None,
                None => Some(names.iter().filter(|name| is_served(name)).cloned().collect::<BTreeSet<_>>()),
            }
        });
        let served = served.await?;
        let error = self.handlers.unknown_among(&call.name, self.context, |name| served.contains(name));
        let context = self.context.in_step(step);
        Trace::start(self.handlers, &call.name, &call.arguments, call.token.is_some(), &context)
            .failed(&error);
        Some(error.into())
    }

    async fn skills_tool(&mut self, call: &ToolCall, found: &mut BTreeSet<String>) -> Given {
        let given = self.source.call(&call.name, &call.arguments, |reply| {
            let mut found = Vec::new();
            match &reply.outcome {
                Ok(Answer::List(listing)) => {
                    found.extend(listing.skills.iter().map(|entry| entry.skill.name().to_owned()));
                }
                Ok(Answer::Search(matches)) => {
                    found.extend(matches.results.iter().map(|hit| hit.entry.skill.name().to_owned()));
                }
                Ok(Answer::Load(loaded)) => found.push(loaded.entry.skill.name().to_owned()),
                _ => {}
            }
            let outcome = reply.outcome.as_ref().map_or_else(ActionError::code, |_| "ok");
            (Given { outcome: outcome.to_owned(), text: reply.text, pending: None }, found)
        });
        match given.await {
            Some((given, skills)) => {
                found.extend(skills);
                given
            }
            None => CallError::new(ErrorCode::Failed, "there is no answer", "").into(),
        }
    }
}

/// A call of a handler, or of `read_result`.
async fn made(call: ToolCall, handlers: Handlers, context: Context) -> Given {
    let ToolCall { name, arguments, token, .. } = &call;
    let outcome = match token {
        _ if name == READ_RESULT => return read_on(arguments, &handlers, &context).await,
        Some(token) => handlers.call_confirmed(name, arguments, token, &context).await,
        None => handlers.call(name, arguments, &context).await,
    };
    outcome.map_or_else(Given::from, |output| Given::ok(output.to_string()))
}

/// Reads more of a long result. Returns the text for the model, and whether it is an error.
#[cfg(feature = "mcp")]
pub(super) async fn read_result(arguments: &str, handlers: &Handlers, context: &Context) -> (String, bool) {
    let given = read_on(arguments, handlers, context).await;
    (given.text, given.outcome != "ok")
}

/// The arguments of `read_result`. Some models write numbers as strings, or as `24000.0`.
fn handle_and_offset(arguments: &str) -> Option<(String, usize)> {
    let arguments: Value = serde_json::from_str(arguments).ok()?;
    let handle = arguments["handle"].as_str()?.to_owned();
    let offset = match &arguments["offset"] {
        Value::Null => 0,
        Value::String(text) => text.trim().parse().ok()?,
        Value::Number(number) => {
            let text = number.to_string();
            text.strip_suffix(".0").unwrap_or(&text).parse().ok()?
        }
        _ => return None,
    };
    Some((handle, offset))
}

async fn read_on(arguments: &str, handlers: &Handlers, context: &Context) -> Given {
    let trace = Trace::reading(handlers, arguments, context);
    match piece(arguments, handlers, context).instrument(trace.span.clone()).await {
        Ok(piece) => {
            let text = piece.to_string();
            trace.done(text.len());
            Given::ok(text)
        }
        Err(error) => {
            trace.failed(&error);
            error.into()
        }
    }
}

async fn piece(arguments: &str, handlers: &Handlers, context: &Context) -> Result<Piece, CallError> {
    let Some((handle, offset)) = handle_and_offset(arguments) else {
        let message =
            format!("`{READ_RESULT}` takes the `handle` of a result and an `offset`, a whole number");
        let suggestion = "write `{\"handle\": \"…\", \"offset\": …}`, as the end of the result says";
        return Err(CallError::new(ErrorCode::InvalidArguments, message, suggestion));
    };
    if let Some(store) = &handlers.shared.store {
        return store.read(&handle, offset, RESULT_LIMIT, context.user()).await;
    }
    let results = context.results().clone();
    let read = move || results.read(&handle, offset, RESULT_LIMIT);
    beside(TIMEOUT, read).await.unwrap_or_else(|stopped| {
        let why = disk_failure(READ_RESULT, TIMEOUT, stopped);
        let message = format!("the result cannot be read: {why}");
        Err(CallError::new(ErrorCode::Failed, message, "try again later, or make the call again"))
    })
}

#[cfg(test)]
mod reading {
    use super::*;

    #[test]
    fn an_offset_is_understood_or_refused() {
        for (arguments, offset) in [
            (r#"{"handle": "a"}"#, Some(0)),
            (r#"{"handle": "a", "offset": 7}"#, Some(7)),
            (r#"{"handle": "a", "offset": " 7 "}"#, Some(7)),
            (r#"{"handle": "a", "offset": 24000.0}"#, Some(24_000)),
            (r#"{"handle": "a", "offset": -1}"#, None),
            (r#"{"handle": "a", "offset": 1.5}"#, None),
            (r#"{"handle": "a", "offset": "x"}"#, None),
            (r#"{"handle": "a", "offset": []}"#, None),
            (r#"{"offset": 1}"#, None),
            ("{", None),
        ] {
            assert_eq!(handle_and_offset(arguments).map(|(_, offset)| offset), offset, "{arguments}");
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::super::results::{ResultStore, fit};
    use super::*;

    /// The clock is paused; only the test advances it.
    #[test]
    fn a_disk_that_hangs_does_not_block_read_result() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build().unwrap();
        let context = Context::new("ada").results_in(&ResultStore::visible());
        let kept = fit("[1,2,3]".to_owned(), 3, context.results()).unwrap().take();
        let handle = kept.rest.unwrap().handle;
        let arguments = serde_json::json!({"handle": handle, "offset": "3"}).to_string();
        let handlers = Handlers::new(&skills::Registry::empty());
        let read = runtime.block_on(read_on(&arguments, &handlers, &context));
        assert_eq!((read.outcome.as_str(), read.text.as_str()), ("ok", "2,3]\n\n[end: 7 characters in all]"));

        // Opening a pipe without a writer blocks the thread.
        let file = context.results().dir().unwrap().join(handle);
        std::fs::remove_file(&file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&file).status().is_ok_and(|made| made.success()));
        let (given_up, opened, read) = runtime.block_on(async {
            let context = context.clone();
            let reading = tokio::spawn(async move { read_on(&arguments, &handlers, &context).await });
            for _ in 0..20 {
                tokio::time::advance(Duration::from_secs(1)).await;
            }
            let given_up = reading.is_finished();
            // Opening it for reading and writing unblocks both threads.
            let opened = std::fs::File::options().read(true).write(true).open(&file);
            (given_up, opened, reading.await.unwrap())
        });
        drop((runtime, opened));
        assert!(given_up, "{}", read.text);
        assert_eq!(
            (read.outcome.as_str(), read.text.as_str()),
            (
                "FAILED",
                r#"{"error":"FAILED","message":"the result cannot be read: the disk takes longer than 10s","suggestion":"try again later, or make the call again"}"#
            )
        );
    }
}
