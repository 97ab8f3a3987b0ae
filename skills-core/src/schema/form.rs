//! How each provider wants a definition written.
//!
//! OpenAI, Anthropic and MCP take JSON Schema, Gemini a subset of the Schema Object of OpenAPI 3.0, with
//! its types in capitals, no `additionalProperties` and no object without properties.

use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use super::Provider;
use super::definitions::{Argument, Definition, Kind};

/// The most characters of a description that a provider takes.
pub(super) fn description_limit(provider: Provider) -> usize {
    match provider {
        // A request with a longer one is refused.
        Provider::OpenAi => 1024,
        // Nothing limits it, but hosts cut what is longer.
        Provider::Mcp => 2048,
        Provider::Anthropic | Provider::Gemini => usize::MAX,
    }
}

/// One tool.
pub(crate) fn write(provider: Provider, definition: &Definition, strict: bool) -> Value {
    let mut tool = json!({"name": definition.name, "description": definition.description});
    let arguments = &definition.arguments;
    match provider {
        Provider::OpenAi => {
            tool["parameters"] = json_schema(arguments, if strict { Null::ForMissing } else { Null::Never });
            if strict {
                tool["strict"] = true.into();
                without_limits(&mut tool["parameters"]);
            }
            json!({"type": "function", "function": tool})
        }
        Provider::Anthropic => {
            tool["input_schema"] = json_schema(arguments, Null::Never);
            if strict {
                tool["strict"] = true.into();
                without_limits(&mut tool["input_schema"]);
            }
            tool
        }
        Provider::Mcp => {
            tool["inputSchema"] = json_schema(arguments, Null::Never);
            tool["annotations"] =
                json!({"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false});
            tool
        }
        Provider::Gemini => {
            if !arguments.is_empty() {
                tool["parameters"] = open_api(arguments);
            }
            json!({"functionDeclarations": [tool]})
        }
    }
}

/// The tools as one request has them.
pub(super) fn together(provider: Provider, tools: Vec<Value>) -> Vec<Value> {
    if provider != Provider::Gemini || tools.is_empty() {
        return tools;
    }
    let declarations: Vec<Value> = tools
        .into_iter()
        .filter_map(|mut tool| match tool["functionDeclarations"].take() {
            Value::Array(declarations) => Some(declarations),
            _ => None,
        })
        .flatten()
        .collect();
    Vec::from([json!({ "functionDeclarations": declarations })])
}

/// Whether `null` stands for an argument that is not given, which must then be written.
#[derive(Clone, Copy, PartialEq)]
enum Null {
    Never,
    ForMissing,
}

fn json_schema(arguments: &[Argument], null: Null) -> Value {
    let mut properties = Map::new();
    for argument in arguments {
        let mut property = json!({"description": argument.description});
        let may_be_null = null == Null::ForMissing && !argument.is_required;
        let kind = if matches!(argument.kind, Kind::Count) { "integer" } else { "string" };
        property["type"] = if may_be_null { json!([kind, "null"]) } else { kind.into() };
        match &argument.kind {
            Kind::Text => {}
            Kind::Count => property["minimum"] = 0.into(),
            Kind::OneOf(texts) => {
                let mut values: Vec<Value> = texts.iter().map(|text| text.as_str().into()).collect();
                if may_be_null {
                    values.push(Value::Null);
                }
                property["enum"] = values.into();
            }
        }
        properties.insert(argument.name.into(), property);
    }
    let is_required = |argument: &&Argument| argument.is_required || null == Null::ForMissing;
    let required: Vec<Value> =
        arguments.iter().filter(is_required).map(|argument| argument.name.into()).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// Bounds of numbers are none of what every model that is held to a definition knows.
fn without_limits(schema: &mut Value) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (_, property) in properties {
        if let Value::Object(property) = property {
            property.remove("minimum");
        }
    }
}

fn open_api(arguments: &[Argument]) -> Value {
    let mut properties = Map::new();
    for argument in arguments {
        let mut property = json!({"description": argument.description, "type": "STRING"});
        match &argument.kind {
            Kind::Text => {}
            Kind::Count => {
                property["type"] = "INTEGER".into();
                property["minimum"] = 0.into();
            }
            Kind::OneOf(texts) => {
                property["format"] = "enum".into();
                property["enum"] = texts.iter().map(|text| Value::from(text.as_str())).collect();
            }
        }
        properties.insert(argument.name.into(), property);
    }
    let required: Vec<Value> = arguments
        .iter()
        .filter(|argument| argument.is_required)
        .map(|argument| argument.name.into())
        .collect();
    let mut schema = json!({"type": "OBJECT", "properties": properties});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}
