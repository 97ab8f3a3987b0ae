//! Longer scenarios of one root: it appears late, goes, is replaced; a skill breaks and is fixed; a look-up
//! that finds nothing looks again.

use std::thread::sleep;
use std::time::Duration;

use skills::live::{Overlays, Reason, Root};
use skills_tests::SKILLS;
use skills_tests::disk::{self, skill_md};

use super::{body, codes, file, names, open, refused, remove_all, rename, root, summary, write_skill};

#[test]
fn a_root_may_appear_late_and_go() {
    let dir = disk::temp();
    let live = open(&dir);
    assert_eq!((names(&live), codes(&live)), (vec![], vec![]));
    let diagnostics = live.snapshot().diagnostics();
    assert_eq!(diagnostics.iter().map(|found| &found.reason).collect::<Vec<_>>(), [&Reason::Missing]);
    assert_eq!(summary(&live.refresh()), "");
    write_skill(&dir, "alpha", "alpha", "One");
    assert_eq!(summary(&live.refresh()), "+alpha");
    assert_eq!(live.snapshot().diagnostics(), []);
    remove_all(&dir.path().join("skills"));
    assert_eq!(summary(&live.refresh()), "-alpha");
    write_skill(&dir, "alpha", "alpha", "Two");
    assert_eq!((summary(&live.refresh()).as_str(), body(&live, "alpha").as_str()), ("+alpha", "Two"));
}

#[test]
fn a_root_that_is_a_file_is_one_finding() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills", "no directory");
    let live = open(&dir);
    let snapshot = live.snapshot();
    let told_of: Vec<String> = snapshot.findings().map(|finding| finding.message.clone()).collect();
    assert_eq!(told_of, ["the root is a file, not a directory"]);
    assert_eq!(snapshot.diagnostics().len(), 1);
    disk::remove(&dir.path().join("skills"));
    write_skill(&dir, "alpha", "alpha", "One");
    assert_eq!(summary(&live.refresh()), "+alpha");
    assert_eq!(codes(&live), []);
}

/// The same files in another directory: nothing that is served has changed, except where it is read from.
#[test]
fn another_directory_replaces_a_root() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    disk::write(dir.path(), "skills/alpha/a.txt", "old");
    let live = open(&dir);
    rename(&dir.path().join("skills"), &dir.path().join("before"));
    write_skill(&dir, "alpha", "alpha", "One");
    disk::write(dir.path(), "skills/alpha/a.txt", "new");
    assert_eq!(file(&live, "alpha", "a.txt"), "old", "the one that was looked at is held");
    assert_eq!(summary(&live.refresh()), "");
    assert_eq!(file(&live, "alpha", "a.txt"), "new");
}

#[cfg(unix)]
#[test]
fn a_root_that_is_a_symlink_is_resolved_again() {
    let dir = disk::temp();
    disk::write(dir.path(), "one/alpha/SKILL.md", skill_md("alpha", "One"));
    disk::write(dir.path(), "two/beta/SKILL.md", skill_md("beta", "Two"));
    disk::link(dir.path(), "skills", "one");
    let live = open(&dir);
    assert_eq!(names(&live), ["alpha"]);
    disk::remove(&dir.path().join("skills"));
    disk::link(dir.path(), "skills", "nowhere");
    assert_eq!(summary(&live.refresh()), "-alpha");
    assert_eq!(codes(&live).len(), 1, "a broken symlink isn't a missing root");
    disk::write(dir.path(), "nowhere/gamma/SKILL.md", skill_md("gamma", "Three"));
    assert_eq!(summary(&live.refresh()), "+gamma");
    disk::remove(&dir.path().join("skills"));
    disk::link(dir.path(), "skills", "two");
    assert_eq!(summary(&live.refresh()), "+beta -gamma");
}

#[test]
fn a_broken_skill_keeps_its_last_good_version_until_it_is_fixed() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    write_skill(&dir, "beta", "beta", "Always");
    let live = open(&dir);
    let stale = || live.snapshot().registry().get("alpha").map(|entry| entry.is_stale());
    disk::write(dir.path(), "skills/alpha/SKILL.md", "---\nname: alpha\ndescription: a: b\n---\n");
    assert_eq!(summary(&live.refresh()), "~alpha");
    assert_eq!((body(&live, "alpha").as_str(), stale()), ("One", Some(true)));
    let diagnostics = live.snapshot().diagnostics();
    let [diagnostic] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
    let Reason::Stale(findings) = &diagnostic.reason else { panic!("{diagnostic:?}") };
    assert!(diagnostic.path.ends_with("skills/alpha") && findings[0].line == 3, "{diagnostic:?}");
    // Broken in another way: the same version is served, with the new finding.
    disk::write(dir.path(), "skills/alpha/SKILL.md", "nothing\n");
    assert_eq!(summary(&live.refresh()), "");
    assert_eq!(codes(&live), [("alpha/SKILL.md".to_owned(), skills::findings::Code::E001)]);
    assert_eq!((body(&live, "alpha").as_str(), body(&live, "beta").as_str()), ("One", "Always"));
    // Files are read as they are now, even while the skill is broken.
    assert_eq!(file(&live, "alpha", "SKILL.md"), "nothing\n");
    write_skill(&dir, "alpha", "alpha", "Two");
    assert_eq!(summary(&live.refresh()), "~alpha");
    assert_eq!((body(&live, "alpha").as_str(), stale()), ("Two", Some(false)));
    assert_eq!((codes(&live), live.snapshot().diagnostics()), (vec![], vec![]));
}

#[test]
fn a_stale_skill_goes_with_its_file() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let live = open(&dir);
    disk::write(dir.path(), "skills/alpha/SKILL.md", "nothing\n");
    assert_eq!(summary(&live.refresh()), "~alpha");
    disk::remove(&dir.path().join("skills/alpha/SKILL.md"));
    assert_eq!(summary(&live.refresh()), "-alpha");
}

#[test]
fn a_skill_that_was_never_good_is_not_served() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/alpha/SKILL.md", "nothing\n");
    write_skill(&dir, "beta", "beta", "One");
    let live = open(&dir);
    assert_eq!(names(&live), ["beta"]);
    let diagnostics = live.snapshot().diagnostics();
    assert!(
        matches!(&diagnostics[..], [found] if matches!(found.reason, Reason::Broken(_))),
        "{diagnostics:?}"
    );
}

/// A stale skill doesn't keep its name from a good one.
#[test]
fn a_good_skill_takes_the_name_of_a_stale_one() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let live = open(&dir);
    disk::write(dir.path(), "skills/alpha/SKILL.md", "nothing\n");
    write_skill(&dir, "other", "alpha", "Two");
    assert_eq!(summary(&live.refresh()), "~alpha");
    assert_eq!(body(&live, "alpha"), "Two");
    remove_all(&dir.path().join("skills/other"));
    assert_eq!(summary(&live.refresh()), "-alpha", "the last good version is forgotten");
}

#[test]
fn a_look_up_that_finds_nothing_looks_once_more() {
    let dir = disk::temp();
    let live = Overlays::over(&SKILLS).root(root(&dir)).open();
    let mut asked = 0;
    let missing = live.answer(|registry| {
        asked += 1;
        registry.load("late").map(|loaded| loaded.text())
    });
    assert_eq!(
        (missing.expect_err("it is not there").code(), asked),
        ("SKILL_NOT_FOUND", 1),
        "nothing has changed"
    );
    write_skill(&dir, "late", "late", "Here");
    // The next look because of something that isn't found may come after 100 ms.
    assert!(live.answer(|registry| registry.load("late").map(|_| ())).is_err());
    sleep(Duration::from_millis(110));
    asked = 0;
    let found = live.answer(|registry| {
        asked += 1;
        registry.load("late").map(|loaded| loaded.instructions.into_owned())
    });
    assert_eq!((found.expect("it is there"), asked), ("Here".to_owned(), 2));
    disk::write(dir.path(), "skills/late/new.md", "New");
    let call = r#"{"action": "read_file", "skill_name": "late", "file_path": "new.md"}"#;
    assert_eq!(live.call(call).text, "Skill file: late/new.md\n\nNew");
    write_skill(&dir, "late", "late", "Other");
    assert_eq!(
        live.answer(|registry| registry.load("late").map(|loaded| loaded.instructions.into_owned())).ok(),
        Some("Other".to_owned())
    );
    remove_all(&dir.path().join("skills"));
    let reply = live.call(call);
    assert_eq!(reply.text, "Error: skill not found: 'late'. Try skills_tool action=list or action=search.");
    assert!(reply.document.contains("\"SKILL_NOT_FOUND\""), "{}", reply.document);
}

#[test]
fn a_snapshot_does_not_change() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let live = open(&dir);
    let before = live.snapshot();
    write_skill(&dir, "alpha", "alpha", "Two");
    write_skill(&dir, "beta", "beta", "New");
    assert_eq!(summary(&live.refresh()), "+beta ~alpha");
    assert_eq!(before.registry().load("alpha").expect("it is held").instructions, "One");
    assert!(before.registry().get("beta").is_none());
    assert_eq!(body(&live, "alpha"), "Two");
}

#[test]
fn the_same_skill_from_another_root_is_a_change() {
    let dir = disk::temp();
    for root in ["one", "two"] {
        disk::write(dir.path(), &format!("{root}/alpha/SKILL.md"), skill_md("alpha", "Same"));
    }
    let path = |name: &str| Root::new(dir.path().join(name)).label("project");
    let live = Overlays::without_bundle().root(path("one")).root(path("two")).open();
    remove_all(&dir.path().join("one"));
    assert_eq!(summary(&live.refresh()), "~alpha");
}

/// The bundle's skill is served again when the overlay that hid it goes.
#[test]
fn the_bundle_reappears_when_an_overlay_goes() {
    let dir = disk::temp();
    write_skill(&dir, "plain-note", "plain-note", "Mine");
    let live = Overlays::over(&SKILLS).root(root(&dir)).open();
    assert_eq!(body(&live, "plain-note"), "Mine");
    remove_all(&dir.path().join("skills/plain-note"));
    assert_eq!(summary(&live.refresh()), "~plain-note");
    assert_ne!(body(&live, "plain-note"), "Mine");
    assert_eq!(refused(&live, "plain-note", "mine.md"), "RESOURCE_NOT_FOUND");
}
