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

/// After an update that kept an edit, the lock is at the source's side: what it has can still be had.
#[test]
fn the_source_s_side_can_be_written_later() {
    let place = with_pdf();
    git(&place.path().join("project"), &["init", "-q"]);
    place.file("project/skills/pdf/a.md", "mine\n").file("repo/skills/pdf/a.md", "theirs\n");
    commit(&place);
    assert_eq!(update(&place, &["--yes"]).code, 0);
    let before = lock(&place);
    let ran = update(&place, &["--yes", "--offline", "--write-new"]);
    assert!(ran.code == 1 && ran.stderr.contains("history doesn't have the locked files"), "{}", ran.stderr);
    // It's in the project's history once somebody has committed it, such as in another checkout.
    place.file("project/skills/pdf/a.md", "theirs\n");
    git(&place.path().join("project"), &["add", "-A"]);
    git(&place.path().join("project"), &["commit", "-qm", "theirs"]);
    place.file("project/skills/pdf/a.md", "mine\n");
    let ran = update(&place, &["--write-new"]);
    assert_eq!((ran.code, read(&place, "a.md.new")), (1, None), "{}", ran.stderr);
    let ran = update(&place, &["--yes", "--write-new"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/pdf: write new\n"), "{}", ran.stderr);
    assert_eq!(read(&place, "a.md.new").as_deref(), Some("theirs\n"));
    assert_eq!((read(&place, "a.md").as_deref(), lock(&place)), (Some("mine\n"), before));
    let ran = update(&place, &["--yes", "--write-new"]);
    assert!(ran.code == 0 && ran.stderr.contains("there is nothing to do"), "{}", ran.stderr);
    place.file("project/skills/pdf/a.md.new", "something else\n");
    let ran = update(&place, &["--yes", "--write-new"]);
    assert!(ran.code == 2 && ran.stderr.contains("a.md.new` is there already"), "{}", ran.stderr);
}

/// What was deleted stays so, unless it is asked for.
#[test]
fn what_is_missing_is_put_back() {
    let place = with_pdf();
    let repo = place.path().join("project");
    git(&repo, &["init", "-q"]);
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "one"]);
    let before = lock(&place);
    place.file("project/skills/pdf/b.md", "mine\n").file("project/skills/pdf/notes.md", "notes\n");
    fs::remove_file(repo.join("skills/pdf/a.md")).expect("removed");
    fs::remove_file(repo.join("skills/pdf/tools/fill.sh")).expect("removed");
    let ran = run(&place, &["update", "--restore", "--offline", "--yes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "skills/pdf: restore\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("missing: `a.md`, `tools/fill.sh`"), "{}", ran.stderr);
    assert_eq!(
        (read(&place, "a.md").as_deref(), read(&place, "b.md").as_deref()),
        (Some("a\n"), Some("mine\n"))
    );
    assert_eq!((read(&place, "notes.md").as_deref(), lock(&place)), (Some("notes\n"), before.clone()));
    // All of it, and what no history has.
    fs::remove_dir_all(repo.join("skills/pdf")).expect("removed");
    let ran = update(&place, &[]);
    assert!(ran.stderr.contains("skills/pdf is missing: `skills update --restore`"), "{}", ran.stderr);
    assert_eq!(run(&place, &["update", "--restore", "--yes"]).code, 0);
    assert_eq!((run(&place, &["lock", "--check"]).code, lock(&place)), (0, before));
    let ran = run(&place, &["update", "--restore", "--yes"]);
    assert!(ran.code == 0 && ran.stderr.contains("there is nothing to do"), "{}", ran.stderr);
    fs::remove_dir_all(repo.join(".git")).expect("removed");
    fs::remove_dir_all(repo.join("skills/pdf")).expect("removed");
    let ran = run(&place, &["update", "--restore", "--yes", "--json"]);
    let left = ran.json()["left"][0].clone();
    assert_eq!((ran.code, &left["name"], &left["action"]), (1, &"pdf".into(), &"not updated".into()));
    assert!(left["why"].as_str().is_some_and(|why| why.contains("is not followed from a lock")), "{left}");
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
