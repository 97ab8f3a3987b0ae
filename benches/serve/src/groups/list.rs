//! All skills at a glance.

use crate::clock::{Case, Group, US};
use crate::material::Material;
use crate::naive::{self, Fields};

/// What is asked: nothing but the list itself.
const ONCE: &[()] = &[()];

/// A tree with its fields at hand and the text of its list.
#[derive(Debug)]
pub struct Listed<'a> {
    title: &'static str,
    material: &'a Material,
    fields: Vec<Fields>,
    text: String,
}

impl<'a> Listed<'a> {
    /// Prepares what the rivals have at hand.
    pub fn new(title: &'static str, material: &'a Material) -> Self {
        let fields = naive::fields(material.bundle);
        Self { title, material, fields, text: material.registry.list().to_string() }
    }
}

/// Lists.
pub fn group<'a>(trees: &'a [Listed<'a>]) -> Group<'a> {
    let row = |label, answer: fn(&Listed<'_>) -> usize| {
        let case = |tree| Case::new(ONCE, move |()| answer(tree));
        (label, trees.iter().map(case).collect())
    };
    Group {
        title: "list",
        about: "A name, a version, three tags and 200 characters of a description a skill.",
        unit: US,
        columns: trees.iter().map(|tree| tree.title.to_owned()).collect(),
        rows: vec![
            row("plain copy of the same text", |tree| tree.text.as_str().to_owned().len()),
            row("`Registry::list`", |tree| tree.material.registry.list().skills.len()),
            row("`Registry::list`, `to_string()`", |tree| tree.material.registry.list().to_string().len()),
            row("from a list of plain fields", |tree| naive::list(&tree.fields).len()),
        ],
    }
}
