//! Overlays: roots in real directories, above and below the bundle of this package, while they change.
//!
//! One file per subject. Each test creates its files; `serve` tests how a bundle alone is served.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use std::fs;
use std::path::Path;

use skills::findings::Code;
use skills::live::{Changes, LiveRegistry, Overlays, Root};
use skills_tests::disk::{self, TempDir, skill_md};

mod catalogue;
mod conventions;
mod defaults;
mod edits;
mod fresh;
mod freshness;
mod lenient;
mod limits;
mod links;
mod model;
mod moments;
mod policy;
mod precedence;
mod reading;
mod sessions;
mod short;
mod threads;
mod watch;

/// The root `skills/` of a directory, with the label `project`.
fn root(dir: &TempDir) -> Root {
    Root::new(dir.path().join("skills")).label("project")
}

/// Only that root.
fn open(dir: &TempDir) -> LiveRegistry {
    Overlays::without_bundle().root(root(dir)).open()
}

/// The names that a model sees, sorted.
fn names(live: &LiveRegistry) -> Vec<String> {
    live.snapshot().registry().skills().iter().map(|entry| entry.skill.name().to_owned()).collect()
}

/// The body that is loaded under a name, without looking at the disk first.
fn body(live: &LiveRegistry, name: &str) -> String {
    live.snapshot().registry().load(name).expect("it is served").instructions.into_owned()
}

/// The text of a file, read now.
fn file(live: &LiveRegistry, name: &str, path: &str) -> String {
    let snapshot = live.snapshot();
    let content = snapshot.registry().read_file(name, path, 0).expect("it can be read");
    content.text.expect("it is text").into_owned()
}

/// The error code of reading a file now.
fn refused(live: &LiveRegistry, name: &str, path: &str) -> &'static str {
    live.snapshot().registry().read_file(name, path, 0).expect_err("it is not to be read").code()
}

/// The findings by path below the root.
fn codes(live: &LiveRegistry) -> Vec<(String, Code)> {
    let snapshot = live.snapshot();
    let below = |path: &str| path.rsplit_once("/skills/").map_or(path, |(_, below)| below).to_owned();
    snapshot.findings().map(|finding| (below(&finding.path), finding.code)).collect()
}

/// The findings on the files beside the SKILL.md of a skill, by path below the root.
fn file_codes(live: &LiveRegistry, name: &str) -> Vec<(String, Code)> {
    let snapshot = live.snapshot();
    let below = |path: &str| path.rsplit_once("/skills/").map_or(path, |(_, below)| below).to_owned();
    snapshot.file_findings(name).iter().map(|finding| (below(&finding.path), finding.code)).collect()
}

/// Changes on one line: `+added ~changed -removed`, each group sorted by name.
fn summary(changes: &Changes) -> String {
    let groups = [('+', &changes.added), ('~', &changes.changed), ('-', &changes.removed)];
    let words = groups.iter().flat_map(|(sign, names)| names.iter().map(move |name| format!("{sign}{name}")));
    words.collect::<Vec<_>>().join(" ")
}

/// Writes `skills/PATH/SKILL.md` with a body of one line.
fn write_skill(dir: &TempDir, path: &str, name: &str, body: &str) {
    let text = format!("---\nname: {name}\ndescription: Does {name}\n---\n\n{body}\n");
    disk::write(dir.path(), &format!("skills/{path}/SKILL.md"), text);
}

fn rename(from: &Path, to: &Path) {
    fs::rename(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
}

fn remove_all(path: &Path) {
    fs::remove_dir_all(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Creates a pipe without a writer.
#[cfg(unix)]
fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().expect("`mkfifo` runs");
    assert!(made.success());
}

#[test]
fn a_root_is_served() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/alpha/SKILL.md", skill_md("alpha", "First"));
    disk::write(dir.path(), "skills/alpha/references/a.md", "A");
    let live = open(&dir);
    assert_eq!((names(&live), codes(&live)), (vec!["alpha".to_owned()], vec![]));
    let snapshot = live.snapshot();
    let text = snapshot.registry().load("Alpha").expect("it is served").text();
    let shown = dir.path().join("skills/alpha").to_string_lossy().replace('\\', "/");
    assert_eq!(
        text,
        format!(
            "Skill: alpha\nPath: {shown}\n\nDescription:\nFirst\n\nContent (SKILL.md body):\nBody of alpha.\n\n\
             Files (use skills_tool action=read_file to open):\n{shown}/\n├── references/\n│   └── a.md\n└── SKILL.md"
        )
    );
    assert_eq!(snapshot.registry().get("alpha").map(|entry| entry.origin), Some("project"));
    assert_eq!(file(&live, "alpha", "references/a.md"), "A");
}
