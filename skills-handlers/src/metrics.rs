//! Counts and times of calls for the recorder that the program has installed with the crate `metrics`. Without
//! one, nothing is recorded.

use std::time::Duration;

use metrics::{counter, histogram};

/// A call that has ended.
#[derive(Debug)]
pub(super) struct Call<'c> {
    /// Empty for an unknown skill, whose name is text from the model.
    pub(super) skill: &'c str,
    pub(super) took: Duration,
    pub(super) tokens_in: u64,
    pub(super) tokens_out: u64,
    pub(super) is_cancelled: bool,
    /// The code under which a failure is counted.
    pub(super) code: Option<&'c str>,
}

/// Records a call. Docs: `docs/handlers.md`.
pub(super) fn record(call: &Call<'_>) {
    let skill = || call.skill.to_owned();
    histogram!("skill_call_seconds", "skill" => skill()).record(call.took);
    counter!("skill_tokens_in_total", "skill" => skill()).increment(call.tokens_in);
    counter!("skill_tokens_out_total", "skill" => skill()).increment(call.tokens_out);
    if call.is_cancelled {
        counter!("skill_cancelled_total", "skill" => skill()).increment(1);
    }
    if let Some(code) = call.code {
        counter!("skill_failures_total", "skill" => skill(), "code" => code.to_owned()).increment(1);
    }
}
