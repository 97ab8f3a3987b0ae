//! Counts calls for each skill.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::error::ErrorCode;
use super::lock::lock;

/// The counts of one skill's calls.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillCounts {
    /// The skill, or `read_result`; empty for calls of unknown skills.
    pub skill: String,
    /// All calls.
    pub calls: u64,
    /// Failed calls by code; only codes that have occurred.
    pub failures: BTreeMap<ErrorCode, u64>,
    /// The failures with a code of their own, by that code. After 100 codes of one skill, others are counted
    /// under `OTHER`.
    pub own_codes: BTreeMap<String, u64>,
    /// How many failures of each kind have a code of their own.
    coded: BTreeMap<ErrorCode, u64>,
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

    /// Failed calls by the code that the model saw: a failure with a code of its own counts only under that code.
    pub fn by_code(&self) -> BTreeMap<String, u64> {
        let mut codes = self.own_codes.clone();
        for (code, failures) in &self.failures {
            let coded = self.coded.get(code).copied().unwrap_or(0);
            if *failures > coded {
                *codes.entry(code.to_string()).or_default() += failures - coded;
            }
        }
        codes
    }
}

/// The counts of one skill, updated concurrently.
#[derive(Debug, Default)]
pub(super) struct Counts {
    calls: AtomicU64,
    failures: [AtomicU64; ErrorCode::ALL.len()],
    own_codes: Mutex<BTreeMap<String, u64>>,
    coded: [AtomicU64; ErrorCode::ALL.len()],
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
            own_codes: lock(&self.own_codes).clone(),
            coded: ErrorCode::ALL.into_iter().zip(self.coded.iter().map(get)).collect(),
            cancelled: get(&self.cancelled),
            time: Duration::from_micros(get(&self.micros)),
            tokens_in: get(&self.bytes_in).div_ceil(4),
            tokens_out: get(&self.bytes_out).div_ceil(4),
        }
    }

    /// Counts a call that has ended. Returns the code under which a failure is counted.
    pub(super) fn add<'o>(&self, micros: u64, bytes_in: usize, outcome: &'o Outcome) -> Option<&'o str> {
        let add = |count: &AtomicU64, by: u64| {
            count.fetch_add(by, Ordering::Relaxed);
        };
        add(&self.calls, 1);
        add(&self.micros, micros);
        add(&self.bytes_in, bytes_in as u64);
        add(&self.bytes_out, outcome.bytes() as u64);
        let Outcome::Failed { code, own, .. } = outcome else {
            if matches!(outcome, Outcome::Cancelled) {
                add(&self.cancelled, 1);
            }
            return None;
        };
        let at = ErrorCode::ALL.iter().position(|known| known == code);
        if let Some(at) = at {
            add(&self.failures[at], 1);
        }
        let (Some(own), Some(at)) = (own, at) else { return Some(code.as_str()) };
        add(&self.coded[at], 1);
        let mut codes = lock(&self.own_codes);
        let is_known = codes.len() < MOST_CODES || codes.contains_key(&**own);
        let counted = if is_known { &**own } else { OTHER };
        *codes.entry(counted.to_owned()).or_default() += 1;
        Some(counted)
    }
}

/// The most own codes that are counted for one skill, since metrics must stay few.
const MOST_CODES: usize = 100;

/// The code under which all others are counted.
const OTHER: &str = "OTHER";

/// An estimate of the tokens of this many bytes.
pub(super) fn tokens(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(4)
}

/// How a call ended.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// The caller cancelled it.
    Cancelled,
    /// It returned a result of this many bytes.
    Done { bytes: usize },
    /// It returned an error, of this many bytes for the model.
    Failed { code: ErrorCode, own: Option<Box<str>>, why: Box<str>, bytes: usize },
}

impl Outcome {
    /// The outcome, as logs show it.
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Cancelled => "CANCELLED",
            Self::Done { .. } => "ok",
            Self::Failed { code, own, .. } => own.as_deref().unwrap_or(code.as_str()),
        }
    }

    /// Bytes of the text for the model.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Cancelled => 0,
            Self::Done { bytes } | Self::Failed { bytes, .. } => *bytes,
        }
    }

    /// The argument, role or limit that failed.
    pub(super) fn why(&self) -> &str {
        match self {
            Self::Failed { why, .. } => why,
            Self::Cancelled | Self::Done { .. } => "",
        }
    }
}
