//! Puts what a validator finds into words: the place, what was expected there, and what was found.
//!
//! Models make the same mistakes again and again: a number as a string, a missing or misspelt field, JSON in
//! a string. For each of these, the fault says what to write instead.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::{Map, Value};
use skills_pack::nearest;
use skills_pack::text::{AndMore, Joined, Quoted, did_you_mean};

use super::Fault;
use crate::shown::{MOST_NAME, shortened, shown};

/// Adds the faults of an error; an unknown field is a fault each.
pub(super) fn explain(error: &ValidationError<'_>, schema: &Value, faults: &mut Vec<Fault>) {
    let path = path(error.instance_path().as_str());
    let place = if path.is_empty() { "the arguments".to_owned() } else { format!("`{path}`") };
    let instance = error.instance();
    let mut add = |path: String, value: Option<&Value>, message: String, suggestion: String| {
        let value = value.map(|value| shown_json(&value.to_string()));
        faults.push(Fault { path, value, message, suggestion, keyword: keyword(error.kind()) });
    };
    match error.kind() {
        Kind::Type { kind } => {
            let (message, suggestion) = wrong_type(&place, &path, kind, instance);
            add(path, Some(instance), message, suggestion);
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let keys = instance.as_object().into_iter().flat_map(Map::keys).map(String::as_str);
            let suggestion = match nearest::closest(name, keys).first() {
                Some(near) => instead_of(name, &shown(near)),
                None => format!("add `{name}`"),
            };
            let full = below(&path, name);
            let message = format!("`{full}` is missing");
            add(full, None, message, suggestion);
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let known = fields(schema, error.instance_path().as_str());
            for wrong in unexpected {
                let full = below(&path, &shown(wrong));
                let near = nearest::closest(wrong, known.iter().copied());
                let suggestion = match (near.first(), known.is_empty()) {
                    (Some(near), _) => did_you_mean(Quoted(near)),
                    (None, true) => "leave it out".to_owned(),
                    (None, false) => {
                        format!("leave it out; the fields are {}", Joined(known.iter().map(Quoted), ", "))
                    }
                };
                let message = format!("there is no field `{full}`");
                add(full, instance.get(wrong), message, suggestion);
            }
        }
        Kind::Enum { options } => {
            let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
            let (message, suggestion) = one_of(&place, options, instance);
            add(path, Some(instance), message, suggestion);
        }
        Kind::Constant { expected_value } => {
            let (message, suggestion) = one_of(&place, std::slice::from_ref(&**expected_value), instance);
            add(path, Some(instance), message, suggestion);
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            match nearest_form(context, depth(error)) {
                Some(inner) => explain(inner, schema, faults),
                None => add(
                    path,
                    Some(instance),
                    format!("{place} matches none of the allowed forms"),
                    String::new(),
                ),
            }
        }
        kind => {
            let (expected, found) = bound(kind, instance);
            add(path, Some(instance), format!("{place}: expected {expected}, found {found}"), String::new());
        }
    }
}

/// Keeps one fault for a misspelt field, which is both unknown and missing.
pub(super) fn merge_renamed(faults: &mut Vec<Fault>) {
    let unknown: Vec<(String, String)> = faults
        .iter()
        .filter(|fault| matches!(fault.keyword, "additionalProperties" | "unevaluatedProperties"))
        .map(|fault| (fault.path.clone(), fault.suggestion.clone()))
        .collect();
    faults.retain(|missing| {
        let (parent, name) = missing.path.rsplit_once('.').unwrap_or(("", &missing.path));
        let is_it = |(path, suggestion): &(String, String)| {
            let (other, wrong) = path.rsplit_once('.').unwrap_or(("", path));
            let says =
                *suggestion == did_you_mean(Quoted(name)) || missing.suggestion == instead_of(name, wrong);
            other == parent && says
        };
        missing.keyword != "required" || !unknown.iter().any(is_it)
    });
}

fn instead_of(name: &str, wrong: &str) -> String {
    format!("write `{name}` instead of `{wrong}`")
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { shortened(format!("{path}.{name}"), MOST_NAME) }
}

/// The keyword of a schema, for logs.
fn keyword(kind: &Kind) -> &'static str {
    match kind {
        Kind::Type { .. } => "type",
        Kind::Required { .. } => "required",
        Kind::AdditionalProperties { .. } => "additionalProperties",
        Kind::UnevaluatedProperties { .. } => "unevaluatedProperties",
        Kind::Enum { .. } => "enum",
        Kind::Constant { .. } => "const",
        Kind::AnyOf { .. } => "anyOf",
        Kind::OneOfNotValid { .. } | Kind::OneOfMultipleValid { .. } => "oneOf",
        Kind::Maximum { .. } => "maximum",
        Kind::Minimum { .. } => "minimum",
        Kind::ExclusiveMaximum { .. } => "exclusiveMaximum",
        Kind::ExclusiveMinimum { .. } => "exclusiveMinimum",
        Kind::MinLength { .. } => "minLength",
        Kind::MaxLength { .. } => "maxLength",
        Kind::MinItems { .. } => "minItems",
        Kind::MaxItems { .. } | Kind::AdditionalItems { .. } => "maxItems",
        Kind::UnevaluatedItems { .. } => "unevaluatedItems",
        Kind::MinProperties { .. } => "minProperties",
        Kind::MaxProperties { .. } => "maxProperties",
        Kind::MultipleOf { .. } => "multipleOf",
        Kind::UniqueItems => "uniqueItems",
        Kind::Contains => "contains",
        Kind::Pattern { .. } | Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "pattern"
        }
        Kind::Format { .. } => "format",
        Kind::PropertyNames { .. } => "propertyNames",
        Kind::Not { .. } => "not",
        _ => "schema",
    }
}

/// The expected value and the found one, in words.
fn bound(kind: &Kind, found: &Value) -> (String, String) {
    let value = || shown_json(&found.to_string());
    let characters = || found.as_str().map_or(0, |text| text.chars().count()).to_string();
    let items = || found.as_array().map_or(0, Vec::len).to_string();
    let entries = || found.as_object().map_or(0, Map::len).to_string();
    match kind {
        Kind::Maximum { limit } => (format!("at most {limit}"), value()),
        Kind::Minimum { limit } => (format!("at least {limit}"), value()),
        Kind::ExclusiveMaximum { limit } => (format!("less than {limit}"), value()),
        Kind::ExclusiveMinimum { limit } => (format!("more than {limit}"), value()),
        Kind::MultipleOf { multiple_of } => (format!("a multiple of {multiple_of}"), value()),
        Kind::MinLength { limit } => (format!("at least {limit} characters"), characters()),
        Kind::MaxLength { limit } => (format!("at most {limit} characters"), characters()),
        Kind::MinItems { limit } => (format!("at least {limit} items"), items()),
        Kind::MaxItems { limit } => (format!("at most {limit} items"), items()),
        Kind::AdditionalItems { limit } => (format!("at most {limit} items"), items()),
        Kind::UnevaluatedItems { .. } => ("fewer items".to_owned(), items()),
        Kind::MinProperties { limit } => (format!("at least {limit} fields"), entries()),
        Kind::MaxProperties { limit } => (format!("at most {limit} fields"), entries()),
        Kind::UniqueItems => ("items that all differ".to_owned(), "two that are equal".to_owned()),
        Kind::Contains => ("an item of another form".to_owned(), "none of that form".to_owned()),
        Kind::Pattern { pattern } => {
            (format!("a string that matches the pattern `{}`", shown(pattern)), value())
        }
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            ("a string whose pattern can be checked quickly".to_owned(), value())
        }
        Kind::Format { format } => (format!("a string in the format `{format}`"), value()),
        Kind::PropertyNames { .. } => ("fields with other names".to_owned(), value()),
        Kind::OneOfMultipleValid { .. } => {
            ("exactly one of several forms".to_owned(), "a value of two".to_owned())
        }
        Kind::Not { .. } => ("a value of another form".to_owned(), value()),
        Kind::FalseSchema => ("nothing here".to_owned(), value()),
        _ => ("another value".to_owned(), value()),
    }
}

fn wrong_type(place: &str, path: &str, kind: &TypeKind, found: &Value) -> (String, String) {
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
        (_, Some(value)) => {
            let value = shown_json(&value.to_string());
            (format!("the string \"{value}\""), format!("write it without quotes: {value}"))
        }
        (Value::Number(number), None) if wants("integer") => {
            (number.to_string(), "write a number without a fraction".to_owned())
        }
        (Value::Number(number), None) if wants("string") => {
            (format!("the number {number}"), format!("put it in quotes: \"{number}\""))
        }
        (Value::Null, None) if !path.is_empty() => {
            ("null".to_owned(), "give a value, or leave the field out if it is optional".to_owned())
        }
        (Value::String(_) | Value::Number(_) | Value::Bool(_), None) if wants("array") => {
            (in_words_of(found), format!("put it in an array: [{}]", shown_json(&found.to_string())))
        }
        _ => (in_words_of(found), format!("pass {names}")),
    };
    (format!("{place}: expected {names}, found {what}"), suggestion)
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

fn in_words_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(_) => format!("the string {}", shown_json(&value.to_string())),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// The most options that an error lists.
const OPTIONS_SHOWN: usize = 20;

fn one_of(place: &str, options: &[Value], found: &Value) -> (String, String) {
    let listed: Vec<String> =
        options.iter().take(OPTIONS_SHOWN).map(|option| shown_json(&option.to_string())).collect();
    let more = AndMore(options.len().saturating_sub(OPTIONS_SHOWN));
    let texts = options.iter().filter_map(Value::as_str);
    let near = found.as_str().and_then(|found| nearest::closest(found, texts).first().copied());
    let one_of = if options.len() > 1 { "one of " } else { "" };
    (
        format!(
            "{place}: expected {one_of}{}{more}, found {}",
            listed.join(", "),
            shown_json(&found.to_string())
        ),
        near.map_or_else(String::new, |near| did_you_mean(format_args!("\"{near}\""))),
    )
}

/// JSON for a message; its quotes are already escaped.
fn shown_json(json: &str) -> String {
    match json.char_indices().nth(60) {
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
    let mut names: Vec<&str> = fields.into_iter().flat_map(Map::keys).map(String::as_str).collect();
    // Some features of serde_json keep the order of the schema instead.
    names.sort_unstable();
    names
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
    shortened(path, MOST_NAME)
}
