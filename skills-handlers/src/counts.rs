//! Counts calls for each skill.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::error::ErrorCode;

/// The counts of one skill's calls.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillCounts {
    /// The skill; empty for calls of unknown skills.
    pub skill: String,
    /// All calls.
    pub calls: u64,
    /// Failed calls by code; only codes that have occurred.
    pub failures: BTreeMap<ErrorCode, u64>,
    /// Calls that the caller cancelled.
    pub cancelled: u64,
    /// The total duration of all calls.
    pub time: Duration,
    /// Tokens of the arguments, estimated at four bytes per token.
    pub tokens_in: u64,
    /// Tokens of the answers, including errors, estimated in the same way.
    pub tokens_out: u64,
}

impl SkillCounts {
    /// Calls with invalid arguments.
    pub fn argument_errors(&self) -> u64 {
        self.failures.get(&ErrorCode::InvalidArguments).copied().unwrap_or(0)
    }
}

/// The counts of one skill, updated concurrently.
#[derive(Debug, Default)]
pub(super) struct Counts {
    calls: AtomicU64,
    failures: [AtomicU64; ErrorCode::ALL.len()],
    cancelled: AtomicU64,
    micros: AtomicU64,
    bytes_in: AtomicU64,
    bytes_out: AtomicU64,
}

impl Counts {
    pub(super) fn read(&self, skill: &str) -> SkillCounts {
        let get = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let failures = ErrorCode::ALL.into_iter().zip(self.failures.iter().map(get));
        SkillCounts {
            skill: skill.to_owned(),
            calls: get(&self.calls),
            failures: failures.filter(|(_, count)| *count > 0).collect(),
            cancelled: get(&self.cancelled),
            time: Duration::from_micros(get(&self.micros)),
            tokens_in: get(&self.bytes_in).div_ceil(4),
            tokens_out: get(&self.bytes_out).div_ceil(4),
        }
    }
    /// Counts a call that has ended.
    pub(super) fn add(&self, micros: u64, bytes_in: usize, outcome: Outcome) {
        let add = |count: &AtomicU64, by: u64| {
            count.fetch_add(by, Ordering::Relaxed);
        };
        add(&self.calls, 1);
        add(&self.micros, micros);
        add(&self.bytes_in, bytes_in as u64);
        match outcome {
            Outcome::Cancelled => add(&self.cancelled, 1),
            Outcome::Done { bytes } => add(&self.bytes_out, bytes as u64),
            Outcome::Failed { code, bytes } => {
                add(&self.bytes_out, bytes as u64);
                if let Some(at) = ErrorCode::ALL.iter().position(|known| *known == code) {
                    add(&self.failures[at], 1);
                }
            }
        }
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outcome {
    /// The caller cancelled it.
    Cancelled,
    /// It returned a result of this many bytes.
    Done { bytes: usize },
    /// It returned an error, of this many bytes for the model.
    Failed { code: ErrorCode, bytes: usize },
}

impl Outcome {
    /// The outcome, as logs show it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "CANCELLED",
            Self::Done { .. } => "ok",
            Self::Failed { code, .. } => code.as_str(),
        }
    }
}
