//! The same skills in one pack or root and in ten: what it costs to look through all of them.

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
const ONE_ROOT: &str = "one root";
const TEN_ROOTS: &str = "ten roots";

/// The skills on disk, in one root and in ten.
pub struct Roots {
    one: Arc<Snapshot>,
    ten: Arc<Snapshot>,
}

impl Roots {
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
            Err(failure("the roots have other skills"))
        }
    }
}

/// Looks each skill up in turn, and searches.
pub fn group<'a>(
    roots: &'a Roots,
    bundled: &Registry<'a>,
    names: &'a [String],
    queries: &'a [String],
) -> Group<'a> {
    let row = |registry: &Registry<'a>| {
        let get = registry.clone();
        let get = move |name: &'a String| get.get(name).map(|entry| entry.skill.body().len());
        let search = |query: &'a String| {
            let registry = registry.clone();
            let search = move |query: &String| registry.search(query).map_or(0, |found| found.results.len());
            Case::new(std::slice::from_ref(query), search)
        };
        std::iter::once(Case::new(names, get)).chain(queries.iter().map(search)).collect()
    };
    let asked = bundle_1000::ASKED.iter().map(|asked| format!("search: {asked}"));
    Group {
        title: "Ten packs in place of one",
        about: "The same skills in one bundle and in ten, as ten crates have them, and on disk in one root and in ten. \
                A look-up takes each skill in turn. The packs of several crates meet in a `static`, where nothing can be prepared, \
                so a look-up asks one after the other, on average five and a half of them: the name is hashed once, and each \
                pack takes two divisions and two reads of memory. A search reads the tables of each pack, and counts in all of \
                them how many skills have a word. Roots share one table of names.",
        unit: NS,
        columns: std::iter::once("get".to_owned()).chain(asked).collect(),
        rows: vec![
            (ONE, row(bundled)),
            (TEN, row(&packs_of_100::REGISTRY)),
            (ONE_ROOT, row(&roots.one.registry())),
            (TEN_ROOTS, row(&roots.ten.registry())),
        ],
    }
}

/// At most half as much again.
pub fn promised(measured: &Measured) -> Vec<Target> {
    let mut targets = Vec::new();
    for (ten, one) in [(TEN, ONE), (TEN_ROOTS, ONE_ROOT)] {
        for (column, asked) in measured.columns.iter().enumerate() {
            let found = measured.ratio((ten, column), (one, column));
            let what = format!("{asked}: {ten}, of: {one}");
            targets.extend(found.map(|found| Target { what, most: 1.5, found, unit: "" }));
        }
    }
    targets
}
