//! The passes over `serde_yaml`: one for the shape of the tree, and a second one for the text of what
//! it takes for no text, such as `1.10`, if there is any.
//!
//! The parser gives a scalar as what it resolves to or as its text, never as both, and gives no places. A
//! scalar that it hands out without a copy is a slice of the input, and there its address is its place.
//! Values without such a place get one in `tree`.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::limits::Budget;
use super::mask::Masked;
use super::node::ScalarKind;
use crate::source::Span;

/// A value as the parser hands it out: scalars that it takes for no text come without theirs.
pub(super) enum Shape {
    Scalar(Option<ScalarKind>, Written),
    List(Vec<Shape>),
    Map(Vec<(Shape, Shape)>),
    Tagged(String, Box<Shape>),
}

/// A scalar's text, and its place where it stands in the file as it reads.
#[derive(Default)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) place: Option<Span>,
}

/// The text that is read, and how it is masked.
pub(super) struct Input<'t> {
    pub(super) text: &'t str,
    pub(super) base: usize,
    pub(super) masked: &'t Masked<'t>,
}

impl Input<'_> {
    /// Reads the shape, with the text of every scalar.
    pub(super) fn shape(&self, budget: &Budget) -> Result<Shape, serde_yaml::Error> {
        let texts_lack = Cell::new(false);
        let parser = || serde_yaml::Deserializer::from_str(self.masked.text());
        let mut shape = ShapeSeed { source: self, budget, texts_lack: &texts_lack }.deserialize(parser())?;
        if texts_lack.get() {
            FillSeed { source: self, shape: &mut shape }.deserialize(parser())?;
        }
        Ok(shape)
    }

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
}

/// The first pass: the whole tree, without the texts of what is no text.
#[derive(Clone, Copy)]
struct ShapeSeed<'r> {
    source: &'r Input<'r>,
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
    source: &'r Input<'r>,
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
