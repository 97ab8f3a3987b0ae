//! `check --fix`.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::place::Place;

const BROKEN: &str = "---\n# ours\nname: pdf # short\ndescription: Read: forms\ntags: - a\n---\nBody\n";

fn place() -> Place {
    let place = Place::new();
    place.file("skills/pdf/SKILL.md", BROKEN);
    place.file("skills/csv/skill.md", "---\nName: csv\ndescription: Reads CSV\n---\n");
    place.skill("skills/good", "Good");
    place
}

fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.path().join(path)).unwrap_or_default()
}

#[test]
fn safe_fixes_are_applied_and_the_rest_is_reported() {
    let place = place();
    let ran = place.run(["check", "skills", "--fix"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    insta::assert_snapshot!(ran.stderr, @r#"
        error[E003]: the frontmatter is not valid YAML: a list may not begin on the line of its key
         --> skills/pdf/SKILL.md:5:7
          |
        5 | tags: - a
          |       ^
          |
          = help: quote the value: `tags: "- a"`; or, if it is a list, put each item on a line of its own below the key

        fixed skills/csv/skill.md:2: [E007] `name` is missing
        fixed skills/csv/skill.md:1: [E016] the file must be named `SKILL.md`, not `skill.md`
        fixed skills/pdf/SKILL.md:4: [E003] the frontmatter is not valid YAML: an unquoted value may not hold `: `
        fixed 3 findings in 2 files
        checked 3 skills: 1 error
        "#);
    assert_eq!(read(&place, "skills/pdf/SKILL.md"), BROKEN.replace("Read: forms", "\"Read: forms\""));
    assert_eq!(read(&place, "skills/csv/SKILL.md"), "---\nname: csv\ndescription: Reads CSV\n---\n");
    assert!(!place.path().join("skills/csv/skill.md").exists());
    let again = place.run(["check", "skills", "--fix"]);
    let without: String =
        ran.stderr.split_inclusive('\n').filter(|line| !line.starts_with("fixed ")).collect();
    assert_eq!(again.stderr, without);
}

#[test]
fn a_dry_run_shows_the_diff_and_changes_nothing() {
    let place = place();
    let ran = place.run(["check", "skills", "--fix", "--dry-run"]);
    insta::assert_snapshot!(ran.stdout, @r#"
        diff --git a/skills/csv/skill.md b/skills/csv/SKILL.md
        rename from skills/csv/skill.md
        rename to skills/csv/SKILL.md
        --- a/skills/csv/skill.md
        +++ b/skills/csv/SKILL.md
        @@ -1,4 +1,4 @@
         ---
        -Name: csv
        +name: csv
         description: Reads CSV
         ---
        --- a/skills/pdf/SKILL.md
        +++ b/skills/pdf/SKILL.md
        @@ -1,7 +1,7 @@
         ---
         # ours
         name: pdf # short
        -description: Read: forms
        +description: "Read: forms"
         tags: - a
         ---
         Body
        "#);
    assert!(
        ran.stderr.ends_with("would fix 3 findings in 2 files\nchecked 3 skills: 4 errors\n"),
        "{}",
        ran.stderr
    );
    assert_eq!((ran.code, read(&place, "skills/pdf/SKILL.md").as_str()), (1, BROKEN));
    assert!(place.path().join("skills/csv/skill.md").exists());
}

/// What is shown is what is done, as `git` sees it.
#[test]
fn the_diff_can_be_applied() {
    let (shown, fixed) = (place(), place());
    shown.file("skills/crlf/SKILL.md", "---\r\nname: crlf\r\ndescription: a: b\r\n---\r\n");
    fixed.file("skills/crlf/SKILL.md", "---\r\nname: crlf\r\ndescription: a: b\r\n---\r\n");
    let diff = shown.run(["check", "skills", "--fix", "--dry-run"]).stdout;
    shown.file("fix.diff", diff);
    let git = |args: &[&str]| Command::new("git").args(args).current_dir(shown.path()).output();
    let applied = git(&["apply", "fix.diff"]).expect("git is there");
    assert!(applied.status.success(), "{}", String::from_utf8_lossy(&applied.stderr));
    fixed.run(["check", "skills", "--fix"]);
    for path in ["skills/pdf/SKILL.md", "skills/csv/SKILL.md", "skills/crlf/SKILL.md"] {
        assert_eq!(read(&shown, path), read(&fixed, path), "{path}");
        assert!(!read(&shown, path).is_empty());
    }
}

#[test]
fn a_document_lists_the_fixes() {
    let place = place();
    let fixes = place.run(["check", "skills", "--fix", "--dry-run", "--json"]).json()["fixes"].clone();
    assert_eq!(fixes[0]["path"], "skills/csv/skill.md");
    assert_eq!(
        (&fixes[0]["new_path"], &fixes[0]["codes"]),
        (&json!("skills/csv/SKILL.md"), &json!(["E007", "E016"]))
    );
    assert_eq!((&fixes[1]["new_path"], &fixes[1]["codes"]), (&json!(null), &json!(["E003"])));
    assert_eq!((&fixes[1]["written"], &fixes[1]["reason"]), (&json!(false), &json!(null)));
    assert!(fixes[1]["diff"].as_str().is_some_and(|diff| diff.contains("\n+description: \"Read: forms\"\n")));
    let document = place.run(["check", "skills", "--fix", "--json"]).json();
    assert_eq!((&document["fixes"][0]["written"], &document["denied"]), (&json!(true), &json!(1)));
}

#[cfg(unix)]
#[test]
fn without_permission_it_says_so_and_goes_on() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = place();
    let file = place.path().join("skills/pdf/SKILL.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).expect("set");
    let ran = place.run(["check", "skills", "--fix", "--quiet"]);
    assert!(
        ran.stderr.contains(
            "warning: `skills/pdf/SKILL.md` was not fixed: it or its directory may not be written; change the \
             permissions\n"
        ),
        "{}",
        ran.stderr
    );
    assert_eq!((ran.code, read(&place, "skills/pdf/SKILL.md").as_str()), (1, BROKEN));
    assert!(place.path().join("skills/csv/SKILL.md").exists(), "the others are fixed");
}

#[test]
fn nothing_to_mend_is_no_word() {
    let place = Place::new();
    place.skill("skills/good", "Good");
    let ran = place.run(["check", "skills", "--fix"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("checked 1 skill: no findings\n", 0));
}
