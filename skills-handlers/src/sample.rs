//! The smallest value that matches a schema, as an example for error messages.
//!
//! It is a guess, so callers validate it before they show it. A `pattern` isn't solved.

use std::cell::Cell;

use serde_json::{Map, Value};

/// The deepest nesting of an example: a schema may be recursive.
const MAX_DEPTH: usize = 16;

/// How many schemas are looked at for one example: a schema may refer to itself more than once.
const MAX_SCHEMAS: usize = 10_000;

/// A value for this schema, whose references are looked up in `root`.
pub(super) fn sample(schema: &Value, root: &Value) -> Value {
    at_depth(schema, &Root { schema: root, left: Cell::new(MAX_SCHEMAS) }, 0)
}

/// Where references are looked up, and how many schemas may still be looked at.
struct Root<'r> {
    schema: &'r Value,
    left: Cell<usize>,
}

fn at_depth(schema: &Value, root: &Root<'_>, depth: usize) -> Value {
    let is_enough = depth >= MAX_DEPTH || root.left.get() == 0;
    let Some(keywords) = schema.as_object().filter(|_| !is_enough) else { return Value::Null };
    root.left.set(root.left.get() - 1);
    let given = ["const", "default"].iter().find_map(|keyword| keywords.get(*keyword));
    let first =
        ["examples", "enum"].iter().find_map(|keyword| keywords.get(*keyword).and_then(|list| list.get(0)));
    if let Some(value) = given.or(first) {
        return value.clone();
    }
    if let Some(target) = reference(schema, root.schema) {
        return at_depth(target, root, depth + 1);
    }
    let forms = ["oneOf", "anyOf"].iter().find_map(|keyword| keywords.get(*keyword)?.as_array());
    if let Some(form) = forms.and_then(|forms| forms.iter().find(|form| form["type"] != "null")) {
        let mut value = at_depth(form, root, depth + 1);
        if let (Value::Object(value), Some(_)) = (&mut value, keywords.get("properties")) {
            value.extend(object(keywords, root, depth));
        }
        return value;
    }
    if let Some(parts) = keywords.get("allOf").and_then(Value::as_array) {
        let mut whole = object(keywords, root, depth);
        for part in parts {
            match at_depth(part, root, depth + 1) {
                Value::Object(part) => whole.extend(part),
                other if whole.is_empty() => return other,
                _ => {}
            }
        }
        return Value::Object(whole);
    }
    of_type(keywords, root, depth)
}

fn of_type(keywords: &Map<String, Value>, root: &Root<'_>, depth: usize) -> Value {
    let count = |keyword: &str| keywords.get(keyword).and_then(Value::as_u64).unwrap_or(0) as usize;
    match type_name(keywords) {
        "string" => text(keywords, count("minLength")),
        "integer" | "number" => number(keywords),
        "boolean" => Value::Bool(true),
        "array" => {
            let item = keywords.get("items").unwrap_or(&Value::Null);
            // A huge number in a schema must not fill the memory.
            let items = count("minItems").min(64);
            (0..items).map(|_| at_depth(item, root, depth + 1)).collect()
        }
        "object" => Value::Object(object(keywords, root, depth)),
        _ => Value::Null,
    }
}

fn type_name(keywords: &Map<String, Value>) -> &str {
    match keywords.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or("null")
        }
        _ if keywords.contains_key("properties") => "object",
        _ => "",
    }
}

fn object(keywords: &Map<String, Value>, root: &Root<'_>, depth: usize) -> Map<String, Value> {
    let required = keywords.get("required").and_then(Value::as_array).into_iter().flatten();
    required
        .filter_map(|name| {
            let name = name.as_str()?;
            let schema = keywords.get("properties")?.get(name)?;
            Some((name.to_owned(), at_depth(schema, root, depth + 1)))
        })
        .collect()
}

fn text(keywords: &Map<String, Value>, min: usize) -> Value {
    let text = match keywords.get("format").and_then(Value::as_str) {
        Some("date") => "2030-01-31",
        Some("date-time") => "2030-01-31T12:00:00Z",
        Some("time") => "12:00:00Z",
        Some("email") => "ada@example.org",
        Some("uri" | "url") => "https://example.org",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        _ => "text",
    };
    let missing = min.saturating_sub(text.chars().count()).min(1024);
    Value::String(format!("{text}{}", "x".repeat(missing)))
}

fn number(keywords: &Map<String, Value>) -> Value {
    let limit = |keyword: &str| keywords.get(keyword).and_then(Value::as_f64);
    let low = limit("minimum").or_else(|| limit("exclusiveMinimum").map(|limit| limit + 1.0));
    let high = limit("maximum").or_else(|| limit("exclusiveMaximum").map(|limit| limit - 1.0));
    let step = limit("multipleOf").unwrap_or(1.0);
    let wish = low.unwrap_or(f64::NEG_INFINITY).max(1.0).min(high.unwrap_or(f64::INFINITY));
    let wish = (wish / step).ceil() * step;
    if wish.fract() == 0.0 && wish.abs() < 9e15 { Value::from(wish as i64) } else { Value::from(wish) }
}

/// Resolves a reference within the same document.
pub(super) fn reference<'r>(schema: &Value, root: &'r Value) -> Option<&'r Value> {
    let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
    root.pointer(pointer)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn examples_match_their_schemas() {
        for schema in [
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]}),
            json!({"type": "integer", "minimum": 3, "multipleOf": 2}),
            json!({"type": "number", "exclusiveMaximum": 0.5}),
            json!({"type": ["null", "string"], "minLength": 7}),
            json!({"type": "array", "items": {"enum": ["x"]}, "minItems": 2}),
            json!({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/x"}], "$defs": {"x": {"const": 5}}}),
            json!({"oneOf": [{"type": "object", "properties": {"k": {"const": "a"}}, "required": ["k"]}],
                   "properties": {"z": {"type": "boolean"}}, "required": ["z"]}),
            json!({"allOf": [{"properties": {"a": {"type": "null"}}, "required": ["a"]}], "type": "object"}),
            json!({"type": "string", "format": "date"}),
        ] {
            let value = sample(&schema, &schema);
            assert!(jsonschema::is_valid(&schema, &value), "{value} for {schema}");
        }
    }

    #[test]
    fn a_recursive_schema_ends() {
        let schema = json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]});
        assert!(sample(&schema, &schema).is_object());
    }

    #[test]
    fn a_schema_that_refers_to_itself_often_ends_soon() {
        let fields = json!({"a": {"$ref": "#"}, "b": {"$ref": "#"}, "c": {"$ref": "#"}, "d": {"$ref": "#"}});
        let schema = json!({"type": "object", "properties": fields, "required": ["a", "b", "c", "d"]});
        assert!(sample(&schema, &schema).is_object());
    }
}
