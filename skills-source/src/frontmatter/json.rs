//! A YAML value as JSON.

use crate::yaml::{Node, Scalar, ScalarKind, Value};

/// See [`Frontmatter::json`](super::Frontmatter::json).
pub(super) fn render(node: &Node, numbers: Numbers) -> String {
    let mut out = String::new();
    write(node, numbers, &mut out);
    out
}

/// What becomes of a number that JSON would write otherwise, such as `1.10` and `0x1f`.
#[derive(Clone, Copy)]
pub(super) enum Numbers {
    /// It stays the text that was written.
    AsWritten,
    /// It becomes that number, for schemas, which compare numbers with it.
    AsMeant,
    /// It becomes what any reader of YAML has: 1.1 and 31, and `null` for what is not finite. A whole
    /// number that 64 bits cannot hold stays the text that was written.
    InYaml,
}

fn write(node: &Node, numbers: Numbers, out: &mut String) {
    match &node.value {
        Value::Null | Value::Unreadable => out.push_str("null"),
        Value::Scalar(scalar) => write_scalar(scalar, numbers, out),
        Value::Tagged(_, inner) => write(inner, numbers, out),
        Value::List(items) => write_all(items, ['[', ']'], out, |item, out| write(item, numbers, out)),
        Value::Map(entries) => write_all(entries, ['{', '}'], out, |entry, out| {
            write_text(&entry.key, out);
            out.push(':');
            write(&entry.node, numbers, out);
        }),
    }
}

fn write_all<T>(items: &[T], [open, close]: [char; 2], out: &mut String, one: impl Fn(&T, &mut String)) {
    out.push(open);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        one(item, out);
    }
    out.push(close);
}

fn write_scalar(scalar: &Scalar, numbers: Numbers, out: &mut String) {
    let text = scalar.text.as_str();
    match scalar.kind {
        ScalarKind::Bool => out.push_str(&text.to_ascii_lowercase()),
        ScalarKind::Number if text.parse::<i64>().is_ok_and(|number| number.to_string() == text) => {
            out.push_str(text);
        }
        ScalarKind::Number if matches!(numbers, Numbers::AsMeant) => match scalar.number() {
            Some(number) => out.push_str(&serde_json::Value::from(number).to_string()),
            None => write_text(text, out),
        },
        // The parser reads the number once more: what one is, it alone decides.
        ScalarKind::Number if matches!(numbers, Numbers::InYaml) => {
            match serde_yaml::from_str::<serde_json::Value>(text) {
                Ok(number) => out.push_str(&number.to_string()),
                Err(_) => write_text(text, out),
            }
        }
        _ => write_text(text, out),
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}
