//! Why a call gave no result: the one form of all errors, `{error, message, suggestion}`.
//!
//! Which stage of a call makes which error stands in [`pipeline`](super::pipeline).

use std::fmt;

use serde::Serialize;
use serde::ser::SerializeStruct as _;

use super::pending::Pending;

/// What kind of error a call ended in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// No handler is bound to a skill of this name.
    UnknownSkill,
    /// The caller has none of the roles that the handler asks for.
    NotAllowed,
    /// The arguments do not fit the handler's schema.
    InvalidArguments,
    /// The handler does what cannot be undone, and nobody has confirmed this call yet.
    ConfirmationRequired,
    /// The handler took longer than its time limit, or was called by one whose time is over.
    Timeout,
    /// The handler panicked.
    Panicked,
    /// The handler said that it failed, or its result could not be kept.
    Failed,
    /// Handlers called each other more deeply than is allowed.
    TooDeep,
}

impl ErrorCode {
    /// Every code, in the order in which a call can meet them.
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

    /// The code as models and hosts see it: stable, in capitals.
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

/// Why a call gave no result.
///
/// `Display` gives the text for the model, which is its JSON: `{"error", "message", "suggestion"}`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallError {
    /// What kind of error it is.
    pub code: ErrorCode,
    /// What went wrong, for the model.
    pub message: String,
    /// What to do about it, for the model. May be empty.
    pub suggestion: String,
    /// What waits to be confirmed, for the host alone: it is no part of the text.
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

/// What a handler gives back when it could not do what was asked: a message, and what the model can do
/// about it.
///
/// Every standard error becomes one through `?`. Its text goes to the model, so what the model must
/// not see is put into other words first.
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

    /// Says what the model can do about it.
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

/// A failure is no standard error itself, so that every one of those becomes one.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error)
    }
}
