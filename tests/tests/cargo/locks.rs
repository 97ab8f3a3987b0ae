//! Locked skills in a user's package: a release build stops, a debug build warns, and the program has the lock.

use std::process::Command;

use skills_bundle::lock;
use skills_tests::disk::{self, skill_md};
use skills_tests::locks;

use crate::leaf::Leaf;

fn with_skills(leaf: &Leaf) {
    leaf.write("skills/pdf/SKILL.md", skill_md("pdf", "Fills forms"));
    leaf.write("skills/pdf/tools/fill.sh", "echo one\n");
    leaf.write("skills/own/SKILL.md", skill_md("own", "Keeps the garden"));
    locks::write(leaf.dir(), &["skills/pdf"]);
}

/// The lock in the program, which is not run for it.
fn lock_in_program(leaf: &Leaf) -> String {
    let found = lock::in_program(&disk::read(&leaf.program()), "program");
    assert_eq!((found.locks.len(), found.damaged), (1, 0));
    found.locks[0].to_string()
}

/// What the build script leaves for a profile of this name, which Cargo tells it.
fn errors_with_profile(leaf: &Leaf, profile: &str) -> String {
    let (messages, _) = leaf.build();
    let is_its_script = |message: &&serde_json::Value| {
        message["target"]["kind"][0] == "custom-build"
            && message["package_id"].as_str().is_some_and(|id| id.contains("lock-script"))
    };
    let script = messages.iter().find(is_its_script).unwrap()["filenames"][0].as_str().unwrap();
    let out = disk::temp();
    let mut run = Command::new(script);
    run.env("CARGO_MANIFEST_DIR", leaf.dir()).env("OUT_DIR", out.path()).env("PROFILE", profile);
    assert!(run.current_dir(leaf.dir()).output().unwrap().status.success());
    disk::read_text(&out.path().join("skills.errors.json"))
}

#[test]
fn a_build_script_compares_locked_skills() {
    let leaf = Leaf::with_build_script("lock-script");
    with_skills(&leaf);
    assert_eq!(leaf.lines().len(), 2);
    assert_eq!(lock_in_program(&leaf), disk::read_text(&leaf.path(lock::LOCK_FILE)));
    assert!(leaf.is_fresh());
    assert_eq!(errors_with_profile(&leaf, "release"), "[]");

    leaf.write("skills/pdf/tools/fill.sh", "echo two\n");
    let (_, run) = leaf.build();
    let warning =
        "warning: lock-script@0.0.0: skills/pdf/tools/fill.sh:1:1: warning[E024]: the skill differs from";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    assert_eq!(errors_with_profile(&leaf, "debug"), "[]");
    let errors = errors_with_profile(&leaf, "release");
    assert!(
        errors.contains("[E024] the skill differs from `skill-sources.lock`: `tools/fill.sh` (edited)"),
        "{errors}"
    );

    // The lock is watched: what it says now is compared.
    locks::write(leaf.dir(), &["skills/pdf"]);
    let (_, run) = leaf.build();
    assert!(!run.stderr.contains("E024"), "{}", run.stderr);
    assert_eq!(lock_in_program(&leaf), disk::read_text(&leaf.path(lock::LOCK_FILE)));
}

#[test]
fn the_macro_compares_locked_skills() {
    let leaf = Leaf::with_macro("lock-macro");
    with_skills(&leaf);
    assert_eq!(leaf.lines().len(), 2);
    assert_eq!(lock_in_program(&leaf), disk::read_text(&leaf.path(lock::LOCK_FILE)));

    leaf.write("skills/pdf/tools/fill.sh", "echo two\n");
    let (_, run) = leaf.build();
    assert!(run.stderr.contains("[E024] the skill differs from"), "{}", run.stderr);
    assert!(!run.stderr.contains("error"), "{}", run.stderr);

    // As in a release build. Only the code knows it.
    let profile = "\n[profile.dev.package.lock-macro]\ndebug-assertions = false\n";
    let manifest = disk::read_text(&leaf.path("Cargo.toml"));
    leaf.write("Cargo.toml", format!("{manifest}{profile}"));
    let errors = leaf.errors();
    assert!(errors.contains("error: [E024] the skill differs from `skill-sources.lock`"), "{errors}");
    let count = errors.lines().filter(|line| line.starts_with("error")).count();
    assert_eq!(count, 2, "it, and that the crate could not be compiled: {errors}");

    // Somebody may say that this is meant.
    leaf.write("Cargo.toml", format!("{manifest}{profile}\n[package.metadata.skills]\nallow = [\"E024\"]\n"));
    let (_, run) = leaf.build();
    assert!(!run.stderr.contains("E024"), "{}", run.stderr);

    leaf.write("Cargo.toml", format!("{manifest}{profile}"));
    locks::write(leaf.dir(), &["skills/pdf"]);
    let (_, run) = leaf.build();
    assert!(!run.stderr.contains("E024"), "{}", run.stderr);
}
