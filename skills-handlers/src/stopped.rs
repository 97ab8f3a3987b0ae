//! The errors of calls whose function, check or disk was stopped, panicked or failed.

use std::time::Duration;

use super::bound::Bound;
use super::error::{CallError, ErrorCode};
use super::execute::Stopped;
use super::observe;

/// The error of a call whose arguments couldn't be checked in time.
pub(super) fn not_checked(bound: &Bound, stopped: Stopped) -> CallError {
    if !matches!(stopped, Stopped::TimedOut { .. }) {
        return stopped_error(bound, stopped, "");
    }
    let limit = bound.binding.timeout;
    let message =
        format!("`{}` was not run: checking its arguments took longer than {limit:?}", bound.binding.skill());
    CallError::new(ErrorCode::Timeout, message, "pass less").because(format!("time limit: {limit:?}"))
}

/// The error of a call whose function ended without a result. `arguments` may be empty.
pub(super) fn stopped_error(bound: &Bound, stopped: Stopped, arguments: &str) -> CallError {
    let (skill, limit) = (bound.binding.skill(), bound.binding.timeout);
    match stopped {
        Stopped::TimedOut { is_stopped: true } => CallError::new(
            ErrorCode::Timeout,
            format!("`{skill}` took longer than {limit:?} and was stopped"),
            "ask for less, or try again later",
        )
        .because(format!("time limit: {limit:?}")),
        Stopped::TimedOut { is_stopped: false } => CallError::new(
            ErrorCode::Timeout,
            format!(
                "`{skill}` took longer than {limit:?} and can't be stopped: it may still be running, and its outcome is \
                 unknown"
            ),
            "don't just repeat the call: find out first what it did, and tell the user",
        )
        .because(format!("time limit: {limit:?}, not stopped")),
        Stopped::Panicked(what) => {
            observe::panicked(skill, &what);
            CallError::new(
                ErrorCode::Panicked,
                format!("the handler of `{skill}` panicked"),
                "try other arguments, or continue without it",
            )
        }
        Stopped::Failed(failure) => {
            let failure = failure.about_arguments(arguments);
            CallError::new(ErrorCode::Failed, failure.message, failure.suggestion).coded(failure.code.as_deref())
        }
    }
}

/// Why a long result couldn't be stored or read.
pub(super) fn disk_failure(skill: &str, time: Duration, stopped: Stopped) -> String {
    match stopped {
        Stopped::TimedOut { .. } => format!("the disk takes longer than {time:?}"),
        Stopped::Panicked(what) => {
            observe::results_panicked(skill, &what);
            "the program has a bug there".to_owned()
        }
        Stopped::Failed(failure) => failure.message,
    }
}
