//! Tool definitions, independent of any provider.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use super::arguments::{self, Argument, Kind, ONE, ONE_DESCRIPTION, SHORT, SHORT_DESCRIPTION};
use crate::action::{Action, TOOL_NAME};
use crate::toolset::SHORT_TOOL_NAME;

/// A tool as it is offered to a model, independent of any provider.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name.
    pub name: String,
    /// The description, for the model.
    pub description: String,
    /// The JSON Schema of the arguments: an object that allows no other properties.
    pub parameters: Value,
}

/// The names that a model may give; `None` for any.
pub(crate) type Names = Option<Known>;

/// The names of all skills, and the names of slash commands, with their slash.
pub(crate) struct Known {
    pub(crate) skills: Vec<String>,
    pub(crate) commands: Vec<String>,
}

/// The tool that offers all actions.
pub(crate) fn one(names: &Names) -> ToolDefinition {
    definition(TOOL_NAME, ONE_DESCRIPTION, ONE, names)
}

/// The tool that offers one action.
pub(crate) fn of_action(action: Action, names: &Names) -> ToolDefinition {
    definition(action.tool(), action.description(), arguments::of_action(action), names)
}

/// The tool that only loads.
pub(crate) fn short(names: &Names) -> ToolDefinition {
    definition(SHORT_TOOL_NAME, SHORT_DESCRIPTION, SHORT, names)
}

fn definition(name: &str, description: &str, arguments: &[Argument], names: &Names) -> ToolDefinition {
    let properties: Map<String, Value> =
        arguments.iter().map(|argument| (argument.name.to_string(), property(argument, names))).collect();
    let required: Vec<&str> =
        arguments.iter().filter(|argument| argument.is_required).map(|argument| argument.name).collect();
    ToolDefinition {
        name: name.to_string(),
        description: description.to_string(),
        parameters: json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        }),
    }
}

fn property(argument: &Argument, names: &Names) -> Value {
    let mut property = json!({"description": argument.description});
    let is_number = matches!(argument.kind, Kind::Count | Kind::Limit);
    property["type"] = if is_number { "integer" } else { "string" }.into();
    match (argument.kind, names) {
        (Kind::Count, _) => property["minimum"] = 0.into(),
        (Kind::Limit, _) => property["minimum"] = 1.into(),
        (Kind::Action, _) => property["enum"] = Action::ALL.map(Action::name).to_vec().into(),
        // An empty list would allow nothing.
        (Kind::SkillName, Some(known)) if !known.skills.is_empty() => {
            property["enum"] = known.skills.clone().into();
        }
        (Kind::Loadable, Some(known)) => {
            property["enum"] = known.skills.iter().chain(&known.commands).cloned().collect::<Vec<_>>().into();
        }
        (Kind::SkillName | Kind::Loadable | Kind::Text | Kind::Json, _) => {}
    }
    property
}
