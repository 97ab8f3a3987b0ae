//! Writes a tool definition in the format of each provider.
//!
//! OpenAI, Anthropic and MCP take JSON Schema. Gemini takes a subset of OpenAPI 3.0's Schema Object (see
//! [`open_api`]) or, in another field, JSON Schema.

use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use super::definitions::ToolDefinition;
use super::{Provider, open_api};

/// A tool in the provider's format, as one item of a request's `tools`. `parameters` is a JSON Schema.
pub fn tool_form(provider: Provider, name: &str, description: &str, parameters: &Value) -> Value {
    match provider {
        Provider::OpenAi => json!({
            "type": "function",
            "function": {"name": name, "description": description, "parameters": parameters},
        }),
        // Without `strict` it would be strict.
        Provider::OpenAiResponses => json!({
            "type": "function", "name": name, "description": description, "parameters": parameters, "strict": false,
        }),
        Provider::Anthropic => json!({"name": name, "description": description, "input_schema": parameters}),
        Provider::Mcp => json!({"name": name, "description": description, "inputSchema": parameters}),
        Provider::Gemini => {
            let mut tool = json!({"name": name, "description": description});
            // Gemini refuses an object without properties.
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

/// One of our tools. They only read.
pub(crate) fn write(provider: Provider, definition: &ToolDefinition, strict: bool) -> Value {
    let ToolDefinition { name, description, parameters } = definition;
    let mut parameters = parameters.clone();
    let is_strict = strict && provider.can_be_strict();
    if is_strict {
        without_limits(&mut parameters);
    }
    if is_strict && matches!(provider, Provider::OpenAi | Provider::OpenAiResponses) {
        all_required(&mut parameters);
    }
    let mut tool = tool_form(provider, name, description, &parameters);
    match provider {
        Provider::OpenAi if strict => tool["function"]["strict"] = true.into(),
        Provider::OpenAiResponses | Provider::Anthropic if strict => tool["strict"] = true.into(),
        Provider::Mcp => {
            tool["annotations"] =
                json!({"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false});
        }
        Provider::OpenAi | Provider::OpenAiResponses | Provider::Anthropic | Provider::Gemini => {}
    }
    tool
}

/// Joins the tools as one request has them.
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

/// Makes every argument required; `null` means that it isn't given.
fn all_required(schema: &mut Value) {
    let was_required = schema["required"].take();
    let is_required =
        |name: &str| was_required.as_array().is_some_and(|names| names.iter().any(|known| known == name));
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (name, property) in properties.iter_mut() {
        if is_required(name) {
            continue;
        }
        property["type"] = json!([property["type"].take(), "null"]);
        if let Some(Value::Array(values)) = property.get_mut("enum") {
            values.push(Value::Null);
        }
    }
    // The order of a map's keys depends on a feature of `serde_json` that any crate may switch on.
    let mut names: Vec<&str> = properties.keys().map(alloc::string::String::as_str).collect();
    names.sort_unstable();
    let names: Vec<Value> = names.into_iter().map(Into::into).collect();
    schema["required"] = names.into();
}

/// Removes the bounds of numbers, which not every provider accepts in strict mode.
fn without_limits(schema: &mut Value) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (_, property) in properties {
        if let Value::Object(property) = property {
            property.remove("minimum");
        }
    }
}
