//! JSON values as text.

use alloc::string::{String, ToString as _};

use serde_json::Value;

/// A value as text: a string as it is, `null` as nothing, anything else as the JSON it is.
pub fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        value => Some(value.to_string()),
    }
}
