//! Cases that went wrong for people elsewhere, each with its right value here.
//!
//! They stand beside the checkout, in `../shared/cases`; without them these tests say that they are
//! skipped. A test names its case by its folder. Where the contract decides otherwise than the case,
//! the test says so. [`LATER`] and [`ELSEWHERE`] name the cases that no test here is about.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use skills::{Audience, Pack, Registry};
use skills_bundle::compile::{Report, compile_good};
use skills_bundle::{Code, Config, Generated};
use skills_tests::disk::{self, TempDir};

mod building;
mod discovery;
mod encoding;
mod links;
mod names;
mod overlays;
mod reading;
mod serving;
mod sizes;
mod yaml;

/// Cases about what is not built yet.
const LATER: &[(&str, &str)] = &[("101-cjk-query-empty", "the ranking hybrid")];

/// Cases that need Cargo or the program, and the tests that are about them.
const ELSEWHERE: &[(&str, &str)] = &[
    ("082-new-file-not-rebuilt", "tests/tests/cargo/changes.rs"),
    ("103-no-machine-output", "skills-cli/tests/cli/ask.rs"),
    ("104-json-mixed-or-cut", "skills-cli/tests/cli/roots.rs"),
];

/// A copy of a case, with its links made real; `None` where there are no cases.
fn case(id: &str, links: &[&str]) -> Option<TempDir> {
    let from = disk::shared("cases")?.join(id);
    assert!(from.is_dir(), "there is no case `{id}`");
    if !cfg!(unix) && !links.is_empty() {
        return None;
    }
    let dir = disk::temp();
    disk::copy(&from, dir.path());
    for path in links {
        let target = disk::read_text(&dir.path().join(path));
        disk::remove(&dir.path().join(path));
        disk::link(dir.path(), path, target.trim_end());
    }
    Some(dir)
}

/// Compiles what is good of `skills/`.
fn compiled(dir: &TempDir) -> Generated {
    compile_good(&config(dir))
}

/// The skills of most cases have one description, which L107 would say of each.
fn config(dir: &TempDir) -> Config {
    Config::new("skills").base(dir.path()).allow("L107")
}

fn pack(generated: &Generated) -> Pack<'_> {
    generated.pack().expect("the blocks fit")
}

/// Serves all that was compiled.
fn registry(generated: &Generated) -> Registry<'_> {
    Registry::empty().with_pack("case", pack(generated)).for_audience(Audience::Everyone)
}

/// The names of the skills that are served.
fn served(generated: &Generated) -> Vec<&str> {
    pack(generated).skills().map(|skill| skill.name()).collect()
}

/// The codes of each folder right below the root, in the order of their places.
fn verdicts(report: &Report) -> BTreeMap<&str, Vec<Code>> {
    let mut verdicts: BTreeMap<&str, Vec<Code>> = BTreeMap::new();
    for finding in &report.findings {
        let folder = finding.path.split('/').nth(1).unwrap_or_default();
        verdicts.entry(folder).or_default().push(finding.code);
    }
    verdicts
}

/// Asserts the codes of each folder; a folder that is not named has none.
fn assert_verdicts(report: &Report, expected: &[(&str, &[Code])]) {
    let expected: BTreeMap<&str, Vec<Code>> =
        expected.iter().map(|(folder, codes)| (*folder, codes.to_vec())).collect();
    assert_eq!(verdicts(report), expected, "{:#?}", report.findings);
}

/// The findings of one folder, in one text: places, messages, labels and helps.
fn explained(report: &Report, folder: &str) -> String {
    let of_folder = report.findings.iter().filter(|finding| finding.path.split('/').nth(1) == Some(folder));
    of_folder.map(|finding| format!("{finding} / {} / {}\n", finding.label, finding.help)).collect()
}

#[test]
fn every_case_is_tested_or_listed() {
    let Some(cases) = disk::shared("cases") else { return };
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let sources: String = disk::files(&tests)
        .iter()
        .filter(|file| !file.ends_with("main.rs"))
        .map(|file| disk::read_text(&tests.join(file)))
        .collect();
    let all: BTreeSet<String> = disk::directories(&cases).iter().map(|path| disk::name(path)).collect();
    for case in &all {
        let tested = sources.contains(&format!("\"{case}\""));
        let listed = LATER.iter().chain(ELSEWHERE).any(|(listed, _)| listed == case);
        assert!(tested != listed, "{case} is tested: {tested}, listed: {listed}");
    }
    for (listed, _) in LATER.iter().chain(ELSEWHERE) {
        assert!(all.contains(*listed), "there is no case `{listed}`");
    }
    for (listed, place) in ELSEWHERE {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(place);
        assert!(place.is_file(), "{listed}: {} is gone", place.display());
    }
}
