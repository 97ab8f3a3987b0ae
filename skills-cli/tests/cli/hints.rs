//! What the program says to somebody who doesn't know it yet.

use std::ffi::OsStr;

use crate::place::{Place, Ran};

/// Runs a command, and returns what it says on stderr.
fn said(place: &Place, args: &[&str], code: i32) -> String {
    let Ran { stderr, code: exit, .. } = place.run(args);
    assert_eq!(exit, code, "{args:?}: {stderr}");
    stderr
}

#[test]
fn a_call_that_is_none_is_explained() {
    let place = Place::new();
    for (call, help) in [
        ("x", "help: this is not valid JSON: expected value at line 1 column 1\n"),
        ("[1]", "help: write a JSON object, such as {\"action\": \"list\"}\n"),
        (r#"{"action": "lod"}"#, "help: did you mean `load`?\n"),
        (
            r#"{"tool_name": "skills_tool", "tool_args": {"action": "Serch"}}"#,
            "help: did you mean `search`?\n",
        ),
        (r#"{"query": "x"}"#, ""),
    ] {
        let ran = place.run(["call", call]);
        // A model gets the same text for all of them.
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str(), ran.code),
            ("Error: missing/invalid action. Supported actions: list, search, load, read_file.\n", help, 2),
            "{call}"
        );
    }
    let document = place.run(["call", "x", "--json"]).json();
    assert_eq!(document["error"]["suggestion"], "this is not valid JSON: expected value at line 1 column 1");
    assert_eq!(document["error"]["code"], "INVALID_ACTION");
    assert_eq!(said(&place, &["call", r#"{"action": "list"}"#], 0), "");
}

#[test]
fn a_command_without_its_choice_says_what_there_is() {
    let place = Place::new();
    insta::assert_snapshot!(said(&place, &["lock"], 2), @r"
    skills: nothing was asked for
    help: give --check to compare the locked skills with the lock, --program FILE to print the lock in a program, or --import FILE to take over another tool's lock
    help: try `--help`
    ");
    insta::assert_snapshot!(said(&place, &["install", "--dry-run"], 2), @r"
    skills: neither an agent nor a directory is named
    help: name the agent, such as --agent claude-code, or a directory with --dir
    help: try `--help`
    ");
    assert_eq!(said(&place, &["uninstall"], 2), said(&place, &["install"], 2));
    assert!(
        said(&place, &["explain", "foo"], 2)
            .contains("there is no such rule; `skills explain` lists them all")
    );
}

#[test]
fn a_root_of_the_environment_is_named_as_such() {
    let place = Place::new();
    let nowhere = place.path().join("nowhere");
    let of_environment =
        place.command(["list"]).env("SKILLS_ROOT", OsStr::new(&nowhere)).output().expect("it runs");
    let stderr = String::from_utf8(of_environment.stderr).expect("text");
    assert!(
        stderr.ends_with(
            "\nhelp: the environment variable SKILLS_ROOT names it: correct or unset that, or give --root\n"
        ),
        "{stderr}"
    );
    assert!(!said(&place, &["--root", "nowhere", "list"], 2).contains("SKILLS_ROOT"));
}

#[test]
fn what_is_near_is_named() {
    let place = Place::new();
    insta::assert_snapshot!(said(&place, &["load", "fix-skills"], 1), @r"
    skills: no skill is named `fix-skills`, but a slash command is
    help: `skills load /fix-skills` shows it
    ");
    assert_eq!(place.run(["load", "fix-skills", "--json"]).error_code(), "SKILL_NOT_FOUND");
    assert!(said(&place, &["load", "nothing-like-it"], 1).contains("`skills list` shows all skills"));
    place.skill("skills/pdf", "Reads forms");
    let read =
        |offset: &str| said(&place, &["--root", "skills", "read", "pdf", "SKILL.md", "--offset", offset], 0);
    assert_eq!(read("3"), "");
    assert!(
        read("9999").starts_with("note: nothing follows: --offset is 9999, and the file has 5"),
        "{}",
        read("9999")
    );
}

#[test]
fn a_catalogue_that_is_cut_by_the_api_is_reported() {
    let place = Place::new();
    for number in 0..40 {
        place.skill(&format!("skills/skill-{number}"), &"Does one thing well. ".repeat(4));
    }
    let schema =
        |args: &[&str]| said(&place, &[&["--root", "skills", "--no-bundle", "schema"], args].concat(), 0);
    let note = "note: for this API a description has at most 1024 characters, so the catalogue in it is shorter than --budget allows";
    assert!(schema(&["--budget", "4000"]).starts_with(note));
    for quiet in [&["--budget", "200"][..], &["--budget", "4000", "--for", "anthropic"], &[]] {
        assert_eq!(schema(quiet), "", "{quiet:?}");
    }
}

#[test]
fn a_draft_has_no_words_for_queries() {
    let place = Place::new();
    place.run(["new", "draft"]);
    let ran = place.run(["test", "skills", "--init"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    assert!(
        ran.stderr.starts_with(
            "note: `skills/draft` still has the text of its template; describe it first: queries are made of its words\n"
        ),
        "{}",
        ran.stderr
    );
    assert!(!place.path().join("skills/draft/evals").exists());
    place.skill("skills/pdf", "Fills in forms, merges scans");
    let ran = place.run(["test", "skills", "--init", "--json"]);
    assert_eq!(
        ran.json(),
        serde_json::json!({"written": ["skills/pdf/evals/triggers.json"], "left": ["skills/draft"]})
    );
}

#[test]
fn each_command_has_a_help_of_its_own() {
    let place = Place::new();
    let help = |command: &str| place.run([command, "--help"]).stdout;
    let (install, uninstall) = (help("install"), help("uninstall"));
    assert!(install.contains("The agent that should read them") && install.contains("--write-new"));
    assert!(uninstall.contains("The agent that no longer needs them") && !uninstall.contains("--write-new"));
    assert!(!uninstall.contains("Overwrite"), "{uninstall}");
    for command in ["install", "export"] {
        assert!(help(command).contains(".skills-export.json"), "{command}");
    }
    for option in ["--json", "--root", "--nested", "--quiet", "--color"] {
        assert!(!help("lsp").contains(option) && help("list").contains(option), "{option}");
    }
}

/// What comes first needs no advice.
#[test]
fn what_is_found_has_no_help() {
    let place = Place::new();
    place.skill("skills/pdf", "Fills in forms").skill("skills/sheets", "Sums columns");
    let ran = place.run(["--root", "skills", "why", "pdf", "fill", "in", "a", "form"]);
    assert_eq!((ran.stdout.contains("help:"), ran.code), (false, 0), "{}", ran.stdout);
    place.file("skills/pdf/evals/one.json", r#"[{"query": "fill in a form", "should_trigger": true}]"#);
    let ran = place.run(["test", "skills"]);
    assert!(ran.stdout.ends_with("\n1 query over 2 skills: 1 passed, 0 failed\n"), "{}", ran.stdout);
}
