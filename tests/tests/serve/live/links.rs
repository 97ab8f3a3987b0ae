//! Symlinks to whole skills outside an overlay's root, if they are followed, and to what isn't a skill for its name's
//! letters. `cases` tests other symlinks inside a root, and those that point outside it.

#![cfg(unix)]

use skills::findings::Code;
use skills::live::{LiveRegistry, Overlays};
use skills_tests::disk::{self, TempDir, skill_md};

use super::{codes, file, names, refused, root, summary};

fn following(dir: &TempDir) -> LiveRegistry {
    Overlays::without_bundle().root(root(dir).follow_links_out(true)).open()
}

/// A skill outside, with a secret beside it.
fn store() -> TempDir {
    let dir = disk::temp();
    disk::write(dir.path(), "store/linked/SKILL.md", skill_md("linked", "Outside"));
    disk::write(dir.path(), "store/linked/references/a.md", "A");
    disk::write(dir.path(), "store/secret.txt", "secret");
    disk::write(dir.path(), "skills/local/SKILL.md", skill_md("local", "Inside"));
    disk::link(dir.path(), "skills/linked", "../store/linked");
    dir
}

#[test]
fn a_skill_outside_is_only_served_on_request() {
    let dir = store();
    let refusing = super::open(&dir);
    assert_eq!(
        (names(&refusing), codes(&refusing)),
        (vec!["local".to_owned()], vec![("linked".to_owned(), Code::E014)])
    );
    let live = following(&dir);
    assert_eq!((names(&live), codes(&live)), (vec!["linked".to_owned(), "local".to_owned()], vec![]));
    assert_eq!(file(&live, "linked", "references/a.md"), "A");
    let snapshot = live.snapshot();
    let path = snapshot.registry().get("linked").expect("it is served").skill.path().to_owned();
    assert!(path.ends_with("/skills/linked"), "it has its name in the root: {path}");
}

#[test]
fn symlinks_in_it_must_stay_in_it() {
    let dir = store();
    disk::link(dir.path(), "store/linked/references/out.md", "../../secret.txt");
    let live = following(&dir);
    // Only the file is left out.
    assert_eq!(names(&live), ["linked", "local"]);
    assert_eq!(refused(&live, "linked", "references/out.md"), "RESOURCE_NOT_FOUND");
    assert_eq!(codes(&live), []);
    assert_eq!(super::file_codes(&live, "linked"), [("linked/references/out.md".to_owned(), Code::E014)]);
    // A symlink from it may not point back into the root, or to another skill outside, either.
    for target in ["../../../skills/local/SKILL.md", "../../other"] {
        disk::write(dir.path(), "store/other/SKILL.md", skill_md("other", "Outside"));
        disk::remove(&dir.path().join("store/linked/references/out.md"));
        disk::link(dir.path(), "store/linked/references/out.md", target);
        live.refresh();
        assert_eq!(names(&live), ["linked", "local"], "{target}");
        assert_eq!(refused(&live, "linked", "references/out.md"), "RESOURCE_NOT_FOUND", "{target}");
    }
    disk::remove(&dir.path().join("store/linked/references/out.md"));
    disk::link(dir.path(), "store/linked/references/out.md", "a.md");
    assert_eq!(summary(&live.refresh()), "", "its SKILL.md is the same");
    assert_eq!(file(&live, "linked", "references/out.md"), "A");
}

#[test]
fn it_is_guarded_like_a_skill_in_the_root() {
    let dir = store();
    let live = following(&dir);
    disk::write(dir.path(), "store/linked/SKILL.md", skill_md("linked", "Another"));
    assert_eq!(summary(&live.refresh()), "~linked");
    assert_eq!(file(&live, "linked", "references/a.md"), "A");
    disk::remove(&dir.path().join("store/linked/references/a.md"));
    disk::link(dir.path(), "store/linked/references/a.md", "../../secret.txt");
    assert_eq!(refused(&live, "linked", "references/a.md"), "INVALID_RESOURCE_PATH");
    // Another directory in its place isn't read before a refresh.
    super::rename(&dir.path().join("store/linked"), &dir.path().join("store/before"));
    disk::write(dir.path(), "store/linked/SKILL.md", skill_md("linked", "Third"));
    disk::write(dir.path(), "store/linked/references/a.md", "Third");
    assert_eq!(refused(&live, "linked", "references/a.md"), "RESOURCE_NOT_FOUND");
    assert_eq!(summary(&live.refresh()), "~linked");
    assert_eq!(file(&live, "linked", "references/a.md"), "Third");
    disk::remove(&dir.path().join("skills/linked"));
    assert_eq!(summary(&live.refresh()), "-linked");
}

/// A directory outside that becomes a skill later.
#[test]
fn a_directory_outside_that_becomes_a_skill_is_seen() {
    let dir = store();
    disk::write(dir.path(), "store/later/readme.md", "not yet");
    disk::link(dir.path(), "skills/later", "../store/later");
    let live = following(&dir);
    assert_eq!(codes(&live), [("later".to_owned(), Code::E014)]);
    std::thread::sleep(std::time::Duration::from_millis(2_200));
    assert_eq!(summary(&live.refresh()), "");
    disk::write(dir.path(), "store/later/SKILL.md", skill_md("later", "Now"));
    assert_eq!(summary(&live.refresh()), "+later");
    assert_eq!(codes(&live), []);
}

/// A directory with a `skill.md` isn't a skill, so nothing hides its files behind one: a symlink to a file of it is
/// followed. Once it is a skill, it isn't.
#[test]
fn a_symlink_into_a_directory_with_a_misspelt_skill_file_is_followed() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/a/SKILL.md", skill_md("a", "Links there"));
    disk::write(dir.path(), "skills/miss/skill.md", skill_md("miss", "Misspelt"));
    disk::write(dir.path(), "skills/miss/s.md", "S");
    disk::link(dir.path(), "skills/a/ms.md", "../miss/s.md");
    let live = super::open(&dir);
    assert_eq!(names(&live), ["a"]);
    assert_eq!(codes(&live), [("miss/skill.md".to_owned(), Code::E016)]);
    assert_eq!((file(&live, "a", "ms.md").as_str(), super::file_codes(&live, "a")), ("S", vec![]));
    super::rename(&dir.path().join("skills/miss/skill.md"), &dir.path().join("skills/miss/SKILL.md"));
    live.refresh();
    assert_eq!(names(&live), ["a", "miss"]);
    assert_eq!(refused(&live, "a", "ms.md"), "RESOURCE_NOT_FOUND");
    assert_eq!(super::file_codes(&live, "a"), [("a/ms.md".to_owned(), Code::L125)]);
}
