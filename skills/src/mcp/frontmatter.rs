//! A skill's frontmatter for the extension, with the types of YAML.
//!
//! A host compares it with what it reads in SKILL.md itself, so a version of `1.10` is the number 1.1. The
//! pack has these types, so no YAML is read.

use rmcp::model::{JsonObject, SkillFrontmatter};
use serde_json::Value;

use crate::{Entry, FieldValue};

/// The whole frontmatter. It always has `name` and `description`, as the extension requires.
pub(super) fn of(entry: &Entry<'_>) -> SkillFrontmatter {
    let fields = entry.skill.typed_frontmatter().map(|(key, value)| (key.to_owned(), json(value)));
    let mut fields: JsonObject = fields.collect();
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

fn json(value: FieldValue<'_>) -> Value {
    match value {
        FieldValue::Text(text) => text.into(),
        FieldValue::List(items) => items.collect(),
        FieldValue::Json(json) => serde_json::from_str(json).unwrap_or(Value::Null),
    }
}
