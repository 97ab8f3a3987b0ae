//! The stages of a call, in order.
//!
//! Only this file has the order. The work of each stage is in [`bound`](super::bound),
//! [`arguments`](super::arguments), [`confirm`](super::confirm), [`execute`](super::execute),
//! [`results`](super::results) and [`observe`](super::observe).

use std::sync::Arc;
use std::time::Duration;

use skills_pack::nearest;
use skills_pack::text::{AndMore, Joined, Quoted, did_you_mean};
use tracing::Instrument as _;

use super::arguments;
use super::binding::{Prepared, TIMEOUT};
use super::bound::{Bound, Handlers, Shared};
use super::context::{Answer, Callee, Context};
use super::error::{CallError, ErrorCode};
use super::execute::{Stopped, beside, execute, survive};
use super::observe::{self, Trace};
use super::results::{self, Fitted, Output, shown};

impl Handlers {
    /// Calls a skill's handler. `arguments` is the JSON that the model wrote; an empty string means no
    /// arguments.
    ///
    /// Needs a Tokio runtime with its timer enabled. Dropping the future cancels the call.
    ///
    /// # Errors
    ///
    /// The error of the first stage that fails; [`ErrorCode`] lists them.
    pub async fn call(&self, skill: &str, arguments: &str, context: &Context) -> Result<Output, CallError> {
        self.traced(skill, arguments, None, context).await
    }

    /// Makes a call that waited for confirmation, with the token of its [`Pending`](super::Pending).
    ///
    /// # Errors
    ///
    /// As for [`call`](Self::call). If the token isn't for exactly this call or has expired, the call waits
    /// again, with a new token.
    pub async fn call_confirmed(
        &self,
        skill: &str,
        arguments: &str,
        token: &str,
        context: &Context,
    ) -> Result<Output, CallError> {
        self.traced(skill, arguments, Some(token), context).await
    }

    async fn traced(
        &self,
        skill: &str,
        arguments: &str,
        token: Option<&str>,
        context: &Context,
    ) -> Result<Output, CallError> {
        let trace = Trace::start(self, skill, arguments, token.is_some(), context);
        let span = trace.span.clone();
        let stages = self.stages(skill, arguments, token, context, &span).instrument(span.clone());
        // A blocking handler that waits for this call can't be stopped, so it doesn't drop the future.
        let outcome = tokio::select! {
            biased;
            outcome = stages => outcome,
            () = context.given_up() => Err(too_late(skill, "stopped")),
        };
        trace.end(&outcome);
        outcome
    }

    /// The stages, in order.
    async fn stages(
        &self,
        skill: &str,
        arguments: &str,
        token: Option<&str>,
        context: &Context,
        span: &tracing::Span,
    ) -> Result<Output, CallError> {
        within_time(context, skill)?;
        within_depth(context, self.shared.max_depth)?;
        let bound = self.find(skill, context)?;
        permit(bound, context)?;
        let context = context.enter(self.shared.clone());
        let prepared = self.prepare(bound, arguments, token, &context)?;
        let result = execute(prepared, bound.binding.timeout, &context, span).await;
        let json = result.map_err(|stopped| stopped_error(bound, stopped))?;
        fit(json, bound, &context).await
    }

    /// The name: the error for an unknown one lists the known ones.
    fn find(&self, skill: &str, context: &Context) -> Result<&Bound, CallError> {
        self.bound(skill).ok_or_else(|| self.unknown(skill, context))
    }

    /// The error for a name that can't be called.
    pub(super) fn unknown(&self, skill: &str, context: &Context) -> CallError {
        self.unknown_among(skill, context, |_| true)
    }

    /// The same error, if only some skills are `shown`.
    pub(super) fn unknown_among(
        &self,
        skill: &str,
        context: &Context,
        shown_there: impl Fn(&str) -> bool,
    ) -> CallError {
        let known = self.may_call(context).map(|bound| bound.binding.skill());
        let known: Vec<&str> = known.filter(|name| shown_there(name)).collect();
        let near = nearest::closest(skill.trim(), known.iter().copied().filter(|known| *known != skill));
        let near = near.first().map_or_else(String::new, |near| did_you_mean(Quoted(near)) + " ");
        let has_handler = self.bound(skill).is_some();
        let message = if self.shared.known.contains_key(skill.trim()) && !has_handler {
            format!("the skill `{}` has no handler: it can be loaded, but not called", shown(skill))
        } else {
            format!("no skill `{}` can be called", shown(skill))
        };
        CallError::new(ErrorCode::UnknownSkill, message, format!("{near}{}", names(&known)))
    }

    /// The arguments, then the confirmation, so that invalid arguments don't use up a token.
    fn prepare(
        &self,
        bound: &Bound,
        json: &str,
        token: Option<&str>,
        context: &Context,
    ) -> Result<Prepared, CallError> {
        let skill = bound.binding.skill();
        let fault = |fault: arguments::Fault| fault.into_error(skill, &bound.example);
        let arguments = arguments::parse(json, self.shared.max_argument_bytes).map_err(fault)?;
        bound.validate(&arguments).map_err(fault)?;
        let asked = bound.binding.confirm.as_ref().map(|reason| (reason, arguments.clone()));
        let prepared = survive(|| (bound.binding.prepare)(arguments, context.clone()))
            .map_err(|stopped| stopped_error(bound, stopped))?
            .map_err(|error| fault(arguments::Fault::new(error.to_string(), "")))?;
        if let Some((reason, arguments)) = asked {
            let open = &self.shared.confirmations;
            if !token.is_some_and(|token| open.redeem(token, skill, &arguments, context.user())) {
                return Err(open.ask(skill, &arguments, context.user(), reason));
            }
        }
        Ok(prepared)
    }
}

impl Callee for Shared {
    fn call<'c>(self: Arc<Self>, skill: &'c str, arguments: &'c str, context: &'c Context) -> Answer<'c> {
        let handlers = Handlers { shared: self };
        Box::pin(async move { handlers.call(skill, arguments, context).await })
    }
}

/// A blocking handler keeps running after its time limit; it must not start other calls then.
fn within_time(context: &Context, skill: &str) -> Result<(), CallError> {
    if context.is_cancelled() { Err(too_late(skill, "not called")) } else { Ok(()) }
}

fn too_late(skill: &str, done: &str) -> CallError {
    CallError::new(
        ErrorCode::Timeout,
        format!("`{}` was {done}: the time of the handler that calls it is over", shown(skill)),
        "return: nobody waits for the result",
    )
}

/// The nesting of calls.
fn within_depth(context: &Context, max: u32) -> Result<(), CallError> {
    if context.depth() <= max {
        return Ok(());
    }
    Err(CallError::new(
        ErrorCode::TooDeep,
        format!("handlers call each other more than {max} levels deep"),
        "call the skill that does the work directly",
    ))
}

/// The caller's permissions.
fn permit(bound: &Bound, context: &Context) -> Result<(), CallError> {
    if bound.permits(context) {
        return Ok(());
    }
    Err(CallError::new(
        ErrorCode::NotAllowed,
        format!(
            "this user may not call `{}`: it requires the role {}",
            bound.binding.skill(),
            Joined(bound.binding.roles.iter().map(Quoted), " or ")
        ),
        "continue without it, and tell the user",
    ))
}

fn stopped_error(bound: &Bound, stopped: Stopped) -> CallError {
    let skill = bound.binding.skill();
    match stopped {
        Stopped::TimedOut => CallError::new(
            ErrorCode::Timeout,
            format!("`{skill}` took longer than {:?} and was stopped", bound.binding.timeout),
            "ask for less, or try again later",
        ),
        Stopped::Panicked(what) => {
            observe::panicked(skill, &what);
            CallError::new(
                ErrorCode::Panicked,
                format!("the handler of `{skill}` panicked"),
                "try other arguments, or continue without it",
            )
        }
        Stopped::Failed(failure) => CallError::new(ErrorCode::Failed, failure.message, failure.suggestion),
    }
}

/// The size of the result. A long one is written to a file on a thread that may block, with a time limit of
/// its own, since a disk may hang.
async fn fit(json: String, bound: &Bound, context: &Context) -> Result<Output, CallError> {
    let (limit, store) = (bound.binding.result_limit, context.results().clone());
    let is_long = results::may_be_long(&json, limit);
    let work = move || results::fit(json, limit, &store);
    if is_long {
        keep(bound.binding.skill(), bound.binding.timeout.max(TIMEOUT), work).await
    } else {
        work().map(Fitted::take)
    }
}

async fn keep(
    skill: &str,
    time: Duration,
    work: impl FnOnce() -> Result<Fitted, CallError> + Send + 'static,
) -> Result<Output, CallError> {
    match beside(time, work).await {
        Ok(fitted) => fitted.map(Fitted::take),
        Err(stopped) => Err(CallError::new(
            ErrorCode::Failed,
            format!("`{skill}` has run, but its result cannot be stored: {}", no_disk(skill, time, stopped)),
            "ask for less, so that the result does not have to be stored",
        )),
    }
}

/// Why a long result couldn't be stored or read.
pub(super) fn no_disk(skill: &str, time: Duration, stopped: Stopped) -> String {
    match stopped {
        Stopped::TimedOut => format!("the disk takes longer than {time:?}"),
        Stopped::Panicked(what) => {
            observe::results_panicked(skill, &what);
            "the program has a bug there".to_owned()
        }
        Stopped::Failed(failure) => failure.message,
    }
}

/// How many names an error lists.
const NAMES_SHOWN: usize = 50;

fn names(known: &[&str]) -> String {
    if known.is_empty() {
        return "there are no skills that can be called".to_owned();
    }
    let shown = Joined(known.iter().take(NAMES_SHOWN).map(Quoted), ", ");
    format!("the skills are {shown}{}", AndMore(known.len().saturating_sub(NAMES_SHOWN)))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata};

    use super::*;

    /// Counts the errors in the log.
    #[derive(Clone, Default)]
    struct Errors(Arc<AtomicUsize>);

    impl tracing::Subscriber for Errors {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            *metadata.level() == Level::ERROR
        }

        fn event(&self, _: &Event<'_>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn the_reason_why_a_result_is_not_stored_is_reported() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (long, short) = (Duration::from_secs(60), Duration::from_millis(20));
        let message = |kept: Result<Output, CallError>| {
            let error = kept.unwrap_err();
            assert_eq!(error.code, ErrorCode::Failed);
            error.message
        };
        let errors = Errors::default();
        let _logged = tracing::subscriber::set_default(errors.clone());
        runtime.block_on(async {
            let store = results::ResultStore::new();
            let kept = keep("a", long, move || results::fit("[1,2]".to_owned(), 1, &store)).await;
            assert_eq!(kept.unwrap().text, "[");
            let full = results::ResultStore::under(".", 0);
            let full = keep("a", long, move || results::fit("[1,2]".to_owned(), 1, &full)).await;
            assert_eq!(message(full), "the result of 5 bytes is more than this conversation may store");
            assert_eq!(errors.0.load(Ordering::SeqCst), 0);
            let panics = keep("a", long, || {
                assert!(std::hint::black_box(false), "for the log alone");
                Err(CallError::new(ErrorCode::Failed, "", ""))
            });
            assert_eq!(
                message(panics.await),
                "`a` has run, but its result cannot be stored: the program has a bug there"
            );
            assert_eq!(errors.0.load(Ordering::SeqCst), 1, "operators see it in the log");
            let (disk, hangs) = std::sync::mpsc::channel::<()>();
            let late = keep("a", short, move || {
                hangs.recv().ok();
                Err(CallError::new(ErrorCode::Failed, "", ""))
            });
            assert_eq!(
                message(late.await),
                "`a` has run, but its result cannot be stored: the disk takes longer than 20ms"
            );
            drop(disk);
        });
    }
}
