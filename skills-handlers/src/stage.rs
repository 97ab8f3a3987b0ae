//! The stages of a call: a list of stages that each pass the call on or answer it.
//!
//! This crate's own stages are in [`pipeline`](super::pipeline) and implement the same trait.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use super::binding::Prepared;
use super::bound::{Bound, Handlers};
use super::context::Context;
use super::error::{CallError, ErrorCode};
use super::output::Output;
use super::panics;
use super::shown::shown;

/// One stage of a call. It may refuse the call, answer it, or pass it on and change the result.
///
/// A host adds its own with [`Handlers::before`] and [`Handlers::after`]. A call passes
/// each stage once, and one stage serves many calls concurrently.
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Mutex;
/// use std::time::{Duration, Instant};
///
/// use skills_handlers::{Call, CallError, Next, Passing, Stage};
///
/// /// Limits how many calls a user may make in a minute.
/// struct RateLimit {
///     most: usize,
///     calls: Mutex<HashMap<String, Vec<Instant>>>,
/// }
///
/// impl Stage for RateLimit {
///     fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
///         let mut calls = self.calls.lock().unwrap();
///         let mine = calls.entry(call.context().user().to_owned()).or_default();
///         mine.retain(|then| then.elapsed() < Duration::from_secs(60));
///         if mine.len() >= self.most {
///             let error = CallError::refused("RATE_LIMITED", "too many calls in a minute", "wait, then try again");
///             return Box::pin(std::future::ready(Err(error.because(format!("{} a minute", self.most)))));
///         }
///         mine.push(Instant::now());
///         next.run(call)
///     }
/// }
/// # let _ = RateLimit { most: 1, calls: Mutex::default() };
/// ```
pub trait Stage: Send + Sync + 'static {
    /// Passes the call on with `next.run(call)`, or answers it. If it panics, the call fails with the code
    /// `STAGE_PANICKED`.
    fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c>;
}

/// The future of a call's result.
pub type Passing<'c> = Pin<Box<dyn Future<Output = Result<Output, CallError>> + Send + 'c>>;

/// The stages of this crate, in order. A host's stages are placed before or after one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Place {
    /// The span, the counts and the line in the audit log.
    Trace,
    /// Whether the handler that makes this call still has time.
    Time,
    /// The nesting of calls.
    Depth,
    /// The name: from here on, it is known that the skill has a handler.
    Name,
    /// The caller's roles.
    Permissions,
    /// The arguments: from here on, changing them has no effect.
    Schema,
    /// The user's confirmation.
    Confirmation,
    /// The size of the result: stages before this one see the shortened result, stages after it the whole one.
    Result,
    /// The handler's function, within its time limit. It is always last: a stage placed after it
    /// runs right before it, and is the first to see its result.
    Function,
}

/// A call on its way through the stages.
#[derive(Debug)]
pub struct Call<'c> {
    pub(super) handlers: &'c Handlers,
    pub(super) skill: &'c str,
    pub(super) arguments: Cow<'c, str>,
    pub(super) token: Option<&'c str>,
    pub(super) context: Cow<'c, Context>,
    pub(super) bound: Option<&'c Arc<Bound>>,
    pub(super) ready: Ready,
    pub(super) span: tracing::Span,
}

/// The checked arguments, for the stages after the check.
#[derive(Default)]
pub(super) struct Ready {
    /// In a lock so that `Call` is `Sync`; there is never contention.
    pub(super) prepared: Mutex<Option<Prepared>>,
    /// The arguments, if they have to be confirmed.
    pub(super) value: Option<Value>,
    /// How much of the time limit the check took.
    pub(super) spent: Duration,
}

impl Call<'_> {
    /// The skill, as the call named it until [`Place::Name`], then its name.
    pub fn skill(&self) -> &str {
        self.bound.map_or(self.skill, |bound| bound.binding.skill())
    }

    /// The arguments, as the model wrote them.
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// Replaces the arguments, in a stage before [`Place::Schema`], which checks them. Later this has no effect, so
    /// that a confirmed call can't change. The audit log records the arguments that the model wrote.
    pub fn set_arguments(&mut self, json: impl Into<String>) {
        self.arguments = Cow::Owned(json.into());
    }

    /// The caller.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Whether the call came with a token of the user's confirmation. The token is checked at
    /// [`Place::Confirmation`].
    pub fn has_token(&self) -> bool {
        self.token.is_some()
    }
}

/// The remaining stages of a call.
#[derive(Clone, Copy)]
pub struct Next<'c> {
    rest: &'c [Staged],
}

impl<'c> Next<'c> {
    pub(super) fn all(stages: &'c [Staged]) -> Self {
        Self { rest: stages }
    }

    /// Passes the call on.
    pub fn run(self, call: Call<'c>) -> Passing<'c> {
        match self.rest.split_first() {
            Some((stage, rest)) if stage.is_ours => stage.stage.pass(call, Self { rest }),
            Some((stage, rest)) => guarded(&*stage.stage, call, Self { rest }),
            // The function is always last and doesn't call this.
            None => Box::pin(std::future::ready(Ok(Output::new("")))),
        }
    }
}

/// A stage that answers with an error.
pub(super) fn refuse<'c>(error: CallError) -> Passing<'c> {
    Box::pin(std::future::ready(Err(error)))
}

/// The order of the stages rules this error out.
pub(super) fn missing_stage() -> CallError {
    CallError::new(ErrorCode::Failed, "a stage before this one was left out", "tell the user")
}

/// Passes a call to a stage of the host's. If that panics, the call fails, and its caller goes on.
fn guarded<'c>(stage: &'c dyn Stage, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
    let skill = call.bound.map_or(call.skill, |bound| bound.binding.skill());
    let passing = panics::catch_async(move || stage.pass(call, next));
    Box::pin(async move {
        passing.await.unwrap_or_else(|panic| {
            tracing::error!(skill = %shown(skill), panic, "a stage of the host panicked");
            let message = format!("a stage of the program panicked: `{}` may have run or not", shown(skill));
            let suggestion = "don't just repeat the call: find out first what it did, and tell the user";
            Err(CallError::new(ErrorCode::Panicked, message, suggestion).coded(Some("STAGE_PANICKED")))
        })
    })
}

/// A stage in the list.
#[derive(Clone)]
pub(super) struct Staged {
    /// Its place, if it is one of ours; otherwise the one that it comes right after, if any.
    place: Option<Place>,
    is_ours: bool,
    stage: Arc<dyn Stage>,
}

impl Staged {
    pub(super) fn ours(place: Place, stage: impl Stage) -> Self {
        Self { place: Some(place), is_ours: true, stage: Arc::new(stage) }
    }
}

/// Puts a host's stage into the list. Stages at the same place run in the order in which they were added.
pub(super) fn insert(stages: &mut Vec<Staged>, place: Place, is_after: bool, stage: impl Stage) {
    let is_after = is_after && place != Place::Function;
    let ours = stages.iter().position(|staged| staged.is_ours && staged.place == Some(place));
    let mut at = ours.unwrap_or(stages.len());
    if is_after {
        at += 1;
        at += stages[at..].iter().take_while(|staged| !staged.is_ours && staged.place == Some(place)).count();
    }
    let place = is_after.then_some(place);
    stages.insert(at, Staged { place, is_ours: false, stage: Arc::new(stage) });
}

impl fmt::Debug for Next<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").field("stages", &self.rest.len()).finish()
    }
}

impl fmt::Debug for Staged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Staged")
            .field("place", &self.place)
            .field("is_ours", &self.is_ours)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ready").field("spent", &self.spent).finish_non_exhaustive()
    }
}

impl Handlers {
    /// Adds a stage right before one of this crate's, such as a rate limit before [`Place::Schema`].
    #[must_use]
    pub fn before(self, place: Place, stage: impl Stage) -> Self {
        self.change(|shared| insert(&mut shared.stages, place, false, stage))
    }

    /// Adds a stage right after one of this crate's, such as a redactor after [`Place::Result`], which sees the
    /// whole result.
    #[must_use]
    pub fn after(self, place: Place, stage: impl Stage) -> Self {
        self.change(|shared| insert(&mut shared.stages, place, true, stage))
    }
}
