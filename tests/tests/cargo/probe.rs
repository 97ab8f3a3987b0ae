//! What a program needs if it only serves its bundle: no `std`, no YAML, no file system, and few crates.

use std::path::Path;

use skills_tests::disk;

use crate::leaf::{Leaf, Run, cargo, scratch, workspace};

/// A copy of `no-std-probe`, since building writes a `Cargo.lock` beside it.
fn probe(arguments: &[&str]) -> Run {
    let (source, copy) =
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("no-std-probe"), scratch().join("no-std-probe"));
    disk::copy(&source, &copy);
    let root = workspace().to_str().unwrap().replace('\\', "/");
    let manifest = disk::read_text(&copy.join("Cargo.toml")).replace("../../", &format!("{root}/"));
    disk::write(&copy, "Cargo.toml", manifest);
    disk::write(&copy, "Cargo.lock", disk::read(&workspace().join("Cargo.lock")));
    cargo(&copy, arguments, &[])
}

#[test]
fn serving_needs_no_std() {
    for features in ["", "json"] {
        let run = probe(&["build", "--features", features]);
        assert!(run.success, "with the features `{features}`:\n{}", run.stderr);
    }
    // The probe would notice.
    let run = probe(&["check", "--features", "std"]);
    assert!(!run.success && run.stderr.contains("error[E0152]: found duplicate lang item"), "{}", run.stderr);
}

/// The crates that a package links, by name.
fn crates(tree: &Run) -> Vec<&str> {
    assert!(tree.success, "{}", tree.stderr);
    let mut names: Vec<&str> = tree.stdout.lines().filter_map(|line| line.split(' ').next()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

const TREE: &[&str] = &["tree", "--edges", "normal,no-proc-macro", "--prefix", "none"];

#[test]
fn serving_needs_few_crates() {
    let tree = |more: &[&str]| cargo(workspace(), &[TREE, more].concat(), &[]);
    let bare = tree(&["--package", "skills-core", "--no-default-features"]);
    assert_eq!(crates(&bare), ["memchr", "phf", "phf_shared", "siphasher", "skills-core", "skills-pack"]);
    let leaf = Leaf::with_build_script("crates");
    let run = leaf.cargo(TREE);
    let mut linked = crates(&run);
    linked.retain(|name| *name != "crates");
    let json = ["base64", "itoa", "memchr", "serde", "serde_core", "serde_json", "zmij"];
    let mut expected =
        [&json[..], &["phf", "phf_shared", "siphasher", "skills", "skills-core", "skills-pack"]].concat();
    expected.sort_unstable();
    assert_eq!(linked, expected);
    assert!(linked.len() <= 13, "{} crates", linked.len());
}
