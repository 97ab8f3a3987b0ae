//! One thing that is wrong with the arguments of a call.

/// One thing that is wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Where, such as `filters[0].name`; empty for the arguments as a whole.
    pub path: String,
    /// The value there, as JSON, cut if it is long. `None` if there is none.
    pub value: Option<String>,
    /// What is wrong, and what was expected.
    pub message: String,
    /// What to write instead. May be empty.
    pub suggestion: String,
    /// The keyword of the schema that the value violates, or `json` if the arguments can't be parsed.
    pub keyword: &'static str,
}

impl Fault {
    pub(super) fn new(message: impl Into<String>, suggestion: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            value: None,
            message: message.into(),
            suggestion: suggestion.into(),
            keyword: "json",
        }
    }
}
