//! Answers as data, and the schema of the data, for hosts that ask for it.
//!
//! Most hosts show a model the data in place of the text, so a server sends it only on request
//! ([`Server::structured`](super::Server::structured)).

use serde_json::{Value, json};

use crate::{Action, Answer};

/// An answer as data, without the text for the model, which is next to it.
pub(super) fn data(answer: &Answer<'_>) -> Value {
    let mut data = json!(answer);
    if let Value::Object(fields) = &mut data {
        fields.remove("text");
    }
    data
}

/// The schema of a tool's data; without an action, of the tool that offers them all.
pub(super) fn schema(action: Option<Action>) -> Value {
    match action {
        None => json!({"type": "object", "anyOf": Action::ALL.map(of_action).to_vec()}),
        Some(action) => of_action(action),
    }
}

fn of_action(action: Action) -> Value {
    let text = || json!({"type": "string"});
    let number = || json!({"type": "integer"});
    let maybe = |kind: &str| json!({"type": [kind, "null"]});
    match action {
        Action::List => object(
            &["skills", "commands"],
            &json!({
                "skills": list_of(&object(&["name", "description", "origin", "path"], &json!({
                    "name": text(), "description": text(), "version": maybe("string"), "tags": list_of(&text()),
                    "origin": text(), "path": text(),
                }))),
                "commands": {"type": "array"},
                "total": number(), "next_offset": maybe("integer"),
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
                "skill_name": text(), "path": text(), "instructions": text(), "frontmatter": {"type": "object"},
                "files": list_of(&object(&["path", "size"], &json!({
                    "path": text(), "size": number(), "sha256": maybe("string"), "media_type": text(),
                    "executable": {"type": "boolean"},
                }))),
                "already_loaded": {"type": "boolean"},
                "command_name": text(), "definition": text(),
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
