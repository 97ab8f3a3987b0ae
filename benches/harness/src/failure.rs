//! Why the benchmark could not go on: one text for a person at a terminal.
//!
//! There is nobody to match on variants here, so there are none. Failures of the system are told
//! in our own words, so they read the same on every machine.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// What went wrong, and where one can be given, what to do.
#[derive(Debug)]
pub struct Failure(String);

/// A value, or why there is none.
pub type Outcome<T> = Result<T, Failure>;

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A failure with this text.
pub fn failure(text: impl Into<String>) -> Failure {
    Failure(text.into())
}

/// Puts "could not `action` `path`" before the reason.
pub fn io(action: &str, path: &Path) -> impl FnOnce(io::Error) -> Failure {
    let start = format!("could not {action} `{}`", path.display());
    move |error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "not found".to_owned(),
            kind => kind.to_string(),
        };
        Failure(format!("{start}: {reason}"))
    }
}

/// How a benchmark ends: a failure is told on standard error.
pub fn end(outcome: Outcome<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(2)
        }
    }
}
