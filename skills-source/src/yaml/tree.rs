//! From the shape that the parser gives to the tree: every value gets a place, and equal keys a fault.

use super::limits::{self, Budget};
use super::mask::Masked;
use super::node::{Entry, Node, Scalar, Value};
use super::passes::{Input, Shape, Written};
use super::refusal::{Phrase, Refusal};
use crate::code::Code;
use crate::fault::Fault;
use crate::source::Span;
use crate::subject::Subject;

/// Why no tree was read.
pub(super) enum Failure {
    /// The parser refused the text.
    Syntax(Refusal),
    /// A limit was passed.
    Limit(Fault),
}

/// Reads `masked`, which is at byte `base` of `text`. Faults that leave a tree, such as equal
/// keys, are added to `faults` once the whole of it was read.
pub(super) fn read(
    text: &str,
    base: usize,
    masked: &Masked<'_>,
    subject: Subject,
    faults: &mut Vec<Fault>,
) -> Result<Node, Failure> {
    let budget = Budget::new();
    let source = Input { text, base, masked };
    let all = base..base + masked.text().len();
    let shape = source.shape(&budget).map_err(|error| {
        let refusal = Refusal::of(&error);
        let at = refusal.at.map_or(all.start, |at| (base + at).min(all.end));
        if budget.is_spent() || refusal.says(Phrase::TooMuchRepetition) {
            Failure::Limit(limits::expands_too_far(at..at, subject))
        } else if refusal.says(Phrase::TooDeep) {
            Failure::Limit(limits::blocks_too_deep(at..at, subject))
        } else {
            Failure::Syntax(refusal)
        }
    })?;
    let fallback = if matches!(shape, Shape::Scalar(..)) { base..base } else { all };
    let mut builder = Builder { source, faults: Vec::new() };
    let root = builder.node(shape, fallback);
    faults.append(&mut builder.faults);
    Ok(root)
}

/// Makes the tree.
struct Builder<'t> {
    source: Input<'t>,
    faults: Vec<Fault>,
}

impl Builder<'_> {
    /// The tree with a place for every value; `fallback` is that of one that has none of its own.
    fn node(&mut self, shape: Shape, fallback: Span) -> Node {
        match shape {
            Shape::Scalar(kind, Written { text, place }) => {
                let exact = place.is_some();
                let span = place.unwrap_or(fallback);
                let value = match kind {
                    _ if self.source.masked.hides(span.start.saturating_sub(self.source.base)) => {
                        Value::Unreadable
                    }
                    Some(kind) => Value::Scalar(Scalar { text, kind, exact }),
                    None => Value::Null,
                };
                Node { span, value }
            }
            Shape::List(items) => {
                let items = items.into_iter().map(|item| self.node(item, fallback.clone())).collect();
                Node { span: fallback, value: Value::List(items) }
            }
            Shape::Map(shapes) => {
                let mut entries: Vec<Entry> = Vec::with_capacity(shapes.len());
                for (key, value) in shapes {
                    let key = self.node(key, fallback.clone());
                    let fallback = match value {
                        Shape::Scalar(_, Written { place: Some(_), .. }) => key.span.clone(),
                        _ => self.after_key(&key.span),
                    };
                    let node = self.node(value, fallback);
                    self.add_entry(&mut entries, key, node);
                }
                Node { span: fallback, value: Value::Map(entries) }
            }
            Shape::Tagged(tag, inner) => {
                let inner = self.node(*inner, fallback.clone());
                Node { span: fallback, value: Value::Tagged(tag, Box::new(inner)) }
            }
        }
    }

    /// Where a value starts that is not written as it reads: what follows its key on the line.
    fn after_key(&self, key: &Span) -> Span {
        let end = self.source.base + self.source.masked.text().len();
        let rest = &self.source.text[key.end.min(end)..end];
        // The search for a single character is much the faster one where a build script is not optimised.
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let line = &line[..line.find('\r').unwrap_or(line.len())];
        let Some(colon) = line.find(':') else { return key.clone() };
        let value = line[colon + 1..].trim_start_matches([' ', '\t']);
        if value.trim_end().is_empty() {
            return key.clone();
        }
        let start = key.end + (line.len() - value.len());
        start..start + value.trim_end().len()
    }

    /// Adds an entry, unless its key is there already or is no text.
    fn add_entry(&mut self, entries: &mut Vec<Entry>, key: Node, node: Node) {
        match key.value {
            Value::Scalar(Scalar { text, .. }) => match entries.iter().find(|entry| entry.key == text) {
                // One finding a key, however often it stands there.
                Some(first)
                    if self
                        .faults
                        .iter()
                        .any(|fault| fault.related.iter().any(|(span, _)| *span == first.key_span)) => {}
                Some(first) => self.faults.push(duplicate(&text, key.span, first)),
                None => entries.push(Entry { key: text, key_span: key.span, node }),
            },
            Value::Unreadable => {}
            Value::Tagged(..) => {
                let fault = Fault::new(Code::E012, key.place(), TAGGED_KEY);
                self.faults.push(fault.help("name the field with a plain word"));
            }
            _ => self.faults.push(
                Fault::new(Code::E012, key.place(), "a key must be text")
                    .help("name the field with a plain word"),
            ),
        }
    }
}

/// The message of a key with a tag, which may be reported as such.
pub(super) const TAGGED_KEY: &str = "a key must be text without a tag";

fn duplicate(key: &str, span: Span, first: &Entry) -> Fault {
    Fault::new(Code::E005, span, format!("the key `{key}` is given twice"))
        .label("given again here")
        .related(first.key_span.clone(), "first given here")
        .help(format!("keep one of the two `{key}`"))
}
