//! The definition of a tool for a model: its name, description and arguments.

use serde_json::{Value, json};
use skills::Provider;
use skills::tools::TOOL_NAME;
use skills_core::tool_form;

use super::bound::{Bound, Handlers};
use super::context::Context;
use super::output::READ_RESULT;

/// A tool, as it is offered to a model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tool {
    /// The name: that of a skill, `skills_tool` or `read_result`.
    pub name: String,
    /// The description: what it does and when to use it.
    pub description: String,
    /// The schema of its arguments.
    pub(super) parameters: Value,
}

impl Tool {
    /// The tool that lists, searches, loads and reads skills.
    pub fn skills_tool() -> Self {
        let definition: Value =
            serde_json::from_str(&skills::schema(Provider::Anthropic)).unwrap_or_default();
        Self {
            name: TOOL_NAME.to_owned(),
            description: definition["description"].as_str().unwrap_or_default().to_owned(),
            parameters: definition["input_schema"].clone(),
        }
    }

    /// The tool that reads on in a long result.
    pub fn read_result() -> Self {
        Self {
            name: READ_RESULT.to_owned(),
            description: "Reads on in a result that was too long to be shown whole. Use the handle and the \
                                  offset at its end."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "handle": {"type": "string", "description": "The handle of the result."},
                    "offset": {"type": "integer", "minimum": 0, "description": "The character to read on from."},
                },
                "required": ["handle"],
                "additionalProperties": false,
            }),
        }
    }

    /// The schema of its arguments, as JSON.
    pub fn parameters(&self) -> String {
        self.parameters.to_string()
    }

    /// The tool's definition in the format of a provider, as JSON.
    pub fn definition(&self, provider: Provider) -> String {
        self.to_value(provider, &self.name).to_string()
    }

    pub(super) fn to_value(&self, provider: Provider, name: &str) -> Value {
        tool_form(provider, name, &self.description, &self.parameters)
    }

    pub(super) fn of(bound: &Bound) -> Self {
        let mut parameters = bound.binding.schema.clone();
        let examples = bound.binding.examples.iter().filter_map(|json| serde_json::from_str(json).ok());
        let examples: Vec<Value> = examples.collect();
        if !examples.is_empty() {
            parameters["examples"] = Value::Array(examples);
        }
        Self { name: bound.binding.skill.clone(), description: bound.description.clone(), parameters }
    }
}

impl Handlers {
    /// A tool for each skill that this caller may call, by name.
    pub fn tools(&self, context: &Context) -> Vec<Tool> {
        self.may_call(context).map(Tool::of).collect()
    }
}
