//! In which form a result is printed, and with which exit code the program ends.

/// The output format of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// The exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success.
    Success = 0,
    /// Findings at level deny, no match, or not found.
    Nothing = 1,
    /// Wrong usage, or the command couldn't run.
    CouldNotRun = 2,
}
