//! The stage that checks the arguments of a call, and turns them into a call that can run.
//!
//! Most checks take less time than a switch to another thread. The others run on a thread that may block, within the
//! time limit of the call.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::runtime::{Handle, RuntimeFlavor};

use super::arguments;
use super::binding::{Input, Prepared};
use super::bound::Bound;
use super::context::Context;
use super::error::CallError;
use super::execute::{beside, survive};
use super::stage::{Call, Next, Passing, Ready, Stage, missing_stage, refuse};
use super::stopped::{not_checked, stopped_error};
use super::work::MOST_STEPS;

/// The most bytes of arguments that are parsed by an async thread.
const MOST_HERE: usize = 64 * 1024;

/// From this many bytes on, a thread of its own deserialises the arguments of its function.
const MANY_BYTES: usize = 1024;

/// The arguments.
pub(super) struct Schema;

impl Stage for Schema {
    fn pass<'c>(&'c self, mut call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        let Some(bound) = call.bound else { return refuse(missing_stage()) };
        let max = call.handlers.shared.max_argument_bytes;
        match check_here(bound, &call.arguments, max) {
            Some(Ok(value)) => {
                let context = call.context.enter(call.handlers.shared.clone());
                call.context = Cow::Owned(context.clone());
                let json = is_left_to_function(bound, &call.arguments).then(|| call.arguments.to_string());
                match prepare(bound, value, json, context) {
                    Ok(ready) => {
                        call.ready = ready;
                        next.run(call)
                    }
                    Err(error) => refuse(error),
                }
            }
            Some(Err(error)) => refuse(error),
            None => Box::pin(async move {
                let (begun, shared, json) = (Instant::now(), Arc::clone(bound), call.arguments.to_string());
                let context = call.context.enter(call.handlers.shared.clone());
                call.context = Cow::Owned(context.clone());
                let work = move || {
                    let value = check(&shared, &json, max)?;
                    prepare(&shared, value, None, context)
                };
                let checked = beside(bound.binding.timeout, work).await;
                call.ready = checked.map_err(|stopped| not_checked(bound, stopped))??;
                call.ready.spent = begun.elapsed();
                next.run(call).await
            }),
        }
    }
}

/// Checks arguments, unless that could take long.
fn check_here(bound: &Bound, json: &str, max: usize) -> Option<Result<Value, CallError>> {
    if json.len() > MOST_HERE && json.len() <= max {
        return None;
    }
    match parse(bound, json, max) {
        Ok(value) => bound.is_quick(&value, json).then(|| validate(bound, value)),
        Err(error) => Some(Err(error)),
    }
}

/// Checks arguments, however long that takes, up to a limit.
fn check(bound: &Bound, json: &str, max: usize) -> Result<Value, CallError> {
    let value = parse(bound, json, max)?;
    if !bound.is_feasible(&value) {
        let message = "the arguments are too deep or too many to check";
        let error = refused(bound, arguments::Fault::new(message, "pass less, in fewer levels"));
        return Err(error.because(format!("steps limit: {MOST_STEPS}")));
    }
    validate(bound, value)
}

fn parse(bound: &Bound, json: &str, max: usize) -> Result<Value, CallError> {
    arguments::parse(json, max).map_err(|fault| refused(bound, fault))
}

fn validate(bound: &Bound, value: Value) -> Result<Value, CallError> {
    let faults = bound.validate(&value);
    if faults.is_empty() {
        return Ok(value);
    }
    Err(arguments::error(faults, bound.binding.skill(), &bound.example))
}

fn refused(bound: &Bound, fault: arguments::Fault) -> CallError {
    arguments::error(vec![fault], bound.binding.skill(), &bound.example)
}

/// Whether the function's own thread deserialises its arguments. Those that must be confirmed are deserialised
/// before the user is asked.
fn is_left_to_function(bound: &Bound, json: &str) -> bool {
    json.len() >= MANY_BYTES
        && bound.binding.confirm.is_none()
        && (bound.binding.is_blocking || is_outside_of_tasks())
}

/// Whether a task that starts now will run on another thread, since this one isn't of the runtime.
fn is_outside_of_tasks() -> bool {
    let flavor = Handle::try_current().map(|runtime| runtime.runtime_flavor());
    tokio::task::try_id().is_none() && flavor.is_ok_and(|flavor| flavor == RuntimeFlavor::MultiThread)
}

/// Deserialises checked arguments for the handler, or leaves that to its function, if their `json` is given.
fn prepare(bound: &Bound, value: Value, json: Option<String>, context: Context) -> Result<Ready, CallError> {
    let kept = bound.binding.confirm.is_some().then(|| value.clone());
    let input = json.map_or_else(|| Input::Parsed(value), Input::Json);
    let prepared = survive(|| (bound.binding.prepare)(input, context))
        .map_err(|stopped| stopped_error(bound, stopped, ""))?;
    let prepared: Prepared = prepared.map_err(|error| refused(bound, arguments::of_type(&error)))?;
    Ok(Ready { prepared: Mutex::new(Some(prepared)), value: kept, spent: Duration::ZERO })
}
