//! The arguments of the tools, with their descriptions for a model.

use alloc::string::String;

use serde_json::{Map, Value};

use crate::action::Action;
use crate::value::{text_of, whole_number};

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
    /// A string, or any other value as its JSON.
    Json,
    /// The name of an action.
    Action,
    /// The name of a skill.
    SkillName,
    /// The name of a skill, or of a slash command with its slash.
    Loadable,
    /// An integer, 0 or more.
    Count,
    /// An integer, 1 or more.
    Limit,
}

const fn argument(name: &'static str, kind: Kind, is_required: bool, description: &'static str) -> Argument {
    Argument { name, description, kind, is_required }
}

/// The arguments of the tool that offers one action.
pub(crate) const fn of_action(action: Action) -> &'static [Argument] {
    match action {
        Action::List => LIST,
        Action::Search => SEARCH,
        Action::Load => LOAD,
        Action::ReadFile => READ_FILE,
    }
}

/// The first argument of an action whose value has another type, and what it must be. Models write numbers as
/// strings and names as numbers, and both are understood. `null` and blank strings count as not given.
pub(crate) fn first_misfit(
    action: Action,
    given: &Map<String, Value>,
) -> Option<(&'static str, &'static str)> {
    of_action(action).iter().find_map(|argument| {
        let value = given.get(argument.name)?;
        let is_simple = !value.is_array() && !value.is_object();
        match argument.kind {
            Kind::Count | Kind::Limit => {
                let text = text_of(value).unwrap_or_default();
                let fits = is_simple && (text.trim().is_empty() || whole_number(&text).is_some());
                (!fits).then_some((argument.name, "a whole number"))
            }
            Kind::Text | Kind::SkillName | Kind::Loadable => {
                (!is_simple).then_some((argument.name, "a string"))
            }
            Kind::Json | Kind::Action => None,
        }
    })
}

const LIST: &[Argument] = &[
    argument("offset", Kind::Count, false, "How many skills to pass over: what the list before says."),
    argument("limit", Kind::Limit, false, "The most skills to list, up to 1000."),
];

const SEARCH: &[Argument] = &[argument("query", Kind::Text, true, "A few words on the task.")];

const LOAD: &[Argument] = &[
    argument(
        "skill_name",
        Kind::Loadable,
        true,
        "The skill's name, or a slash command's with its slash, to see its definition.",
    ),
    argument(
        "arguments",
        Kind::Json,
        false,
        "What to put into the skill's instructions, as its hint says, as one string.",
    ),
];

const READ_FILE: &[Argument] = &[
    argument("skill_name", Kind::SkillName, true, "The skill's name."),
    argument("file_path", Kind::Text, true, "The file's path, relative to the skill's directory, with `/`."),
    argument(
        "offset",
        Kind::Count,
        false,
        "The character to read on from. After a [truncated]: 24000 more than before.",
    ),
];

/// The description of the tool that offers all actions.
pub(crate) const ONE_DESCRIPTION: &str = "Finds and opens skills: instructions for particular tasks, with files beside them. \
     Use action=list to see all skills, action=search with query to find the right one, action=load with \
     skill_name to get its full instructions before you do such a task, and action=read_file with \
     skill_name and file_path to open a file that a skill names.";

/// The arguments of that tool.
pub(crate) const ONE: &[Argument] = &[
    argument("action", Kind::Action, true, "What to do."),
    argument("query", Kind::Text, false, "For search: a few words on the task."),
    argument(
        "skill_name",
        Kind::Loadable,
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
        Kind::Json,
        false,
        "For load: what to put into the skill's instructions, as its hint says.",
    ),
    argument(
        "offset",
        Kind::Count,
        false,
        "For read_file: the character to read on from. After a [truncated]: 24000 more than before. For list: \
         how many skills to pass over.",
    ),
    argument("limit", Kind::Limit, false, "For list: the most skills, up to 1000."),
];

/// The description of the short tool.
pub(crate) const SHORT_DESCRIPTION: &str = "Loads a skill: instructions for one kind of task. Call it with a skill's name before \
     you start on a task that its description names.";

/// The arguments of the short tool.
pub(crate) const SHORT: &[Argument] = &[
    argument("name", Kind::SkillName, true, "The skill's name, as listed."),
    argument("args", Kind::Text, false, "Arguments for the skill, as one string."),
];
