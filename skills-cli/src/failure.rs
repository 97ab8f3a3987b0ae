//! Why a command failed, in words for people and as a document for programs.
//!
//! The words mention this program's commands. The document of an action's error is the same as in every host
//! and mentions the tool.

use std::fmt;

use serde_json::{Value, json};
use skills::ActionError;
use skills_bundle::Finding;
use skills_pack::text::{AndMore, Joined, Quoted, did_you_mean};

use crate::form::Exit;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An action failed.
    Action(ActionError),
    /// The arguments are invalid.
    Usage {
        /// The whole message, in several lines.
        text: String,
        /// The reason, in one line.
        message: String,
        /// What to do about it.
        suggestion: String,
    },
    /// Anything else.
    Other {
        /// A stable code in capitals, for programs.
        code: &'static str,
        /// The reason, in one line.
        message: String,
        /// What to do about it.
        suggestion: String,
        /// The exit code.
        exit: Exit,
    },
}

impl Failure {
    /// A failure that isn't an action's error.
    pub(crate) fn other(code: &'static str, message: String, suggestion: impl Into<String>) -> Self {
        Self::Other { code, message, suggestion: suggestion.into(), exit: Exit::CouldNotRun }
    }

    /// Something that was asked for doesn't exist.
    pub(crate) fn not_found(code: &'static str, message: String, suggestion: impl Into<String>) -> Self {
        Self::Other { code, message, suggestion: suggestion.into(), exit: Exit::Nothing }
    }

    /// Arguments that don't go together.
    pub(crate) fn usage(message: String, suggestion: &str) -> Self {
        let text = format!("skills: {message}\nhelp: {suggestion}\nhelp: try `--help`\n");
        Self::Usage { text, message, suggestion: suggestion.to_owned() }
    }

    /// A value that should always serialise didn't.
    #[allow(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
    pub(crate) fn json(error: serde_json::Error) -> Self {
        Self::other(
            "INTERNAL",
            format!("the answer cannot be written as JSON: {error}"),
            "please report this",
        )
    }

    /// Roots that can't be read at all, from the findings on them; `None` if there are none.
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
            Self::Other { code, message, suggestion, .. } => {
                json!({"error": {"code": code, "message": message, "suggestion": suggestion}})
            }
        }
    }

    /// The reason, and what to do about it, in one line each.
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
            Self::Usage { .. } => Exit::CouldNotRun,
            Self::Other { exit, .. } => *exit,
        }
    }
}

/// The exit code: 1 if something wasn't found or may not be read, 2 if the request was invalid.
pub(crate) fn exit(error: &ActionError) -> Exit {
    match error {
        ActionError::InvalidAction | ActionError::Missing { .. } | ActionError::WrongType { .. } => {
            Exit::CouldNotRun
        }
        _ => Exit::Nothing,
    }
}

fn words(error: &ActionError) -> (String, String) {
    let did_you_mean = |nearest: &[String], otherwise: &str| match nearest {
        [] => otherwise.to_owned(),
        nearest => did_you_mean(quoted(nearest)),
    };
    match error {
        ActionError::Missing { argument, .. } => {
            (format!("the {} is blank", argument.replace('_', " ")), "pass one that is not blank".to_owned())
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
            let files = format!("read one of its files: {}{}", quoted(files), AndMore(*more));
            (format!("`{path}` is a directory"), files)
        }
        ActionError::Outside => {
            ("the path must stay inside the skill's directory".to_owned(), error.suggestion())
        }
        other => (other.reason().to_string(), other.suggestion()),
    }
}

fn quoted(words: &[String]) -> impl fmt::Display {
    Joined(words.iter().map(Quoted), ", ")
}
