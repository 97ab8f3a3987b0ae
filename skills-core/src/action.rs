//! The four actions in one table: their names, and the tools that offer them one by one.
//!
//! Tool definitions, calls, texts and the MCP server read this table. It doesn't know the arguments of the
//! tools, which `schema` has, or how each provider wants a definition written.

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

struct Row {
    action: Action,
    name: &'static str,
    tool: &'static str,
    title: &'static str,
    description: &'static str,
}

/// A row for each action.
const TABLE: [Row; 4] = [
    Row {
        action: Action::List,
        name: "list",
        tool: "list_skills",
        title: "List skills",
        description: "Lists all skills: instructions for particular tasks, with files beside them.",
    },
    Row {
        action: Action::Search,
        name: "search",
        tool: "search_skills",
        title: "Search skills",
        description: "Finds the skills that fit a task, best first. Load the one that does.",
    },
    Row {
        action: Action::Load,
        name: "load",
        tool: "load_skill",
        title: "Load a skill",
        description: "Gives a skill's full instructions and the list of its files. Load a skill before you do \
                      a task that its description names.",
    },
    Row {
        action: Action::ReadFile,
        name: "read_file",
        tool: "read_skill_resource",
        title: "Read a file of a skill",
        description: "Opens a file of a skill that its instructions or its list of files names.",
    },
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

    /// Whether the name of an action or of a tool is this, when its words are joined: `readfile`, `skillstool`.
    pub(crate) fn is_called(joined: &str) -> bool {
        let is_it =
            |name: &str| name.contains('_') && name.split('_').flat_map(str::chars).eq(joined.chars());
        is_it(TOOL_NAME) || TABLE.iter().any(|row| is_it(row.name) || is_it(row.tool))
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

    const fn row(self) -> &'static Row {
        const ROWS: &[Row; 4] = &TABLE;
        &ROWS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_names_are_known() {
        for name in ["skillstool", "listskills", "searchskills", "loadskill", "readfile", "readskillresource"]
        {
            assert!(Action::is_called(name), "{name}");
        }
        assert!(!["list", "search", "load", "loadskills", "skill", ""].into_iter().any(Action::is_called));
    }

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
