//! Why a call failed: all errors have the form `{error, message, suggestion}`.
//!
//! [`pipeline`](super::pipeline) shows which stage of a call makes which error.

use std::fmt;

use serde::Serialize;
use serde::ser::SerializeStruct as _;

use super::pending::Pending;

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// No handler is bound to a skill with this name.
    UnknownSkill,
    /// The caller has none of the roles that the handler requires.
    NotAllowed,
    /// The arguments don't match the handler's schema.
    InvalidArguments,
    /// The handler requires a confirmation, and nobody has confirmed this call yet.
    ConfirmationRequired,
    /// The handler exceeded its time limit, or a handler whose time is over called it.
    Timeout,
    /// The handler panicked.
    Panicked,
    /// The handler returned an error, or its result couldn't be stored.
    Failed,
    /// Handlers called each other more deeply than allowed.
    TooDeep,
}

impl ErrorCode {
    /// All codes, in the order of the stages that make them.
    pub const ALL: [Self; 8] = [
        Self::TooDeep,
        Self::UnknownSkill,
        Self::NotAllowed,
        Self::InvalidArguments,
        Self::ConfirmationRequired,
        Self::Timeout,
        Self::Panicked,
        Self::Failed,
    ];

    /// The code for models and hosts: stable, in capitals.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownSkill => "UNKNOWN_SKILL",
            Self::NotAllowed => "NOT_ALLOWED",
            Self::InvalidArguments => "INVALID_ARGUMENTS",
            Self::ConfirmationRequired => "CONFIRMATION_REQUIRED",
            Self::Timeout => "TIMEOUT",
            Self::Panicked => "PANICKED",
            Self::Failed => "FAILED",
            Self::TooDeep => "TOO_DEEP",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a call failed.
///
/// `Display` writes the text for the model, which is JSON: `{"error", "message", "suggestion"}`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallError {
    /// The kind of the error.
    pub code: ErrorCode,
    /// What went wrong, for the model.
    pub message: String,
    /// What to do about it, for the model. May be empty.
    pub suggestion: String,
    /// The call that waits to be confirmed, for the host only: it isn't part of the text.
    pub pending: Option<Box<Pending>>,
}

impl CallError {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>, suggestion: impl Into<String>) -> Self {
        Self { code, message: message.into(), suggestion: suggestion.into(), pending: None }
    }
}

impl Serialize for CallError {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut error = serializer.serialize_struct("CallError", 3)?;
        error.serialize_field("error", self.code.as_str())?;
        error.serialize_field("message", &self.message)?;
        error.serialize_field("suggestion", &self.suggestion)?;
        error.end()
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl std::error::Error for CallError {}

/// The error of a handler: a message, and what the model can do about it.
///
/// The operator `?` converts every standard error. The message goes to the model, so reword an error that
/// says something the model must not see.
///
/// ```
/// use skills_handlers::Failure;
///
/// fn open(path: &str) -> Result<String, Failure> {
///     if path.is_empty() {
///         return Err(Failure::new("the path is empty").suggest("give a path relative to the root"));
///     }
///     Ok(std::fs::read_to_string(path)?)
/// }
/// # assert!(open("").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// What went wrong.
    pub message: String,
    /// What the model can do about it. May be empty.
    pub suggestion: String,
}

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), suggestion: String::new() }
    }

    /// Adds what the model can do about it.
    #[must_use]
    pub fn suggest(mut self, suggestion: impl fmt::Display) -> Self {
        self.suggestion = suggestion.to_string();
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// `Failure` doesn't implement `Error`, so that every type that does can be converted.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error)
    }
}
