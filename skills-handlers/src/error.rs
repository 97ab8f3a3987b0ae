//! Why a call gave no result: the one form of all errors, `{error, message, suggestion}`.
//!
//! Which stage of a call makes which error stands in [`pipeline`](super::pipeline).

use std::fmt;

use serde::Serialize;
use serde::ser::SerializeStruct as _;

use super::arguments::Fault;
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
    /// A stage that the host added refused the call.
    Refused,
    /// Handlers called each other more deeply than is allowed.
    TooDeep,
}

impl ErrorCode {
    /// Every code, in the order in which a call can meet them.
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

/// Why a call gave no result.
///
/// `Display` gives the text for the model, which is its JSON: `{"error", "message", "suggestion"}`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallError {
    /// What kind of error it is.
    pub code: ErrorCode,
    /// The code of its own that a handler or a stage gave its failure, such as `FILE_NOT_FOUND`.
    pub own_code: Option<Box<str>>,
    /// What went wrong, for the model.
    pub message: String,
    /// What to do about it, for the model. May be empty.
    pub suggestion: String,
    /// All that is wrong with the arguments, if it is that.
    pub faults: Vec<Fault>,
    /// What waits to be confirmed, for the host alone: it is no part of the text.
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
