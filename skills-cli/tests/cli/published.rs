//! `check` asks Cargo, or else git, which files a published package would lack (L128).

use std::process::Command;

use crate::place::Place;

fn package(manifest: &str) -> Place {
    let place = Place::new();
    place
        .file("Cargo.toml", manifest)
        .file("src/lib.rs", "")
        .file(".gitignore", "*.bin\n")
        .skill("skills/pdf", "Reads forms")
        .file("skills/pdf/notes.md", "x\n")
        .file("skills/pdf/model.bin", "x\n")
        .skill("skills/drafts/plan", "Plans a thing");
    place
}

const MANIFEST: &str = "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";

fn git(place: &Place, arguments: &[&str]) {
    let ran = Command::new("git").args(arguments).current_dir(place.path()).output().expect("git is there");
    assert!(ran.status.success(), "{ran:?}");
}

#[test]
fn cargo_says_what_it_excludes() {
    let place = package(&MANIFEST.replace("edition", "exclude = [\"skills/drafts\", \"notes.md\"]\nedition"));
    let ran = place.run(["check", "skills"]);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.stderr, @r"
    warning[L128]: the published package would lack this skill, because of `include`, `exclude` or .gitignore, and build without a warning
     --> skills/drafts/plan:1:1
      |
      = help: publish it too, add it to `ignore` if the skill doesn't need it, or allow L128 if the package is never published

    warning[L128]: the published package would lack this file, because of `include`, `exclude` or .gitignore, and build without a warning
     --> skills/pdf/notes.md:1:1
      |
      = help: publish it too, add it to `ignore` if the skill doesn't need it, or allow L128 if the package is never published

    checked 2 skills: 2 warnings
    ");
    // Levels are settable, also without asking.
    let ran = place.run(["check", "skills", "--allow", "L128"]);
    assert_eq!(ran.stderr, "checked 2 skills: no findings\n");
    let ran = place.run(["check", "skills", "--deny", "L128"]);
    assert_eq!(ran.code, 1);
}

#[test]
fn cargo_says_what_git_ignores() {
    let place = package(MANIFEST);
    git(&place, &["init", "--quiet"]);
    git(&place, &["add", "."]);
    let ran = place.run(["check", "skills", "--format", "concise"]);
    assert!(ran.stderr.contains("skills/pdf/model.bin:1:1: warning[L128]"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("checked 2 skills: 1 warning\n"), "{}", ran.stderr);
    // A tracked file is published.
    git(&place, &["add", "--force", "skills/pdf/model.bin"]);
    assert_eq!(place.run(["check", "skills"]).stderr, "checked 2 skills: no findings\n");
}

#[test]
fn a_package_that_is_never_published_is_not_asked_about() {
    for never in ["publish = false", "publish = []"] {
        let place =
            package(&MANIFEST.replace("edition", &format!("exclude = [\"skills\"]\n{never}\nedition")));
        assert_eq!(place.run(["check", "skills"]).stderr, "checked 2 skills: no findings\n");
    }
}

#[test]
fn git_is_asked_where_cargo_does_not_work() {
    let place = package(&MANIFEST.replace("2024", "9999"));
    let ran = place.run(["check", "skills"]);
    assert!(
        ran.stderr.contains("note: cannot tell which files the published package would lack (L128)"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, 0);
    git(&place, &["init", "--quiet"]);
    let ran = place.run(["check", "skills"]);
    assert!(ran.stderr.contains("model.bin") && !ran.stderr.contains("note:"), "{}", ran.stderr);
}

/// Skills of other people come with configuration of other people.
#[test]
fn no_program_of_the_checked_tree_is_run() {
    let place = package(MANIFEST);
    git(&place, &["init", "--quiet"]);
    git(&place, &["add", "."]);
    let trap = place.path().join("trap.sh");
    place
        .file("trap.sh", "#!/bin/sh\ntouch \"$(dirname \"$0\")/caught\"\nexec \"$@\"\n")
        .file(
            ".cargo/config.toml",
            format!("[build]\nrustc = {trap:?}\nrustc-wrapper = {trap:?}\n[alias]\npackage = \"run\"\n"),
        )
        .file("rust-toolchain.toml", "[toolchain]\npath = \".\"\n");
    git(&place, &["config", "core.fsmonitor", &trap.display().to_string()]);
    #[cfg(unix)]
    std::fs::set_permissions(&trap, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is ours");
    let ran = place.run(["check", "skills"]);
    assert!(ran.stderr.contains("model.bin"), "{}", ran.stderr);
    assert!(!place.path().join("caught").exists());
}
