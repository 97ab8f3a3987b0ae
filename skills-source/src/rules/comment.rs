//! Values that a ` #` cuts short: L114.
//!
//! A comment beside a value is good YAML and often meant. It is reported where it reads like the rest
//! of the value: right after a description, which is prose, or with a word at its `#`.

use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::{DESCRIPTION, Frontmatter};
use crate::source::Span;
use crate::yaml::{self, Entry, Node, Value};

/// Judges the values of a frontmatter that ends at `end` in `text`.
pub(super) fn check(text: &str, end: usize, read: &Frontmatter, faults: &mut Vec<Fault>) {
    // No comment, no fault: most frontmatters have none.
    let start = read.entries.first().map_or(end, |entry| entry.key_span.start);
    if !text[start.min(end)..end].contains('#') {
        return;
    }
    for (at, entry) in read.entries.iter().enumerate() {
        let entry_end = read.entries.get(at + 1).map_or(end, |next| next.key_span.start);
        if let Some(comment) = comment_after(text, entry, entry_end) {
            faults.extend(cut(text, entry, comment, &entry.key));
        } else {
            inside(text, &entry.node, faults);
        }
    }
}

/// Looks at the values in a mapping or list. Those over several lines are not looked at here.
fn inside(text: &str, node: &Node, faults: &mut Vec<Fault>) {
    match &node.value {
        Value::Map(entries) => {
            for entry in entries {
                let line_end = end_of_line(text, entry.key_span.end);
                match comment_after(text, entry, line_end) {
                    Some(comment) => faults.extend(cut(text, entry, comment, &entry.key)),
                    None => inside(text, &entry.node, faults),
                }
            }
        }
        Value::List(items) => {
            for item in items {
                let comment = match &item.value {
                    Value::Scalar(scalar) if scalar.exact => after_exact(text, &item.span),
                    _ => None,
                };
                match comment {
                    Some(comment) if has_a_word(text, &comment) => {
                        let line = yaml::in_quotes("-", &text[item.span.start..comment.end]);
                        let help = format!(
                            "if it belongs to the item, quote all of it: `{line}`; if not, put it above, on a line of its own"
                        );
                        faults.push(fault(comment, "an item of a list").help(help));
                    }
                    _ => inside(text, item, faults),
                }
            }
        }
        _ => {}
    }
}

fn cut(text: &str, entry: &Entry, comment: Span, key: &str) -> Option<Fault> {
    let is_prose = DESCRIPTION.names.contains(&key);
    if !is_prose && !has_a_word(text, &comment) {
        return None;
    }
    let value_start = text[entry.key_span.end..].find(':')? + entry.key_span.end + 1;
    let written = &text[entry.key_span.start..value_start - 1];
    let line = yaml::in_quotes(written.trim_end(), &text[value_start..comment.end]);
    let what = format!("`{}`", key.escape_debug());
    Some(fault(comment, &what).help(format!(
        "if it belongs to the value, quote all of it: `{line}`; if not, put it above, on a line of its own"
    )))
}

fn fault(comment: Span, what: &str) -> Fault {
    Fault::new(Code::L114, comment, format!("` #` cuts {what} short"))
        .label("a comment to YAML, and not part of the value")
}

/// A comment right after the plain value of an entry. `end` is where the entry ends at the
/// latest.
fn comment_after(text: &str, entry: &Entry, end: usize) -> Option<Span> {
    let Node { span, value } = &entry.node;
    match value {
        Value::Scalar(scalar) if scalar.exact && span.start >= entry.key_span.end => after_exact(text, span),
        Value::Scalar(scalar) if !scalar.exact => {
            let rest = text.get(span.start..end)?;
            let is_plain = !rest.starts_with(['"', '\'', '|', '>', '&', '*', '!']);
            // A plain value cannot hold ` #`, so the first one ends it.
            let at =
                rest.match_indices('#').map(|(at, _)| at).find(|&at| rest[..at].ends_with([' ', '\t']))?;
            let line = rest[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
            let stands_alone = rest[line..at].trim().is_empty();
            (is_plain && !stands_alone).then(|| to_line_end(text, span.start + at))
        }
        // Nothing but the comment: `color: #fff`.
        Value::Null => {
            let line = &text[entry.key_span.end..end_of_line(text, entry.key_span.end)];
            let colon = line.find(':')?;
            let value = line[colon + 1..].trim_start();
            let at = entry.key_span.end + line.len() - value.len();
            let span = value.starts_with('#').then(|| to_line_end(text, at))?;
            has_a_word(text, &span).then_some(span)
        }
        _ => None,
    }
}

/// The comment after a scalar that the file has as it reads, unless it is in quotes.
fn after_exact(text: &str, span: &Span) -> Option<Span> {
    let rest = &text[span.end..end_of_line(text, span.end)];
    let comment = rest.trim_start_matches([' ', '\t']);
    (comment.len() < rest.len() && comment.starts_with('#'))
        .then(|| to_line_end(text, span.end + rest.len() - comment.len()))
}

/// Whether something follows the `#` at once, as in `#garden` and `#42`.
fn has_a_word(text: &str, comment: &Span) -> bool {
    text[comment.start + 1..comment.end]
        .starts_with(|c: char| !c.is_whitespace() && !matches!(c, '#' | '-' | '=' | '!'))
}

fn to_line_end(text: &str, at: usize) -> Span {
    at..at + text[at..end_of_line(text, at)].trim_end().len()
}

fn end_of_line(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |len| at + len)
}
