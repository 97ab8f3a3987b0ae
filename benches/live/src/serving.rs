//! The same questions to what was compiled in and to what was read from disk.

use bench_harness::clock::{Case, Group, Measured, NS, US};
use bench_harness::markdown::Target;
use skills::Registry;

use crate::material::Material;

const BUNDLED: &str = "bundled";
const OVERLAID: &str = "overlaid";
const UNSEEN: &str = "without a look";
const SEEN: &str = "with a look";
const UNKNOWN: &str = "without a look, a name that isn't found";
const LOOKED_FOR: &str = "with a look, a name that isn't found";

/// From a name to a skill and to its text.
pub fn look_ups(material: &Material) -> Group<'_> {
    let names = material.names.as_slice();
    let overlaid = material.snapshot.registry();
    let again = overlaid.clone();
    Group {
        title: "Look-up and load, each skill in turn",
        about: "A registry is taken from a snapshot once, but for the last row, which takes both anew for each call.",
        unit: NS,
        columns: vec!["get".to_owned(), "load, with its text".to_owned()],
        rows: vec![
            (
                BUNDLED,
                vec![
                    Case::new(names, |name| get(&material.bundled, name)),
                    Case::new(names, |name| load(&material.bundled, name)),
                ],
            ),
            (
                OVERLAID,
                vec![
                    Case::new(names, move |name| get(&overlaid, name)),
                    Case::new(names, move |name| load(&again, name)),
                ],
            ),
            (
                "overlaid, with its snapshot",
                vec![
                    Case::new(names, |name| get(&material.live.snapshot().registry(), name)),
                    Case::new(names, |name| load(&material.live.snapshot().registry(), name)),
                ],
            ),
        ],
    }
}

/// From a name to a loaded skill, with and without a look at whether the disk still has it.
pub fn looks(material: &Material) -> Group<'_> {
    let (names, unknown, live) = (material.names.as_slice(), material.unknown.as_slice(), &material.live);
    Group {
        title: "A look at one skill",
        about: "`load` of each skill in turn, without its text. The look takes the stamps of its SKILL.md and of its directories, \
                and resolves the path of the root. For a name that isn't found all names are compared for the nearest, and at most \
                ten times a second the whole root is looked at.",
        unit: US,
        columns: vec!["load".to_owned()],
        rows: vec![
            (UNSEEN, vec![Case::new(names, |name| live.snapshot().registry().load(name).is_ok())]),
            (
                SEEN,
                vec![Case::new(names, |name| live.answer(|registry| registry.load(name).map(drop)).is_ok())],
            ),
            (UNKNOWN, vec![Case::new(unknown, |name| live.snapshot().registry().load(name).is_ok())]),
            (
                LOOKED_FOR,
                vec![Case::new(unknown, |name| live.answer(|registry| registry.load(name).map(drop)).is_ok())],
            ),
        ],
    }
}

/// At most 30 µs.
pub fn promised_of_looks(measured: &Measured) -> Vec<Target> {
    let median = |row| measured.median(row, 0).map(|median| median / US.nanoseconds);
    let found = median(SEEN).zip(median(UNSEEN)).map(|(seen, unseen)| seen - unseen);
    let target = |found| Target { what: "a look at one skill".to_owned(), most: 30.0, found, unit: " µs" };
    found.map(target).into_iter().collect()
}

/// From a query to skills.
pub fn searches(material: &Material) -> Group<'_> {
    let overlaid = material.snapshot.registry();
    Group {
        title: "search, ranking `hybrid`",
        about: "",
        unit: US,
        columns: bundle_1000::ASKED.map(str::to_owned).into(),
        rows: vec![
            (BUNDLED, each(&material.queries, &material.bundled)),
            (OVERLAID, each(&material.queries, &overlaid)),
        ],
    }
}

/// As fast as a bundle, within 20 %.
pub fn promised(measured: &Measured) -> Vec<Target> {
    let target = |(column, asked): (usize, &String)| {
        let found = measured.ratio((OVERLAID, column), (BUNDLED, column))?;
        Some(Target {
            what: format!("{}, {asked}: overlaid of bundled", measured.title),
            most: 1.2,
            found,
            unit: "",
        })
    };
    measured.columns.iter().enumerate().filter_map(target).collect()
}

fn get(registry: &Registry<'_>, name: &str) -> Option<usize> {
    registry.get(name).map(|entry| entry.skill.body().len())
}

fn load(registry: &Registry<'_>, name: &str) -> usize {
    registry.load(name).map_or(0, |loaded| loaded.text().len())
}

fn search(registry: &Registry<'_>, query: &str) -> usize {
    registry.search(query).map_or(0, |found| found.results.len())
}

fn each<'a>(queries: &'a [String], registry: &Registry<'a>) -> Vec<Case<'a>> {
    let case = |query: &'a String| {
        let registry = registry.clone();
        Case::new(std::slice::from_ref(query), move |query: &String| search(&registry, query))
    };
    queries.iter().map(case).collect()
}
