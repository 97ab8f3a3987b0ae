//! Prints answers and errors. Text that could act on a terminal is escaped, and a closed pipe isn't an error.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::ExitCode;

use serde::Serialize;
use skills_pack::text::{visible, visible_json};

use super::stale::program;

/// What a command prints.
pub(super) struct Answer {
    stdout: String,
    stderr: String,
    code: u8,
}

/// Why a command failed, and what to do about it.
pub(super) struct Failure {
    message: String,
    help: String,
    code: u8,
}

impl Answer {
    /// An answer, as text or as one JSON document.
    pub(super) fn of(answer: &(impl Display + Serialize), as_json: bool) -> Result<Self, Failure> {
        if !as_json {
            return Ok(Self::text(&answer.to_string()));
        }
        Self::of_json(serde_json::to_string_pretty(answer))
    }

    /// A JSON document that was written.
    pub(super) fn of_json(json: Result<String, serde_json::Error>) -> Result<Self, Failure> {
        json.map(|json| Self::json(&json)).map_err(|error| {
            Failure::new(format!("the answer cannot be written as JSON: {error}"), "please report this")
        })
    }

    pub(super) fn text(text: &str) -> Self {
        Self { stdout: visible(text) + "\n", stderr: String::new(), code: 0 }
    }

    pub(super) fn json(json: &str) -> Self {
        Self { stdout: visible_json(json) + "\n", stderr: String::new(), code: 0 }
    }

    /// Adds text for stderr.
    pub(super) fn with_note(mut self, note: &str) -> Self {
        self.stderr.push_str(note);
        self
    }

    pub(super) fn not_found(self) -> Self {
        Self { code: 1, ..self }
    }
}

impl Failure {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), code: 2 }
    }

    pub(super) fn not_found(self) -> Self {
        Self { code: 1, ..self }
    }
}

/// Prints what a command has answered, and returns the exit code.
pub(super) fn print(done: Result<Answer, Failure>) -> ExitCode {
    let answer = done.unwrap_or_else(|Failure { message, help, code }| Answer {
        stdout: String::new(),
        stderr: format!("{}: {}\nhelp: {}\n", program(), visible(&message), visible(&help)),
        code,
    });
    // If stderr can't be written, there is nobody to report it to.
    let _ = io::stderr().lock().write_all(answer.stderr.as_bytes());
    let mut stdout = io::stdout().lock();
    match stdout.write_all(answer.stdout.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(2),
        _ => ExitCode::from(answer.code),
    }
}
