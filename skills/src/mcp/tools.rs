//! The tools: which are offered, and their answers.

use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, ListToolsResult, Tool};
use serde_json::Value;

use super::entries::freshness;
use super::source::Source;
use super::structured;
use crate::tools::{SHORT_TOOL_NAME, TOOL_NAME};
use crate::{Action, Audience, Provider, Registry, Reply, ToolOptions, Toolset};
use skills_core::CallOptions;

/// How calls are answered. Hosts keep every answer in the conversation, so lists are short.
const OPTIONS: CallOptions = CallOptions::new().list_limit(100).check_types(true);

/// Which tools are offered, and whether their answers have data too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offer {
    pub(super) tools: Toolset,
    pub(super) structured: bool,
}

impl Offer {
    /// Whether a tool is one of those that are offered.
    pub(super) fn has(self, tool: &str) -> bool {
        match self.tools {
            Toolset::One => tool == TOOL_NAME,
            Toolset::Short => tool == SHORT_TOOL_NAME,
            _ => Action::of_tool(tool).is_some(),
        }
    }
}

/// Whether a name is one of ours, in whatever set. No function can take it.
pub(super) fn is_ours(name: &str) -> bool {
    name == TOOL_NAME || Action::of_tool(name).is_some()
}

/// The tools. There are none without skills, since they could only fail.
pub(super) fn list(source: &Source, offer: Offer) -> Result<ListToolsResult, ErrorData> {
    let tools = source.look(Audience::Model, |registry| definitions(registry, offer)).map_err(|error| {
        ErrorData::internal_error(format!("the definitions of the tools cannot be written: {error}"), None)
    })?;
    let mut result = ListToolsResult::with_all_items(tools);
    (result.ttl_ms, result.cache_scope) = freshness(source);
    Ok(result)
}

/// Answers a call: the text for the model. Errors go to the model too.
pub(super) fn call(
    source: &Source,
    offer: Offer,
    request: &CallToolRequestParams,
) -> Result<CallToolResult, ErrorData> {
    let tool = request.name.as_ref();
    let unknown = || {
        let message = format!("unknown tool `{tool}`: tools/list has the known ones");
        ErrorData::invalid_params(message, None)
    };
    if !offer.has(tool) {
        return Err(unknown());
    }
    let arguments = Value::from(request.arguments.clone().unwrap_or_default());
    let mut last = None;
    let answer = source.ask(Audience::Model, |registry| {
        let reply = match offer.tools {
            Toolset::Short => Some(registry.call_short(&arguments.to_string())),
            _ => registry.call_tool_as(tool, &arguments, OPTIONS),
        };
        let Some(reply) = reply else { return Ok(None) };
        let result = result(&reply, offer);
        match reply.outcome {
            Ok(_) => Ok(Some(result)),
            Err(error) => {
                last = Some(result);
                Err(error)
            }
        }
    });
    match answer {
        Ok(result) => result.ok_or_else(unknown),
        Err(error) => {
            Ok(last
                .unwrap_or_else(|| CallToolResult::error(vec![ContentBlock::text(error.text(offer.tools))])))
        }
    }
}

fn definitions(registry: &Registry<'_>, offer: Offer) -> Result<Vec<Tool>, serde_json::Error> {
    // A host that holds calls against a list of names would hide our errors, which have a suggestion.
    let options = ToolOptions::new(offer.tools).names_up_to(0);
    let mut tools: Vec<Tool> = serde_json::from_str(&registry.tools(Provider::Mcp, &options))?;
    for tool in &mut tools {
        let action = match offer.tools {
            Toolset::Short => Some(Action::Load),
            _ => Action::of_tool(&tool.name),
        };
        tool.title = Some(action.map_or("Skills", Action::title).to_owned());
        if offer.structured
            && let Value::Object(schema) = structured::schema(action)
        {
            tool.output_schema = Some(schema.into());
        }
    }
    Ok(tools)
}

fn result(reply: &Reply<'_>, offer: Offer) -> CallToolResult {
    let content = vec![ContentBlock::text(&*reply.text)];
    match &reply.outcome {
        Ok(answer) => {
            let mut result = CallToolResult::success(content);
            result.structured_content = offer.structured.then(|| structured::data(answer));
            result
        }
        Err(_) => CallToolResult::error(content),
    }
}
