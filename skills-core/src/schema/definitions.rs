//! Tool definitions, independent of any provider.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use crate::action::{Action, Argument, Kind, ONE_ARGUMENTS, ONE_DESCRIPTION, TOOL_NAME};

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

/// The values that `skill_name` may have; `None` for any.
pub(crate) type Names = Option<Vec<String>>;

/// The tool that offers all actions.
pub(crate) fn one(names: &Names) -> ToolDefinition {
    definition(TOOL_NAME, ONE_DESCRIPTION, ONE_ARGUMENTS, names)
}

/// The tool that offers one action.
pub(crate) fn of_action(action: Action, names: &Names) -> ToolDefinition {
    definition(action.tool(), action.description(), action.arguments(), names)
}

pub(crate) fn definition(
    name: &str,
    description: &str,
    arguments: &[Argument],
    names: &Names,
) -> ToolDefinition {
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
    property["type"] = if argument.kind == Kind::Count { "integer" } else { "string" }.into();
    match (argument.kind, names) {
        (Kind::Count, _) => property["minimum"] = 0.into(),
        (Kind::Action, _) => property["enum"] = Action::ALL.map(Action::name).to_vec().into(),
        (Kind::SkillName, Some(names)) => property["enum"] = names.clone().into(),
        (Kind::SkillName | Kind::Text, _) => {}
    }
    property
}
