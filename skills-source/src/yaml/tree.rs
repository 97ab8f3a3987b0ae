//! The passes over `serde_yaml`: one for the tree, and a second one for the texts of what it takes for
//! no text, such as `1.10` and `yes`, if there is any.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::mask::Masked;
use super::{Entry, MAX_NODES, MAX_SCALAR_BYTES, Node, Scalar, ScalarKind, Value};
use crate::code::Code;
use crate::fault::Fault;
use crate::source::Span;

/// Why no tree was read.
pub(super) enum Failure {
    /// The parser refused the text.
    Syntax(serde_yaml::Error),
    /// A limit was passed.
    Limit(Fault),
}

/// Reads `masked`, which stands at byte `base` of `text`. Faults that leave a tree, such as equal
/// keys, are added to `faults` once the whole of it was read.
pub(super) fn read(
    text: &str,
    base: usize,
    masked: &Masked<'_>,
    faults: &mut Vec<Fault>,
) -> Result<Node, Failure> {
    let budget = Budget { nodes: Cell::new(MAX_NODES), bytes: Cell::new(MAX_SCALAR_BYTES) };
    let fail = |error: serde_yaml::Error| {
        let all = base..base + masked.text().len();
        match error.to_string() {
            message if message.contains(EXPANDS_TOO_FAR) || message.contains("repetition limit") => {
                Failure::Limit(
                    Fault::new(
                        Code::E018,
                        point_at(&error, base, &all),
                        "aliases expand to more than the frontmatter may hold",
                    )
                    .help("write the values out, without anchors (`&`) and aliases (`*`)"),
                )
            }
            message if message.contains("recursion limit") => Failure::Limit(
                Fault::new(Code::E018, point_at(&error, base, &all), "the frontmatter is nested too deeply")
                    .help("keep metadata flat, or put the data in a file beside SKILL.md"),
            ),
            _ => Failure::Syntax(error),
        }
    };
    let source = Source { text, base, masked };
    let texts_lack = Cell::new(false);
    let de = serde_yaml::Deserializer::from_str(masked.text());
    let mut shape = ShapeSeed { source: &source, budget: &budget, texts_lack: &texts_lack }
        .deserialize(de)
        .map_err(fail)?;
    if texts_lack.get() {
        let de = serde_yaml::Deserializer::from_str(masked.text());
        FillSeed { source: &source, shape: &mut shape }.deserialize(de).map_err(fail)?;
    }
    let all = match shape {
        Shape::Scalar(..) => base..base,
        _ => base..base + masked.text().len(),
    };
    let mut found = Vec::new();
    let root = source.node(shape, all, &mut found);
    faults.append(&mut found);
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

/// A value as the parser hands it out: scalars that it takes for no text come without theirs.
enum Shape {
    Scalar(Option<ScalarKind>, Written),
    List(Vec<Shape>),
    Map(Vec<(Shape, Shape)>),
    Tagged(String, Box<Shape>),
}

/// A scalar's text, and its place where it stands in the file as it reads.
#[derive(Default)]
struct Written {
    text: String,
    place: Option<Span>,
}

/// The text that is read, and how it is masked.
struct Source<'t> {
    text: &'t str,
    base: usize,
    masked: &'t Masked<'t>,
}

impl Source<'_> {
    /// What was masked is read from the file itself.
    fn borrowed(&self, slice: &str) -> Written {
        let place = self.place(slice);
        let text = place.clone().and_then(|place| self.text.get(place)).unwrap_or(slice).to_owned();
        Written { text, place }
    }

    fn copied(&self, text: &str) -> Written {
        Written { text: self.masked.unmask(text), place: None }
    }

    /// The place of a slice of the masked text, in the file's text.
    fn place(&self, slice: &str) -> Option<Span> {
        let start = (slice.as_ptr() as usize).checked_sub(self.masked.text().as_ptr() as usize)?;
        let end = start.checked_add(slice.len())?;
        (end <= self.masked.text().len()).then_some(self.base + start..self.base + end)
    }

    /// The tree with a place for every value; `fallback` is that of one that has none of its own.
    fn node(&self, shape: Shape, fallback: Span, faults: &mut Vec<Fault>) -> Node {
        match shape {
            Shape::Scalar(kind, Written { text, place }) => {
                let exact = place.is_some();
                let span = place.unwrap_or(fallback);
                let value = match kind {
                    _ if self.masked.hides(span.start.saturating_sub(self.base)) => Value::Unreadable,
                    Some(kind) => Value::Scalar(Scalar { text, kind, exact }),
                    None => Value::Null,
                };
                Node { span, value }
            }
            Shape::List(items) => {
                let items = items.into_iter().map(|item| self.node(item, fallback.clone(), faults)).collect();
                Node { span: fallback, value: Value::List(items) }
            }
            Shape::Map(shapes) => {
                let mut entries: Vec<Entry> = Vec::with_capacity(shapes.len());
                for (key, value) in shapes {
                    let key = self.node(key, fallback.clone(), faults);
                    let fallback = match value {
                        Shape::Scalar(_, Written { place: Some(_), .. }) => key.span.clone(),
                        _ => self.after_key(&key.span),
                    };
                    let node = self.node(value, fallback, faults);
                    add_entry(&mut entries, key, node, faults);
                }
                Node { span: fallback, value: Value::Map(entries) }
            }
            Shape::Tagged(tag, inner) => {
                let inner = self.node(*inner, fallback.clone(), faults);
                Node { span: fallback, value: Value::Tagged(tag, Box::new(inner)) }
            }
        }
    }

    /// Where a value starts that is not written as it reads: what follows its key on the line.
    fn after_key(&self, key: &Span) -> Span {
        let end = self.base + self.masked.text().len();
        let rest = &self.text[key.end.min(end)..end];
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
}

fn add_entry(entries: &mut Vec<Entry>, key: Node, node: Node, faults: &mut Vec<Fault>) {
    match key.value {
        Value::Scalar(Scalar { text, .. }) => match entries.iter().find(|entry| entry.key == text) {
            // One finding a key, however often it stands there.
            Some(first)
                if faults
                    .iter()
                    .any(|fault| fault.related.iter().any(|(span, _)| *span == first.key_span)) => {}
            Some(first) => faults.push(duplicate(&text, key.span, first)),
            None => entries.push(Entry { key: text, key_span: key.span, node }),
        },
        Value::Unreadable => {}
        _ => faults.push(
            Fault::new(Code::E012, key.place(), "a key must be text")
                .help("name the field with a plain word"),
        ),
    }
}

fn duplicate(key: &str, span: Span, first: &Entry) -> Fault {
    Fault::new(Code::E005, span, format!("the key `{key}` is given twice"))
        .label("given again here")
        .related(first.key_span.clone(), "first given here")
        .help(format!("keep one of the two `{key}`"))
}

/// The first pass: the whole tree, without the texts of what is no text.
#[derive(Clone, Copy)]
struct ShapeSeed<'r> {
    source: &'r Source<'r>,
    budget: &'r Budget,
    /// Set where a text is missing.
    texts_lack: &'r Cell<bool>,
}

impl<'de> DeserializeSeed<'de> for ShapeSeed<'_> {
    type Value = Shape;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Shape, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl ShapeSeed<'_> {
    fn without_text<E: serde::de::Error>(self, kind: Option<ScalarKind>) -> Result<Shape, E> {
        self.budget.spend(0)?;
        self.texts_lack.set(true);
        Ok(Shape::Scalar(kind, Written::default()))
    }
}

impl<'de> Visitor<'de> for ShapeSeed<'_> {
    type Value = Shape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML value")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Shape, E> {
        self.without_text(None)
    }

    /// Of a text without any value.
    fn visit_none<E: serde::de::Error>(self) -> Result<Shape, E> {
        Ok(Shape::Scalar(None, Written::default()))
    }

    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<Shape, E> {
        self.without_text(Some(ScalarKind::Bool))
    }

    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<Shape, E> {
        self.without_text(Some(ScalarKind::Number))
    }

    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Shape, E> {
        self.without_text(Some(ScalarKind::Number))
    }

    fn visit_u128<E: serde::de::Error>(self, _: u128) -> Result<Shape, E> {
        self.without_text(Some(ScalarKind::Number))
    }

    fn visit_i128<E: serde::de::Error>(self, _: i128) -> Result<Shape, E> {
        self.without_text(Some(ScalarKind::Number))
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Shape, E> {
        self.without_text(Some(ScalarKind::Number))
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Shape, E> {
        self.budget.spend(text.len())?;
        Ok(Shape::Scalar(Some(ScalarKind::Text), self.source.borrowed(text)))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Shape, E> {
        self.budget.spend(text.len())?;
        Ok(Shape::Scalar(Some(ScalarKind::Text), self.source.copied(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Shape, A::Error> {
        self.budget.spend(0)?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Shape::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shape, A::Error> {
        self.budget.spend(0)?;
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

/// The second pass, where it is needed: every scalar again, as the text that was written.
struct FillSeed<'r> {
    source: &'r Source<'r>,
    shape: &'r mut Shape,
}

impl<'de> DeserializeSeed<'de> for FillSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.shape {
            Shape::Scalar(..) => deserializer.deserialize_str(self),
            Shape::List(_) => deserializer.deserialize_seq(self),
            Shape::Map(_) => deserializer.deserialize_map(self),
            Shape::Tagged(_, inner) => {
                FillSeed { source: self.source, shape: inner }.deserialize(deserializer)
            }
        }
    }
}

impl<'de> Visitor<'de> for FillSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value of the shape seen before")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        if let Shape::Scalar(_, written) = self.shape {
            *written = self.source.borrowed(text);
        }
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if let Shape::Scalar(_, written) = self.shape {
            *written = self.source.copied(text);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Shape::List(items) = self.shape else { return Err(A::Error::custom("the shape changed")) };
        for shape in items {
            seq.next_element_seed(FillSeed { source: self.source, shape })?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Shape::Map(entries) = self.shape else { return Err(A::Error::custom("the shape changed")) };
        for (key, value) in entries {
            if map.next_key_seed(FillSeed { source: self.source, shape: key })?.is_some() {
                map.next_value_seed(FillSeed { source: self.source, shape: value })?;
            }
        }
        Ok(())
    }
}
