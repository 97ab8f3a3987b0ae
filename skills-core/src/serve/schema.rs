//! The definition of the tool, in the form of each provider.

use alloc::string::{String, ToString as _};

use serde_json::{Value, json};

use super::tool::TOOL_NAME;

/// Whose form a tool definition has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Provider {
    /// `{"type": "function", "function": {…, "parameters"}}`
    OpenAi,
    /// `{"name", "description", "input_schema"}`
    Anthropic,
    /// `{"name", "description", "inputSchema", "annotations"}`
    Mcp,
}

/// The definition of `skills_tool`, as JSON.
pub fn schema(provider: Provider) -> String {
    tool(provider, TOOL_NAME, DESCRIPTION, parameters()).to_string()
}

const DESCRIPTION: &str = "Finds and opens skills: instructions for particular tasks, with files beside them. \
    Use action=list to see all skills, action=search with query to find the right one, action=load with \
    skill_name to get its full instructions before you do such a task, and action=read_file with skill_name \
    and file_path to open a file that a skill names.";

/// The definition of a tool that only reads, in a provider's form.
pub(super) fn tool(provider: Provider, name: &str, description: &str, parameters: Value) -> Value {
    let key = match provider {
        Provider::OpenAi => "parameters",
        Provider::Anthropic => "input_schema",
        Provider::Mcp => "inputSchema",
    };
    let mut definition = json!({"name": name, "description": description});
    definition[key] = parameters;
    match provider {
        Provider::OpenAi => json!({"type": "function", "function": definition}),
        Provider::Anthropic => definition,
        Provider::Mcp => {
            definition["annotations"] =
                json!({"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false});
            definition
        }
    }
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "action": {
                "type": "string",
                "enum": ["list", "search", "load", "read_file"],
                "description": "What to do.",
            },
            "query": {"type": "string", "description": "For search: a few words on the task."},
            "skill_name": {
                "type": "string",
                "description": "For load and read_file: the skill's name. For load also a slash command's, with its slash.",
            },
            "file_path": {
                "type": "string",
                "description": "For read_file: the file's path, relative to the skill's directory, with `/`.",
            },
            "arguments": {
                "type": "string",
                "description": "For load: what to put into the skill's instructions, as its hint says.",
            },
            "offset": {
                "type": "integer",
                "minimum": 0,
                "description": "For read_file: the character to read on from. After a [truncated]: 24000 more than before.",
            },
        },
        "required": ["action"],
        "additionalProperties": false,
    })
}
