//! Why a command gives no answer, in words for people and as a document for programs.
//!
//! The words speak of this program's commands; the document of an action's error is the one that
//! every host gets, which speaks of the tool.

use serde_json::{Value, json};
use skills::ActionError;
use skills_bundle::Finding;

use crate::output::Exit;

/// Why a command gives no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An action has no answer.
    Action(ActionError),
    /// The arguments are not understood.
    Usage {
        /// All that is to be said, over several lines.
        text: String,
        /// What is wrong, in one line.
        message: String,
        /// What to do about it.
        suggestion: String,
    },
    /// Anything else.
    Other {
        /// For programs: stable, in capitals.
        code: &'static str,
        /// What is wrong, in one line.
        message: String,
        /// What to do about it.
        suggestion: String,
    },
}

impl Failure {
    /// Something other than an action's error could not be done.
    pub(crate) fn other(code: &'static str, message: String, suggestion: impl Into<String>) -> Self {
        Self::Other { code, message, suggestion: suggestion.into() }
    }

    /// JSON that is always good was not.
    #[allow(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
    pub(crate) fn json(error: serde_json::Error) -> Self {
        Self::other(
            "INTERNAL",
            format!("the answer cannot be written as JSON: {error}"),
            "please report this",
        )
    }

    /// Roots that cannot be read at all, by the findings on them; `None` where there is none.
    pub(crate) fn unreadable(roots: &[Finding]) -> Option<Self> {
        let message: Vec<String> = roots
            .iter()
            .map(|finding| format!("`{}` cannot be read: {}", finding.path, finding.message))
            .collect();
        let help = &roots.first()?.help;
        Some(Self::other("ROOT_UNREADABLE", message.join("; "), help))
    }

    /// `{"error": {"code", "message", "suggestion"}}`
    pub(crate) fn document(&self) -> Value {
        match self {
            Self::Action(error) => json!({ "error": error }),
            Self::Usage { message, suggestion, .. } => {
                json!({"error": {"code": "USAGE", "message": message, "suggestion": suggestion}})
            }
            Self::Other { code, message, suggestion } => {
                json!({"error": {"code": code, "message": message, "suggestion": suggestion}})
            }
        }
    }

    /// What is wrong, and what to do about it, in one line each.
    pub(crate) fn words(&self) -> (String, String) {
        match self {
            Self::Action(error) => words(error),
            Self::Usage { message, suggestion, .. } | Self::Other { message, suggestion, .. } => {
                (message.clone(), suggestion.clone())
            }
        }
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Action(error) => exit(error),
            Self::Usage { .. } | Self::Other { .. } => Exit::CouldNotRun,
        }
    }
}

/// What is not there, or not to be had, is an answer of a kind; what was not rightly asked is none.
pub(crate) fn exit(error: &ActionError) -> Exit {
    match error {
        ActionError::InvalidAction | ActionError::Missing { .. } => Exit::CouldNotRun,
        _ => Exit::Nothing,
    }
}

fn words(error: &ActionError) -> (String, String) {
    let did_you_mean = |nearest: &[String], otherwise: &str| match nearest {
        [] => otherwise.to_owned(),
        nearest => format!("did you mean {}?", quoted(nearest)),
    };
    match error {
        ActionError::Missing { argument, .. } => {
            (format!("the {} is blank", argument.replace('_', " ")), "give one that is not".to_owned())
        }
        ActionError::SkillNotFound { name, nearest, .. } => {
            (format!("no skill is named `{name}`"), did_you_mean(nearest, "`skills list` shows all skills"))
        }
        ActionError::CommandNotFound { name, nearest, .. } => (
            format!("no slash command is named `{name}`"),
            did_you_mean(
                nearest,
                "`skills list` shows all slash commands; a skill's name has no slash before it",
            ),
        ),
        ActionError::FileNotFound { path, nearest, .. } => (
            format!("the skill has no file `{path}`"),
            did_you_mean(nearest, "`skills load` with the skill's name shows its files"),
        ),
        ActionError::Directory { path, files, more, .. } => {
            let rest = if *more > 0 { format!(" and {more} more") } else { String::new() };
            (format!("`{path}` is a directory"), format!("read one of its files: {}{rest}", quoted(files)))
        }
        ActionError::Outside => {
            ("the path must stay inside the skill's directory".to_owned(), error.suggestion())
        }
        other => {
            let text = other.to_string();
            let text = text.strip_prefix("Error: ").unwrap_or(&text);
            (text.trim_end_matches('.').to_owned(), other.suggestion())
        }
    }
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
