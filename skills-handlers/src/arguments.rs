//! Parses the arguments of a call, checks them against the schema, and explains what is wrong.
//!
//! Models make the same mistakes again and again: a number as a string, a missing or misspelt field, JSON in
//! a string. For each of these, the error says what to write instead and gives an example.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};
use skills_pack::nearest;
use skills_pack::text::{AndMore, Joined, Quoted, did_you_mean};

use super::error::{CallError, ErrorCode};
use super::results::shown;

/// The largest size of a call's arguments in bytes, unless set.
pub(super) const MAX_BYTES: usize = 1024 * 1024;

/// Parses the arguments of a call: a JSON object, or an empty string.
pub(super) fn parse(json: &str, max_bytes: usize) -> Result<Value, Fault> {
    if json.len() > max_bytes {
        return Err(Fault::new(
            format!("the arguments are larger than {max_bytes} bytes: they have {}", json.len()),
            "pass less: name a file in place of its content, or make several calls",
        ));
    }
    if json.trim().is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    match serde_json::from_str(json) {
        Ok(Value::Null) => Ok(Value::Object(Map::new())),
        Ok(value) => Ok(value),
        Err(error) => {
            Err(Fault::new(format!("the arguments aren't valid JSON: {error}"), "write one JSON object"))
        }
    }
}

/// Checks arguments against a schema.
pub(super) fn validate(arguments: &Value, validator: &Validator, schema: &Value) -> Result<(), Fault> {
    validator.validate(arguments).map_err(|error| explain(&error, schema))
}

/// What is wrong with the arguments, and what to write instead.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) suggestion: String,
}

impl Fault {
    pub(super) fn new(message: impl Into<String>, suggestion: impl Into<String>) -> Self {
        Self { message: message.into(), suggestion: suggestion.into() }
    }

    /// Turns it into the error of a call to `skill`.
    pub(super) fn into_error(self, skill: &str, example: &str) -> CallError {
        let mut suggestion = self.suggestion;
        if !example.is_empty() {
            let separator = if suggestion.is_empty() { "" } else { "; " };
            suggestion.push_str(&format!("{separator}for example {example}"));
        }
        CallError::new(ErrorCode::InvalidArguments, format!("`{skill}`: {}", self.message), suggestion)
    }
}

fn explain(error: &ValidationError<'_>, schema: &Value) -> Fault {
    let path = path(error.instance_path().as_str());
    let place = if path.is_empty() { "the arguments".to_owned() } else { format!("`{path}`") };
    let instance = error.instance();
    match error.kind() {
        Kind::Type { kind } => wrong_type(&place, &path, kind, instance),
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let full = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            let keys = instance.as_object().into_iter().flat_map(Map::keys).map(String::as_str);
            let suggestion = match nearest::closest(name, keys).first() {
                Some(near) => format!("write `{name}` instead of `{}`", shown(near)),
                None => format!("add `{name}`"),
            };
            Fault::new(format!("`{full}` is missing"), suggestion)
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let wrong = unexpected.first().map(String::as_str).unwrap_or_default();
            let full = if path.is_empty() { shown(wrong) } else { format!("{path}.{}", shown(wrong)) };
            let known = fields(schema, error.instance_path().as_str());
            let suggestion = match (nearest::closest(wrong, known.iter().copied()).first(), known.is_empty())
            {
                (Some(near), _) => did_you_mean(Quoted(near)),
                (None, true) => "leave it out".to_owned(),
                (None, false) => {
                    format!("leave it out; the fields are {}", Joined(known.iter().map(Quoted), ", "))
                }
            };
            Fault::new(format!("there is no field `{full}`"), suggestion)
        }
        Kind::Enum { options } => {
            let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
            one_of(&place, options, instance)
        }
        Kind::Constant { expected_value } => {
            one_of(&place, std::slice::from_ref(&**expected_value), instance)
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            match nearest_form(context, depth(error)) {
                Some(inner) => explain(inner, schema),
                None => Fault::new(format!("{place} matches none of the allowed forms"), ""),
            }
        }
        // The validator's masked message doesn't repeat what the model sent.
        _ => Fault::new(format!("{place}: {}", error.masked()), ""),
    }
}

fn wrong_type(place: &str, path: &str, kind: &TypeKind, found: &Value) -> Fault {
    let wanted: Vec<String> = match kind {
        TypeKind::Single(one) => vec![one.to_string()],
        TypeKind::Multiple(many) => many.iter().map(|one| one.to_string()).collect(),
    };
    let wants = |name: &str| wanted.iter().any(|wanted| wanted == name);
    let names: Vec<&str> = wanted.iter().filter(|name| *name != "null").map(|name| in_words(name)).collect();
    let names = if names.is_empty() { "null".to_owned() } else { names.join(" or ") };
    let inside = found.as_str().and_then(|text| serde_json::from_str::<Value>(text.trim()).ok());
    let is_wanted = |value: &Value| match value {
        Value::Number(number) => {
            wants("number") || (wants("integer") && (number.is_i64() || number.is_u64()))
        }
        Value::Bool(_) => wants("boolean"),
        Value::Array(_) => wants("array"),
        Value::Object(_) => wants("object"),
        Value::Null | Value::String(_) => false,
    };
    let (what, suggestion) = match (found, inside.filter(is_wanted)) {
        (_, Some(Value::Object(_) | Value::Array(_))) => {
            ("a string that contains JSON".to_owned(), "pass the value itself, not a string".to_owned())
        }
        (Value::String(text), Some(inner)) => {
            (format!("the string \"{}\"", shown(text)), format!("write it without quotes: {inner}"))
        }
        (Value::Number(number), None) if wants("string") => {
            (format!("the number {number}"), format!("put it in quotes: \"{number}\""))
        }
        (Value::Number(number), None) if wants("integer") => {
            (format!("{number}"), "write a number without a fraction".to_owned())
        }
        (Value::Null, None) if !path.is_empty() => {
            ("null".to_owned(), "give a value, or leave the field out if it is optional".to_owned())
        }
        (Value::String(_) | Value::Number(_) | Value::Bool(_), None) if wants("array") => (
            in_words_of(found).to_owned(),
            format!("put it in an array: [{}]", shown_json(&found.to_string())),
        ),
        _ => (in_words_of(found).to_owned(), format!("pass {names}")),
    };
    Fault::new(format!("{place}: expected {names}, found {what}"), suggestion)
}

fn in_words(type_name: &str) -> &str {
    match type_name {
        "string" => "a string",
        "integer" => "an integer",
        "number" => "a number",
        "boolean" => "a boolean",
        "array" => "an array",
        "object" => "an object",
        other => other,
    }
}

fn in_words_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The most options that an error lists.
const OPTIONS_SHOWN: usize = 20;

fn one_of(place: &str, options: &[Value], found: &Value) -> Fault {
    let listed: Vec<String> =
        options.iter().take(OPTIONS_SHOWN).map(|option| shown_json(&option.to_string())).collect();
    let more = AndMore(options.len().saturating_sub(OPTIONS_SHOWN));
    let texts = options.iter().filter_map(Value::as_str);
    let near = found.as_str().and_then(|found| nearest::closest(found, texts).first().copied());
    Fault::new(
        format!(
            "{place}: expected one of {}{more}, found {}",
            listed.join(", "),
            shown_json(&found.to_string())
        ),
        near.map_or_else(String::new, |near| did_you_mean(format_args!("\"{near}\""))),
    )
}

/// JSON for a message; its quotes are already escaped.
fn shown_json(json: &str) -> String {
    match json.char_indices().nth(80) {
        Some((at, _)) => format!("{}…", &json[..at]),
        None => json.to_owned(),
    }
}

/// The form that the value comes closest to: the one that its tag and its type choose, else the one whose
/// error is deepest. `base` is the depth of the forms.
fn nearest_form<'e>(
    forms: &'e [Vec<ValidationError<'static>>],
    base: usize,
) -> Option<&'e ValidationError<'static>> {
    let rank = |error: &ValidationError<'_>| {
        let depth = depth(error);
        let is_other = match error.kind() {
            Kind::Constant { .. } | Kind::Enum { .. } => true,
            Kind::Type { .. } => depth == base,
            _ => false,
        };
        (!is_other, depth, !matches!(error.kind(), Kind::Type { kind } if is_null(kind)))
    };
    // A form that the value's tag rules out is judged by that error alone.
    let worst = |form: &'e Vec<ValidationError<'static>>| form.iter().min_by_key(|error| rank(error));
    let mut best: Option<&ValidationError<'static>> = None;
    for error in forms.iter().filter_map(worst) {
        if best.is_none_or(|best| rank(error) > rank(best)) {
            best = Some(error);
        }
    }
    best
}

fn depth(error: &ValidationError<'_>) -> usize {
    error.instance_path().as_str().matches('/').count()
}

fn is_null(kind: &TypeKind) -> bool {
    matches!(kind, TypeKind::Single(one) if one.to_string() == "null")
}

/// The fields of the object at this place, as far as the schema lists them without choices.
fn fields<'s>(schema: &'s Value, pointer: &str) -> Vec<&'s str> {
    let mut here = schema;
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        let next = here.get("properties").and_then(|properties| properties.get(name.as_str()));
        match next.or_else(|| here.get("items")) {
            Some(next) => here = next,
            None => return Vec::new(),
        }
    }
    let fields = here.get("properties").and_then(Value::as_object);
    fields.into_iter().flat_map(Map::keys).map(String::as_str).collect()
}

/// Writes a JSON pointer such as `/filters/0/name` as `filters[0].name`.
fn path(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push_str(&format!("[{name}]"));
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&shown(&name));
        }
    }
    path
}

#[cfg(test)]
mod tests;
