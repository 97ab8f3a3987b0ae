//! Converts JSON Schema to the subset of OpenAPI 3.0's Schema Object that Gemini accepts.
//!
//! In the subset types are in capitals, only strings can have an `enum`, and there is no
//! `additionalProperties` and no object without properties.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

/// Returns the same schema in the subset, or `None` if the subset can't express it.
pub(super) fn from_json_schema(schema: &Value) -> Option<Value> {
    let mut keywords = schema.as_object()?.clone();
    if let Some(choice) = keywords.remove("anyOf") {
        return or_null(&choice, keywords);
    }
    let mut written = Map::new();
    for (keyword, value) in &keywords {
        match keyword.as_str() {
            "type" => kind(value, &mut written)?,
            "const" => one_of(core::slice::from_ref(value), &mut written)?,
            "enum" => one_of(value.as_array()?, &mut written)?,
            "properties" => {
                let properties = value.as_object()?.iter();
                let properties =
                    properties.map(|(name, schema)| Some((name.clone(), from_json_schema(schema)?)));
                written.insert(keyword.clone(), Value::Object(properties.collect::<Option<_>>()?));
            }
            "items" => {
                written.insert(keyword.clone(), from_json_schema(value)?);
            }
            "required" if value.as_array().is_some_and(Vec::is_empty) => {}
            "description" | "required" | "minimum" | "maximum" | "minItems" | "maxItems" | "minLength"
            | "maxLength" | "pattern" => {
                written.insert(keyword.clone(), value.clone());
            }
            "examples" => {
                if let Some(first) = value.get(0) {
                    written.insert("example".into(), first.clone());
                }
            }
            // Names of types, and formats that only mean something in Rust.
            "title" | "default" | "format" | "$schema" => {}
            "additionalProperties" if value == false => {}
            _ => return None,
        }
    }
    is_whole(&written).then_some(Value::Object(written))
}

/// A choice of one schema or null, with the keywords beside it.
fn or_null(choice: &Value, beside: Map<String, Value>) -> Option<Value> {
    let mut choice: Vec<&Value> = choice.as_array()?.iter().collect();
    let all = choice.len();
    choice.retain(|schema| schema["type"] != "null");
    let [one] = choice[..] else { return None };
    let mut one = one.as_object()?.clone();
    one.extend(beside);
    let mut written = from_json_schema(&Value::Object(one))?;
    if all > 1 {
        written["nullable"] = true.into();
    }
    Some(written)
}

/// A type, or a type and null.
fn kind(value: &Value, written: &mut Map<String, Value>) -> Option<()> {
    let kind = match value {
        Value::Array(kinds) => {
            let mut others = kinds.iter().filter(|kind| *kind != "null");
            let (kind, None) = (others.next()?, others.next()) else { return None };
            if kinds.len() > 1 {
                written.insert("nullable".into(), true.into());
            }
            kind
        }
        kind => kind,
    };
    let kind = kind.as_str().filter(|kind| *kind != "null")?;
    written.insert("type".into(), kind.to_uppercase().into());
    Some(())
}

/// Allowed strings, and perhaps null.
fn one_of(values: &[Value], written: &mut Map<String, Value>) -> Option<()> {
    let strings: Vec<Value> = values.iter().filter(|value| value.is_string()).cloned().collect();
    let nulls = values.iter().filter(|value| value.is_null()).count();
    if strings.is_empty() || strings.len() + nulls < values.len() {
        return None;
    }
    if nulls > 0 {
        written.insert("nullable".into(), true.into());
    }
    written.insert("format".into(), "enum".into());
    written.insert("enum".into(), strings.into());
    Some(())
}

/// Whether a schema has everything that Gemini requires for its type.
fn is_whole(schema: &Map<String, Value>) -> bool {
    match schema.get("type").and_then(Value::as_str) {
        Some("OBJECT") => {
            schema.get("properties").and_then(Value::as_object).is_some_and(|all| !all.is_empty())
        }
        Some("ARRAY") => schema.contains_key("items"),
        Some("STRING") => true,
        Some("INTEGER" | "NUMBER" | "BOOLEAN") => !schema.contains_key("enum"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_written_in_the_subset() {
        let schema = json!({
            "type": "object",
            "title": "Find",
            "properties": {
                "word": {"type": "string", "description": "A word.", "minLength": 1},
                "order": {"type": ["string", "null"], "enum": ["name", "size", null]},
                "form": {"const": "list", "type": "string"},
                "most": {"anyOf": [{"type": "integer", "format": "uint32", "minimum": 0}, {"type": "null"}],
                         "description": "At most."},
                "paths": {"type": "array", "items": {"type": "string"}, "default": []},
                "within": {"type": "object", "properties": {"deep": {"type": "boolean"}}, "required": []},
            },
            "required": ["word"],
            "additionalProperties": false,
            "examples": [{"word": "a"}, {"word": "b"}],
        });
        assert_eq!(
            from_json_schema(&schema),
            Some(json!({
                "type": "OBJECT",
                "properties": {
                    "word": {"type": "STRING", "description": "A word.", "minLength": 1},
                    "order": {"type": "STRING", "nullable": true, "format": "enum", "enum": ["name", "size"]},
                    "form": {"type": "STRING", "format": "enum", "enum": ["list"]},
                    "most": {"type": "INTEGER", "minimum": 0, "nullable": true, "description": "At most."},
                    "paths": {"type": "ARRAY", "items": {"type": "STRING"}},
                    "within": {"type": "OBJECT", "properties": {"deep": {"type": "BOOLEAN"}}},
                },
                "required": ["word"],
                "example": {"word": "a"},
            }))
        );
    }

    #[test]
    fn a_schema_that_the_subset_cannot_express_is_refused() {
        for part in [
            json!(true),
            json!({}),
            json!({"type": "null"}),
            json!({"type": ["string", "integer"]}),
            json!({"type": "integer", "enum": [1, 2]}),
            json!({"type": "integer", "enum": ["1"]}),
            json!({"type": "string", "const": null}),
            json!({"type": "array"}),
            json!({"type": "object"}),
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}}),
            json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
            json!({"anyOf": [{"type": "null"}]}),
            json!({"oneOf": [{"type": "string"}]}),
            json!({"$ref": "#"}),
        ] {
            let schema = json!({"type": "object", "properties": {"part": part}});
            assert_eq!(from_json_schema(&schema), None, "{schema}");
        }
    }
}
