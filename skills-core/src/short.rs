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
        description: "Arguments for the skill, as one string",
        kind: Kind::Text,
        is_required: false,
    },
];

impl Registry<'_> {
    /// Answers a call of the short tool. `json` is an object with `name` and, optionally, `args`. The answer
    /// is `Base directory for this skill: PATH`, a blank line, and the instructions with the arguments filled
    /// in. It isn't recorded in a session: each call sends the instructions.
    ///
    /// The base directory of a bundled skill isn't on this disk. Its files can be read with the tool
    /// `skills_tool`, or from where the host has put them.
    ///
    /// # Errors
    ///
    /// As for [`load_with`](Self::load_with), also if `json` isn't such an object.
    pub fn call_short(&self, json: &str) -> Result<String, ActionError> {
        let call: Option<Value> = serde_json::from_str(json).ok();
        let text =
            |key: &str| call.as_ref().and_then(|call| call.get(key)).and_then(text_of).unwrap_or_default();
        let Loaded { entry, instructions, .. } = self.load_with(&text("name"), &text("args"))?;
        Ok(alloc::format!("Base directory for this skill: {}\n\n{instructions}", entry.skill.path()))
    }
}

/// The definition of the short tool as a JSON object in a provider's format. `catalogue` goes into its
/// description; use the result of [`Registry::catalogue`].
pub fn short_schema(provider: Provider, catalogue: &str) -> String {
    let description = "Loads a skill: instructions for one kind of task. Call it with a skill's name before \
                       you start on a task that its description names.\n\nAvailable skills:\n"
        .to_owned()
        + catalogue;
    let definition = definition(SHORT_TOOL_NAME, &description, ARGUMENTS, &None);
    write(provider, &definition, false).to_string()
}
