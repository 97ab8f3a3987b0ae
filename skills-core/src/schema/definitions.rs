//! What each tool is called, what it does and what it takes, in no provider's form.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::tool::TOOL_NAME;

/// A tool that only reads.
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) description: String,
    pub(crate) arguments: Vec<Argument>,
}

pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) description: String,
    pub(crate) kind: Kind,
    pub(crate) is_required: bool,
}

pub(crate) enum Kind {
    Text,
    /// One of these texts.
    OneOf(Vec<String>),
    /// A whole number from 0 on.
    Count,
}

/// What the name of a skill may be.
pub(crate) enum Names {
    Any,
    These(Vec<String>),
}

impl Definition {
    pub(crate) fn new(name: &'static str, description: &str, arguments: Vec<Argument>) -> Self {
        Self { name, description: description.to_string(), arguments }
    }
}

impl Argument {
    pub(crate) fn text(name: &'static str, description: &str) -> Self {
        Self { name, description: description.to_string(), kind: Kind::Text, is_required: false }
    }

    pub(crate) fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    fn skill_name(names: Names, description: &str) -> Self {
        let name = Self::text("skill_name", description);
        match names {
            Names::Any => name,
            Names::These(names) => name.kind(Kind::OneOf(names)),
        }
    }
}

pub(crate) const LIST: &str = "list_skills";
pub(crate) const SEARCH: &str = "search_skills";
pub(crate) const LOAD: &str = "load_skill";
pub(crate) const READ: &str = "read_skill_resource";

/// The one tool.
pub(crate) fn one(names: Names) -> Definition {
    let actions = ["list", "search", "load", "read_file"].map(String::from).into();
    Definition::new(
        TOOL_NAME,
        "Finds and opens skills: instructions for particular tasks, with files beside them. \
         Use action=list to see all skills, action=search with query to find the right one, action=load with \
         skill_name to get its full instructions before you do such a task, and action=read_file with \
         skill_name and file_path to open a file that a skill names.",
        Vec::from([
            Argument::text("action", "What to do.").kind(Kind::OneOf(actions)).required(),
            Argument::text("query", "For search: a few words on the task."),
            Argument::skill_name(
                names,
                "For load and read_file: the skill's name. For load also a slash command's, with its slash.",
            ),
            Argument::text(
                "file_path",
                "For read_file: the file's path, relative to the skill's directory, with `/`.",
            ),
            Argument::text(
                "arguments",
                "For load: what to put into the skill's instructions, as its hint says.",
            ),
            Argument::text(
                "offset",
                "For read_file: the character to read on from. After a [truncated]: 24000 more than before.",
            )
            .kind(Kind::Count),
        ]),
    )
}

/// The place in [`four`] of the tool that loads skills.
pub(crate) const LOADS: usize = 2;

/// The four tools, each for one action.
pub(crate) fn four(names: impl Fn() -> Names) -> [Definition; 4] {
    [
        Definition::new(
            LIST,
            "Lists all skills: instructions for particular tasks, with files beside them.",
            Vec::new(),
        ),
        Definition::new(
            SEARCH,
            "Finds the skills that fit a task, best first. Load the one that does.",
            Vec::from([Argument::text("query", "A few words on the task.").required()]),
        ),
        Definition::new(
            LOAD,
            "Gives a skill's full instructions and the list of its files. Load a skill before you do a task \
             that its description names.",
            Vec::from([
                Argument::skill_name(names(), "The skill's name.").required(),
                Argument::text(
                    "arguments",
                    "What to put into the skill's instructions, as its hint says, as one text.",
                ),
            ]),
        ),
        Definition::new(
            READ,
            "Opens a file of a skill that its instructions or its list of files names.",
            Vec::from([
                Argument::skill_name(names(), "The skill's name.").required(),
                Argument::text("file_path", "The file's path, relative to the skill's directory, with `/`.")
                    .required(),
                Argument::text(
                    "offset",
                    "The character to read on from. After a [truncated]: 24000 more than before.",
                )
                .kind(Kind::Count),
            ]),
        ),
    ]
}
