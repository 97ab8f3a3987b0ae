//! The error of reading a session, a policy or defaults from data.

use alloc::string::String;
use core::fmt;

/// The data isn't what was expected, such as a stored session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataError {
    what: &'static str,
    message: String,
}

impl DataError {
    pub(crate) fn new(what: &'static str, message: impl Into<String>) -> Self {
        Self { what, message: message.into() }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this isn't {}: {}", self.what, self.message)
    }
}

impl core::error::Error for DataError {}
