//! `skills update`: what the source changed is taken, what the user changed stays, and nothing is lost.

use std::fs;

use crate::place::Place;
use crate::project::{LOCK, files, git, lock, project, repository, run};

/// A project with the skill `pdf` of a repository beside it.
fn with_pdf() -> Place {
    let place = project();
    repository(&place);
    place.file("repo/skills/pdf/a.md", "a\n").file("repo/skills/pdf/b.md", "b\n");
    commit(&place);
    let ran = run(&place, &["add", "../repo", "pdf", "--yes", "--allow-outside"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    place
}

fn commit(place: &Place) {
    let repo = place.path().join("repo");
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "more"]);
}

fn read(place: &Place, path: &str) -> Option<String> {
    fs::read_to_string(place.path().join("project/skills/pdf").join(path)).ok()
}

const UPDATE: [&str; 5] = ["update", "pdf", "--from", "../repo", "--allow-outside"];

fn update(place: &Place, more: &[&str]) -> crate::place::Ran {
    run(place, &[&UPDATE[..], more].concat())
}

#[test]
fn a_path_in_a_lock_is_not_followed() {
    let place = with_pdf();
    let before = lock(&place);
    let ran = run(&place, &["outdated", "--json"]);
    assert_eq!((ran.code, ran.json()["skills"][0]["state"].as_str()), (1, Some("not looked at")));
    for url in ["../repo", "file:../repo", "/etc", "ext::sh -c x", "http://localhost/x", "-x"] {
        place
            .file(&format!("project/{LOCK}"), before.replace("url = \"../repo\"", &format!("url = {url:?}")));
        let ran = run(&place, &["update", "--yes"]);
        assert!(ran.code == 1 && ran.stderr.contains("is not followed from a lock"), "{url}: {}", ran.stderr);
        let ran = run(&place, &["outdated", "--json"]);
        assert_eq!(
            (ran.code, ran.json()["skills"][0]["state"].as_str()),
            (1, Some("not looked at")),
            "{url}"
        );
    }
}

#[test]
fn what_only_the_source_changed_is_taken() {
    let place = with_pdf();
    let ran = update(&place, &["--yes"]);
    assert!(ran.code == 0 && ran.stderr.contains("there is nothing to do"), "{}", ran.stderr);
    place.file("repo/skills/pdf/a.md", "a2\n").file("repo/skills/pdf/new.md", "new\n");
    fs::remove_file(place.path().join("repo/skills/pdf/b.md")).expect("removed");
    place.file(
        "repo/skills/pdf/SKILL.md",
        "---\nname: pdf\ndescription: Fills and reads forms\n---\n\nBody.\n",
    );
    commit(&place);
    let before = (lock(&place), files(&place));
    assert_eq!(update(&place, &[]).code, 1);
    assert_eq!(update(&place, &["--dry-run"]).code, 0);
    assert_eq!(update(&place, &["--locked"]).code, 1);
    assert_eq!((lock(&place), files(&place)), before);
    let ran = update(&place, &["--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/pdf: update\n"), "{}", ran.stderr);
    for line in [
        "new: `new.md`",
        "changed: `SKILL.md`, `a.md`",
        "removed: `b.md`",
        "description: Fills and reads forms",
    ] {
        assert!(ran.stderr.contains(line), "{line}: {}", ran.stderr);
    }
    assert_eq!(read(&place, "a.md").as_deref(), Some("a2\n"));
    assert_eq!((read(&place, "b.md"), read(&place, "new.md").as_deref()), (None, Some("new\n")));
    assert_eq!(run(&place, &["lock", "--check"]).stdout, "1 skill is locked: 1 ok\n");
    assert!(files(&place).iter().all(|file| !file.starts_with('.')), "{:?}", files(&place));
}

/// Elsewhere an update overwrites what people edited.
#[test]
fn what_was_edited_is_kept_and_named() {
    let place = with_pdf();
    place.file("project/skills/pdf/a.md", "mine\n").file("project/skills/pdf/b.md", "mine too\n");
    place.file("project/skills/pdf/notes.md", "my notes\n").file("project/skills/pdf/.hidden", "hidden\n");
    fs::remove_file(place.path().join("project/skills/pdf/tools/fill.sh")).expect("removed");
    place.file("repo/skills/pdf/a.md", "theirs\n").file("repo/skills/pdf/new.md", "new\n");
    commit(&place);
    let ran = update(&place, &["--yes", "--write-new"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for line in [
        "a.md: kept as you have it; the source changed it too",
        "b.md: kept as you have it\n",
        "notes.md: kept as you have it\n",
        ".hidden: kept as you have it\n",
        "tools/fill.sh: kept as you have it\n",
    ] {
        assert!(ran.stderr.contains(line), "{line}: {}", ran.stderr);
    }
    let expected = [
        ("a.md", Some("mine\n")),
        ("a.md.new", Some("theirs\n")),
        ("b.md", Some("mine too\n")),
        ("b.md.new", None),
        ("new.md", Some("new\n")),
        ("notes.md", Some("my notes\n")),
        (".hidden", Some("hidden\n")),
        ("tools/fill.sh", None),
    ];
    for (path, text) in expected {
        assert_eq!(read(&place, path).as_deref(), text, "{path}");
    }
    // The lock has the source's side, so that the edits are seen.
    let ran = run(&place, &["lock", "--check"]);
    assert!(ran.code == 1 && ran.stdout.contains("a.md: edited"), "{}", ran.stdout);
    // What is beside a file isn't overwritten either.
    place.file("repo/skills/pdf/a.md", "theirs again\n");
    commit(&place);
    let ran = update(&place, &["--yes", "--write-new"]);
    assert!(ran.code == 2 && ran.stderr.contains("`skills/pdf/a.md.new` is there already"), "{}", ran.stderr);
    assert_eq!(read(&place, "a.md.new").as_deref(), Some("theirs\n"));
    // Nor does a removal take what isn't in the lock.
    let ran = run(&place, &["remove", "pdf", "--yes"]);
    assert!(ran.code == 2 && read(&place, "a.md").is_some(), "{}", ran.stderr);
}

/// Line ends of a checkout are nobody's edit.
#[test]
fn line_ends_are_no_edit() {
    let place = with_pdf();
    place.file("project/skills/pdf/a.md", "a\r\n").file("repo/skills/pdf/a.md", "a2\n");
    commit(&place);
    let ran = update(&place, &["--yes"]);
    assert!(ran.code == 0 && !ran.stderr.contains("kept"), "{}", ran.stderr);
    assert_eq!(read(&place, "a.md").as_deref(), Some("a2\n"));
}

#[test]
fn a_skill_that_left_or_has_another_name_is_not_updated() {
    let place = with_pdf();
    place.file("repo/skills/pdf/SKILL.md", "---\nname: forms\ndescription: Fills forms\n---\n\nBody.\n");
    commit(&place);
    let before = lock(&place);
    let ran = update(&place, &["--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("calls it `forms` now"), "{}", ran.stderr);
    place.skill("repo/skills/other", "Is another skill");
    fs::remove_dir_all(place.path().join("repo/skills/pdf")).expect("removed");
    commit(&place);
    let ran = update(&place, &["--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("`../repo` has no such skill"), "{}", ran.stderr);
    assert_eq!(lock(&place), before);
    assert!(read(&place, "SKILL.md").is_some());
}

/// A disk that takes no more: what was there is there, and the message says why.
#[cfg(unix)]
#[test]
fn a_failure_to_write_leaves_what_was_there() {
    let place = with_pdf();
    place.file("repo/skills/pdf/big.md", "x".repeat(200_000));
    commit(&place);
    let before = (lock(&place), files(&place));
    let mut shell = std::process::Command::new("sh");
    // A write beyond the limit is an error, where the signal is ignored.
    shell.arg("-c").arg("trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$@\"").arg(env!("CARGO_BIN_EXE_skills"));
    shell.args(UPDATE).arg("--yes").current_dir(place.path().join("project"));
    let ran = crate::place::finish(shell.output());
    assert!(ran.code == 2 && ran.stderr.contains("nothing was changed"), "{} {}", ran.code, ran.stderr);
    assert_eq!((lock(&place), files(&place)), before);
    assert_eq!(run(&place, &["lock", "--check"]).code, 0);
}

/// Whenever an update is killed, the skill is all old or all new after the next command.
#[cfg(unix)]
#[test]
fn a_kill_in_an_update_leaves_nothing_half() {
    use std::process::Stdio;
    use std::thread;
    use std::time::Duration;

    let place = with_pdf();
    for number in 0..40 {
        place.file(&format!("repo/skills/pdf/data/{number}.txt"), "1\n");
    }
    commit(&place);
    assert_eq!(update(&place, &["--yes"]).code, 0);
    for moment in 0..25_u64 {
        for number in 0..40 {
            place.file(&format!("repo/skills/pdf/data/{number}.txt"), format!("{moment} of {number}\n"));
        }
        commit(&place);
        let mut command = place.command([&UPDATE[..], &["--yes"]].concat());
        command.current_dir(place.path().join("project")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        thread::sleep(Duration::from_millis(moment * 4));
        let _ = child.kill();
        child.wait().expect("it ends");
        // Any command that changes skills finishes it, also one that has nothing to do.
        let ran = run(&place, &["outdated"]);
        assert_eq!(ran.code, 1, "{moment}: {}", ran.stderr);
        assert_eq!(run(&place, &["lock", "--check"]).stdout, "1 skill is locked: 1 ok\n", "{moment}");
        let first = read(&place, "data/0.txt").expect("it is there");
        let is_new = first == format!("{moment} of 0\n");
        for number in 1..40 {
            let text = read(&place, &format!("data/{number}.txt")).expect("it is there");
            assert_eq!(text == format!("{moment} of {number}\n"), is_new, "{moment}: {number}");
        }
        assert!(files(&place).iter().all(|file| !file.starts_with(".skills")), "{:?}", files(&place));
    }
}
