//! The stage that checks the arguments of a call, and turns them into a call that can run.
//!
//! Most checks take less time than a switch to another thread. The others run on a thread that may block, within the
//! time limit of the call.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::arguments;
use super::bound::Bound;
use super::context::Context;
use super::error::CallError;
use super::execute::{beside, survive};
use super::stage::{Call, Next, Passing, Ready, Stage, missing_stage, refuse};
use super::stopped::{not_checked, stopped_error};
use super::work::MOST_STEPS;

/// The most bytes of arguments that are parsed by an async thread.
const MOST_HERE: usize = 64 * 1024;

/// The arguments.
pub(super) struct Schema;

impl Stage for Schema {
    fn pass<'c>(&'c self, mut call: Call<'c>, next: Next<'c>) -> Passing<'c> {
        let Some(bound) = call.bound else { return refuse(missing_stage()) };
        let max = call.handlers.shared.max_argument_bytes;
        match check_here(bound, &call.arguments, max) {
            Some(Ok(value)) => {
                let context = enter(&mut call);
                match prepare(bound, value, context) {
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
                let context = enter(&mut call);
                let work = move || {
                    let value = check(&shared, &json, max)?;
                    prepare(&shared, value, context)
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

/// The context of the call, which is a new one in that of its caller.
fn enter(call: &mut Call<'_>) -> Context {
    let context = call.context.enter(call.handlers.shared.clone());
    call.context = Cow::Owned(context.clone());
    context
}

/// Deserialises checked arguments for the handler.
fn prepare(bound: &Bound, value: Value, context: Context) -> Result<Ready, CallError> {
    let kept = bound.binding.confirm.is_some().then(|| value.clone());
    let prepared = survive(|| (bound.binding.prepare)(value, context))
        .map_err(|stopped| stopped_error(bound, stopped, ""))?
        .map_err(|error| refused(bound, arguments::of_type(&error)))?;
    Ok(Ready { prepared: Mutex::new(Some(prepared)), value: kept, spent: Duration::ZERO })
}
