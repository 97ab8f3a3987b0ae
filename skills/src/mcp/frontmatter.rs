//! A skill's frontmatter as the extension has it: what any reader of YAML makes of it.
//!
//! A pack keeps the text of a number as it was written, `1.10`, where YAML has the number 1.1, and a host
//! compares what it is told with what it reads. A frontmatter with such a value is read again; all others
//! are as they were packed.

use rmcp::model::{JsonObject, SkillFrontmatter};
use serde_json::Value;
use skills_source::document;

use crate::{Entry, FieldValue};

/// The whole frontmatter. `name` and `description` are always there, as the extension asks.
pub(super) fn of(entry: &Entry<'_>) -> SkillFrontmatter {
    let mut fields = JsonObject::new();
    let mut is_certain = true;
    for (key, value) in entry.skill.frontmatter() {
        let value = match value {
            FieldValue::Text(text) => text.into(),
            FieldValue::List(items) => items.collect(),
            FieldValue::Json(json) => serde_json::from_str(json).unwrap_or(Value::Null),
        };
        is_certain &= is_same_in_yaml(&value);
        fields.insert(key.to_owned(), value);
    }
    if !is_certain && let Some(read) = read(entry) {
        fields = read;
    }
    let mut text = |key: &str, otherwise: &str| match fields.remove(key) {
        Some(Value::String(text)) => text,
        _ => otherwise.to_owned(),
    };
    let name = text("name", entry.skill.name());
    let description = text("description", entry.skill.description());
    let mut frontmatter = SkillFrontmatter::new(name, description);
    frontmatter.extra = fields;
    frontmatter
}

/// Whether a packed value is surely what YAML says. A text that looks like a number may have been one.
fn is_same_in_yaml(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let number = text.trim_start_matches(['+', '-']);
            number.parse::<f64>().is_err()
                && !["0x", "0o", "0b", "."].iter().any(|start| number.starts_with(start))
                && !["true", "false", "null", "~"].iter().any(|word| text.eq_ignore_ascii_case(word))
        }
        Value::Array(items) => items.iter().all(is_same_in_yaml),
        Value::Object(fields) => fields.values().all(is_same_in_yaml),
        _ => true,
    }
}

/// The frontmatter, read again. `None` where it was mended when it was first read, or is gone.
fn read(entry: &Entry<'_>) -> Option<JsonObject> {
    let bytes = entry.read(&entry.skill.file("SKILL.md")?).ok()?;
    let text = document::decode(&bytes).ok()?;
    let yaml = &text[document::split(text).ok()?.frontmatter];
    serde_yaml::from_str(yaml).ok()
}
