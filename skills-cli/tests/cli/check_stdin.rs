//! `check -`.

use crate::place::Place;

const BAD: &str =
    "---\nname: pdf\ndescription: Reads forms: all\nlicens: MIT\n---\n[a](gone.md) [b](there.md)\n";

#[test]
fn what_is_on_stdin_reads_like_a_file() {
    let place = Place::new();
    place.skill("skills/pdf", "x").file("skills/pdf/there.md", "x");
    let typed = place.run_with(["check", "-", "--stdin-path", "skills/pdf/SKILL.md"], BAD.as_bytes());
    assert_eq!((typed.stdout.as_str(), typed.code), ("", 1));
    place.file("skills/pdf/SKILL.md", BAD);
    let saved = place.run(["check", "skills/pdf/SKILL.md"]);
    assert_eq!(typed.stderr, saved.stderr);
    assert!(saved.stderr.contains("skills/pdf/SKILL.md:3:"), "{}", saved.stderr);
    for format in ["sarif", "json-lines", "github"] {
        let args = ["check", "-", "--stdin-path", "skills/pdf/SKILL.md", "--format", format];
        let saved = place.run(["check", "skills/pdf/SKILL.md", "--format", format]);
        assert_eq!(place.run_with(args, BAD.as_bytes()).stdout, saved.stdout);
    }
    let args = ["check", "-", "--stdin-path", "skills/pdf/SKILL.md", "--json"];
    assert_eq!(
        place.run_with(args, BAD.as_bytes()).json(),
        place.run(["check", "skills/pdf", "--json"]).json()
    );
}

#[test]
fn a_path_that_does_not_exist_names_the_skill() {
    let place = Place::new();
    let text = "---\nname: xls\ndescription: Reads sheets\n---\n";
    let ran = place.run_with(["check", "-", "--stdin-path", "skills/pdf/SKILL.md"], text.as_bytes());
    insta::assert_snapshot!(ran.stderr, @r"
    warning[L103]: `name` differs from the directory's name
     --> skills/pdf/SKILL.md:2:7
      |
    2 | name: xls
      |       ^^^ the directory is `pdf`
      |
      = help: rename the directory to `xls`, or write the directory's name

    checked 1 skill: 1 warning
    ");
    assert_eq!(ran.code, 0);
    let ran = place.run_with(["check", "-", "--quiet"], text.as_bytes());
    // Nothing is known of a directory.
    assert_eq!((ran.stdout, ran.stderr, ran.code), (String::new(), String::new(), 0));
    let ran = place.run_with(["check", "-", "--format", "concise"], b"no fence");
    assert!(ran.stderr.starts_with("SKILL.md:1:1: error[E001]: "), "{}", ran.stderr);
    assert_eq!(ran.code, 1);
}

#[test]
fn the_fixed_text_comes_back() {
    let place = Place::new();
    let text = "---\nname: pdf\ndescription: Reads forms: all\n---\n\u{1b}Body\r\n";
    let ran = place.run_with(["check", "-", "--fix"], text.as_bytes());
    assert_eq!(ran.stdout, text.replace("Reads forms: all", "\"Reads forms: all\""));
    let good = "---\nname: pdf\ndescription: Reads forms\n---\n";
    let ran = place.run_with(["check", "-", "--fix"], good.as_bytes());
    assert_eq!((ran.stdout.as_str(), ran.code), (good, 0));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let place = Place::new();
    place.skill("skills/pdf", "x");
    for args in [
        &["check", "-", "skills"][..],
        &["check", "skills", "--stdin-path", "skills/pdf/SKILL.md"],
        &["check", "-", "--stdin-path", "README.md"],
        &["check", "-", "--stdin-path", ".command.yaml"],
        &["check", "-", "--stdin-path", "nowhere/x.command.yaml"],
        &["check", "-", "--fix", "--dry-run"],
        &["check", "-", "--fix", "--json"],
        &["check", "-", "--fix", "--format", "sarif"],
    ] {
        let ran = place.run_with(args, b"");
        assert!(
            ran.code == 2 && ran.stdout.is_empty() != args.contains(&"--json"),
            "{args:?}: {}",
            ran.stderr
        );
    }
}
