//! The short form of loading, for hosts that want one small tool: `skill`, with `name` and `args`.

use alloc::borrow::ToOwned as _;
use alloc::string::{String, ToString as _};

use serde_json::Value;

use super::action::{Argument, Kind};
use super::error::ActionError;
use super::load::Loaded;
use super::registry::Registry;
use super::schema::definitions::definition;
use super::schema::{Provider, write};
use super::value::text_of;

/// The name of the short tool.
pub const SHORT_TOOL_NAME: &str = "skill";

const ARGUMENTS: &[Argument] = &[
    Argument {
        name: "name",
        description: "The skill's name, as listed",
        kind: Kind::Text,
        is_required: true,
    },
    Argument {
        name: "args",
        description: "Arguments for the skill, as one text",
        kind: Kind::Text,
        is_required: false,
    },
];

impl Registry<'_> {
    /// Answers a call of the short tool, an object with `name` and, perhaps, `args`: `Base directory for
    /// this skill: PATH`, a blank line, and the instructions with the arguments put in; or the text of
    /// an error. A session need not be told: what is called this way is sent each time.
    ///
    /// The base directory of a bundled skill is not on this disk; its files are read with the tool
    /// `skills_tool`, or from where the host has put them.
    ///
    /// # Errors
    ///
    /// As [`load_with`](Self::load_with), also where `json` is no such object.
    pub fn call_short(&self, json: &str) -> Result<String, ActionError> {
        let call: Option<Value> = serde_json::from_str(json).ok();
        let text =
            |key: &str| call.as_ref().and_then(|call| call.get(key)).and_then(text_of).unwrap_or_default();
        let Loaded { entry, instructions, .. } = self.load_with(&text("name"), &text("args"))?;
        Ok(alloc::format!("Base directory for this skill: {}\n\n{instructions}", entry.skill.path()))
    }
}

/// The definition of the short tool, as one JSON object in a provider's form. `catalogue` is what its
/// description says of the skills there are, as [`Registry::catalogue`] gives it.
pub fn short_schema(provider: Provider, catalogue: &str) -> String {
    let description = "Loads a skill: instructions for one kind of task. Call it with a skill's name before \
                       you start on a task that its description names.\n\nAvailable skills:\n"
        .to_owned()
        + catalogue;
    let definition = definition(SHORT_TOOL_NAME, &description, ARGUMENTS, &None);
    write(provider, &definition, false).to_string()
}
