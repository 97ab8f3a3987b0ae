//! How each provider wants a definition written.
//!
//! OpenAI, Anthropic and MCP take JSON Schema, Gemini a subset of the Schema Object of OpenAPI 3.0 (see
//! [`open_api`]) or, in a field of another name, JSON Schema.

use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use super::definitions::{Argument, Definition, Kind};
use super::{Provider, open_api};

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

/// A tool whose arguments a JSON Schema describes, as one of the tools of a request.
pub fn tool_form(provider: Provider, name: &str, description: &str, parameters: &Value) -> Value {
    match provider {
        Provider::OpenAi => json!({
            "type": "function",
            "function": {"name": name, "description": description, "parameters": parameters},
        }),
        Provider::Anthropic => json!({"name": name, "description": description, "input_schema": parameters}),
        Provider::Mcp => json!({"name": name, "description": description, "inputSchema": parameters}),
        Provider::Gemini => {
            let mut tool = json!({"name": name, "description": description});
            // An object without properties is refused.
            if !takes_nothing(parameters) {
                match open_api::from_json_schema(parameters) {
                    Some(schema) => tool["parameters"] = schema,
                    None => tool["parametersJsonSchema"] = parameters.clone(),
                }
            }
            json!({"functionDeclarations": [tool]})
        }
    }
}

fn takes_nothing(parameters: &Value) -> bool {
    let properties = parameters.get("properties").and_then(Value::as_object);
    let alone =
        |keyword: &str| matches!(keyword, "type" | "properties" | "required" | "additionalProperties");
    properties.is_none_or(Map::is_empty)
        && parameters["additionalProperties"] == false
        && parameters.as_object().is_some_and(|keywords| keywords.keys().all(|keyword| alone(keyword)))
}

/// One tool of ours, which only reads.
pub(crate) fn write(provider: Provider, definition: &Definition, strict: bool) -> Value {
    let null = if strict && provider == Provider::OpenAi { Null::ForMissing } else { Null::Never };
    let mut parameters = json_schema(&definition.arguments, null);
    if strict && matches!(provider, Provider::OpenAi | Provider::Anthropic) {
        without_limits(&mut parameters);
    }
    let mut tool = tool_form(provider, definition.name, &definition.description, &parameters);
    match provider {
        Provider::OpenAi if strict => tool["function"]["strict"] = true.into(),
        Provider::Anthropic if strict => tool["strict"] = true.into(),
        Provider::Mcp => {
            tool["annotations"] =
                json!({"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false});
        }
        Provider::OpenAi | Provider::Anthropic | Provider::Gemini => {}
    }
    tool
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
