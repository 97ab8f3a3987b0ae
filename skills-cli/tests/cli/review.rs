//! `skills review` and `skills lock --check --reviewed`: reviews are of bytes.

use std::fs;

use crate::place::Place;
use crate::project::{git, project, repository, run};

const REVIEWS: &str = "skill-reviews.toml";

/// A project that is a repository, with the skill `pdf` of another one.
fn locked() -> Place {
    let place = project();
    repository(&place);
    let ran = run(&place, &["add", "../repo", "pdf", "--yes", "--allow-outside"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    git(&place.path().join("project"), &["init", "-q", "-b", "main"]);
    commit(&place, "project");
    place
}

fn commit(place: &Place, repository: &str) {
    let repository = place.path().join(repository);
    git(&repository, &["add", "-A"]);
    git(&repository, &["commit", "-qm", "more"]);
}

fn review(place: &Place, more: &[&str]) -> crate::place::Ran {
    run(place, &[&["review", "pdf", "--who", "Ana <ana@example.org>", "--yes"], more].concat())
}

fn reviewed(place: &Place) -> (i32, String) {
    let ran = run(place, &["lock", "--check", "--reviewed"]);
    (ran.code, ran.stdout)
}

fn file(place: &Place) -> String {
    fs::read_to_string(place.path().join("project").join(REVIEWS)).unwrap_or_default()
}

/// The source changes one letter of the script, and the project takes it.
fn update(place: &Place, script: &str) {
    place.file("repo/skills/pdf/tools/fill.sh", script);
    commit(place, "repo");
    let ran = run(place, &["update", "pdf", "--from", "../repo", "--allow-outside", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn a_review_is_of_bytes_and_one_changed_byte_needs_another() {
    let place = locked();
    assert_eq!(
        reviewed(&place),
        (1, "skills/pdf: not reviewed\n1 skill is locked: 1 ok; 1 not reviewed\n".to_owned())
    );
    assert_eq!(run(&place, &["lock", "--check"]).code, 0, "nobody asked");
    let ran = review(&place, &["--notes", "its script does nothing"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/pdf: review\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("+++ b/skills/pdf/tools/fill.sh"), "all of it is shown: {}", ran.stderr);
    let text = file(&place);
    for part in [
        "[[reviews.pdf]]",
        "who = \"Ana <ana@example.org>\"",
        "date = 20",
        "criteria = \"reviewed\"",
        "digest = \"sha256:",
        "notes = \"its script does nothing\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(reviewed(&place), (0, "1 skill is locked: 1 ok\n".to_owned()));
    // Once is enough.
    let again = review(&place, &[]);
    assert!(again.code == 0 && again.stderr.contains("reviewed already"), "{}", again.stderr);
    assert_eq!(file(&place), text);
    update(&place, "#!/bin/sH\n");
    assert_eq!(reviewed(&place).0, 1);
    let ran = run(&place, &["lock", "--check", "--reviewed", "--json"]);
    assert_eq!(ran.json()["skills"][0]["not_reviewed"], serde_json::json!(["reviewed"]));
    // Only what changed since is shown, and the entry says so.
    let ran = review(&place, &[]);
    assert!(
        ran.stderr.contains("-#!/bin/sh\n+#!/bin/sH\n") && !ran.stderr.contains("SKILL.md"),
        "{}",
        ran.stderr
    );
    assert!(
        file(&place).contains("delta = \"sha256:") && file(&place).starts_with(text.trim_end()),
        "{}",
        file(&place)
    );
    assert_eq!(reviewed(&place).0, 0);
    // What isn't in the lock was not reviewed, whatever the digests say.
    place.file("project/skills/pdf/tools/fill.sh", "#!/bin/sh\nx\n");
    assert_eq!(reviewed(&place).0, 1);
    let ran = review(&place, &["--all"]);
    assert!(ran.code == 2 && ran.stderr.contains("differs from the lock: edited"), "{}", ran.stderr);
}

#[test]
fn nothing_is_written_unless_somebody_agrees() {
    let place = locked();
    for (args, code) in [
        (&["review", "pdf", "--who", "Ana"][..], 1),
        (&["review", "pdf", "--who", "Ana", "--dry-run"], 0),
        (&["review", "pdf", "--who", "Ana", "--locked"], 1),
        (&["review", "csv", "--who", "Ana", "--yes"], 2),
        (&["review", "pdf", "--who", "Ana", "--yes", "--criteria", "ofline"], 2),
    ] {
        let ran = run(&place, args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
        assert_eq!(file(&place), "", "{args:?}");
    }
    let ran = run(&place, &["review", "pdf", "--who", "Ana", "--json"]);
    assert_eq!(
        (&ran.json()["written"], &ran.json()["planned"][0]["action"]),
        (&false.into(), &"review".into())
    );
}

/// The one who reviews is known to git, or has to be named.
#[test]
fn somebody_is_named() {
    let place = locked();
    let with = |settings: &str| {
        place.file("settings", settings);
        let mut command = place.command(["review", "pdf", "--yes"]);
        command.env("GIT_CONFIG_GLOBAL", place.path().join("settings")).env("GIT_CONFIG_NOSYSTEM", "1");
        crate::place::finish(command.current_dir(place.path().join("project")).output())
    };
    let ran = with("");
    assert!(ran.code == 2 && ran.stderr.contains("nobody is named as the reviewer"), "{}", ran.stderr);
    assert_eq!(with("[user]\nname = Bo\nemail = bo@example.org\n").code, 0);
    assert!(file(&place).contains("who = \"Bo <bo@example.org>\""), "{}", file(&place));
}

#[test]
fn criteria_are_described_and_demanded() {
    let place = locked();
    place.file(
        &format!("project/{REVIEWS}"),
        "version = 1\n\n[criteria.offline]\ndescription = \"Fetches nothing\"\n",
    );
    assert_eq!(review(&place, &[]).code, 0);
    let check = |criterion: &str| run(&place, &["lock", "--check", "--reviewed", "--criteria", criterion]);
    let ran = check("offline");
    assert!(ran.code == 1 && ran.stdout.contains("skills/pdf: not reviewed: offline\n"), "{}", ran.stdout);
    assert_eq!(review(&place, &["--criteria", "offline"]).code, 0);
    assert_eq!((check("offline").code, check("reviewed").code), (0, 0));
    let ran = check("ofline");
    assert!(
        ran.code == 2 && ran.stderr.contains("the criterion `ofline` is not described"),
        "{}",
        ran.stderr
    );
}

/// A file that isn't understood is no file without reviews, and is left as it is.
#[test]
fn a_file_that_is_not_understood_is_an_error() {
    let place = locked();
    assert_eq!(review(&place, &[]).code, 0);
    let good = file(&place);
    for (text, words) in [
        (format!("{good}<<<<<<< ours\n=======\n>>>>>>> theirs\n"), "the file has conflict markers"),
        (good.replace("who =", "whom ="), "`whom` is not known here"),
        (good.replace("version = 1", "version = 2"), "a version that is not known here: 2"),
        (
            good.replace("digest = \"sha256:", "digest = \"sha1:"),
            "expected `sha256:` and 64 hexadecimal digits",
        ),
    ] {
        place.file(&format!("project/{REVIEWS}"), &text);
        for args in
            [&["lock", "--check", "--reviewed"][..], &["review", "pdf", "--who", "Bo", "--all", "--yes"]]
        {
            let ran = run(&place, args);
            assert!(
                ran.code == 2 && ran.stderr.contains(words) && ran.stderr.contains("help: "),
                "{words}: {}",
                ran.stderr
            );
            assert_eq!(file(&place), text, "{words}");
        }
        assert_eq!(run(&place, &["lock", "--check"]).code, 0, "it isn't asked for");
    }
}

/// What was reviewed last may be in no lock of the history: then all of the skill is shown, and reviewed.
#[test]
fn without_a_history_all_of_it_is_reviewed() {
    let place = locked();
    assert_eq!(review(&place, &[]).code, 0);
    fs::remove_dir_all(place.path().join("project/.git")).expect("removed");
    update(&place, "#!/bin/sh\necho 2\n");
    let ran = review(&place, &[]);
    assert!(
        ran.code == 0 && ran.stderr.contains("no lock in the history has what was reviewed last"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("+++ b/skills/pdf/SKILL.md") && !file(&place).contains("delta"),
        "{}",
        ran.stderr
    );
    assert_eq!(reviewed(&place).0, 0);
}
