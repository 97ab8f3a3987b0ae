//! The record of one skill or command while the pack is written, and how a frontmatter field gets into it.

use super::parts::{InFile, Shared, Span, Texts};
use super::search::Indexed;
use crate::frontmatter::{FIELDS, Form, Frontmatter, PARAMETERS};
use crate::yaml::{Entry, Node, Scalar, ScalarKind, Value};
use skills_pack::layout::{field, file};

/// A skill's or a command's record and the records that it points to.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) words: Vec<u64>,
    pub(super) files: Vec<([u64; file::DIGEST], [u8; 32])>,
    pub(super) items: Vec<Span>,
    pub(super) fields: Vec<Field>,
    pub(super) indexed: Indexed,
}

/// A frontmatter field: the shared item that is its key, and its value. Items are counted from the
/// record's first.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) key: u64,
    pub(super) kind: u32,
    pub(super) value: Span,
}

impl Record {
    pub(super) fn span(&mut self, at: usize, span: Span) {
        self.words[at..at + 2].copy_from_slice(&span);
    }

    /// Counts the items of its fields from the first item of the pack on.
    pub(super) fn move_lists(&mut self, items: u64) {
        for field in self.fields.iter_mut().filter(|field| field.kind & (field::LIST | field::TYPED) != 0) {
            field.value[0] += items;
        }
    }

    /// Adds items, and returns the first of them and their number.
    pub(super) fn list(&mut self, items: impl Iterator<Item = Span>) -> Span {
        let first = self.items.len();
        self.items.extend(items);
        [first as u64, (self.items.len() - first) as u64]
    }

    /// Adds a frontmatter field, with its value in YAML's own types where that is something else.
    pub(super) fn field(&mut self, entry: &Entry, in_file: &InFile, texts: &mut Texts, shared: &mut Shared) {
        let key = shared.index(&entry.key);
        let is_text_field =
            FIELDS.iter().any(|field| field.form == Form::Text && field.names.contains(&&*entry.key));
        let (kind, value, typed) = match &entry.node.value {
            Value::Scalar(scalar) if scalar.kind == ScalarKind::Text || is_text_field => {
                let typed = (scalar.kind != ScalarKind::Text).then(|| Frontmatter::typed_json(&entry.node));
                (field::TEXT, in_file.scalar(&entry.node, scalar, texts), typed)
            }
            Value::List(items) if texts_of(entry).is_some() => {
                let spans = items.iter().filter_map(|item| match &item.value {
                    Value::Scalar(scalar) => Some(in_file.scalar(item, scalar, texts)),
                    _ => None,
                });
                (field::LIST, self.list(spans), None)
            }
            _ => {
                let is_schema = entry.key == PARAMETERS.name();
                let json = if is_schema { Frontmatter::parameters_json } else { Frontmatter::json };
                let json = json(&entry.node);
                let typed = Some(Frontmatter::typed_json(&entry.node)).filter(|typed| *typed != json);
                (field::JSON, texts.intern(&json), typed)
            }
        };
        let (kind, value) = match typed {
            None => (kind, value),
            Some(typed) => (kind | field::TYPED, self.list([value, texts.intern(&typed)].into_iter())),
        };
        self.fields.push(Field { key, kind, value });
    }
}

/// The items of an entry that is a list of nothing but texts.
pub(super) fn texts_of(entry: &Entry) -> Option<impl Iterator<Item = &String>> {
    let Value::List(items) = &entry.node.value else { return None };
    let text = |item| match item {
        &Node { value: Value::Scalar(Scalar { ref text, kind: ScalarKind::Text, .. }), .. } => Some(text),
        _ => None,
    };
    items.iter().all(|item| text(item).is_some()).then(|| items.iter().filter_map(text))
}
