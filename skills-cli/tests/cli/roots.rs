//! `--root` and `--no-bundle`: what is served, and what is said of what is not.

use std::path::MAIN_SEPARATOR;

use serde_json::{Value, json};

use crate::place::Place;

fn names(document: &Value) -> Vec<&str> {
    let skills = document["skills"].as_array().expect("a list");
    skills.iter().filter_map(|skill| skill["name"].as_str()).collect()
}

#[test]
fn roots_stand_above_the_stock_skills() {
    let place = Place::new();
    place.skill("mine/commit-message", "Mine").skill("mine/own", "Mine too");
    let ran = place.run(["--root", "mine", "list", "--json"]);
    let document = ran.json();
    assert!(names(&document).contains(&"write-skill") && names(&document).contains(&"own"));
    let skills = document["skills"].as_array().expect("a list");
    let commit = skills.iter().find(|skill| skill["name"] == "commit-message").expect("it is there");
    assert_eq!((&commit["origin"], &commit["description"]), (&json!("mine"), &json!("Mine")));
    assert_eq!(ran.stderr, "note: `commit-message` of this program is hidden by `commit-message` of mine\n");
    let stock = place.run(["list", "--json"]).json();
    assert!(
        stock["skills"]
            .as_array()
            .is_some_and(|skills| skills.iter().all(|skill| skill["origin"] == "bundle"))
    );
}

#[test]
fn the_earlier_root_wins_wherever_it_is_given() {
    let place = Place::new();
    place.skill("a/pdf", "Of a").skill("b/pdf", "Of b").skill("b/other", "Of b");
    let describe = |args: &[&str]| place.run(args).json()["frontmatter"]["description"].clone();
    assert_eq!(describe(&["--root", "a", "--root", "b", "load", "pdf", "--json"]), "Of a");
    assert_eq!(describe(&["--root", "b", "load", "--root", "a", "--json", "pdf"]), "Of b");
    assert_eq!(describe(&["--json", "load", "pdf", "--root", "a", "--root", "b"]), "Of a");
    // Both places count, and neither's roots are forgotten.
    assert_eq!(describe(&["--root", "a", "load", "other", "--root", "b", "--json"]), "Of b");
    let ran = place.run(["--root", "a", "list", "--root", "b", "--no-bundle"]);
    assert_eq!(ran.stderr, "note: `pdf` of b is hidden by `pdf` of a\n");
}

/// Case 104.
#[test]
fn a_broken_skill_never_hides_the_others() {
    let place = Place::new();
    let long = "word ".repeat(150);
    place
        .skill("skills/good", &long)
        .file("skills/bad/SKILL.md", "---\nname: bad\ndescription: a: b\n---\n\nBody\n");
    let ran = place.run(["--root", "skills", "--no-bundle", "list", "--json"]);
    let document = ran.json();
    assert_eq!((names(&document), ran.code), (vec!["good"], 0));
    assert_eq!(document["skills"][0]["description"], long.trim_end());
    let warning = &document["warnings"][0];
    assert_eq!((&warning["code"], &warning["level"]), (&json!("E003"), &json!("deny")));
    assert_eq!((&warning["path"], &warning["line"]), (&json!("skills/bad/SKILL.md"), &json!(3)));
    let ran = place.run(["--root", "skills", "--no-bundle", "load", "good"]);
    assert!(ran.code == 0 && ran.stdout.starts_with("Skill: good\n"));
    insta::assert_snapshot!(ran.stderr, @r#"
    error[E003]: the frontmatter is not valid YAML: an unquoted value may not hold `: `
     --> skills/bad/SKILL.md:3:15
      |
    3 | description: a: b
      |               ^ this colon
      |
      = help: quote the value: `description: "a: b"`
    "#);
}

/// Case 094.
#[test]
fn a_root_may_be_written_in_many_ways() {
    let place = Place::new();
    place.skill("skills/one", "Does one small thing");
    let list = |root: &str| place.run(["--root", root, "--no-bundle", "list", "--json"]);
    let first = list("skills");
    assert_eq!((names(&first.json()), first.code), (vec!["one"], 0));
    for root in ["skills/", "./skills"] {
        assert_eq!(list(root).stdout, first.stdout, "{root}");
    }
    assert_eq!(list("skills/one").json()["skills"][0]["path"], "skills/one");
    let ran = list("skills/one/SKILL.md");
    assert_eq!((ran.error_code().as_str(), ran.code), ("ROOT_UNREADABLE", 2));
    let ran = place.run(["--root", "skills/one/SKILL.md", "list"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 2));
    insta::assert_snapshot!(ran.stderr, @r"
    skills: `skills/one/SKILL.md` cannot be read: the root is a file, not a directory
    help: give the directory that holds it: `skills/one`
    ");
}

/// Case 098.
#[test]
fn a_root_is_a_path_and_never_a_url() {
    let place = Place::new();
    place.skill("good", "Good");
    for root in [r"D:\x", "C:/x", r".\x", "~/x", "file:///C:/x"] {
        let ran = place.run(["--root", root, "list", "--json"]);
        assert_eq!((ran.error_code().as_str(), ran.code), ("ROOT_UNREADABLE", 2), "{root}");
        let ran = place.run(["--root", "good", "--root", root, "load", "good"]);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", 2), "{root}");
        assert!(ran.stderr.contains("is not found\nhelp: "), "{}", ran.stderr);
    }
}

/// Case 098.
#[test]
fn a_long_path_is_listed_and_read() {
    let place = Place::new();
    let path = format!("references/{}a.md", "segment-of-a-long-path-0123456789/".repeat(8));
    place.skill("skills/deep", "Deep").file(&format!("skills/deep/{path}"), "a");
    let ran = place.run(["--root", "skills", "read", "deep", &path]);
    assert_eq!((ran.stdout, ran.code), (format!("Skill file: deep/{path}\n\na\n"), 0));
    let files = place.run(["--root", "skills", "load", "deep", "--json"]).json();
    assert_eq!(files["files"][1]["path"], path);
}

#[cfg(unix)]
#[test]
fn a_root_need_not_be_utf8() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt as _;

    let place = Place::new();
    let root = OsStr::from_bytes(b"m\xffine");
    std::fs::create_dir_all(place.path().join(root).join("pdf")).expect("made");
    let text = "---\nname: pdf\ndescription: Reads PDF\n---\n";
    std::fs::write(place.path().join(root).join("pdf/SKILL.md"), text).expect("written");
    let ran = place.run(["--root".into(), root.to_owned(), "load".into(), "pdf".into()]);
    assert!(ran.code == 0 && ran.stdout.starts_with("Skill: pdf\n"), "{}", ran.stderr);
    let ran = place.run([OsString::from("check"), root.to_owned()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn one_root_that_cannot_be_read_says_so() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::new();
    place.skill("shut/pdf", "Shut in");
    let shut = place.path().join("shut");
    fs::set_permissions(&shut, Permissions::from_mode(0o000)).expect("set");
    // For a user who may read everything there is no such root.
    let is_shut = fs::read_dir(&shut).is_err();
    let ran = place.run(["--root", "shut", "list"]);
    fs::set_permissions(&shut, Permissions::from_mode(0o755)).expect("set");
    if is_shut {
        assert!(ran.code == 2 && ran.stderr.contains("permission denied"), "{}", ran.stderr);
    }
}

#[test]
fn paths_in_answers_have_slashes() {
    let place = Place::new();
    place.skill("a/b/pdf", "Reads PDF");
    let root = format!("a{MAIN_SEPARATOR}b");
    assert_eq!(
        place.run(["--root", &root, "--no-bundle", "list", "--json"]).json()["skills"][0]["path"],
        "a/b/pdf"
    );
}
