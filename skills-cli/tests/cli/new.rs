//! `new`.

use std::fs;

use serde_json::json;

use crate::place::Place;

#[test]
fn a_new_skill_can_be_loaded_and_says_what_is_to_be_replaced() {
    let place = Place::new();
    let ran = place.run(["new", "my-skill"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("", 0));
    insta::assert_snapshot!(ran.stdout, @r"
    created skills/my-skill/SKILL.md

    Next:
    1. Write its description and its instructions.
    2. Check it: skills check skills/my-skill
    3. See what a model gets: skills --root skills load my-skill
    ");
    let ran = place.run(["check", "skills", "--format", "concise"]);
    let stderr = ran.stderr.replace('\\', "/");
    insta::assert_snapshot!(stderr, @r"
    skills/my-skill/SKILL.md:3:42: warning[L120]: the description is still that of a template
    skills/my-skill/SKILL.md:8:1: warning[L120]: the body has text of a template
    checked 1 skill: 2 warnings
    ");
    assert_eq!((ran.code, place.run(["check", "skills", "--deny", "template-text"]).code), (0, 1));
    assert!(place.run(["--root", "skills", "load", "my-skill"]).stdout.starts_with("Skill: my-skill\n"));
}

#[test]
fn the_folder_can_be_chosen() {
    let place = Place::new();
    let ran = place.run(["new", "pdf", "--dir", "a b/c", "--json"]);
    let expected = json!({
        "skill_name": "pdf",
        "path": "a b/c/pdf",
        "files": ["a b/c/pdf/SKILL.md"],
        "next": ["skills check 'a b/c/pdf'", "skills --root 'a b/c' load pdf"],
    });
    assert_eq!((ran.json(), ran.code), (expected, 0));
    assert_eq!(place.run(["check", "a b"]).code, 0);
}

#[test]
fn nothing_is_put_among_the_sources_of_a_crate() {
    let place = Place::new();
    place.file("Cargo.toml", "[workspace]").file("skills/Cargo.toml", "[package]");
    let ran = place.run(["new", "pdf"]);
    insta::assert_snapshot!(ran.stderr, @r"
    skills: `skills` is a Cargo package here, not a directory of skills
    help: choose a directory with --dir, such as --dir .agents/skills
    ");
    assert_eq!(ran.code, 2);
    assert!(!place.path().join("skills/pdf").exists());
    place.skill("skills/skills/zebra", "Counts stripes");
    assert!(place.run(["new", "pdf"]).stderr.ends_with("--dir skills/skills\n"));
    // What is asked for by name is done, and beside one's own Cargo.toml is where skills belong.
    assert_eq!(place.run(["new", "pdf", "--dir", "skills"]).code, 0);
    let place = Place::new();
    place.file("Cargo.toml", "[package]");
    assert_eq!(place.run(["new", "pdf"]).code, 0);
    assert!(place.path().join("skills/pdf/SKILL.md").is_file());
}

#[test]
fn a_name_that_yaml_would_take_for_something_else_is_quoted() {
    let place = Place::new();
    for name in ["null", "12306", "yes", "1e5", "2026-01-02", "0x1f"] {
        assert_eq!(place.run(["new", name]).code, 0, "{name}");
        assert_eq!(place.run(["--root", "skills", "--json", "load", name]).json()["skill_name"], name);
    }
    let ran = place.run(["check", "skills", "--allow", "L107", "--allow", "L120"]);
    assert_eq!(ran.stderr, "checked 6 skills: no findings\n");
}

#[test]
fn a_bad_name_makes_nothing() {
    let place = Place::new();
    let long = "a".repeat(65);
    for name in [
        "",
        " ",
        "PDF",
        "pdf_tools",
        "a--b",
        "-a",
        "a/b",
        "..",
        ".",
        "/etc/x",
        "a\nb",
        "a: b",
        "\"",
        long.as_str(),
    ] {
        let ran = place.run(["new", "--json", "--", name]);
        assert_eq!((ran.error_code().as_str(), ran.code), ("INVALID_NAME", 2), "{name:?}");
    }
    assert!(!place.path().join("skills").exists());
    let ran = place.run(["new", "pdf_tools"]);
    insta::assert_snapshot!(ran.stderr, @r"
    skills: a skill cannot have the name `pdf_tools`: `name` may hold only a-z, 0-9 and `-`
    help: write `name: pdf-tools`
    ");
}

#[test]
fn nothing_is_overwritten() {
    let place = Place::new();
    place.file("skills/pdf/SKILL.md", "mine").file("skills/note", "a file");
    for name in ["pdf", "note"] {
        let ran = place.run(["new", name, "--json"]);
        assert_eq!((ran.error_code().as_str(), ran.code), ("ALREADY_EXISTS", 2));
    }
    insta::assert_snapshot!(place.run(["new", "pdf"]).stderr, @r"
    skills: `skills/pdf` already exists
    help: choose another name, or another directory with --dir
    ");
    let read = |path: &str| fs::read(place.path().join(path)).expect("still there");
    assert_eq!((read("skills/pdf/SKILL.md"), read("skills/note")), (b"mine".to_vec(), b"a file".to_vec()));
    let ran = place.run(["new", "other", "--dir", "skills/note", "--json"]);
    assert_eq!(ran.code, 2);
    ran.error_code();
}

#[test]
fn a_name_that_another_system_keeps_is_reported() {
    let place = Place::new();
    for name in ["con", "nul", "com1"] {
        let ran = place.run(["new", name]);
        assert!(ran.code == 0 && ran.stdout.starts_with(&format!("created skills/{name}/SKILL.md\n")));
        assert!(
            ran.stderr.contains("[L117]") && ran.stderr.contains("is a device to Windows"),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(place.run(["new", "console"]).stderr, "");
}
