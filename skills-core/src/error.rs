//! Why an action failed: the exact text for the model, a code and a suggestion for the host.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::action::TOOL_NAME;
use super::text::{Flat, Given, Visible};
use super::toolset::{SHORT_TOOL_NAME, Toolset};
use skills_pack::hidden::Shown;
use skills_pack::text::{AndMore, Joined, did_you_mean};

/// Why an action failed. `Display` writes the text for the model that has the tool `skills_tool`;
/// [`text`](Self::text) writes it for other tools.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ActionError {
    /// The call has no action, or an unknown one.
    InvalidAction,
    /// A required argument is missing.
    #[non_exhaustive]
    Missing {
        /// The action.
        action: &'static str,
        /// The argument.
        argument: &'static str,
    },
    /// An argument has a value of another type. Only reported to callers that ask for it.
    #[non_exhaustive]
    WrongType {
        /// The action.
        action: &'static str,
        /// The argument.
        argument: &'static str,
        /// What it must be, such as `a whole number`.
        expected: &'static str,
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
    /// The path points outside the skill's directory.
    Outside,
    /// The session already has as many active skills as it may have.
    #[non_exhaustive]
    TooManyActive {
        /// That number.
        most: usize,
    },
    /// An unexpected failure, such as an I/O error.
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
    /// A file on disk holds Unicode tag characters, which nobody sees and a model reads.
    #[non_exhaustive]
    Refused {
        /// The file's path in the skill.
        path: String,
    },
    /// The path is a directory of the skill.
    #[non_exhaustive]
    Directory {
        /// The path as the caller gave it.
        path: String,
        /// The files below it, at most 100.
        files: Vec<String>,
        /// The number of files that are left out.
        more: usize,
    },
}

impl ActionError {
    /// The code for hosts: stable, in capitals.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidAction => "INVALID_ACTION",
            Self::Missing { .. } | Self::WrongType { .. } | Self::TooManyActive { .. } => "INVALID_ARGUMENTS",
            Self::SkillNotFound { .. } => "SKILL_NOT_FOUND",
            Self::CommandNotFound { .. } => "COMMAND_NOT_FOUND",
            Self::Outside => "INVALID_RESOURCE_PATH",
            Self::FileNotFound { .. } | Self::Directory { .. } => "RESOURCE_NOT_FOUND",
            Self::Refused { .. } => "RESOURCE_REFUSED",
            Self::Internal { .. } => "INTERNAL",
        }
    }

    /// Whether something wasn't found, so that a look at the disk might find it.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::SkillNotFound { .. } | Self::CommandNotFound { .. } | Self::FileNotFound { .. })
    }

    /// The reason alone, such as `skill not found: 'x'`: without `Error: `, a tip for `skills_tool` or a
    /// final period.
    pub fn reason(&self) -> impl fmt::Display {
        Reason(self, Toolset::One)
    }

    /// The text for a model that has these tools.
    pub fn text(&self, tools: Toolset) -> String {
        let tool = match tools {
            Toolset::One => TOOL_NAME,
            // Only reading a file fails in a way that isn't foreseen.
            Toolset::PerAction => "read_skill_resource",
            Toolset::Short => SHORT_TOOL_NAME,
        };
        self.text_of(tools, tool)
    }

    /// The text for a model that has called `tool`, one of these tools.
    pub(crate) fn text_of(&self, tools: Toolset, tool: &str) -> String {
        alloc::format!("{}", Worded { error: self, tools, tool })
    }

    /// What the caller can do about it.
    pub fn suggestion(&self) -> String {
        match self {
            Self::InvalidAction => "set action to list, search, load or read_file".into(),
            Self::Missing { argument, .. } => alloc::format!("call again with {argument}"),
            Self::WrongType { argument, expected, .. } => {
                alloc::format!("call again with {expected} for {argument}")
            }
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
                "give a path that stays in the skill's directory, relative to it, with `/`".into()
            }
            Self::Directory { .. } => "read one of the files in it".into(),
            Self::Refused { .. } => "go on without it; `skills check` shows what is hidden there".into(),
            Self::TooManyActive { .. } => "deactivate a skill first".into(),
            Self::Internal { .. } => "try again, or go on without it".into(),
        }
    }
}

impl ActionError {
    /// A failure that isn't the caller's. For `skills-live`.
    #[doc(hidden)]
    pub fn internal(message: String) -> Self {
        Self::Internal { message }
    }

    /// A file that is listed and no longer exists. For `skills-live`.
    #[doc(hidden)]
    pub fn file_not_found(path: &str) -> Self {
        Self::FileNotFound { path: path.into(), nearest: Vec::new() }
    }
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Worded { error: self, tools: Toolset::One, tool: TOOL_NAME }.fmt(f)
    }
}

/// An error as the text for a model that has called one of its tools.
struct Worded<'e> {
    error: &'e ActionError,
    tools: Toolset,
    tool: &'e str,
}

impl fmt::Display for Worded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = Reason(self.error, self.tools);
        match self.error {
            ActionError::TooManyActive { .. } => write!(f, "{reason}."),
            ActionError::Internal { .. } => write!(f, "Error in {}: {reason}", self.tool),
            ActionError::InvalidAction => {
                write!(f, "Error: {reason}. Supported actions: list, search, load, read_file.")
            }
            ActionError::SkillNotFound { nearest, .. } => {
                write!(f, "Error: {reason}.{}{}", self.tools.after_unknown_skill(), DidYouMean(nearest))
            }
            ActionError::CommandNotFound { nearest, .. } => {
                write!(f, "Error: {reason}.{}{}", self.tools.after_unknown_command(), DidYouMean(nearest))
            }
            ActionError::FileNotFound { nearest, .. } => {
                write!(f, "Error: {reason}.{}", DidYouMean(nearest))
            }
            ActionError::Missing { .. }
            | ActionError::WrongType { .. }
            | ActionError::Outside
            | ActionError::Refused { .. } => {
                write!(f, "Error: {reason}.")
            }
            ActionError::Directory { files, more, .. } => {
                let files = Joined(files.iter().map(|file| Shown(file)), ", ");
                write!(f, "Error: {reason}. Files in it: {files}{}.", AndMore(*more))
            }
        }
    }
}

/// ` Did you mean 'a', 'b' or 'c'?`, or nothing.
struct DidYouMean<'e>(&'e [String]);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((last, others)) = self.0.split_last() else { return Ok(()) };
        f.write_str(" Did you mean ")?;
        for (at, name) in others.iter().enumerate() {
            write!(f, "{}'{}'", if at == 0 { "" } else { ", " }, Shown(name))?;
        }
        let or = if others.is_empty() { "" } else { " or " };
        write!(f, "{or}'{}'?", Shown(last))
    }
}

struct Reason<'e>(&'e ActionError, Toolset);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ActionError::InvalidAction => f.write_str("missing/invalid action"),
            ActionError::Missing { action, argument } => self.1.missing(f, action, argument),
            ActionError::WrongType { action, argument, expected } => {
                write!(f, "{argument} must be {expected} for ")?;
                self.1.write_call(f, action)
            }
            ActionError::SkillNotFound { name, .. } => write!(f, "skill not found: '{}'", Given(name)),
            ActionError::CommandNotFound { name, .. } => {
                write!(f, "slash command not found: '{}'", Given(name))
            }
            ActionError::Outside => f.write_str("file_path must stay inside the skill directory"),
            ActionError::FileNotFound { path, .. } => write!(f, "skill file not found: '{}'", Given(path)),
            ActionError::Directory { path, .. } => write!(f, "'{}' is a directory", Given(path)),
            ActionError::Refused { path } => {
                write!(f, "skill file not shown: '{}' holds invisible characters (E015)", Given(path))
            }
            ActionError::TooManyActive { most } => write!(f, "You can activate at most {most} skills"),
            ActionError::Internal { message } => write!(f, "{}", Visible(message)),
        }
    }
}

impl core::error::Error for ActionError {}
