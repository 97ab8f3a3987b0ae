//! The options of every command, and the other names of commands.

use std::ffi::OsString;

use crate::place::{Place, Ran};

#[test]
fn a_command_has_the_names_that_people_type() {
    let place = Place::new();
    place.skill("skills/zebra", "Counts stripes");
    for (name, same) in [
        (&["ls"][..], &["list"][..]),
        (&["show", "write-skill"], &["load", "write-skill"]),
        (&["validate", "skills"], &["check", "skills"]),
        (&["lint", "skills"], &["check", "skills"]),
    ] {
        let (ran, expected) = (place.run(name), place.run(same));
        assert_eq!((&ran.stdout, &ran.stderr, ran.code), (&expected.stdout, &expected.stderr, 0), "{name:?}");
    }
    assert_eq!(place.run(["init", "yak"]).code, 0);
    assert!(place.path().join("skills/yak/SKILL.md").is_file());
    // The nearest to a misspelt name may be one of them.
    let ran = place.run(["validat", "skills", "--json"]);
    assert_eq!(ran.json()["error"]["suggestion"], "did you mean `validate`?");
}

#[test]
fn the_environment_names_roots() {
    let place = Place::new();
    place.skill("one/zebra", "Counts stripes").skill("two/yak", "Grows hair").skill("three/emu", "Runs");
    let list = |roots: OsString, args: &[&str]| {
        let mut command = place.command(["list", "--no-bundle"]);
        let output = command.args(args).env("SKILLS_ROOT", roots).output().expect("it runs");
        (String::from_utf8(output.stdout).expect("text"), output.status.code())
    };
    let several = |roots: &[&str]| std::env::join_paths(roots).expect("they have no separator");
    let (both, code) = list(several(&["one", "", "two"]), &[]);
    assert!(both.contains("- zebra: ") && both.contains("- yak: ") && code == Some(0), "{both}");
    let (given, _) = list(several(&["one", "two"]), &["--root", "three"]);
    assert!(given.contains("- emu: ") && !given.contains("zebra"), "{given}");
    assert_eq!(list(OsString::new(), &[]).0, "No skills or slash commands found.\n");
    assert_eq!(list("nowhere".into(), &[]).1, Some(2), "a missing one is reported as with --root");
}

#[test]
fn roots_can_be_read_leniently_and_nested() {
    let place = Place::new();
    place.file("skills/odd/SKILL.md", "---\nname: Odd_Name\ndescription: Odd: it has a colon\n---\nText\n");
    place.skill("skills/outer", "Is outside").skill("skills/outer/inner", "Is inside");
    let names = |args: &[&str]| {
        let ran = place.run(["--root", "skills", "--no-bundle", "list", "--json"].iter().chain(args));
        let names = |ran: &Ran| -> Vec<String> {
            let skills = ran.json()["skills"].as_array().cloned().unwrap_or_default();
            skills.iter().filter_map(|skill| skill["name"].as_str().map(str::to_owned)).collect()
        };
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        names(&ran)
    };
    assert_eq!(names(&[]), ["outer"]);
    assert_eq!(names(&["--lenient"]), ["odd_name", "outer"]);
    assert_eq!(names(&["--nested"]), ["inner", "outer"]);
    // Before the command too, and for a check.
    let ran = place.run(["--nested", "check", "skills/outer"]);
    assert!(ran.stderr.ends_with("checked 2 skills: no findings\n"), "{}", ran.stderr);
}

#[test]
fn colours_are_for_terminals_unless_someone_says_otherwise() {
    let place = Place::new();
    place.file("skills/bad/SKILL.md", "# no\n");
    let run = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = place.command(args);
        let output = command.envs(variables.iter().copied()).output().expect("it runs");
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8(text).expect("text").contains('\u{1b}')
    };
    let check = ["check", "skills"];
    for (args, variables, is_colored) in [
        (&check[..], &[][..], false),
        (&["--color", "always", "check", "skills"], &[], true),
        (&["check", "skills", "--color=always"], &[("NO_COLOR", "1")], true),
        (&check, &[("CLICOLOR_FORCE", "1")], true),
        (&check, &[("CLICOLOR_FORCE", "0")], false),
        (&check, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&["check", "skills", "--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
        (&["--help"], &[], false),
        (&["--color=always", "--help"], &[], true),
        (&["list", "--help"], &[("CLICOLOR_FORCE", "1")], true),
        (&["list", "--color=always", "--json"], &[], false),
    ] {
        assert_eq!(run(args, variables), is_colored, "{args:?} {variables:?}");
    }
    assert_eq!(place.run(["list", "--color", "pink"]).code, 2);
}

#[test]
fn quiet_leaves_out_notes_and_nothing_else() {
    let place = Place::new();
    place.skill("a/zebra", "Counts stripes").skill("b/zebra", "Is hidden");
    place.file("b/bad/SKILL.md", "# no\n");
    let roots = ["--root", "a", "--root", "b", "--no-bundle"];
    let loud = place.run(roots.iter().chain(&["list"]));
    assert!(loud.stderr.contains("note: `zebra` of b is hidden by `zebra` of a\n"), "{}", loud.stderr);
    for args in [["-q", "list"], ["list", "--quiet"]] {
        let ran = place.run(roots.iter().chain(&args));
        assert!(!ran.stderr.contains("note: `zebra`") && ran.stderr.contains("error["), "{}", ran.stderr);
        assert_eq!((ran.stdout, ran.code), (loud.stdout.clone(), 0));
    }
    assert_eq!(place.run(["-q", "check", "a"]).stderr, "");
    let missing = place.run(["-q", "load", "no-such"]);
    assert!(missing.stderr.starts_with("skills: ") && missing.code == 1, "{}", missing.stderr);
}

#[test]
fn the_schema_says_where_strict_has_no_effect() {
    let place = Place::new();
    for (api, note) in [
        ("openai", false),
        ("openai-responses", false),
        ("anthropic", false),
        ("gemini", true),
        ("mcp", true),
    ] {
        let ran = place.run(["schema", "--for", api, "--strict"]);
        assert_eq!((ran.stderr.starts_with("note: --strict has no effect"), ran.code), (note, 0), "{api}");
        assert_eq!(ran.stdout.contains("\"strict\": true"), !note, "{api}");
        assert_eq!(place.run(["schema", "--for", api]).stderr, "");
    }
    let tool = place.run(["schema", "--for", "openai-responses"]).json();
    assert_eq!(
        (&tool["type"], &tool["name"], &tool["strict"]),
        (&"function".into(), &"skills_tool".into(), &false.into())
    );
}
