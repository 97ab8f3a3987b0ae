//! Problems that people had elsewhere, each with the right result here.
//!
//! The cases are in `fixtures/cases`. A test names its case by its directory. If we decided otherwise than
//! the case, the test says so. [`LATER`] and [`ELSEWHERE`] list the cases without a test here.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use skills::live::{LiveRegistry, Overlays, Root};
use skills::{Audience, Pack, Registry};
use skills_bundle::compile::{Report, compile_good};
use skills_bundle::{Code, Config, Generated};
#[cfg(unix)]
use skills_tests::cases::linked_case;
use skills_tests::cases::{case, folder};
use skills_tests::disk::{self, TempDir};

mod advice;
mod building;
mod discovery;
mod encoding;
mod hidden;
mod limits;
mod links;
mod markdown;
mod names;
mod overlays;
mod places;
mod reading;
mod searching;
mod serving;
mod sizes;
mod when_to_use;
mod yaml;

/// Cases about features that don't exist yet, with the rule or feature that each waits for.
const LATER: &[(&str, &str)] = &[
    ("237-installed-skill-that-is-gone", "an install that takes away what the bundle no longer has"),
    ("238-line-ends-changed-by-git", "an install that passes over changed line ends"),
    ("239-install-through-linked-folder", "an install that does not write through a linked folder"),
    ("240-name-of-the-crate", "the message for a renamed dependency"),
];

/// Cases that need Cargo, the program or the MCP server, with the tests that cover them.
const ELSEWHERE: &[(&str, &str)] = &[
    ("082-new-file-not-rebuilt", "tests/tests/cargo/changes.rs"),
    ("103-no-machine-output", "skills-cli/tests/cli/ask.rs"),
    ("104-json-mixed-or-cut", "skills-cli/tests/cli/roots.rs"),
    ("208-percent-names-over-mcp", "tests/tests/serve/mcp/skills_extension.rs"),
];

/// Compiles what is good of `skills/`.
fn compiled(dir: &TempDir) -> Generated {
    compile_good(&config(dir))
}

/// Most cases have skills with the same description, which L107 would report for each.
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

/// Overlays of these roots, the first above the others.
fn open(dir: &TempDir, roots: &[&str]) -> LiveRegistry {
    let root = |name: &&str| Root::new(dir.path().join(name)).label(*name);
    roots.iter().map(root).fold(Overlays::without_bundle(), Overlays::root).open()
}

/// The names that overlays serve to a model.
fn names(live: &LiveRegistry) -> Vec<String> {
    live.snapshot().registry().skills().iter().map(|entry| entry.skill.name().to_owned()).collect()
}

/// Asks the skills of a case, once as a build serves them and once as an overlay does.
fn both(dir: &TempDir, ask: impl Fn(&Registry<'_>)) {
    let generated = compiled(dir);
    ask(&registry(&generated));
    ask(&open(dir, &["skills"]).snapshot().registry());
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

/// The findings of one directory as one string: places, messages, labels and helps.
fn explained(report: &Report, folder: &str) -> String {
    let of_folder = report.findings.iter().filter(|finding| finding.path.split('/').nth(1) == Some(folder));
    of_folder.map(|finding| format!("{finding} / {} / {}\n", finding.label, finding.help)).collect()
}

#[test]
fn every_case_is_tested_or_listed() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = package.join("tests/build/cases");
    let sources: String = disk::files(&tests).iter().map(|file| disk::read_text(&tests.join(file))).collect();
    let all: BTreeSet<String> = disk::directories(&folder()).iter().map(|path| disk::name(path)).collect();
    assert!(all.len() >= 100, "only {} cases are here", all.len());
    for case in &all {
        let tested = sources.contains(&format!("\"{case}\""));
        let listed = LATER.iter().chain(ELSEWHERE).filter(|(listed, _)| listed == case).count();
        assert_eq!(usize::from(tested) + listed, 1, "{case} is tested: {tested}, listed: {listed}");
    }
    for (listed, _) in LATER.iter().chain(ELSEWHERE) {
        assert!(all.contains(*listed), "there is no case `{listed}`");
    }
    for (listed, place) in ELSEWHERE {
        let place = package.join("..").join(place);
        assert!(place.is_file(), "{listed}: {} is gone", place.display());
    }
}

/// With a file name that Windows can't have, nobody could check out the repository there.
#[test]
fn every_fixture_can_be_checked_out_on_windows() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for file in disk::files(&fixtures) {
        let path = file.to_str().unwrap_or_else(|| panic!("{} is not UTF-8", file.display()));
        assert!(path.encode_utf16().count() < 180, "{path} is too long");
        for part in path.split(['/', '\\']) {
            let stem = part.split('.').next().unwrap_or_default().to_ascii_lowercase();
            let device = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
            let is_device = matches!(&*stem, "con" | "prn" | "aux" | "nul")
                || device
                    .is_some_and(|number| number.len() == 1 && number != "0" && number.parse::<u8>().is_ok());
            assert!(!is_device, "{path}: a device on Windows");
            assert!(!part.ends_with(['.', ' ']), "{path}: Windows drops the end of `{part}`");
            let is_bad = |c: char| c.is_control() || "<>:\"|?*".contains(c);
            assert!(!part.contains(is_bad), "{path}: `{part}` has a character that Windows refuses");
        }
    }
}
