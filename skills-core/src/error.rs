//! Why an action could not answer: exact texts for the model, codes and suggestions for the host.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::text::{Flat, Given, Visible};
use skills_pack::text::{AndMore, Joined, did_you_mean};

/// Why an action could not answer. `Display` gives the text for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ActionError {
    /// No action was named, or none that exists.
    InvalidAction,
    /// An action lacks an argument.
    #[non_exhaustive]
    Missing {
        /// The action.
        action: &'static str,
        /// The argument.
        argument: &'static str,
    },
    /// No skill has this name.
    #[non_exhaustive]
    SkillNotFound {
        /// The name as the caller gave it.
        name: String,
        /// The closest known names, nearest first, at most three.
        nearest: Vec<String>,
    },
    /// No slash command has this name.
    #[non_exhaustive]
    CommandNotFound {
        /// The name as the caller gave it, with its slash.
        name: String,
        /// The closest known names, nearest first, at most three: of commands, with their slash, or of
        /// the skill that has this name, without one.
        nearest: Vec<String>,
    },
    /// A path leads out of the skill's directory.
    Outside,
    /// A session has as many active skills as it may have.
    #[non_exhaustive]
    TooManyActive {
        /// How many that is.
        most: usize,
    },
    /// What nobody foresaw, such as a disk that returns an error.
    #[non_exhaustive]
    Internal {
        /// What went wrong.
        message: String,
    },
    /// The skill has no such file.
    #[non_exhaustive]
    FileNotFound {
        /// The path as the caller gave it.
        path: String,
        /// The closest paths, nearest first, at most three.
        nearest: Vec<String>,
    },
    /// The path is a directory of the skill.
    #[non_exhaustive]
    Directory {
        /// The path as the caller gave it.
        path: String,
        /// The files below it, at most 100.
        files: Vec<String>,
        /// How many more there are.
        more: usize,
    },
}

impl ActionError {
    /// The code, for hosts: stable, in capitals.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidAction => "INVALID_ACTION",
            Self::Missing { .. } | Self::TooManyActive { .. } => "INVALID_ARGUMENTS",
            Self::SkillNotFound { .. } => "SKILL_NOT_FOUND",
            Self::CommandNotFound { .. } => "COMMAND_NOT_FOUND",
            Self::Outside => "INVALID_RESOURCE_PATH",
            Self::FileNotFound { .. } | Self::Directory { .. } => "RESOURCE_NOT_FOUND",
            Self::Internal { .. } => "INTERNAL",
        }
    }

    /// Whether something was not there, so that it may be there after a look at the disk.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::SkillNotFound { .. } | Self::CommandNotFound { .. } | Self::FileNotFound { .. })
    }

    /// What the caller can do about it.
    pub fn suggestion(&self) -> String {
        match self {
            Self::InvalidAction => "set action to list, search, load or read_file".into(),
            Self::Missing { argument, .. } => alloc::format!("call again with {argument}"),
            Self::SkillNotFound { nearest, .. } if nearest.is_empty() => {
                "list the skills to see their names".into()
            }
            Self::FileNotFound { nearest, .. } if nearest.is_empty() => {
                "load the skill to see its files".into()
            }
            Self::CommandNotFound { nearest, .. } if nearest.is_empty() => {
                "list to see the slash commands; a skill has no slash before its name".into()
            }
            Self::SkillNotFound { nearest, .. }
            | Self::CommandNotFound { nearest, .. }
            | Self::FileNotFound { nearest, .. } => {
                did_you_mean(Joined(nearest.iter().map(|name| Flat(name)), ", "))
            }
            Self::Outside => {
                "give a path relative to the skill's directory, with `/` and without `..`".into()
            }
            Self::Directory { .. } => "read one of the files in it".into(),
            Self::TooManyActive { .. } => "deactivate a skill first".into(),
            Self::Internal { .. } => "try again, or go on without it".into(),
        }
    }
}

impl ActionError {
    /// A failure that is not the caller's. For `skills-live`.
    #[doc(hidden)]
    pub fn internal(message: String) -> Self {
        Self::Internal { message }
    }

    /// A file of the list is not there any more. For `skills-live`.
    #[doc(hidden)]
    pub fn file_not_found(path: &str) -> Self {
        Self::FileNotFound { path: path.into(), nearest: Vec::new() }
    }
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidAction => f.write_str(
                "Error: missing/invalid action. Supported actions: list, search, load, read_file.",
            ),
            Self::Missing { action, argument } => {
                write!(f, "Error: {argument} is required for action={action}.")
            }
            Self::SkillNotFound { name, .. } => write!(
                f,
                "Error: skill not found: '{}'. Try skills_tool action=list or action=search.",
                Given(name)
            ),
            Self::CommandNotFound { name, .. } => {
                write!(f, "Error: slash command not found: '{}'. Try skills_tool action=list.", Given(name))
            }
            Self::Outside => f.write_str("Error: file_path must stay inside the skill directory."),
            Self::FileNotFound { path, .. } => write!(f, "Error: skill file not found: '{}'.", Given(path)),
            Self::TooManyActive { most } => write!(f, "You can activate at most {most} skills."),
            Self::Internal { message } => write!(f, "Error in skills_tool: {}", Visible(message)),
            Self::Directory { path, files, more } => {
                write!(f, "Error: '{}' is a directory. Files in it: ", Given(path))?;
                let files = Joined(files.iter().map(|file| Given(file)), ", ");
                write!(f, "{files}{}.", AndMore(*more))
            }
        }
    }
}

impl core::error::Error for ActionError {}
