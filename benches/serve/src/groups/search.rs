//! From a query to the skills that fit it best.

use bench_harness::clock::{Case, Group, US};
use skills::search::{Matches, Ranking, SearchOptions};

use crate::material::Material;
use crate::naive::{self, Fields};

/// The loop that lowers every field for each query.
pub const NAIVE: &str = "naive loop";
/// The whole action, as data.
pub const OURS: &str = "`Registry::search_with`, `reference`";

/// What the naive loop does, done by the registry.
pub fn reference<'m>(material: &'m Material, query: &str) -> Option<Matches<'m>> {
    material.registry.search_with(query, SearchOptions::new().ranking(Ranking::Reference)).ok()
}

/// Searches among the skills of one tree.
pub fn group<'a>(material: &'a Material, fields: &'a [Fields], queries: &'a [String; 5]) -> Group<'a> {
    let each = |answer: fn(&Material, &[Fields], &str) -> usize| {
        let case = |query: &'a String| {
            Case::new(std::slice::from_ref(query), move |query: &String| answer(material, fields, query))
        };
        queries.iter().map(case).collect::<Vec<_>>()
    };
    let hits = |query: &String| reference(material, query).map_or(0, |found| found.results.len());
    let columns = bundle_1000::ASKED
        .iter()
        .zip(queries)
        .map(|(asked, query)| format!("{asked} ({} hits)", hits(query)));
    Group {
        title: "search, 1,000 skills",
        about: "The naive loop reads the same static texts and gives the scores of `reference`; it lowers name, description, \
                tags and triggers of each skill for each query.",
        unit: US,
        columns: columns.collect(),
        rows: vec![
            (NAIVE, each(|_, fields, query| naive::search(fields, query).len())),
            (OURS, each(|of, _, query| reference(of, query).map_or(0, |found| found.results.len()))),
            (
                "`Registry::search`, `hybrid`",
                each(|of, _, query| of.registry.search(query).map_or(0, |found| found.results.len())),
            ),
            (
                "`Registry::search_with`, `to_string()`",
                each(|of, _, query| reference(of, query).map_or(0, |found| found.to_string().len())),
            ),
        ],
    }
}
