//! All skills at a glance.

use bench_harness::clock::{Case, Group, US};

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

fn row<'a, A>(
    label: &'static str,
    trees: &'a [Listed<'a>],
    answer: impl Fn(&'a Listed<'a>) -> A + Copy + 'a,
) -> (&'static str, Vec<Case<'a>>) {
    (label, trees.iter().map(|tree| Case::new(ONCE, move |()| answer(tree))).collect())
}

/// Lists.
pub fn group<'a>(trees: &'a [Listed<'a>]) -> Group<'a> {
    Group {
        title: "list",
        about: "A name, a version, three tags and 200 characters of a description a skill.",
        unit: US,
        columns: trees.iter().map(|tree| tree.title.to_owned()).collect(),
        rows: vec![
            row("plain copy of the same text", trees, |tree| tree.text.as_str().to_owned()),
            row("`Registry::list`", trees, |tree| tree.material.registry.list()),
            row("`Registry::list`, `to_string()`", trees, |tree| tree.material.registry.list().to_string()),
            row("from a list of plain fields", trees, |tree| naive::list(&tree.fields)),
        ],
    }
}
