//! What is measured: one tree on disk, a registry of it, and the same skills compiled in.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use bench_harness::failure::{Outcome, failure, io};
use bench_harness::prng::Prng;
use bench_harness::tree::Tree;
use skills::Registry;
use skills::live::{LiveRegistry, Overlays, Root, Snapshot};

/// One tree, as it is asked.
pub struct Material {
    /// The directory of skills.
    pub root: PathBuf,
    /// Every SKILL.md of it.
    pub files: Vec<PathBuf>,
    /// The registry of it.
    pub live: LiveRegistry,
    /// The same skills in another directory, where they are edited.
    pub edited: LiveRegistry,
    /// Two SKILL.md files there.
    pub to_edit: [PathBuf; 2],
    /// The same skills once more, where a file beside the skills and one in a skill have names that aren't UTF-8.
    pub odd: LiveRegistry,
    /// What is served at this moment.
    pub snapshot: std::sync::Arc<Snapshot>,
    /// The same skills, compiled in.
    pub bundled: Registry<'static>,
    /// The names of the skills, in an order of their own.
    pub names: Vec<String>,
    /// As many names that no skill has.
    pub unknown: Vec<String>,
    /// Queries as people make them.
    pub queries: Vec<String>,
}

impl Material {
    /// Opens a tree, which is a part of the one that is compiled in, a copy of it to be edited, and one to which
    /// files with odd names are added.
    pub fn new(tree: &Tree, copy: &Tree, odd: &Tree) -> Outcome<Self> {
        let live = open(&tree.root);
        let snapshot = live.snapshot();
        let mut names: Vec<String> =
            snapshot.registry().skills().iter().map(|entry| entry.skill.name().to_owned()).collect();
        let bundled = Registry::new(&bundle_1000::SKILLS);
        if names.len() != tree.skills || names.iter().any(|name| bundled.get(name).is_none()) {
            return Err(failure("the tree and the bundle hold other skills"));
        }
        let files = names.iter().map(|name| tree.root.join(name).join("SKILL.md")).collect();
        let [first, last] = [names.first(), names.last()].map(|name| name.map_or("", String::as_str));
        let to_edit = [first, last].map(|name| copy.root.join(name).join("SKILL.md"));
        let edited = open(&copy.root);
        for directory in [odd.root.clone(), odd.root.join(&odd.middle)] {
            let path = directory.join(OsStr::from_bytes(b"odd-\xff.md"));
            fs::write(&path, "odd").map_err(io("write", &path))?;
        }
        let odd = open(&odd.root);
        Prng::new(7).shuffle(&mut names);
        let unknown = names.iter().map(|name| format!("{name}-gone")).collect();
        let queries = bundle_1000::queries().into();
        let root = tree.root.clone();
        Ok(Self { root, files, live, edited, to_edit, odd, snapshot, bundled, names, unknown, queries })
    }
}

/// Reads a root.
pub fn open(root: &std::path::Path) -> LiveRegistry {
    Overlays::without_bundle().root(Root::new(root).label("bench")).open()
}
