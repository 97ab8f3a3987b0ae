//! Why a call failed: all errors have the form `{error, message, suggestion}`.
//!
//! [`pipeline`](super::pipeline) shows which stage of a call makes which error.

use std::fmt;

use serde::Serialize;
use serde::ser::SerializeStruct as _;

use super::fault::Fault;
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
    /// The handler panicked, or a stage of the host did.
    Panicked,
    /// The handler returned an error, or its result couldn't be stored.
    Failed,
    /// A stage that the host added refused the call.
    Refused,
    /// Handlers called each other more deeply than allowed.
    TooDeep,
}

impl ErrorCode {
    /// All codes, in the order of the stages that make them.
    pub const ALL: [Self; 9] = [
        Self::TooDeep,
        Self::UnknownSkill,
        Self::NotAllowed,
        Self::InvalidArguments,
        Self::ConfirmationRequired,
        Self::Timeout,
        Self::Panicked,
        Self::Failed,
        Self::Refused,
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
            Self::Refused => "REFUSED",
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
    /// The code of its own that a handler or a stage gave its failure, such as `FILE_NOT_FOUND`.
    pub own_code: Option<Box<str>>,
    /// What went wrong, for the model.
    pub message: String,
    /// What to do about it, for the model. May be empty.
    pub suggestion: String,
    /// All faults of the arguments, if the call has invalid ones.
    pub faults: Vec<Fault>,
    /// The call that waits to be confirmed, for the host only: it isn't part of the text.
    pub pending: Option<Box<Pending>>,
    /// Which argument, role or limit it was, for the audit log: no values that a caller sent.
    pub(super) why: Box<str>,
}

impl CallError {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>, suggestion: impl Into<String>) -> Self {
        Self {
            code,
            own_code: None,
            message: message.into(),
            suggestion: suggestion.into(),
            faults: Vec::new(),
            pending: None,
            why: Box::default(),
        }
    }

    /// The error of a [`Stage`](super::Stage) that refuses a call: a code such as `RATE_LIMITED`, what went
    /// wrong, and what the model can do about it.
    pub fn refused(code: &str, message: impl Into<String>, suggestion: impl Into<String>) -> Self {
        Self::new(ErrorCode::Refused, message, suggestion).coded(Some(code))
    }

    /// Says why in the audit log: which argument, role or limit it was. The log may be read by people who
    /// must not see what a caller sent, so leave out values.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = why.into().into_boxed_str();
        self
    }

    /// The code as models, logs and metrics see it: its own, or that of its kind.
    pub fn code_str(&self) -> &str {
        self.own_code.as_deref().unwrap_or(self.code.as_str())
    }

    pub(super) fn coded(mut self, own: Option<&str>) -> Self {
        self.own_code = own.map(Into::into);
        self
    }
}

impl Serialize for CallError {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut error = serializer.serialize_struct("CallError", 3)?;
        error.serialize_field("error", self.code_str())?;
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
