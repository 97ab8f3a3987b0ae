//! Parses the arguments of a call, checks them against the schema, and explains what is wrong.
//!
//! All faults are reported at once. How each is put into words is in [`explain`].

use jsonschema::Validator;
use serde_json::{Map, Value};
use skills_pack::text::AndMore;

use super::error::{CallError, ErrorCode};
pub(super) use super::fault::Fault;
use super::shown::shortened;

mod explain;
mod strict;

/// The largest size of a call's arguments in bytes, unless set.
pub(super) const MAX_BYTES: usize = 1024 * 1024;

/// The most faults of one call that are kept.
const MOST_FAULTS: usize = 50;

/// The most faults of one call that the audit log names.
const MOST_WHY: usize = 10;

/// The longest text about all faults, in bytes.
const MOST_TEXT: usize = 400;

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
    match strict::parse(json) {
        Ok(Value::Null) => Ok(Value::Object(Map::new())),
        Ok(value) => Ok(value),
        Err(strict::Refused::Twice { path }) => Err(Fault {
            path: path.clone(),
            ..Fault::new(format!("`{path}` is there twice"), "give each field once")
        }),
        Err(strict::Refused::NotJson(error)) => {
            Err(Fault::new(format!("the arguments aren't valid JSON: {error}"), "write one JSON object"))
        }
    }
}

/// Checks arguments against a schema, and returns all faults.
pub(super) fn validate(arguments: &Value, validator: &Validator, schema: &Value) -> Vec<Fault> {
    if validator.is_valid(arguments) {
        return Vec::new();
    }
    let mut faults: Vec<Fault> = Vec::new();
    for error in validator.iter_errors(arguments).take(MOST_FAULTS) {
        explain::explain(&error, schema, &mut faults);
    }
    explain::merge_renamed(&mut faults);
    faults.truncate(MOST_FAULTS);
    faults
}

/// Adds the faults from another schema, except at places that already have one.
pub(super) fn combine(faults: &mut Vec<Fault>, others: Vec<Fault>) {
    let known = faults.len();
    for fault in others {
        if faults[..known].iter().all(|known| known.path != fault.path) {
            faults.push(fault);
        }
    }
    explain::merge_renamed(faults);
}

/// The fault of arguments that match the schema, but not the type that they are deserialised to.
pub(super) fn of_type(error: &serde_json::Error) -> Fault {
    // It may quote a value.
    Fault { keyword: "type", ..Fault::new(shortened(error.to_string(), MOST_TEXT), "") }
}

/// Turns these faults into the error of a call to `skill`.
pub(super) fn error(faults: Vec<Fault>, skill: &str, example: &str) -> CallError {
    let (mut message, mut suggestion) = match faults.as_slice() {
        [one] => (one.message.clone(), one.suggestion.clone()),
        many => (all(many, |fault| fault.message.clone()), all(many, suggested)),
    };
    if faults.len() > 1 {
        message = format!("{} problems: {message}", faults.len());
    }
    if !example.is_empty() {
        let separator = if suggestion.is_empty() { "" } else { "; " };
        suggestion.push_str(&format!("{separator}for example {example}"));
    }
    let why = faults.iter().take(MOST_WHY).map(|fault| format!("{}: {}", fault.path, fault.keyword));
    let why = why.collect::<Vec<_>>().join(", ");
    let more = AndMore(faults.len().saturating_sub(MOST_WHY));
    let mut error = CallError::new(ErrorCode::InvalidArguments, format!("`{skill}`: {message}"), suggestion)
        .because(format!("{why}{more}"));
    error.faults = faults;
    error
}

/// A suggestion that says which fault it is for.
fn suggested(fault: &Fault) -> String {
    match (fault.suggestion.as_str(), fault.path.as_str()) {
        ("", _) => String::new(),
        (suggestion, path) if path.is_empty() || suggestion.contains(path) => suggestion.to_owned(),
        (suggestion, path) => format!("for `{path}`: {suggestion}"),
    }
}

/// As many of these as there is room for, and the number of the others.
fn all(faults: &[Fault], text: impl Fn(&Fault) -> String) -> String {
    let texts: Vec<String> = faults.iter().map(text).filter(|text| !text.is_empty()).collect();
    let mut joined = String::new();
    for (at, text) in texts.iter().enumerate() {
        if at > 0 && joined.len() + text.len() > MOST_TEXT {
            joined.push_str(&format!("; and {} more", texts.len() - at));
            break;
        }
        joined.push_str(if at > 0 { "; " } else { "" });
        joined.push_str(text);
    }
    joined
}

#[cfg(test)]
mod tests;
