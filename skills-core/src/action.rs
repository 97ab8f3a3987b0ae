//! The four actions in one table: their names, the tools that offer them one by one, and their arguments.
//!
//! Tool definitions, calls and the MCP server read this table. It doesn't know how each provider wants a
//! definition written; that is [`schema`](crate::schema).

/// One of the requests that an agent can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Lists all skills and slash commands.
    List,
    /// Finds the skills that match a query.
    Search,
    /// Returns a skill's instructions.
    Load,
    /// Returns a file of a skill.
    ReadFile,
}

/// The name of the one tool that offers all actions.
pub const TOOL_NAME: &str = "skills_tool";

/// An argument of a tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) kind: Kind,
    pub(crate) is_required: bool,
}

/// The kind of value that an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// The name of an action.
    Action,
    /// The name of a skill.
    SkillName,
    /// An integer, 0 or more.
    Count,
}

struct Row {
    action: Action,
    name: &'static str,
    tool: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
}

const fn argument(name: &'static str, kind: Kind, is_required: bool, description: &'static str) -> Argument {
    Argument { name, description, kind, is_required }
}

/// A row for each action.
const TABLE: [Row; 4] = [
    Row {
        action: Action::List,
        name: "list",
        tool: "list_skills",
        title: "List skills",
        description: "Lists all skills: instructions for particular tasks, with files beside them.",
        arguments: &[],
    },
    Row {
        action: Action::Search,
        name: "search",
        tool: "search_skills",
        title: "Search skills",
        description: "Finds the skills that fit a task, best first. Load the one that does.",
        arguments: &[argument("query", Kind::Text, true, "A few words on the task.")],
    },
    Row {
        action: Action::Load,
        name: "load",
        tool: "load_skill",
        title: "Load a skill",
        description: "Gives a skill's full instructions and the list of its files. Load a skill before you do \
                      a task that its description names.",
        arguments: &[
            argument("skill_name", Kind::SkillName, true, "The skill's name."),
            argument(
                "arguments",
                Kind::Text,
                false,
                "What to put into the skill's instructions, as its hint says, as one string.",
            ),
        ],
    },
    Row {
        action: Action::ReadFile,
        name: "read_file",
        tool: "read_skill_resource",
        title: "Read a file of a skill",
        description: "Opens a file of a skill that its instructions or its list of files names.",
        arguments: &[
            argument("skill_name", Kind::SkillName, true, "The skill's name."),
            argument(
                "file_path",
                Kind::Text,
                true,
                "The file's path, relative to the skill's directory, with `/`.",
            ),
            argument(
                "offset",
                Kind::Count,
                false,
                "The character to read on from. After a [truncated]: 24000 more than before.",
            ),
        ],
    },
];

/// The description of the tool that offers all actions.
pub(crate) const ONE_DESCRIPTION: &str = "Finds and opens skills: instructions for particular tasks, with files beside them. \
     Use action=list to see all skills, action=search with query to find the right one, action=load with \
     skill_name to get its full instructions before you do such a task, and action=read_file with \
     skill_name and file_path to open a file that a skill names.";

/// The arguments of that tool.
pub(crate) const ONE_ARGUMENTS: &[Argument] = &[
    argument("action", Kind::Action, true, "What to do."),
    argument("query", Kind::Text, false, "For search: a few words on the task."),
    argument(
        "skill_name",
        Kind::SkillName,
        false,
        "For load and read_file: the skill's name. For load also a slash command's, with its slash.",
    ),
    argument(
        "file_path",
        Kind::Text,
        false,
        "For read_file: the file's path, relative to the skill's directory, with `/`.",
    ),
    argument(
        "arguments",
        Kind::Text,
        false,
        "For load: what to put into the skill's instructions, as its hint says.",
    ),
    argument(
        "offset",
        Kind::Count,
        false,
        "For read_file: the character to read on from. After a [truncated]: 24000 more than before.",
    ),
];

impl Action {
    /// All actions.
    pub const ALL: [Self; 4] = [Self::List, Self::Search, Self::Load, Self::ReadFile];

    /// Returns the action with this name; white space around it, case, and `-` for `_` don't matter.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase().replace('-', "_");
        TABLE.iter().find(|row| row.name == name).map(|row| row.action)
    }

    /// Returns the action that this tool of [`Toolset::PerAction`](crate::Toolset::PerAction) offers.
    pub fn of_tool(tool: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.tool == tool).map(|row| row.action)
    }

    /// The name of the action, such as `read_file`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The name of the tool that offers this action alone, such as `read_skill_resource`.
    pub const fn tool(self) -> &'static str {
        self.row().tool
    }

    /// The title of that tool, for people.
    pub const fn title(self) -> &'static str {
        self.row().title
    }

    /// The description of that tool, for a model.
    pub const fn description(self) -> &'static str {
        self.row().description
    }

    pub(crate) const fn arguments(self) -> &'static [Argument] {
        self.row().arguments
    }

    const fn row(self) -> &'static Row {
        const ROWS: &[Row; 4] = &TABLE;
        &ROWS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_action_has_its_row() {
        for action in Action::ALL {
            assert_eq!(action.row().action, action);
            assert_eq!(Action::named(action.name()), Some(action));
            assert_eq!(Action::of_tool(action.tool()), Some(action));
        }
        assert_eq!(Action::named(" Read-File\n"), Some(Action::ReadFile));
        assert_eq!(Action::named("reads"), None);
    }
}
