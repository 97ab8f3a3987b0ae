//! The same skills in one pack and in ten: what it costs to look through all of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bench_harness::clock::{Case, Group, Measured, NS};
use bench_harness::failure::{Outcome, failure};
use bench_harness::markdown::Target;
use bench_harness::tree;
use skills::Registry;
use skills::live::{Overlays, Root, Snapshot};

use crate::material::open;

const ONE: &str = "one pack";
const TEN: &str = "ten packs";

/// Both.
pub struct Packs {
    one: Arc<Snapshot>,
    ten: Arc<Snapshot>,
}

impl Packs {
    /// Writes the skills to `directory`, and then to ten directories in it.
    pub fn new(directory: &Path, skills: usize) -> Outcome<Self> {
        let all = tree::of_skills(&directory.join("one"), skills)?.root;
        let one = open(&all).snapshot();
        let io = |error: std::io::Error| failure(format!("the skills cannot be moved: {error}"));
        let mut paths: Vec<PathBuf> = fs::read_dir(&all)
            .map_err(io)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()
            .map_err(io)?;
        paths.sort_unstable();
        let mut overlays = Overlays::without_bundle();
        for (number, paths) in paths.chunks(skills.div_ceil(10).max(1)).enumerate() {
            let root = directory.join(number.to_string());
            fs::create_dir_all(&root).map_err(io)?;
            for path in paths {
                fs::rename(path, root.join(path.file_name().unwrap_or_default())).map_err(io)?;
            }
            overlays = overlays.root(Root::new(root).label(number.to_string()));
        }
        let ten = overlays.open().snapshot();
        if ten.registry().skills().len() == one.registry().skills().len() {
            Ok(Self { one, ten })
        } else {
            Err(failure("the packs have other skills"))
        }
    }
}

/// Looks each skill up in turn, and searches.
pub fn group<'a>(packs: &'a Packs, names: &'a [String], queries: &'a [String]) -> Group<'a> {
    let row = |snapshot: &'a Snapshot| {
        let (registry, searched) = (snapshot.registry(), snapshot.registry());
        let get = move |name: &'a String| registry.get(name).map(|entry| entry.skill.body().len());
        let search = move |registry: &Registry<'_>, query: &str| {
            registry.search(query).map_or(0, |found| found.results.len())
        };
        let mut cases = vec![Case::new(names, get)];
        cases.extend(queries.iter().map(|query| {
            let registry = searched.clone();
            Case::new(std::slice::from_ref(query), move |query: &String| search(&registry, query))
        }));
        cases
    };
    let asked = bundle_1000::ASKED.iter().map(|asked| format!("search: {asked}"));
    Group {
        title: "Ten packs in place of one",
        about: "The same skills in one root and in ten, each with a pack of its own. A look-up takes each skill in turn.",
        unit: NS,
        columns: std::iter::once("get".to_owned()).chain(asked).collect(),
        rows: vec![(ONE, row(&packs.one)), (TEN, row(&packs.ten))],
    }
}

/// At most half as much again.
pub fn promised(measured: &Measured) -> Vec<Target> {
    let target = |(column, asked): (usize, &String)| {
        let found = measured.ratio((TEN, column), (ONE, column))?;
        Some(Target { what: format!("{asked}: ten packs of one"), most: 1.5, found, unit: "" })
    };
    measured.columns.iter().enumerate().filter_map(target).collect()
}
