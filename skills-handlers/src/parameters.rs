//! Compares the `parameters` of a SKILL.md with the schema of its handler's Rust type.
//!
//! A SKILL.md may say less than the type: it doesn't have to list every optional field or bound. What it says
//! must be true: the handler must not refuse a call that matches the `parameters` because of a field, a type,
//! a value or a bound that they promise.

use std::collections::HashSet;

use serde_json::{Map, Value};
use skills_pack::nearest;
use skills_pack::text::{Quoted, did_you_mean};

use super::sample::reference;

/// How many pairs of schemas are compared: nested choices can have very many.
const MAX_PAIRS: usize = 10_000;

/// The contradictions, one line each; empty if the schemas agree.
pub(super) fn contradictions(skill: &Value, handler: &Value) -> Vec<String> {
    let mut compare = Compare { skill, handler, found: Vec::new(), open: Vec::new(), pairs: 0 };
    compare.schemas(skill, handler, "");
    let mut found = compare.found;
    // A value can contradict both a choice and each of its forms.
    let mut seen = HashSet::new();
    found.retain(|line| seen.insert(line.clone()));
    found
}

struct Compare<'s> {
    skill: &'s Value,
    handler: &'s Value,
    found: Vec<String>,
    /// The pairs being compared: schemas may be recursive.
    open: Vec<(&'s Value, &'s Value)>,
    pairs: usize,
}

impl<'s> Compare<'s> {
    fn report(&mut self, path: &str, message: impl AsRef<str>) {
        let place = if path.is_empty() { "the arguments".to_owned() } else { format!("`{path}`") };
        self.found.push(format!("{place}: {}", message.as_ref()));
    }

    fn schemas(&mut self, skill: &'s Value, handler: &'s Value, path: &str) {
        self.pairs += 1;
        let is_open =
            |(one, other): &(&Value, &Value)| std::ptr::eq(*one, skill) && std::ptr::eq(*other, handler);
        if self.pairs > MAX_PAIRS || self.open.iter().any(is_open) {
            return;
        }
        self.open.push((skill, handler));
        self.pair(skill, handler, path);
        self.open.pop();
    }

    fn pair(&mut self, skill: &'s Value, handler: &'s Value, path: &str) {
        if let Some(target) = reference(skill, self.skill) {
            return self.schemas(target, handler, path);
        }
        if let Some(target) = reference(handler, self.handler) {
            return self.schemas(skill, target, path);
        }
        let (Some(said), Some(takes)) = (skill.as_object(), handler.as_object()) else {
            if *handler == Value::Bool(false) && *skill != Value::Bool(false) {
                self.report(path, "the handler accepts nothing here");
            }
            return;
        };
        if let Some(forms) = forms(said) {
            for form in forms {
                self.schemas(form, handler, path);
            }
        }
        self.values(said, handler, path);
        if let Some(forms) = forms(takes) {
            self.any_form(skill, forms, path);
            if !takes.contains_key("properties") {
                return;
            }
        }
        self.types(said, takes, path);
        self.bounds(said, takes, path);
        self.fields(said, takes, path);
        if let (Some(items), Some(taken)) = (said.get("items"), takes.get("items")) {
            self.schemas(items, taken, &format!("{path}[]"));
        }
    }

    /// One of the handler's forms must match. If none does, the one with the fewest contradictions is
    /// reported.
    fn any_form(&mut self, skill: &'s Value, forms: &'s [Value], path: &str) {
        let before = std::mem::take(&mut self.found);
        let mut fewest: Option<Vec<String>> = None;
        for form in forms {
            self.schemas(skill, form, path);
            let faults = std::mem::take(&mut self.found);
            if fewest.as_ref().is_none_or(|fewest| faults.len() < fewest.len()) {
                fewest = Some(faults);
            }
        }
        self.found = before;
        self.found.extend(fewest.unwrap_or_default());
    }

    fn types(&mut self, said: &Map<String, Value>, takes: &Map<String, Value>, path: &str) {
        let (said, takes) = (types(said), types(takes));
        if takes.is_empty() {
            return;
        }
        let is_taken = |name: &str| takes.contains(&name) || (name == "integer" && takes.contains(&"number"));
        for name in said.iter().filter(|name| !is_taken(name)) {
            let takes = takes.join("` or `");
            self.report(path, format!("SKILL.md says `{name}`, but the handler accepts `{takes}`"));
        }
    }

    /// The handler must accept the values that the SKILL.md offers.
    fn values(&mut self, said: &Map<String, Value>, handler: &Value, path: &str) {
        let lists =
            ["enum", "examples"].iter().filter_map(|keyword| said.get(*keyword)?.as_array()).flatten();
        let singles = ["const", "default"].iter().filter_map(|keyword| said.get(*keyword));
        let mut offered = lists.chain(singles).peekable();
        if offered.peek().is_none() {
            return;
        }
        let mut alone = handler.clone();
        if let (Some(keywords), Some(definitions)) = (alone.as_object_mut(), self.handler.get("$defs")) {
            keywords.insert("$defs".to_owned(), definitions.clone());
        }
        let Ok(validator) = jsonschema::validator_for(&alone) else { return };
        for value in offered.filter(|value| !validator.is_valid(value)) {
            self.report(path, format!("SKILL.md offers {value}, which the handler does not accept"));
        }
    }

    fn bounds(&mut self, said: &Map<String, Value>, takes: &Map<String, Value>, path: &str) {
        let lower = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
        let upper = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
        for (keyword, is_lower) in
            lower.iter().map(|keyword| (keyword, true)).chain(upper.iter().map(|keyword| (keyword, false)))
        {
            let bound = |keywords: &Map<String, Value>| keywords.get(*keyword).and_then(Value::as_f64);
            let (Some(promised), Some(taken)) = (bound(said), bound(takes)) else { continue };
            if (is_lower && promised < taken) || (!is_lower && promised > taken) {
                self.report(
                    path,
                    format!("SKILL.md says `{keyword}: {promised}`, but the handler `{keyword}: {taken}`"),
                );
            }
        }
    }

    fn fields(&mut self, said: &'s Map<String, Value>, takes: &'s Map<String, Value>, path: &str) {
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let taken = takes.get("properties").and_then(Value::as_object);
        let others = takes.get("additionalProperties").filter(|others| **others != Value::Bool(false));
        for (name, schema) in said.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if let Some(taken) = taken.and_then(|taken| taken.get(name)).or(others) {
                self.schemas(schema, taken, &below(name));
            } else if let Some(taken) = taken {
                let near = nearest::closest(name, taken.keys().map(String::as_str)).first().copied();
                let near = near.map_or_else(String::new, |near| format!(": {}", did_you_mean(Quoted(near))));
                self.report(&below(name), format!("the handler has no such field{near}"));
            } else if types(takes) == ["object"] {
                self.report(&below(name), "the handler has no such field");
            }
        }
        if types(said) != ["object"] && !said.contains_key("properties") {
            return;
        }
        let required = |keywords: &'s Map<String, Value>| {
            let names = keywords.get("required").and_then(Value::as_array).into_iter().flatten();
            names.filter_map(Value::as_str).collect::<Vec<_>>()
        };
        let promised = required(said);
        for name in required(takes).into_iter().filter(|name| !promised.contains(name)) {
            self.report(&below(name), "the handler requires it, but SKILL.md does not say so");
        }
    }
}

fn types(keywords: &Map<String, Value>) -> Vec<&str> {
    match keywords.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The forms of a choice.
fn forms(keywords: &Map<String, Value>) -> Option<&[Value]> {
    let forms = ["anyOf", "oneOf"].iter().find_map(|keyword| keywords.get(*keyword)?.as_array())?;
    Some(forms)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn handler() -> Value {
        json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "path": {"type": "string", "minLength": 1},
                "limit": {"type": ["integer", "null"], "minimum": 0, "maximum": 255},
                "mode": {"anyOf": [{"enum": ["fast", "slow"], "type": "string"}, {"type": "null"}]},
                "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            },
            "required": ["path"],
            "$defs": {"row": {"type": "object", "properties": {"id": {"type": "number"}}, "required": ["id"]}},
        })
    }

    #[test]
    fn a_skill_may_say_less_than_its_handler() {
        for skill in [
            json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}),
            json!({"type": "object", "properties": {"path": {}, "limit": {"type": "integer", "maximum": 9}},
                   "required": ["path", "limit"]}),
            json!({"type": "object", "properties": {"mode": {"enum": ["fast"]}}, "required": ["path"]}),
            json!({"type": "object", "properties": {"mode": {"type": "string"},
                   "rows": {"type": "array", "items": {"$ref": "#/$defs/r"}}},
                   "$defs": {"r": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}},
                   "required": ["path"]}),
            json!({"type": "object", "properties": {"labels": {"type": "object",
                   "properties": {"x": {"type": "string"}}}}, "required": ["path"]}),
        ] {
            assert_eq!(contradictions(&skill, &handler()), [""; 0], "{skill}");
        }
    }

    #[test]
    fn contradictions_are_reported() {
        let with =
            |properties: Value| json!({"type": "object", "properties": properties, "required": ["path"]});
        for (skill, expected) in [
            (json!({"type": "object"}), "`path`: the handler requires it, but SKILL.md does not say so"),
            (with(json!({"pth": {}})), "`pth`: the handler has no such field: did you mean `path`?"),
            (
                with(json!({"path": {"type": "integer"}})),
                "`path`: SKILL.md says `integer`, but the handler accepts `string`",
            ),
            (
                with(json!({"limit": {"type": "number"}})),
                "`limit`: SKILL.md says `number`, but the handler accepts `integer` or `null`",
            ),
            (
                with(json!({"limit": {"maximum": 1000}})),
                "`limit`: SKILL.md says `maximum: 1000`, but the handler `maximum: 255`",
            ),
            (
                with(json!({"path": {"minLength": 0}})),
                "`path`: SKILL.md says `minLength: 0`, but the handler `minLength: 1`",
            ),
            (
                with(json!({"mode": {"enum": ["fast", "best"]}})),
                "`mode`: SKILL.md offers \"best\", which the handler does not accept",
            ),
            (
                with(json!({"limit": {"default": "ten"}})),
                "`limit`: SKILL.md offers \"ten\", which the handler does not accept",
            ),
            (
                with(json!({"mode": {"type": "boolean"}})),
                "`mode`: SKILL.md says `boolean`, but the handler accepts `string`",
            ),
            (
                with(json!({"rows": {"items": {"type": "object"}}})),
                "`rows[].id`: the handler requires it, but SKILL.md does not say so",
            ),
            (
                with(json!({"labels": {"properties": {"x": {"type": "integer"}}}})),
                "`labels.x`: SKILL.md says `integer`, but the handler accepts `string`",
            ),
        ] {
            assert_eq!(contradictions(&skill, &handler()), [expected], "{skill}");
        }
    }

    #[test]
    fn recursive_schemas_are_compared() {
        let schema = |name: &str| json!({"type": "object", "properties": {"next": {"$ref": "#"}, name: {}}});
        assert_eq!(contradictions(&schema("a"), &schema("a")), [""; 0]);
        assert_eq!(contradictions(&json!({"$ref": "#"}), &json!({"$ref": "#"})), [""; 0]);
        assert!(
            contradictions(&schema("alpha"), &schema("omega"))
                .contains(&"`alpha`: the handler has no such field".to_owned())
        );
    }
}
