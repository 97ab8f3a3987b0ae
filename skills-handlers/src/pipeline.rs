//! The stages of a call, from the trace to the function, in order.
//!
//! Only this file has the order. The work of each stage is in [`bound`](super::bound), [`check`](super::check),
//! [`confirm`](super::confirm), [`execute`](super::execute), [`results`](super::results) and
//! [`observe`](super::observe). A stage that doesn't wait makes no future of its own.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use skills_pack::text::{Joined, Quoted};
use tracing::Instrument as _;

use super::binding::TIMEOUT;
use super::bound::{Handlers, Shared};
use super::check::Schema;
use super::context::{Answer, Callee, Context};
use super::error::{CallError, ErrorCode};
use super::execute::{beside, execute};
use super::lock::lock;
use super::observe::Trace;
use super::output::Output;
use super::results::{self, Fitted};
use super::shown::shown;
use super::stage::{Call, Next, Passing, Place, Ready, Stage, Staged, missing_stage, refuse};
use super::stopped::{disk_failure, stopped_error};

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
        self.pass(skill, arguments, None, context).await
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
        self.pass(skill, arguments, Some(token), context).await
    }

    /// Spends the token of a call that the user declined, so that nobody can confirm it any more. Returns whether the
    /// call was still waiting for this user.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::Failed`] if the host's store can't be reached.
    pub async fn decline(&self, token: &str, context: &Context) -> Result<bool, CallError> {
        self.shared.confirmations.decline(token, context.user()).await
    }

    fn pass<'c>(
        &'c self,
        skill: &'c str,
        arguments: &'c str,
        token: Option<&'c str>,
        context: &'c Context,
    ) -> Passing<'c> {
        let call = Call {
            handlers: self,
            skill,
            arguments: Cow::Borrowed(arguments),
            token,
            context: Cow::Borrowed(context),
            bound: None,
            ready: Ready::default(),
            span: tracing::Span::none(),
        };
        Next::all(&self.shared.stages).run(call)
    }
}

impl Callee for Shared {
    fn call<'c>(self: Arc<Self>, skill: &'c str, arguments: &'c str, context: &'c Context) -> Answer<'c> {
        let handlers = Handlers { shared: self };
        Box::pin(async move { handlers.call(skill, arguments, context).await })
    }
}

/// The stages of every call, before a host adds its own.
pub(super) fn stages() -> Vec<Staged> {
    vec![
        Staged::ours(Place::Trace, Traced),
        Staged::ours(Place::Time, Time),
        Staged::ours(Place::Depth, Depth),
        Staged::ours(Place::Name, Name),
        Staged::ours(Place::Permissions, Permissions),
        Staged::ours(Place::Schema, Schema),
        Staged::ours(Place::Confirmation, Confirmation),
        Staged::ours(Place::Result, Size),
        Staged::ours(Place::Function, Function),
    ]
}

struct Traced;

impl Stage for Traced {
    fn pass<'c>(&'c self, mut call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        Box::pin(async move {
            // Copies, since the call is moved and the trace needs them until it ends.
            let (context, arguments) = (call.context.clone(), call.arguments.clone());
            let trace = Trace::start(call.handlers, call.skill, &arguments, call.token.is_some(), &context);
            call.span = trace.span.clone();
            let outcome = next.run(call).instrument(trace.span.clone()).await;
            trace.end(&outcome);
            outcome
        })
    }
}

/// A blocking handler keeps running after its time limit; it must not start other calls then.
struct Time;

impl Stage for Time {
    fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        if call.context.is_cancelled() {
            return refuse(too_late(&format!("`{}` was not called", shown(call.skill))));
        }
        if call.context.depth() == 0 {
            return next.run(call);
        }
        Box::pin(async move {
            let (context, handlers, skill) = (call.context.clone(), call.handlers, call.skill);
            // A blocking handler that waits for this call can't be stopped, so it doesn't drop the future.
            tokio::select! {
                biased;
                outcome = next.run(call) => outcome,
                () = context.given_up() => {
                    let goes_on = handlers.bound(skill).is_some_and(|bound| bound.binding.is_blocking);
                    let done = if goes_on { "can't be stopped and may still be running" } else { "was stopped" };
                    Err(too_late(&format!("`{}` {done}", shown(skill))))
                }
            }
        })
    }
}

fn too_late(what: &str) -> CallError {
    CallError::new(
        ErrorCode::Timeout,
        format!("{what}: the time of the handler that calls it is over"),
        "return: nobody waits for the result",
    )
    .because("time of the calling handler")
}

/// The nesting of calls.
struct Depth;

impl Stage for Depth {
    fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        let max = call.handlers.shared.max_depth;
        if call.context.depth() <= max {
            return next.run(call);
        }
        let error = CallError::new(
            ErrorCode::TooDeep,
            format!("handlers call each other more than {max} levels deep"),
            "call the skill that does the work directly",
        );
        refuse(error.because(format!("depth limit: {max}")))
    }
}

/// The name: the error for an unknown one lists the known ones.
struct Name;

impl Stage for Name {
    fn pass<'c>(&'c self, mut call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        call.bound = call.handlers.bound(call.skill);
        if call.bound.is_some() {
            return next.run(call);
        }
        refuse(call.handlers.unknown(call.skill, &call.context))
    }
}

/// The caller's permissions.
struct Permissions;

impl Stage for Permissions {
    fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        let Some(bound) = call.bound else { return refuse(missing_stage()) };
        if bound.permits(&call.context) {
            return next.run(call);
        }
        let roles = Joined(bound.binding.roles.iter().map(Quoted), " or ");
        let error = CallError::new(
            ErrorCode::NotAllowed,
            format!("this user may not call `{}`: it requires the role {roles}", bound.binding.skill()),
            "continue without it, and tell the user",
        );
        refuse(error.because(format!("role: {roles}")))
    }
}

/// The confirmation, after the arguments, so that invalid arguments don't use up a token.
struct Confirmation;

impl Stage for Confirmation {
    fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        let Some(bound) = call.bound else { return refuse(missing_stage()) };
        let Some(reason) = &bound.binding.confirm else { return next.run(call) };
        // Unchecked arguments can't be confirmed.
        let Some(arguments) = &call.ready.value else { return refuse(missing_stage()) };
        let arguments = arguments.clone();
        Box::pin(async move {
            let (open, skill) = (&call.handlers.shared.confirmations, bound.binding.skill());
            let user = call.context.user();
            let why = match call.token {
                Some(token) if open.redeem(token, skill, &arguments, user).await? => {
                    return next.run(call).await;
                }
                Some(_) => "the token isn't valid",
                None => "no token",
            };
            Err(open.ask(skill, &arguments, user, reason).await.because(why))
        })
    }
}

/// The size of the result. A long one is written to a file on a thread that may block, with a time limit of
/// its own, since a disk may hang.
struct Size;

impl Stage for Size {
    fn pass<'c>(&'c self, call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        let Some(bound) = call.bound else { return refuse(missing_stage()) };
        let (context, shared) = (call.context.clone(), &call.handlers.shared);
        Box::pin(async move {
            let output = next.run(call).await?;
            let limit = bound.binding.result_limit;
            if output.rest.is_some() || !results::may_be_long(&output.text, limit) {
                return Ok(output);
            }
            if context.cuts_result() {
                return Ok(results::cut(output.text, limit));
            }
            if let Some(store) = &shared.store {
                return store.fit(output.text, limit, context.user()).await;
            }
            let store = context.results().clone();
            let work = move || results::fit(output.text, limit, &store);
            keep(bound.binding.skill(), bound.binding.timeout.max(TIMEOUT), work).await
        })
    }
}

/// The function, with the rest of its time.
struct Function;

impl Stage for Function {
    fn pass<'c>(&'c self, call: Call<'c>, _: Next<'c>) -> Passing<'c> {
        Box::pin(async move {
            let (Some(bound), Some(prepared)) = (call.bound, lock(&call.ready.prepared).take()) else {
                return Err(missing_stage());
            };
            let limit = bound.binding.timeout.saturating_sub(call.ready.spent);
            let text = execute(prepared, limit, &call.context, &call.span).await;
            // A stage of the host may have put secrets into the arguments.
            let shown = if matches!(call.arguments, Cow::Borrowed(_)) { &*call.arguments } else { "" };
            let text = text.map_err(|stopped| stopped_error(bound, stopped, shown))?;
            Ok(Output::new(text))
        })
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
            format!(
                "`{skill}` has run, but its result cannot be stored: {}",
                disk_failure(skill, time, stopped)
            ),
            "ask for less, so that the result does not have to be stored",
        )),
    }
}

#[cfg(test)]
mod tests;
