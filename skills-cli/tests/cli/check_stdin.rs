//! `check -`.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::place::{Place, Ran, finish};

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

/// The files below a directory that are checked by themselves, as findings show them.
fn checked_files(base: &Path, below: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(base.join(below)).expect("a directory") {
        let name = entry.expect("an entry").file_name().into_string().expect("it is UTF-8");
        let path = format!("{below}/{name}");
        if base.join(&path).is_dir() {
            found.extend(checked_files(base, &path));
        } else if name.eq_ignore_ascii_case("SKILL.md") || name.ends_with(".command.yaml") {
            found.push(path);
        }
    }
    found
}

/// What is found on a file, as JSON.
fn found_on(ran: &Ran, path: &str) -> Vec<Value> {
    let all = ran.stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON"));
    all.filter(|finding: &Value| finding["path"] == path).collect()
}

/// Wherever a file is, it has the findings that a check of its root has on it. (Those of the language server are compared
/// with the same in its own tests.)
#[test]
fn a_file_is_judged_where_it_is() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let (mut files, mut findings) = (0, 0);
    for kind in ["bad", "good"] {
        for entry in fs::read_dir(fixtures.join(kind)).expect("a directory") {
            let base = entry.expect("an entry").path();
            if !base.join("skills").is_dir() {
                continue;
            }
            let place = Place::new();
            let check = |args: &[&str], stdin: &[u8]| {
                let args = [&["check", "--format", "json-lines", "--allow", "L128"], args].concat();
                let mut command = place.command(args);
                command
                    .current_dir(&base)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped());
                let mut child = command.spawn().expect("it starts");
                child.stdin.take().expect("it is a pipe").write_all(stdin).expect("it reads");
                finish(child.wait_with_output())
            };
            let whole = check(&["skills"], b"");
            for path in checked_files(&base, "skills") {
                let expected = found_on(&whole, &path);
                let text = fs::read(base.join(&path)).expect("it is there");
                let typed = check(&["-", "--stdin-path", &path], &text);
                assert_eq!(found_on(&typed, &path), expected, "check -: {} {path}", base.display());
                files += 1;
                findings += expected.len();
            }
        }
    }
    assert!(files > 200 && findings > 100, "{files} {findings}");
}

#[test]
fn a_file_that_is_named_is_judged_where_it_is() {
    let place = Place::new();
    place
        .skill("skills/pdf", "Fills forms")
        .skill("skills/forms", "Fills forms")
        .file("skills/pdf/n.md", "a\u{200b}b\n");
    place.file("skills/bad/SKILL.md", "x");
    let concise = |args: &[&str]| place.run([&["check", "--format", "concise"], args].concat());
    let ran = concise(&["skills/pdf/SKILL.md"]);
    // What is beside it is its own, and what is wrong with others isn't.
    assert!(ran.stderr.contains("pdf/SKILL.md:3:14: warning[L107]: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("pdf/n.md:1:2: warning[L126]: "), "{}", ran.stderr);
    assert!(
        ran.stderr.ends_with("checked 1 skill: 2 warnings\n") && !ran.stderr.contains("skills/bad"),
        "{}",
        ran.stderr
    );
    assert_eq!(concise(&["skills/../skills/pdf/SKILL.md"]).stderr.lines().count(), 3);
    let both = concise(&["skills/pdf/SKILL.md", "skills/bad/SKILL.md"]);
    assert!(both.stderr.contains("bad/SKILL.md:1:1: error[E001]") && both.code == 1, "{}", both.stderr);
    // A fix of one changes no other.
    let broken = "---\nname: x\ndescription: a: b\n---\n";
    place.file("skills/one/SKILL.md", broken).file("skills/two/SKILL.md", broken);
    place.run(["check", "skills/one/SKILL.md", "--fix"]);
    let text = |name: &str| fs::read_to_string(place.path().join(name)).expect("it is there");
    assert_ne!(text("skills/one/SKILL.md"), broken);
    assert_eq!(text("skills/two/SKILL.md"), broken);
}

#[test]
fn a_skill_in_a_new_directory_has_its_neighbours() {
    let place = Place::new();
    place.skill("skills/a", "Fills forms");
    let text = "---\nname: a\ndescription: Reads sheets\n---\n";
    let args = ["check", "-", "--stdin-path", "skills/newd/SKILL.md", "--format", "concise"];
    let ran = place.run_with(args, text.as_bytes());
    assert!(ran.stderr.contains("skills/newd/SKILL.md:2:7: error[E013]: "), "{}", ran.stderr);
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
