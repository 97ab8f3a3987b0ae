//! The five tools.

use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, ListToolsResult, Tool};
use serde_json::{Value, json};

use super::entries::freshness;
use super::source::Source;
use crate::tools::TOOL_NAME;
use crate::{Action, Answer, Audience, Provider, Registry, Reply, ToolOptions, Toolset, schema};

/// The most skills in a list, unless the call says another number.
const LIST_LIMIT: usize = 100;

/// The tools. There are none without skills, since they could only fail.
pub(super) fn list(source: &Source) -> Result<ListToolsResult, ErrorData> {
    let tools = source.look(Audience::Model, definitions).map_err(|error| {
        ErrorData::internal_error(format!("the definitions of the tools cannot be written: {error}"), None)
    })?;
    let mut result = ListToolsResult::with_all_items(tools);
    (result.ttl_ms, result.cache_scope) = freshness(source);
    Ok(result)
}

/// Answers a call: the text for the model, and the same as data. Errors go to the model too.
pub(super) fn call(source: &Source, request: &CallToolRequestParams) -> Result<CallToolResult, ErrorData> {
    let mut arguments = request.arguments.clone().unwrap_or_default();
    // Only a list reads it. Hosts keep every answer in the conversation.
    let is_wrapped = arguments.get("tool_args").is_some_and(Value::is_object);
    let read = match arguments.get_mut("tool_args").filter(|_| is_wrapped) {
        Some(Value::Object(wrapped)) => wrapped,
        _ => &mut arguments,
    };
    if read.get("limit").is_none_or(Value::is_null) {
        read.insert("limit".to_owned(), LIST_LIMIT.into());
    }
    let arguments = Value::from(arguments);
    let mut last = None;
    let answer = source.ask(Audience::Model, |registry| {
        let Some(reply) = registry.call_tool_value(&request.name, &arguments) else { return Ok(None) };
        let result = result(&request.name, &reply);
        match reply.outcome {
            Ok(_) => Ok(Some(result)),
            Err(error) => {
                last = Some(result);
                Err(error)
            }
        }
    });
    match answer {
        Ok(Some(result)) => Ok(result),
        Ok(None) => {
            let message = format!("unknown tool `{}`: tools/list has the known ones", request.name);
            Err(ErrorData::invalid_params(message, None))
        }
        Err(error) => Ok(last.unwrap_or_else(|| {
            CallToolResult::error(vec![ContentBlock::text(error.text(tools_of(&request.name)))])
        })),
    }
}

/// The set that a tool belongs to.
fn tools_of(tool: &str) -> Toolset {
    if tool == TOOL_NAME { Toolset::One } else { Toolset::PerAction }
}

/// Whether a tool is one of the five.
pub(super) fn is_ours(name: &str) -> bool {
    name == TOOL_NAME || Action::of_tool(name).is_some()
}

fn definitions(registry: &Registry<'_>) -> Result<Vec<Tool>, serde_json::Error> {
    let four = registry.tools(Provider::Mcp, &ToolOptions::new(Toolset::PerAction));
    let mut tools: Vec<Tool> = serde_json::from_str(&four)?;
    if !tools.is_empty() {
        tools.push(serde_json::from_str(&schema(Provider::Mcp))?);
    }
    for tool in &mut tools {
        let action = Action::of_tool(&tool.name);
        tool.title = Some(action.map_or("Skills", Action::title).to_owned());
        let output = output(action);
        if let Value::Object(output) = output {
            tool.output_schema = Some(output.into());
        }
    }
    Ok(tools)
}

fn result(tool: &str, reply: &Reply<'_>) -> CallToolResult {
    let content = vec![ContentBlock::text(&*reply.text)];
    let (data, is_error) = match &reply.outcome {
        Ok(answer) => (data(answer), false),
        Err(error) => (json!(error), true),
    };
    let data = match (tool, is_error) {
        (TOOL_NAME, false) => json!({"data": data, "error": null}),
        (TOOL_NAME, true) => json!({"data": null, "error": data}),
        (_, false) => data,
        (_, true) => json!({ "error": data }),
    };
    let mut result = if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(data);
    result
}

/// An answer as data, without the text for the model, which is next to it.
fn data(answer: &Answer<'_>) -> Value {
    let mut data = json!(answer);
    if let Value::Object(fields) = &mut data {
        fields.remove("text");
    }
    data
}

/// The schema of a tool's data; without an action, that of the one tool.
fn output(action: Option<Action>) -> Value {
    let text = || json!({"type": "string"});
    let number = || json!({"type": "integer"});
    let maybe = |kind: &str| json!({"type": [kind, "null"]});
    let Some(action) = action else {
        return object(&["data", "error"], &json!({"data": maybe("object"), "error": maybe("object")}));
    };
    match action {
        Action::List => object(
            &["skills", "commands"],
            &json!({
                "skills": list_of(&object(&["name", "description", "origin", "path"], &json!({
                    "name": text(), "description": text(), "version": maybe("string"), "tags": list_of(&text()),
                    "origin": text(), "path": text(),
                }))),
                "commands": {"type": "array"},
            }),
        ),
        Action::Search => object(
            &["query", "ranking", "results"],
            &json!({
                "query": text(), "ranking": text(),
                "results": list_of(&object(&["name", "score", "description"], &json!({
                    "name": text(), "score": {"type": "number"}, "description": text(),
                }))),
            }),
        ),
        // A slash command has other fields than a skill.
        Action::Load => object(
            &["frontmatter"],
            &json!({
                "skill_name": text(), "instructions": text(), "frontmatter": {"type": "object"},
                "files": list_of(&object(&["path", "size"], &json!({
                    "path": text(), "size": number(), "sha256": maybe("string"), "media_type": text(),
                    "executable": {"type": "boolean"},
                }))),
                "already_loaded": {"type": "boolean"},
            }),
        ),
        Action::ReadFile => object(
            &["skill_name", "file_path", "size"],
            &json!({
                "skill_name": text(), "file_path": text(), "media_type": text(), "size": number(),
                "content": text(), "content_base64": text(),
                "total_chars": maybe("integer"), "next_offset": maybe("integer"),
            }),
        ),
        _ => json!({"type": "object"}),
    }
}

fn object(required: &[&str], properties: &Value) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

fn list_of(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}
