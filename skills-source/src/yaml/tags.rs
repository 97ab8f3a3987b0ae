//! Tags and merge keys: YAML that makes another value of what is written.
//!
//! The parser resolves `!!str` without a word, and gives `<<` as a key like any other. What either brings
//! is not read, so both are reported, wherever they are. In quotes `<<` is no merge key to YAML, but it is to
//! some readers.

use super::limits::Budget;
use super::mask::Masked;
use super::node::{Node, Value};
use super::passes::{Input, Shape};
use crate::code::Code;
use crate::fault::Fault;
use crate::source::Span;

/// The faults of all tags and merge keys in `masked`, which is at byte `base` of `text` and was read as
/// `root`.
pub(super) fn find(text: &str, base: usize, masked: &Masked<'_>, root: &Node) -> Vec<Fault> {
    let mut faults = tags(base, masked);
    merges(text, root, &mut faults);
    faults
}

/// The key that merges a mapping into the one in which it stands.
const MERGE: &str = "<<";

fn merges(text: &str, node: &Node, faults: &mut Vec<Fault>) {
    match &node.value {
        Value::Map(entries) => {
            for entry in entries {
                let span = &entry.key_span;
                // An alias shows what was merged elsewhere again.
                let is_new = || !faults.iter().any(|fault| fault.span == *span);
                if entry.key == MERGE && is_new() {
                    let is_plain =
                        text.get(span.clone()) == Some(MERGE) && !text[..span.start].ends_with(['"', '\'']);
                    faults.push(merge(span.clone(), is_plain));
                }
                merges(text, &entry.node, faults);
            }
        }
        Value::List(items) => items.iter().for_each(|item| merges(text, item, faults)),
        Value::Tagged(_, inner) => merges(text, inner, faults),
        Value::Null | Value::Scalar(_) | Value::Unreadable => {}
    }
}

fn merge(span: Span, is_plain: bool) -> Fault {
    let message = if is_plain {
        "`<<` is a merge key: the fields that it brings are not read"
    } else {
        "`<<` is a merge key to some readers, in quotes too: the fields that it brings are not read"
    };
    Fault::new(Code::E012, span, message)
        .label("merges a mapping into this one")
        .help("write the fields out here, without `<<`")
}

/// Every `!` that may begin a tag gets a tag of its own, and the parser says which of them are tags: what
/// is part of a string stays one.
fn tags(base: usize, masked: &Masked<'_>) -> Vec<Fault> {
    let yaml = masked.text();
    let candidates: Vec<Span> = yaml.match_indices('!').filter_map(|(at, _)| candidate(yaml, at)).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let mut numbered = String::with_capacity(yaml.len() + candidates.len() * 8);
    let mut end = 0;
    for (number, span) in candidates.iter().enumerate() {
        numbered.push_str(&yaml[end..span.start]);
        numbered.push_str(&format!("!{MARK}{number}"));
        end = span.end;
    }
    numbered.push_str(&yaml[end..]);
    let mut found = Vec::new();
    let is_read = match shape(&numbered) {
        Some(shape) => {
            numbers(&shape, &mut found);
            true
        }
        None => false,
    };
    found.sort_unstable();
    found.dedup();
    // What cannot be told apart is taken for tags: no limit may be lost in one.
    let of = |number: usize| candidates.get(number).cloned();
    let spans: Vec<Span> =
        if is_read { found.into_iter().filter_map(of).collect() } else { candidates.clone() };
    spans.into_iter().map(|span| tag(yaml, base, span)).collect()
}

/// The first letters of the names of our tags.
const MARK: &str = "skills-tag-";

/// The `!` and what follows it up to the end of a tag, where a tag can begin.
fn candidate(yaml: &str, at: usize) -> Option<Span> {
    let before = yaml[..at].chars().next_back();
    if !before.is_none_or(|c| c.is_whitespace() || matches!(c, '[' | '{' | ',' | ':')) {
        return None;
    }
    let rest = &yaml[at..];
    let verbatim = rest.strip_prefix("!<").and_then(|name| name.find('>')).map(|len| len + 3);
    let len = verbatim.or_else(|| {
        rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}' | '"' | '\''))
    });
    Some(at..at + len.unwrap_or(rest.len()))
}

fn shape(yaml: &str) -> Option<Shape> {
    let masked = Masked::new(yaml);
    Input { text: yaml, base: 0, masked: &masked }.shape(&Budget::new()).ok()
}

/// The numbers of our tags in a tree.
fn numbers(shape: &Shape, found: &mut Vec<usize>) {
    match shape {
        Shape::Scalar(..) => {}
        Shape::List(items) => items.iter().for_each(|item| numbers(item, found)),
        Shape::Map(entries) => {
            for (key, value) in entries {
                numbers(key, found);
                numbers(value, found);
            }
        }
        Shape::Tagged(name, inner) => {
            found.extend(
                name.trim_start_matches('!')
                    .strip_prefix(MARK)
                    .and_then(|number| number.parse::<usize>().ok()),
            );
            numbers(inner, found);
        }
    }
}

fn tag(yaml: &str, base: usize, span: Span) -> Fault {
    let written = &yaml[span.clone()];
    let message =
        format!("`{}` is a YAML tag, and what it makes of the value is not read", written.escape_debug());
    Fault::new(Code::E012, base + span.start..base + span.end, message)
        .label("a tag is no part of the value")
        .help("delete it; put the value in quotes if it begins with `!`")
}
