//! The steps of a run for operators: tokens, decisions and outcomes, for [`Run`](super::Run), the audit log and
//! `tracing`.

use std::time::Instant;

use tracing::field::Empty;

use super::audit::Line;
use super::bound::Handlers;
use super::calls::CallUse;
use super::context::Context;
use super::counts::tokens;
use super::model::{Assistant, Message, ModelError, Usage};
use super::shown::{MOST_NAME, cut};
use super::tool::Tool;

/// A turn of a run: the tokens and calls of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The tokens of the model's message.
    pub usage: Usage,
    /// Whether the provider reported them; otherwise they are estimated: four bytes per token.
    pub reported: bool,
    /// The calls, after they were made.
    pub calls: Vec<CallUse>,
}

/// A run in progress. Dropping it writes its last line, even if the run was dropped.
pub(super) struct Steps<'r> {
    handlers: &'r Handlers,
    context: &'r Context,
    pub(super) usage: Usage,
    all: Vec<Step>,
    turns: u32,
    outcome: &'static str,
    begun: Instant,
    pub(super) span: tracing::Span,
}

impl<'r> Steps<'r> {
    pub(super) fn begin(handlers: &'r Handlers, context: &'r Context) -> Self {
        let span = tracing::info_span!(
            "skill_run",
            trace_id = context.trace_id(),
            outcome = Empty,
            turns = Empty,
            tokens_in = Empty,
            tokens_out = Empty,
        );
        let (usage, all) = (Usage::default(), Vec::new());
        Self { handlers, context, usage, all, turns: 0, outcome: "CANCELLED", begun: Instant::now(), span }
    }

    /// Records that the model answered or failed.
    pub(super) fn turn(
        &mut self,
        step: usize,
        begun: Instant,
        given: (&[Message], &[Tool]),
        replied: Result<&Assistant, &ModelError>,
    ) {
        let reply = replied.ok();
        let reported = reply.and_then(|reply| reply.usage);
        let usage = reported.unwrap_or_else(|| estimate(given, replied));
        self.usage.add(usage);
        self.turns += 1;
        self.all.push(Step { usage, reported: reported.is_some(), calls: Vec::new() });
        let calls = reply.map(|reply| reply.calls.iter().map(|call| cut(&call.name, MOST_NAME)).collect());
        let calls: Vec<&str> = calls.unwrap_or_default();
        let decision = match (reply, calls.is_empty()) {
            (None, _) => "failed",
            (Some(_), true) => "answer",
            (Some(_), false) => "calls",
        };
        let Usage { input: tokens_in, output: tokens_out } = usage;
        tracing::info!(parent: &self.span, step, decision, calls = calls.len(), tokens_in, tokens_out, "turn");
        if let Some(audit) = &self.handlers.shared.audit {
            audit.write(&Line::Turn {
                trace_id: self.context.trace_id(),
                user: self.context.user(),
                step,
                decision,
                calls,
                duration_us: micros(begun),
                tokens_in,
                tokens_out,
                reported: reported.is_some(),
            });
        }
    }

    /// Records that the calls of the last turn were made.
    pub(super) fn calls(&mut self, uses: Vec<CallUse>) {
        // A run that begins with calls has no turn for them yet.
        if self.all.is_empty() {
            self.all.push(Step { usage: Usage::default(), reported: true, calls: Vec::new() });
        }
        if let Some(step) = self.all.last_mut() {
            step.calls.extend(uses);
        }
    }

    pub(super) fn end(mut self, outcome: &'static str) -> (Usage, Vec<Step>) {
        self.outcome = outcome;
        (self.usage, self.all.clone())
    }
}

impl Drop for Steps<'_> {
    fn drop(&mut self) {
        let Usage { input: tokens_in, output: tokens_out } = self.usage;
        let turns = self.turns;
        self.span.record("outcome", self.outcome).record("turns", turns);
        self.span.record("tokens_in", tokens_in).record("tokens_out", tokens_out);
        if let Some(audit) = &self.handlers.shared.audit {
            audit.write(&Line::Run {
                trace_id: self.context.trace_id(),
                user: self.context.user(),
                outcome: self.outcome,
                turns,
                tokens_in,
                tokens_out,
                duration_us: micros(self.begun),
            });
        }
    }
}

fn micros(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// The estimated tokens of a turn, if the provider reports none. A message that broke off counts as far as it arrived.
fn estimate((messages, tools): (&[Message], &[Tool]), replied: Result<&Assistant, &ModelError>) -> Usage {
    let said = |assistant: &Assistant| {
        let calls = assistant.calls.iter().map(|call| call.name.len() + call.arguments.len());
        assistant.text.len() + calls.sum::<usize>()
    };
    let messages = messages.iter().map(|message| match message {
        Message::System { text } | Message::User { text } | Message::Result { text, .. } => text.len(),
        Message::Assistant(assistant) => said(assistant),
    });
    let tools = tools.iter().map(|tool| tool.name.len() + tool.description.len() + tool.parameters().len());
    Usage::new(tokens(messages.chain(tools).sum()), tokens(replied.map_or_else(|error| error.received, said)))
}
