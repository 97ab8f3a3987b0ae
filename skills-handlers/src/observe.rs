//! What hosts can observe of calls: a `tracing` span, counts per skill, metrics and the audit log.
//!
//! Arguments are recorded only if the binding allows it, and results never are. Nothing is sent anywhere: the
//! host reads the counts and subscribes to the spans.

use std::time::Instant;

use tracing::field::Empty;

use super::audit::{Audit, Line};
use super::bound::{Bound, Handlers};
use super::context::Context;
use super::counts::{Counts, Outcome, SkillCounts, tokens};
use super::error::CallError;
use super::output::{Output, READ_RESULT};
use super::shown::{MOST_NAME, cut};

/// A call in progress. It is counted when this is dropped, so also if it was cancelled.
pub(super) struct Trace<'t> {
    handlers: &'t Handlers,
    /// The binding, if there is one.
    bound: Option<&'t Bound>,
    /// The name of what is called, if it is known.
    #[cfg(feature = "metrics")]
    name: &'t str,
    counts: &'t Counts,
    context: &'t Context,
    skill: &'t str,
    arguments: &'t str,
    confirmed: bool,
    start: Instant,
    outcome: Outcome,
    pub(super) span: tracing::Span,
}

impl<'t> Trace<'t> {
    pub(super) fn start(
        handlers: &'t Handlers,
        skill: &'t str,
        arguments: &'t str,
        confirmed: bool,
        context: &'t Context,
    ) -> Self {
        let bound = handlers.bound(skill).map(|bound| &**bound);
        // An unknown name is text from the model, so it doesn't go into the log.
        let name = bound.map_or("", |bound| bound.binding.skill());
        let counts = bound.map_or(&*handlers.shared.unknown, |bound| &bound.counts);
        let call = (skill, arguments, confirmed);
        Self::of(handlers, bound, name, counts, call, context)
    }

    /// A call of `read_result`.
    pub(super) fn reading(handlers: &'t Handlers, arguments: &'t str, context: &'t Context) -> Self {
        let call = (READ_RESULT, arguments, false);
        Self::of(handlers, None, READ_RESULT, &handlers.shared.reading, call, context)
    }

    fn of(
        handlers: &'t Handlers,
        bound: Option<&'t Bound>,
        name: &'t str,
        counts: &'t Counts,
        (skill, arguments, confirmed): (&'t str, &'t str, bool),
        context: &'t Context,
    ) -> Self {
        let span = tracing::info_span!(
            "skill_call",
            trace_id = context.trace_id(),
            skill = name,
            depth = context.depth(),
            arguments = Empty,
            outcome = Empty,
            why = Empty,
            tokens_in = Empty,
            tokens_out = Empty,
            duration_us = Empty,
        );
        if bound.is_some_and(|bound| bound.binding.records_arguments) {
            span.record("arguments", arguments);
        }
        Self {
            handlers,
            bound,
            #[cfg(feature = "metrics")]
            name,
            counts,
            context,
            skill,
            arguments,
            confirmed,
            start: Instant::now(),
            outcome: Outcome::Cancelled,
            span,
        }
    }

    pub(super) fn end(self, outcome: &Result<Output, CallError>) {
        match outcome {
            Ok(output) => self.done(output.text.len()),
            Err(error) => self.failed(error),
        }
    }

    /// Ends with a result of this many bytes.
    pub(super) fn done(mut self, bytes: usize) {
        self.outcome = Outcome::Done { bytes };
    }

    pub(super) fn failed(mut self, error: &CallError) {
        let bytes = error.message.len() + error.suggestion.len();
        let (own, why) = (error.own_code.clone(), error.why.clone());
        self.outcome = Outcome::Failed { code: error.code, own, why, bytes };
    }
}

impl Drop for Trace<'_> {
    fn drop(&mut self) {
        let took = self.start.elapsed();
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let code = self.counts.add(micros, self.arguments.len(), &self.outcome);
        #[cfg(feature = "metrics")]
        super::metrics::record(&super::metrics::Call {
            skill: self.name,
            took,
            tokens_in: tokens(self.arguments.len()),
            tokens_out: tokens(self.outcome.bytes()),
            is_cancelled: matches!(self.outcome, Outcome::Cancelled),
            code,
        });
        #[cfg(not(feature = "metrics"))]
        let _ = code;
        if !self.span.is_disabled() {
            let (tokens_in, tokens_out) = (tokens(self.arguments.len()), tokens(self.outcome.bytes()));
            self.span.record("outcome", self.outcome.as_str()).record("duration_us", micros);
            self.span.record("tokens_in", tokens_in).record("tokens_out", tokens_out);
            if !self.outcome.why().is_empty() {
                self.span.record("why", self.outcome.why());
            }
        }
        if let Some(audit) = &self.handlers.shared.audit {
            self.write(audit, micros);
        }
    }
}

impl Trace<'_> {
    fn write(&self, audit: &Audit, duration_us: u64) {
        let shows = self.bound.is_some_and(|bound| bound.binding.records_arguments);
        audit.write(&Line::Call {
            trace_id: self.context.trace_id(),
            user: self.context.user(),
            step: self.context.step(),
            skill: cut(self.skill, MOST_NAME),
            depth: self.context.depth(),
            confirmed: self.confirmed,
            outcome: self.outcome.as_str(),
            why: self.outcome.why(),
            duration_us,
            tokens_in: tokens(self.arguments.len()),
            tokens_out: tokens(self.outcome.bytes()),
            arguments: shows.then_some(self.arguments),
        });
    }
}

/// Logs a panic for the operators of the program only.
pub(super) fn panicked(skill: &str, what: &str) {
    tracing::error!(skill, panic = what, "a handler panicked");
}

/// Logs a panic while a long result was stored or read, which isn't the handler's fault.
pub(super) fn results_panicked(skill: &str, what: &str) {
    tracing::error!(skill, panic = what, "keeping or reading a long result panicked");
}

impl Handlers {
    /// The counts so far, by skill. Calls of `read_result`, if any, follow under its name, and calls of unknown skills
    /// come last, with an empty name.
    pub fn counts(&self) -> Vec<SkillCounts> {
        let bound = self.shared.bound.iter().map(|(skill, bound)| bound.counts.read(skill));
        let others = [self.shared.reading.read(READ_RESULT), self.shared.unknown.read("")];
        bound.chain(others.into_iter().filter(|others| others.calls > 0)).collect()
    }
}
