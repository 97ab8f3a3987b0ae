//! The sets of tools that a host can offer, and how texts name the tools of each.
//!
//! Answers and errors are worded here where the sets differ, so that a text never names a tool that the model
//! doesn't have.

use core::fmt;

use super::action::Action;

/// Which tools are offered. The texts of a [`Registry`](crate::Registry) name these tools
/// ([`with_toolset`](crate::Registry::with_toolset)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Toolset {
    /// One tool, `skills_tool`, with an action.
    #[default]
    One,
    /// A tool for each action: `list_skills`, `search_skills`, `load_skill` and `read_skill_resource`.
    PerAction,
    /// One tool, `skill`, that only loads: it has `name` and `args`.
    Short,
    /// No tool, but the commands `search`, `load` and `read` of a program: the texts are for people.
    Commands,
}

/// The name of the short tool.
pub const SHORT_TOOL_NAME: &str = "skill";

impl Toolset {
    /// The tool that offers an action.
    #[cfg(feature = "json")]
    pub(crate) fn tool(self, action: Action) -> &'static str {
        match self {
            Self::One => super::action::TOOL_NAME,
            Self::PerAction => action.tool(),
            Self::Short => SHORT_TOOL_NAME,
            Self::Commands => action.name(),
        }
    }

    /// The line after a list, or nothing if the tools can't do more.
    pub(crate) fn after_list(self) -> &'static str {
        match self {
            Self::One => "\nTip: use skills_tool action=search or action=load for details.",
            Self::PerAction => "\nTip: use search_skills or load_skill for details.",
            Self::Short => "",
            Self::Commands => "\nTip: `search WORDS` finds a skill, `load NAME` shows it.",
        }
    }

    /// The line after a list that leaves out `more` skills, from `offset` on.
    pub(crate) fn after_cut_list(
        self,
        f: &mut fmt::Formatter<'_>,
        more: usize,
        offset: usize,
    ) -> fmt::Result {
        match self {
            Self::One => write!(f, "\n… {more} more: use action=list offset={offset}, or search."),
            Self::PerAction => {
                write!(f, "\n… {more} more: use list_skills offset={offset}, or search_skills.")
            }
            Self::Short | Self::Commands => write!(f, "\n… {more} more."),
        }
    }

    /// The line after the matches of a search.
    pub(crate) fn after_search(self) -> &'static str {
        match self {
            Self::One => "\nTip: use skills_tool action=load skill_name=<name> to load full instructions.",
            Self::PerAction => "\nTip: use load_skill skill_name=<name> to load full instructions.",
            Self::Short => "\nTip: use skill name=<name> to load full instructions.",
            Self::Commands => "\nTip: `load NAME` shows the whole instructions.",
        }
    }

    /// The line after suggestions.
    pub(crate) fn after_suggestions(self) -> &'static str {
        match self {
            Self::One => {
                "\nTip: if one fits, use skills_tool action=load skill_name=<name> before you begin."
            }
            Self::PerAction => "\nTip: if one fits, use load_skill skill_name=<name> before you begin.",
            Self::Short => "\nTip: if one fits, use skill name=<name> before you begin.",
            Self::Commands => "\nTip: `load NAME` shows the whole instructions.",
        }
    }

    /// The line before the files of a skill, with the blank line above it.
    #[inline]
    pub(crate) fn before_files(self) -> &'static str {
        match self {
            Self::One => "\n\nFiles (use skills_tool action=read_file to open):\n",
            Self::PerAction => "\n\nFiles (use read_skill_resource to open):\n",
            Self::Short => "\n\nFiles:\n",
            Self::Commands => "\n\nFiles (`read NAME PATH` shows one):\n",
        }
    }

    /// What follows if no skill has the name that was given.
    pub(crate) fn after_unknown_skill(self) -> &'static str {
        match self {
            Self::One => " Try skills_tool action=list or action=search.",
            Self::PerAction => " Try list_skills or search_skills.",
            Self::Short | Self::Commands => "",
        }
    }

    /// What follows if no slash command has the name that was given.
    pub(crate) fn after_unknown_command(self) -> &'static str {
        match self {
            Self::One => " Try skills_tool action=list.",
            Self::PerAction => " Try list_skills.",
            Self::Short | Self::Commands => "",
        }
    }

    /// The reason that a required argument is missing.
    pub(crate) fn missing(
        self,
        f: &mut fmt::Formatter<'_>,
        action: &'static str,
        argument: &str,
    ) -> fmt::Result {
        if self == Self::Short {
            return f.write_str("name is required");
        }
        write!(f, "{argument} is required for ")?;
        self.write_call(f, action)
    }

    /// How a call of an action is named.
    pub(crate) fn write_call(self, f: &mut fmt::Formatter<'_>, action: &'static str) -> fmt::Result {
        match self {
            Self::One => write!(f, "action={action}"),
            Self::PerAction => f.write_str(Action::named(action).map_or(action, Action::tool)),
            Self::Short => f.write_str(SHORT_TOOL_NAME),
            Self::Commands => f.write_str(action),
        }
    }
}
