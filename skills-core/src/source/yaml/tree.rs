//! The two passes over `serde_yaml`: first the shape of every value, then its text and place.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::mask::Masked;
use super::{Entry, MAX_NODES, MAX_SCALAR_BYTES, Node, Scalar, ScalarKind, Value};
use crate::source::code::Code;
use crate::source::place::{Fault, Span};

/// Why no tree was read.
pub(super) enum Failure {
    /// The parser refused the text.
    Syntax(serde_yaml::Error),
    /// A limit was passed.
    Limit(Fault),
}

/// Reads `masked`, which stands at byte `base` of `text`. Faults that leave a tree, such as equal
/// keys, are added to `faults` once the whole of it was read.
pub(super) fn read(text: &str, base: usize, masked: &Masked<'_>, faults: &mut Vec<Fault>) -> Result<Node, Failure> {
    let budget = Budget { nodes: Cell::new(MAX_NODES), bytes: Cell::new(MAX_SCALAR_BYTES) };
    let fail = |error: serde_yaml::Error| {
        let all = base..base + masked.text().len();
        match error.to_string() {
            message if message.contains(EXPANDS_TOO_FAR) || message.contains("repetition limit") => Failure::Limit(
                Fault::new(Code::E018, point_at(&error, base, &all), "aliases expand to more than the frontmatter may hold")
                    .help("write the values out, without anchors (`&`) and aliases (`*`)"),
            ),
            message if message.contains("recursion limit") => Failure::Limit(
                Fault::new(Code::E018, point_at(&error, base, &all), "the frontmatter is nested too deeply")
                    .help("keep metadata flat, or put the data in a file beside SKILL.md"),
            ),
            _ => Failure::Syntax(error),
        }
    };
    let de = serde_yaml::Deserializer::from_str(masked.text());
    let shape = ShapeSeed(&budget).deserialize(de).map_err(fail)?;
    let reader = Reader { text, base, masked, faults: Cell::new(Vec::new()) };
    let de = serde_yaml::Deserializer::from_str(masked.text());
    let root = NodeSeed { reader: &reader, shape: &shape, fallback: base..base + masked.text().len() }
        .deserialize(de)
        .map_err(fail)?;
    faults.append(&mut reader.faults.take());
    Ok(root)
}

const EXPANDS_TOO_FAR: &str = "expands too far";

fn point_at(error: &serde_yaml::Error, base: usize, all: &Span) -> Span {
    error.location().map_or(all.start..all.start, |location| {
        let at = (base + location.index()).min(all.end);
        at..at
    })
}

/// What is left of the limits that aliases could break.
struct Budget {
    nodes: Cell<usize>,
    bytes: Cell<usize>,
}

impl Budget {
    fn spend<E: serde::de::Error>(&self, bytes: usize) -> Result<(), E> {
        match (self.nodes.get().checked_sub(1), self.bytes.get().checked_sub(bytes)) {
            (Some(nodes), Some(bytes)) => {
                self.nodes.set(nodes);
                self.bytes.set(bytes);
                Ok(())
            }
            _ => Err(E::custom(EXPANDS_TOO_FAR)),
        }
    }
}

/// The form of a value, without its text.
enum Shape {
    Null,
    Scalar(ScalarKind),
    List(Vec<Shape>),
    Map(Vec<(Shape, Shape)>),
    Tagged(String, Box<Shape>),
}

#[derive(Clone, Copy)]
struct ShapeSeed<'b>(&'b Budget);

impl<'de> DeserializeSeed<'de> for ShapeSeed<'_> {
    type Value = Shape;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Shape, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl ShapeSeed<'_> {
    fn scalar<E: serde::de::Error>(self, kind: ScalarKind, bytes: usize) -> Result<Shape, E> {
        self.0.spend(bytes)?;
        Ok(Shape::Scalar(kind))
    }
}

impl<'de> Visitor<'de> for ShapeSeed<'_> {
    type Value = Shape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML value")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Shape, E> {
        self.0.spend(0)?;
        Ok(Shape::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<Shape, E> {
        self.scalar(ScalarKind::Bool, 0)
    }

    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<Shape, E> {
        self.scalar(ScalarKind::Number, 0)
    }

    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Shape, E> {
        self.scalar(ScalarKind::Number, 0)
    }

    fn visit_u128<E: serde::de::Error>(self, _: u128) -> Result<Shape, E> {
        self.scalar(ScalarKind::Number, 0)
    }

    fn visit_i128<E: serde::de::Error>(self, _: i128) -> Result<Shape, E> {
        self.scalar(ScalarKind::Number, 0)
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Shape, E> {
        self.scalar(ScalarKind::Number, 0)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Shape, E> {
        self.scalar(ScalarKind::Text, text.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Shape, A::Error> {
        self.0.spend(0)?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Shape::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shape, A::Error> {
        self.0.spend(0)?;
        let mut entries = Vec::new();
        while let Some(key) = map.next_key_seed(self)? {
            entries.push((key, map.next_value_seed(self)?));
        }
        Ok(Shape::Map(entries))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Shape, A::Error> {
        let (tag, content) = data.variant::<String>()?;
        Ok(Shape::Tagged(tag, Box::new(content.newtype_variant_seed(self)?)))
    }
}

struct Reader<'t> {
    text: &'t str,
    base: usize,
    masked: &'t Masked<'t>,
    faults: Cell<Vec<Fault>>,
}

impl Reader<'_> {
    fn report(&self, fault: Fault) {
        let mut faults = self.faults.take();
        faults.push(fault);
        self.faults.set(faults);
    }

    /// The place of a slice of the masked text, in the file's text.
    fn place(&self, slice: &str) -> Option<Span> {
        let start = (slice.as_ptr() as usize).checked_sub(self.masked.text().as_ptr() as usize)?;
        let end = start.checked_add(slice.len())?;
        (end <= self.masked.text().len()).then_some(self.base + start..self.base + end)
    }

    /// Where a value starts that is not written as it reads: what follows its key on the line.
    fn after_key(&self, key: &Span) -> Span {
        let end = self.base + self.masked.text().len();
        let rest = &self.text[key.end.min(end)..end];
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        let Some(colon) = line.find(':') else { return key.clone() };
        let value = line[colon + 1..].trim_start_matches([' ', '\t']);
        if value.trim_end().is_empty() {
            return key.clone();
        }
        let start = key.end + (line.len() - value.len());
        start..start + value.trim_end().len()
    }
}

struct NodeSeed<'r> {
    reader: &'r Reader<'r>,
    shape: &'r Shape,
    fallback: Span,
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        match self.shape {
            Shape::List(_) => deserializer.deserialize_seq(self),
            Shape::Map(_) => deserializer.deserialize_map(self),
            Shape::Tagged(tag, shape) => {
                let fallback = self.fallback.clone();
                let inner = NodeSeed { shape, ..self }.deserialize(deserializer)?;
                Ok(Node { span: fallback, value: Value::Tagged(tag.clone(), Box::new(inner)) })
            }
            Shape::Null | Shape::Scalar(_) => {
                let (text, span) = TextSeed(self.reader).deserialize(deserializer)?;
                let exact = span.is_some();
                let span = span.unwrap_or(self.fallback);
                if self.reader.masked.hides(span.start.saturating_sub(self.reader.base)) {
                    return Ok(Node { span, value: Value::Unreadable });
                }
                let value = match *self.shape {
                    Shape::Scalar(kind) => Value::Scalar(Scalar { text: text.into_owned(), kind, exact }),
                    _ => Value::Null,
                };
                Ok(Node { span, value })
            }
        }
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value of the shape seen before")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let Shape::List(shapes) = self.shape else { return Err(A::Error::custom("the shape changed")) };
        let mut items: Vec<Node> = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let fallback = self.fallback.clone();
            let seed = NodeSeed { reader: self.reader, shape, fallback };
            items.extend(seq.next_element_seed(seed)?);
        }
        Ok(Node { span: self.fallback, value: Value::List(items) })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let Shape::Map(shapes) = self.shape else { return Err(A::Error::custom("the shape changed")) };
        let mut entries: Vec<Entry> = Vec::with_capacity(shapes.len());
        for (key_shape, shape) in shapes {
            let seed = NodeSeed { reader: self.reader, shape: key_shape, fallback: self.fallback.clone() };
            let Some(key) = map.next_key_seed(seed)? else { break };
            let fallback = self.reader.after_key(&key.span);
            let node = map.next_value_seed(NodeSeed { reader: self.reader, shape, fallback })?;
            match (key_text(&key), &key.value) {
                (Some(text), _) => match entries.iter().find(|entry| entry.key == text) {
                    Some(first) => self.reader.report(duplicate(&text, key.span, first)),
                    None => entries.push(Entry { key: text, key_span: key.span, node }),
                },
                (None, Value::Unreadable) => {}
                (None, _) => self.reader.report(
                    Fault::new(Code::E012, key.span, "a key must be text").help("name the field with a plain word"),
                ),
            }
        }
        Ok(Node { span: self.fallback, value: Value::Map(entries) })
    }
}

fn key_text(key: &Node) -> Option<String> {
    match &key.value {
        Value::Scalar(scalar) => Some(scalar.text.clone()),
        _ => None,
    }
}

fn duplicate(key: &str, span: Span, first: &Entry) -> Fault {
    Fault::new(Code::E005, span, format!("the key `{key}` is given twice"))
        .label("given again here")
        .related(first.key_span.clone(), "first given here")
        .help(format!("keep one of the two `{key}`"))
}

/// Reads a scalar's text as it was written, and its place where it is a slice of the input.
struct TextSeed<'r>(&'r Reader<'r>);

impl<'de> DeserializeSeed<'de> for TextSeed<'_> {
    type Value = (Cow<'de, str>, Option<Span>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for TextSeed<'_> {
    type Value = (Cow<'de, str>, Option<Span>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a scalar")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        match self.0.place(text) {
            // What was masked is read from the file itself.
            Some(span) => match self.0.text.get(span.clone()) {
                Some(original) => Ok((Cow::Owned(original.to_owned()), Some(span))),
                None => Ok((Cow::Borrowed(text), None)),
            },
            None => Ok((Cow::Borrowed(text), None)),
        }
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok((Cow::Owned(self.0.masked.unmask(text)), None))
    }
}
