//! `check --format`: which output goes where, in each format.

use serde_json::{Value, json};

use crate::place::Place;

fn place() -> Place {
    let place = Place::new();
    place.file("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Read: forms\nname: two\n---\n");
    place.file("skills/forms/SKILL.md", "---\nname: forms\ndescription: Fills <forms>\n---\n");
    place
}

#[test]
fn the_full_format_is_the_default_and_shows_both_places() {
    let place = place();
    let ran = place.run(["check", "skills", "--format", "full"]);
    insta::assert_snapshot!(ran.stderr, @r#"
        warning[L108]: `description` holds `<forms>`, which reads like a tag
         --> skills/forms/SKILL.md:3:20
          |
        3 | description: Fills <forms>
          |                    ^^^^^^^ some hosts put this into XML unescaped
          |
          = help: name the placeholder in words, without `<` and `>`

        error[E003]: the frontmatter is not valid YAML: an unquoted value may not hold `: `
         --> skills/pdf/SKILL.md:3:18
          |
        3 | description: Read: forms
          |                  ^ this colon
          |
          = help: quote the value: `description: "Read: forms"`

        error[E005]: the key `name` is given twice
         --> skills/pdf/SKILL.md:4:1
          |
        2 | name: pdf
          | ---- first given here
        3 | description: Read: forms
        4 | name: two
          | ^^^^ given again here
          |
          = help: keep one of the two `name`

        checked 2 skills: 2 errors, 1 warning
        "#);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    assert_eq!(ran.stderr, place.run(["check", "skills"]).stderr);
}

#[test]
fn the_concise_format_is_one_line_per_finding() {
    let ran = place().run(["check", "skills", "--format", "concise"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    insta::assert_snapshot!(ran.stderr, @r"
        skills/forms/SKILL.md:3:20: warning[L108]: `description` holds `<forms>`, which reads like a tag
        skills/pdf/SKILL.md:3:18: error[E003]: the frontmatter is not valid YAML: an unquoted value may not hold `: `
        skills/pdf/SKILL.md:4:1: error[E005]: the key `name` is given twice
        checked 2 skills: 2 errors, 1 warning
        ");
}

#[test]
fn json_lines_are_on_stdout() {
    let ran = place().run(["check", "skills", "--format", "json-lines"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("checked 2 skills: 2 errors, 1 warning\n", 1));
    let lines: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("a document")).collect();
    let codes: Vec<_> = lines.iter().map(|line| &line["code"]).collect();
    assert_eq!(codes, ["L108", "E003", "E005"]);
    let edit = json!({"line": 3, "column": 14, "end_line": 3, "end_column": 25, "text": "\"Read: forms\""});
    assert_eq!((&lines[1]["edit"], &lines[2]["edit"]), (&edit, &Value::Null));
    let related =
        json!([{"path": "skills/pdf/SKILL.md", "line": 2, "column": 1, "label": "first given here"}]);
    assert_eq!(lines[2]["related"], related);
}

#[test]
fn annotations_are_on_stdout() {
    let ran = place().run(["check", "./skills", "--format", "github"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("checked 2 skills: 2 errors, 1 warning\n", 1));
    insta::assert_snapshot!(ran.stdout, @r#"
        ::warning file=skills/forms/SKILL.md,line=3,col=20,endLine=3,endColumn=27,title=L108 tag-like-text::`description` holds `<forms>`, which reads like a tag%0Ahelp: name the placeholder in words, without `<` and `>`
        ::error file=skills/pdf/SKILL.md,line=3,col=18,endLine=3,endColumn=19,title=E003 invalid-yaml::the frontmatter is not valid YAML: an unquoted value may not hold `: `%0Ahelp: quote the value: `description: "Read: forms"`
        ::error file=skills/pdf/SKILL.md,line=4,col=1,endLine=4,endColumn=5,title=E005 duplicate-key::the key `name` is given twice%0Ahelp: keep one of the two `name`
        "#);
}

#[test]
fn a_log_is_on_stdout() {
    let place = place();
    let ran = place.run(["check", "skills", "--format", "sarif", "--quiet"]);
    let log = ran.json();
    assert_eq!((ran.stderr.as_str(), ran.code), ("", 1));
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(3));
    assert_eq!(log["runs"][0]["invocations"], json!([{"executionSuccessful": true}]));
    let ran = place.run(["check", "nowhere", "skills", "--format", "sarif"]);
    let log = ran.json();
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(4));
    assert_eq!(log["runs"][0]["invocations"], json!([{"executionSuccessful": false}]));
    assert!(ran.code == 2 && ran.stderr.starts_with("skills: `nowhere` cannot be read"), "{}", ran.stderr);
}

#[test]
fn a_clean_run_gives_empty_output() {
    let place = Place::new();
    place.skill("skills/pdf", "Reads PDF");
    for form in ["json-lines", "github"] {
        let ran = place.run(["check", "skills", "--format", form]);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", 0), "{form}");
    }
    assert_eq!(place.run(["check", "skills", "--format", "sarif"]).json()["runs"][0]["results"], json!([]));
}

#[test]
fn two_formats_on_stdout_are_wrong_usage() {
    let place = place();
    for form in ["full", "concise", "json-lines", "github", "sarif"] {
        let ran = place.run(["--json", "check", "skills", "--format", form]);
        assert_eq!((ran.error_code().as_str(), ran.code), ("USAGE", 2), "{form}");
    }
    for form in ["json-lines", "github", "sarif"] {
        let ran = place.run(["check", "skills", "--fix", "--dry-run", "--format", form]);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", 2), "{form}");
    }
    assert_eq!(place.run(["check", "skills", "--dry-run"]).code, 2);
    assert_eq!(place.run(["check", "skills", "--format", "xml"]).code, 2);
}
