//! What the example prints.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::process::Command;

#[test]
fn the_application_comes_first_and_says_what_it_hides() {
    let output = Command::new(env!("CARGO_BIN_EXE_packs")).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("it prints text");
    assert!(
        text.starts_with("Available skills (2):\n- commit: Writes a commit message as this house does it."),
        "{text}"
    );
    assert!(text.contains("\n- rename-files: "), "{text}");
    assert!(text.contains("\n`commit` of git is hidden by the one of app\n"), "{text}");
    assert!(text.contains("\nSkill: commit\nPath: skills/commit\nOrigin: app\n"), "{text}");
}
