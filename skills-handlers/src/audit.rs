//! The audit log: one line of JSON for each call, each turn of a model and each run.

use std::fmt;
use std::io::Write;
use std::sync::Mutex;
use std::time::SystemTime;

use serde::Serialize;

use super::lock::lock;

/// The destination of the lines.
pub(super) struct Audit(Mutex<Box<dyn Write + Send>>);

/// The content of a line. The time is added first when it is written.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Line<'l> {
    /// A call ended.
    Call {
        trace_id: &'l str,
        user: &'l str,
        /// The turn of the model that made it, from 1; 0 outside the loop.
        step: usize,
        skill: &'l str,
        depth: u32,
        confirmed: bool,
        outcome: &'l str,
        /// The argument, role or limit that failed.
        #[serde(skip_serializing_if = "str::is_empty")]
        why: &'l str,
        duration_us: u64,
        tokens_in: u64,
        tokens_out: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments: Option<&'l str>,
    },
    /// The model was asked once.
    Turn {
        trace_id: &'l str,
        user: &'l str,
        step: usize,
        /// `calls`, `answer` or `failed`.
        decision: &'l str,
        /// The names that it called.
        calls: Vec<&'l str>,
        duration_us: u64,
        tokens_in: u64,
        tokens_out: u64,
        /// Whether the provider reported the tokens; otherwise they are estimated.
        reported: bool,
    },
    /// A run has ended.
    Run {
        trace_id: &'l str,
        user: &'l str,
        outcome: &'l str,
        turns: u32,
        tokens_in: u64,
        tokens_out: u64,
        duration_us: u64,
    },
}

#[derive(Serialize)]
struct Timed<'l> {
    /// Milliseconds since 1970-01-01 UTC.
    time_ms: u64,
    #[serde(flatten)]
    line: &'l Line<'l>,
}

impl Audit {
    pub(super) fn new(to: impl Write + Send + 'static) -> Self {
        Self(Mutex::new(Box::new(to)))
    }

    /// Writes a whole line. If the log can't be written, the call still goes on, and the failure is traced.
    pub(super) fn write(&self, line: &Line<'_>) {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let time_ms = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        let Ok(mut json) = serde_json::to_vec(&Timed { time_ms, line }) else { return };
        json.push(b'\n');
        let mut to = lock(&self.0);
        if let Err(error) = to.write_all(&json).and_then(|()| to.flush()) {
            tracing::error!(%error, "the audit log cannot be written");
        }
    }
}

impl fmt::Debug for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Audit").finish_non_exhaustive()
    }
}
