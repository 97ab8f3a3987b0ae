//! Converts JSON values to strings.

use alloc::string::{String, ToString as _};

use serde_json::Value;

/// A string as it is, `None` for `null`, and the JSON of anything else.
pub fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        value => Some(value.to_string()),
    }
}
