//! A YAML value as JSON.

use crate::source::yaml::{Node, Scalar, ScalarKind, Value};

/// See [`Frontmatter::json`](super::Frontmatter::json).
pub(super) fn render(node: &Node) -> String {
    let mut out = String::new();
    write(node, &mut out);
    out
}

fn write(node: &Node, out: &mut String) {
    match &node.value {
        Value::Null | Value::Unreadable => out.push_str("null"),
        Value::Scalar(scalar) => write_scalar(scalar, out),
        Value::Tagged(_, inner) => write(inner, out),
        Value::List(items) => write_all(items, ['[', ']'], out, write),
        Value::Map(entries) => write_all(entries, ['{', '}'], out, |entry, out| {
            write_text(&entry.key, out);
            out.push(':');
            write(&entry.node, out);
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

fn write_scalar(scalar: &Scalar, out: &mut String) {
    let text = scalar.text.as_str();
    match scalar.kind {
        ScalarKind::Bool => out.push_str(&text.to_ascii_lowercase()),
        // A number that JSON would write otherwise (`1.10`, `0x1f`) stays the text that was written.
        ScalarKind::Number if text.parse::<i64>().is_ok_and(|number| number.to_string() == text) => {
            out.push_str(text);
        }
        _ => write_text(text, out),
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}
