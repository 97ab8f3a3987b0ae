//! Converts JSON values to strings.

use alloc::string::{String, ToString as _};

use serde_json::Value;

/// The whole number that a string has, which may end in a fraction of zero.
pub(crate) fn whole_number(text: &str) -> Option<usize> {
    let text = text.trim();
    let whole = text.split_once('.').filter(|(_, fraction)| fraction.bytes().all(|digit| digit == b'0'));
    whole.map_or(text, |(whole, _)| whole).parse().ok()
}

/// A string as it is, `None` for `null`, and the JSON of anything else.
pub fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        value => Some(value.to_string()),
    }
}
