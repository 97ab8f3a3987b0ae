//! The loop: it asks a model, makes its calls, and sends the results back, until the model answers.
//!
//! It ends after the allowed number of turns, or when a call waits for the user. It keeps no history other
//! than the messages, which the host owns and may store. A run can continue from messages that ended in
//! calls.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::time::Instant;

use tracing::Instrument as _;

use super::bound::Handlers;
use super::calls::{Answered, Round};
use super::context::Context;
use super::conversation::{last_calls, steps, unanswered};
use super::limits::Limits;
use super::model::{Assistant, Message, Model, ModelError, Usage};
use super::pending::Pending;
use super::router;
use super::source::Source;
use super::steps::{Step, Steps};
use super::tool::Tool;

/// The result of a run: how it ended, and the conversation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Run {
    /// All messages, including those it began with.
    pub messages: Vec<Message>,
    /// How it ended.
    pub end: End,
    /// How often the model was asked.
    pub turns: u32,
    /// All tokens that the model used, as its provider reported them; an estimate if it reported none.
    pub usage: Usage,
    /// Each turn, with its tokens and its calls. A run that continues with calls of an earlier one
    /// begins with a step for these.
    pub steps: Vec<Step>,
}

/// How a run ended. `Display` writes a message for the user.
#[derive(Debug)]
#[non_exhaustive]
pub enum End {
    /// The model answered.
    Answered(String),
    /// The model was asked as often as allowed, and still made calls.
    TurnsUsed {
        /// How often it was asked.
        turns: u32,
        /// The name of the last call.
        last: String,
    },
    /// The model used all allowed tokens and still made calls.
    TokensUsed {
        /// The number of tokens.
        tokens: u64,
        /// The name of the last call.
        last: String,
    },
    /// The model reached the allowed cost and still made calls.
    CostUsed {
        /// The cost.
        cost: f64,
        /// The name of the last call.
        last: String,
    },
    /// The run was stopped by [`Cancel::cancel`](super::Cancel::cancel).
    Cancelled,
    /// The model made the same call again and again.
    Repeated {
        /// The name of the call.
        name: String,
    },
    /// Calls wait for the user; see [`Run::confirm`] and [`Run::decline`].
    Unconfirmed(Vec<Pending>),
    /// The model didn't answer.
    ModelFailed(ModelError),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered(text) => f.write_str(text),
            Self::TurnsUsed { turns, last } => write!(
                f,
                "Stopped after {turns} turns without an answer: the model still called `{last}`. Ask for less, or allow \
                 more turns."
            ),
            Self::TokensUsed { tokens, last } => write!(
                f,
                "Stopped after {tokens} tokens without an answer: the model still called `{last}`. Ask for less, or allow \
                 more tokens."
            ),
            Self::CostUsed { cost, last } => write!(
                f,
                "Stopped at a cost of {cost:.4} without an answer: the model still called `{last}`. Ask for less, or \
                 allow a higher cost."
            ),
            Self::Cancelled => f.write_str("Stopped, as you asked."),
            Self::Repeated { name } => {
                write!(f, "Stopped: the model repeated the same call of `{name}`. Ask in other words.")
            }
            Self::Unconfirmed(pending) => {
                f.write_str("Stopped: this needs your confirmation first:")?;
                pending.iter().try_for_each(|pending| write!(f, "\n- {pending}"))
            }
            Self::ModelFailed(error) => write!(f, "Stopped: the model did not answer: {error}"),
        }
    }
}

impl End {
    /// The end in one word, for logs.
    fn as_str(&self) -> &'static str {
        match self {
            Self::Answered(_) => "answered",
            Self::TurnsUsed { .. } => "turns_used",
            Self::TokensUsed { .. } => "tokens_used",
            Self::CostUsed { .. } => "cost_used",
            Self::Cancelled => "cancelled",
            Self::Repeated { .. } => "repeated",
            Self::Unconfirmed(_) => "unconfirmed",
            Self::ModelFailed(_) => "model_failed",
        }
    }
}

impl Run {
    /// The model's answer, if it gave one.
    pub fn answer(&self) -> Option<&str> {
        match &self.end {
            End::Answered(text) => Some(text),
            _ => None,
        }
    }

    /// Confirms a waiting call by its token. The next run from these messages makes the call. Returns `false`
    /// if no call has this token, or if the call has an answer, as after [`decline`](Self::decline).
    pub fn confirm(&mut self, token: &str) -> bool {
        let Some(pending) = self.pending(token) else { return false };
        let waits = unanswered(&self.messages).calls.iter().any(|call| call.id == pending.call);
        waits && self.set_token(&pending)
    }

    /// Declines a waiting call by its token; the model is told. Returns `false` if no call has this token.
    ///
    /// The next run from these messages spends the token; [`Handlers::decline`] does so at once.
    pub fn decline(&mut self, token: &str) -> bool {
        let Some(pending) = self.pending(token) else { return false };
        let unanswered = unanswered(&self.messages);
        let Some(call) = unanswered.calls.iter().find(|call| call.id == pending.call) else { return false };
        let text = format!("[step {}, {}: DECLINED]\nThe user declined.", unanswered.step, call.name);
        let (call, name) = (call.id.clone(), call.name.clone());
        self.set_token(&pending);
        self.messages.insert(unanswered.end, Message::Result { call, name, text });
        true
    }

    /// Sets the token of a waiting call. An outdated one is replaced.
    fn set_token(&mut self, pending: &Pending) -> bool {
        let Some((at, _)) = last_calls(&self.messages) else { return false };
        let Message::Assistant(Assistant { calls, .. }) = &mut self.messages[at] else { return false };
        let mut waiting = calls.iter_mut().filter(|call| call.id == pending.call);
        waiting.next().is_some_and(|call| {
            call.token = Some(pending.token.clone());
            true
        })
    }

    fn pending(&self, token: &str) -> Option<Pending> {
        match &self.end {
            End::Unconfirmed(all) => all.iter().find(|pending| pending.token == token).cloned(),
            _ => None,
        }
    }
}

/// Drives a model with the skills of a registry until it answers.
///
/// The tools are the handlers of served skills that the caller may call, `skills_tool` and `read_result`.
/// Calls of one turn run concurrently. Each result is marked with its step and outcome, as in
/// `[step 1, file-search: ok]`. Dropping the future cancels everything.
///
/// If the messages end in calls without results, as after [`End::Unconfirmed`], the run begins with those.
///
/// `source` is a registry or, with the feature `live`, a live one; with a [`Session`](skills::Session) it keeps
/// what the model has loaded: `Source::from(&live).session(&mut session)`, where `live` is in an `Arc`, since another
/// thread looks at the disk.
pub async fn run<'r, M: Model>(
    model: &M,
    source: impl Into<Source<'r>>,
    handlers: &Handlers,
    mut messages: Vec<Message>,
    limits: &Limits,
    context: &Context,
) -> Run {
    let source = source.into();
    spend_declined(&messages, handlers, context).await;
    let (mut tools, catalogue) = offer(&source, handlers, &messages, limits, context).await;
    let mut round = Round { source, handlers, limits, context, made: HashMap::new() };
    let mut spent = Steps::begin(handlers, context);
    let span = spent.span.clone();
    let mut turns = 0;
    let end = loop {
        let open = unanswered(&messages);
        let last = open.calls.last().map(|call| call.name.clone()).unwrap_or_default();
        if !open.calls.is_empty() {
            let answered = round.answer(&open).instrument(span.clone()).await;
            let Answered { results, uses, pending, found, stuck_on } = answered;
            spent.calls(uses);
            messages.splice(open.end..open.end, results);
            widen(&mut tools, &found, handlers, context);
            if !pending.is_empty() {
                break End::Unconfirmed(pending);
            }
            if limits.is_cancelled() {
                break End::Cancelled;
            }
            if let Some(name) = stuck_on {
                break End::Repeated { name };
            }
        }
        if let Some(end) = used_up(limits, turns, spent.usage, last) {
            break end;
        }
        let asked = with_catalogue(&messages, catalogue.as_deref());
        turns += 1;
        let (step, begun) = (steps(&messages) + 1, Instant::now());
        let replied = tokio::select! {
            biased;
            () = limits.cancelled() => break End::Cancelled,
            replied = model.reply(&asked, &tools).instrument(span.clone()) => replied,
        };
        spent.turn(step, begun, (&asked, &tools), replied.as_ref());
        match replied {
            Err(error) => break End::ModelFailed(error),
            Ok(mut reply) => {
                name_calls(&mut reply, &messages);
                let answer = reply.calls.is_empty().then(|| reply.text.clone());
                messages.push(Message::Assistant(reply));
                if let Some(text) = answer {
                    break End::Answered(text);
                }
            }
        }
    };
    let (usage, steps) = spent.end(end.as_str());
    Run { messages, end, turns, usage, steps }
}

/// Spends the tokens of calls that the user has declined since the last run. Those of answered calls are spent anyway.
async fn spend_declined(messages: &[Message], handlers: &Handlers, context: &Context) {
    let Some((_, calls)) = last_calls(messages) else { return };
    let open = unanswered(messages).calls;
    let answered = calls.iter().filter(|call| open.iter().all(|open| open.id != call.id));
    for token in answered.filter_map(|call| call.token.as_deref()) {
        // If the store fails, it is logged, and the token expires.
        let _ = handlers.decline(token, context).await;
    }
}

/// The end of the run, if the model may not be asked again.
fn used_up(limits: &Limits, turns: u32, usage: Usage, last: String) -> Option<End> {
    if turns >= limits.turns {
        return Some(End::TurnsUsed { turns, last });
    }
    if limits.tokens.is_some_and(|most| usage.total() >= most) {
        return Some(End::TokensUsed { tokens: usage.total(), last });
    }
    let cost = limits.cost.filter(|cost| cost.is_used(usage))?;
    Some(End::CostUsed { cost: cost.of(usage), last })
}

/// The tools, and with a router the catalogue, for the user's last message.
async fn offer(
    source: &Source<'_>,
    handlers: &Handlers,
    messages: &[Message],
    limits: &Limits,
    context: &Context,
) -> (Vec<Tool>, Option<String>) {
    let Some(router) = &limits.router else {
        let (known, caller) = (handlers.clone(), context.clone());
        return (source.ask(move |registry| router::everything(registry, &known, &caller)).await, None);
    };
    let request = messages.iter().rev().find_map(|message| match message {
        Message::User { text } => Some(text.as_str()),
        _ => None,
    });
    let selection = router.route_in(request.unwrap_or_default(), source, handlers, context).await;
    (selection.tools, Some(selection.catalogue))
}

/// Skills that the model found by searching are offered from then on.
fn widen(tools: &mut Vec<Tool>, found: &BTreeSet<String>, handlers: &Handlers, context: &Context) {
    let new = handlers.tools(context).into_iter().filter(|tool| found.contains(&tool.name));
    let new: Vec<Tool> = new.filter(|tool| tools.iter().all(|offered| offered.name != tool.name)).collect();
    tools.splice(0..0, new);
}

/// The catalogue follows the host's first message. It isn't part of the conversation, since the next request
/// has another one.
fn with_catalogue(messages: &[Message], catalogue: Option<&str>) -> Vec<Message> {
    let mut asked = messages.to_vec();
    if let Some(catalogue) = catalogue {
        let at = messages.iter().take_while(|message| matches!(message, Message::System { .. })).count();
        asked.insert(at, Message::system(catalogue));
    }
    asked
}

/// Some models give all calls the same id, or none.
fn name_calls(reply: &mut Assistant, messages: &[Message]) {
    let step = steps(messages) + 1;
    let mut used: BTreeSet<String> = BTreeSet::new();
    for (at, call) in reply.calls.iter_mut().enumerate() {
        if call.id.is_empty() || used.contains(&call.id) {
            call.id = format!("call-{step}-{}", at + 1);
        }
        used.insert(call.id.clone());
        // Only the host can confirm a call.
        call.token = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting() -> Run {
        let pending = Pending {
            token: "t".to_owned(),
            skill: "file-delete".to_owned(),
            arguments: "{}".to_owned(),
            reason: String::new(),
            lifetime: std::time::Duration::from_secs(60),
            call: "x".to_owned(),
        };
        Run {
            messages: vec![Message::Assistant(Assistant::new("").call("x", "file-delete", "{}"))],
            end: End::Unconfirmed(vec![pending]),
            turns: 1,
            usage: Usage::default(),
            steps: Vec::new(),
        }
    }

    #[test]
    fn what_was_declined_cannot_be_confirmed() {
        let mut run = waiting();
        assert!(run.decline("t"));
        assert!(!run.confirm("t") && !run.decline("t"));
        assert_eq!(run.messages.len(), 2);
        // The other way round, the user has thought better of it.
        let mut run = waiting();
        assert!(run.confirm("t") && run.confirm("t") && run.decline("t") && !run.confirm("t"));
    }
}
