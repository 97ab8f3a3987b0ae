//! `check`.

use serde_json::json;

use crate::place::Place;

#[test]
fn good_skills_pass() {
    let place = Place::new();
    place.skill("skills/a", "One").skill("skills/group/b", "Two");
    let ran = place.run(["check", "skills"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 0));
    assert_eq!(ran.stderr, "checked 2 skills: no findings\n");
    let ran = place.run(["check", "skills", "--json"]);
    assert_eq!((ran.json(), ran.code), (json!({"skills": 2, "denied": 0, "warned": 0, "findings": []}), 0));
}

#[test]
fn the_stock_skills_are_an_example() {
    let place = Place::new();
    let ran = place.run(["check", concat!(env!("CARGO_MANIFEST_DIR"), "/skills")]);
    let carried = place.run(["list", "--json"]).json()["skills"].as_array().map_or(0, Vec::len);
    assert!(carried >= 6, "{carried}");
    let expected = format!(
        "note: ignored: {carried} directories `evals` with the tests of skills\nchecked {carried} skills: no findings\n"
    );
    assert_eq!((ran.code, ran.stderr), (0, expected));
}

/// Case 107.
#[test]
fn every_directory_is_reported() {
    let place = Place::new();
    place
        .file(
            "skills/crlf/SKILL.md",
            "---\r\nname: crlf\r\ndescription: Does one thing\r\n---\r\n\r\nBody\r\n",
        )
        .file("skills/lower/skill.md", "---\nname: lower\ndescription: Does one thing\n---\n\nBody\n")
        .file("skills/nothing/notes.md", "x\n")
        .file("skills/.git/config", "x\n")
        .file("skills/crlf/.cache/x", "x\n")
        .file("skills/crlf/x.pyc", "x\n");
    let ran = place.run(["check", "skills"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    insta::assert_snapshot!(ran.stderr, @r"
    error[E016]: the file must be named `SKILL.md`, not `skill.md`
     --> skills/lower/skill.md:1:1
      |
      = help: rename it: `git mv skills/lower/skill.md skills/lower/SKILL.md`

    note: `skills/nothing` is not a skill: it has no SKILL.md
    note: ignored: 2 names that begin with `.`
    note: ignored: 1 file or directory that tools generate
    checked 2 skills: 1 error
    ");
}

/// Case 107.
#[test]
fn no_skill_is_a_failure() {
    let place = Place::new();
    place.file("empty/notes.md", "x");
    let ran = place.run(["check", "empty"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    insta::assert_snapshot!(ran.stderr, @r"
    skills: there are no skills in `empty`
    help: a skill is a directory with a file SKILL.md; `skills new` makes one
    checked 0 skills: no findings
    ");
    let ran = place.run(["check", "empty", "--json"]);
    assert_eq!((ran.json()["skills"].clone(), ran.code), (json!(0), 1));
}

#[test]
fn a_document_has_all_of_a_finding() {
    let place = Place::new();
    place.file("skills/pdf/SKILL.md", "---\nname: pdf_tools\ndescription: Reads PDF\n---\n");
    let ran = place.run(["--json", "check", "skills"]);
    let document = ran.json();
    assert_eq!((&document["denied"], &document["warned"], ran.code), (&json!(1), &json!(0), 1));
    let finding = json!({
        "code": "E009",
        "level": "deny",
        "path": "skills/pdf/SKILL.md",
        "line": 2,
        "column": 10,
        "message": "`name` may hold only a-z, 0-9 and `-`",
        "help": "write `name: pdf`, the directory's name",
    });
    assert!(
        document["findings"].as_array().is_some_and(|findings| findings.contains(&finding)),
        "{document}"
    );
}

#[test]
fn a_skill_is_named_by_its_directory_or_its_file() {
    let place = Place::new();
    place.skill("skills/pdf", "Reads PDF").file("skills/pdf/references/a.md", "a");
    place.file("lower/skill.md", "---\nname: lower\ndescription: x\n---\n");
    for path in ["skills", "skills/", "skills/pdf", "skills/pdf/SKILL.md", "./skills/pdf/../pdf"] {
        let ran = place.run(["check", path]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, "checked 1 skill: no findings\n"), "{path}");
    }
    for path in [".", "SKILL.md", "./SKILL.md", "../pdf"] {
        let ran = place
            .command(["check", path])
            .current_dir(place.path().join("skills/pdf"))
            .output()
            .expect("it runs");
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert_eq!((ran.status.code(), &*stderr), (Some(0), "checked 1 skill: no findings\n"), "{path}");
    }
    let ran = place.run(["check", "lower/skill.md"]);
    assert!(
        ran.code == 1
            && ran.stderr.contains("error[E016]")
            && ran.stderr.contains("checked 1 skill: 1 error")
    );
}

#[test]
fn several_paths_are_one_run() {
    let place = Place::new();
    place.skill("a/one", "One").skill("b/two", "Two").skill("b/one", "Other");
    place.file("a/bad/SKILL.md", "---\nname: bad\n---\n").file("b/worse/SKILL.md", "# no\n");
    let ran = place.run(["check", "a", "b", "a/", "./b", "--json"]);
    let document = ran.json();
    assert_eq!((&document["skills"], &document["denied"], ran.code), (&json!(5), &json!(2), 1));
    let hidden = "warning[L124]: the skill `one` of `b` is hidden by the one of `a`\n --> b/one/SKILL.md:2:7";
    assert!(ran.stderr.contains(hidden), "{}", ran.stderr);
    // A path inside another changes nothing in what is found.
    let ran = place.run(["check", "b", "b/worse", "--json"]);
    assert_eq!(ran.json()["findings"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_path_inside_another_is_counted_once() {
    let place = Place::new();
    place.skill("pdf", "Reads PDF").skill("csv", "Reads CSV").file("pdf/.x", "x");
    for paths in [["pdf", "."], [".", "pdf"], ["pdf/SKILL.md", "."], [".", "."]] {
        let ran = place.run(["check"].iter().chain(&paths));
        let expected = "note: ignored: 1 name that begins with `.`\nchecked 2 skills: no findings\n";
        assert_eq!((ran.stderr.as_str(), ran.code), (expected, 0), "{paths:?}");
    }
    place.file("pdf/SKILL.md", "# no\n");
    for paths in [["pdf", "."], [".", "pdf"]] {
        let document = place.run(["check", "--json"].iter().chain(&paths)).json();
        assert_eq!((&document["skills"], &document["denied"]), (&json!(2), &json!(1)), "{paths:?}");
    }
}

#[test]
fn a_path_that_cannot_be_read_hides_no_findings() {
    let place = Place::new();
    place.file("pdf/SKILL.md", "# no\n");
    let ran = place.run(["check", "nope", "pdf", "--json"]);
    let document = ran.json();
    let codes: Vec<_> =
        document["findings"].as_array().into_iter().flatten().map(|found| &found["code"]).collect();
    assert_eq!((codes, ran.code), (vec![&json!("E017"), &json!("E001")], 2));
    assert_eq!(document["error"]["code"], "ROOT_UNREADABLE");
    assert_eq!((&document["skills"], &document["denied"]), (&json!(1), &json!(2)));
}

#[test]
fn quiet_prints_only_findings_and_errors() {
    let place = Place::new();
    place.skill("skills/good", "Good").file("skills/nothing/x", "x").file("skills/.x", "x");
    let ran = place.run(["check", "skills", "--quiet"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.code), ("", "", 0));
    place.file("skills/bad/SKILL.md", "# no\n");
    let ran = place.run(["check", "skills", "-q", "--format", "concise"]);
    assert_eq!(
        (ran.stderr.as_str(), ran.code),
        ("skills/bad/SKILL.md:1:1: error[E001]: the frontmatter must come first in the file\n", 1)
    );
    let ran = place.run(["check", "nowhere", "-q"]);
    assert!(ran.code == 2 && ran.stderr.starts_with("skills: `nowhere` cannot be read"), "{}", ran.stderr);
}

#[test]
fn no_skill_may_be_allowed() {
    let place = Place::new();
    place.file("empty/notes.md", "x");
    let ran = place.run(["check", "empty", "--allow-empty"]);
    assert_eq!(
        (ran.stderr.as_str(), ran.code),
        ("note: there are no skills in `empty`\nchecked 0 skills: no findings\n", 0)
    );
    assert_eq!(place.run(["check", "empty", "-q"]).code, 1);
    assert_eq!(place.run(["check", "nowhere", "--allow-empty"]).code, 2);
}

#[test]
fn what_cannot_be_read_cannot_be_checked() {
    let place = Place::new();
    place.skill("skills/pdf", "Reads PDF").file("skills/bad/SKILL.md", "# no\n").file("notes.md", "x");
    for path in ["nowhere", "notes.md", "skills/pdf/Skill.MD", ""] {
        let ran = place.run(["check", path, "--json"]);
        assert_eq!(ran.code, 2, "{path}");
        ran.error_code();
    }
    let ran = place.run(["check", "nowhere", "skills"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 2));
    assert!(ran.stderr.starts_with("error[E001]"), "the others are still checked: {}", ran.stderr);
    assert!(
        ran.stderr.ends_with(
            "skills: `nowhere` cannot be read: the root is not found\n\
             help: create it, or give the directory that holds your skills\n\
             checked 2 skills: 1 error\n"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn levels_can_be_set() {
    let place = Place::new();
    place.file("skills/forms/SKILL.md", "---\nname: pdf\ndescription: Reads <pdf>\n---\n");
    let counts = |more: &[&str]| {
        let ran = place.run(["check", "skills", "--json"].iter().chain(more));
        let document = ran.json();
        (document["denied"].as_u64().unwrap_or(9), document["warned"].as_u64().unwrap_or(9), ran.code)
    };
    assert_eq!(counts(&[]), (0, 2, 0));
    assert_eq!(counts(&["--deny", "L103"]), (1, 1, 1));
    assert_eq!(counts(&["--deny", "name-not-directory", "--allow", "l108"]), (1, 0, 1));
    assert_eq!(counts(&["--allow", "L103", "--allow", "L108"]), (0, 0, 0));
    assert_eq!(counts(&["--deny", "L103", "--warn", "L103", "--allow", "L103"]), (1, 1, 1));
    assert_eq!(counts(&["--deny", "E009"]), (0, 2, 0));
}

#[test]
fn a_level_that_cannot_be_set_is_wrong_usage() {
    let place = Place::new();
    place.skill("skills/pdf", "Reads PDF");
    let ran = place.run(["check", "skills", "--allow", "E009"]);
    assert!(ran.code == 2 && ran.stderr.contains("the level of E009 cannot be set"), "{}", ran.stderr);
    let ran = place.run(["check", "skills", "--warn", "name-not-dir", "--json"]);
    assert_eq!((ran.error_code().as_str(), ran.code), ("USAGE", 2));
    assert!(
        ran.json()["error"]["message"].as_str().is_some_and(|text| text.contains("`name-not-directory`"))
    );
}
