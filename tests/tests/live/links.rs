//! Links of an overlay: those that stay in the root, and those to whole skills outside it (contract 2.3).

#![cfg(unix)]

use skills::findings::Code;
use skills::live::{LiveRegistry, Overlays};
use skills_tests::disk::{self, TempDir, skill_md};

use crate::{codes, file, names, refused, root, told};

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
fn a_skill_outside_is_served_only_where_that_was_asked_for() {
    let dir = store();
    let refusing = crate::open(&dir);
    assert_eq!(
        (names(&refusing), codes(&refusing)),
        (vec!["local".to_owned()], vec![("linked".to_owned(), Code::E014)])
    );
    let live = following(&dir);
    assert_eq!((names(&live), codes(&live)), (vec!["linked".to_owned(), "local".to_owned()], vec![]));
    assert_eq!(file(&live, "linked", "references/a.md"), "A");
    let snapshot = live.snapshot();
    let path = snapshot.registry().get("linked").expect("it is served").skill.path().to_owned();
    assert!(path.ends_with("/skills/linked"), "it is named as it stands in the root: {path}");
}

#[test]
fn what_it_holds_stays_in_it() {
    let dir = store();
    disk::link(dir.path(), "store/linked/references/out.md", "../../secret.txt");
    let live = following(&dir);
    assert_eq!(names(&live), ["local"], "a skill that leads out is not served");
    assert_eq!(codes(&live), [("linked/references/out.md".to_owned(), Code::E014)]);
    // Nor does it lead back into the root, or on to another skill outside.
    for target in ["../../../skills/local/SKILL.md", "../../other"] {
        disk::write(dir.path(), "store/other/SKILL.md", skill_md("other", "Outside"));
        disk::remove(&dir.path().join("store/linked/references/out.md"));
        disk::link(dir.path(), "store/linked/references/out.md", target);
        live.refresh();
        assert_eq!(names(&live), ["local"], "{target}");
    }
    disk::remove(&dir.path().join("store/linked/references/out.md"));
    disk::link(dir.path(), "store/linked/references/out.md", "a.md");
    assert_eq!(told(&live.refresh()), "+linked");
    assert_eq!(file(&live, "linked", "references/out.md"), "A");
}

#[test]
fn it_is_guarded_and_looked_at_as_if_it_stood_in_the_root() {
    let dir = store();
    let live = following(&dir);
    disk::write(dir.path(), "store/linked/SKILL.md", skill_md("linked", "Another"));
    assert_eq!(told(&live.refresh()), "~linked");
    disk::remove(&dir.path().join("store/linked/references/a.md"));
    disk::link(dir.path(), "store/linked/references/a.md", "../../secret.txt");
    assert_eq!(refused(&live, "linked", "references/a.md"), "INVALID_RESOURCE_PATH");
    // Another directory in its place is not read before it was looked at.
    crate::rename(&dir.path().join("store/linked"), &dir.path().join("store/before"));
    disk::write(dir.path(), "store/linked/SKILL.md", skill_md("linked", "Third"));
    disk::write(dir.path(), "store/linked/references/a.md", "Third");
    assert_eq!(refused(&live, "linked", "references/a.md"), "RESOURCE_NOT_FOUND");
    assert_eq!(told(&live.refresh()), "~linked");
    assert_eq!(file(&live, "linked", "references/a.md"), "Third");
    disk::remove(&dir.path().join("skills/linked"));
    assert_eq!(told(&live.refresh()), "-linked");
}

/// A directory outside that becomes a skill later.
#[test]
fn what_becomes_a_skill_outside_is_seen() {
    let dir = store();
    disk::write(dir.path(), "store/later/readme.md", "not yet");
    disk::link(dir.path(), "skills/later", "../store/later");
    let live = following(&dir);
    assert_eq!(codes(&live), [("later".to_owned(), Code::E014)]);
    std::thread::sleep(std::time::Duration::from_millis(2_200));
    assert_eq!(told(&live.refresh()), "");
    disk::write(dir.path(), "store/later/SKILL.md", skill_md("later", "Now"));
    assert_eq!(told(&live.refresh()), "+later");
    assert_eq!(codes(&live), []);
}

#[test]
fn linked_directories_of_the_case() {
    let Some(dir) = case("052-linked-skill-dir-skipped", &["skills/linked", "skills/tofile", "skills/dead"])
    else {
        return;
    };
    let live = following(&dir);
    assert_eq!(names(&live), ["linked", "local"]);
    assert_eq!(codes(&live), [("dead".to_owned(), Code::E014), ("tofile".to_owned(), Code::E014)]);
    let refusing = crate::open(&dir);
    assert_eq!(names(&refusing), ["local"]);
    assert_eq!(codes(&refusing).len(), 3, "each is told of");
}

/// Only a link to a whole skill is followed, never one to a SKILL.md.
#[test]
fn linked_skill_files_of_the_case() {
    let Some(dir) =
        case("053-linked-skill-file-skipped", &["skills/filelink/SKILL.md", "skills/deadlink/SKILL.md"])
    else {
        return;
    };
    for live in [following(&dir), crate::open(&dir)] {
        assert_eq!(names(&live), [""; 0]);
        let expected = ["deadlink/SKILL.md", "filelink/SKILL.md"];
        assert_eq!(codes(&live), expected.map(|path| (path.to_owned(), Code::E014)));
    }
}

#[test]
fn links_out_of_a_skill_of_the_case() {
    let links = ["abs", "in", "out", "sib"].map(|name| format!("skills/leak/references/{name}.md"));
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let Some(dir) = case("055-link-escapes-skill", &links) else { return };
    for live in [following(&dir), crate::open(&dir)] {
        assert_eq!(names(&live), ["other"], "what leaks is not served");
        let expected = ["leak/references/abs.md", "leak/references/out.md"];
        assert_eq!(codes(&live), expected.map(|path| (path.to_owned(), Code::E014)));
    }
    // Without the two that lead out of the root, the others are read as they stand.
    disk::remove(&dir.path().join("skills/leak/references/abs.md"));
    disk::remove(&dir.path().join("skills/leak/references/out.md"));
    let live = crate::open(&dir);
    assert_eq!(file(&live, "leak", "references/in.md"), file(&live, "leak", "references/ok.md"));
    assert_eq!(file(&live, "leak", "references/sib.md"), file(&live, "other", "SKILL.md"));
}

#[test]
fn paths_are_compared_part_by_part() {
    let Some(dir) = case("058-prefix-check-without-separator", &["skills/note/way.md"]) else { return };
    let live = crate::open(&dir);
    assert_eq!(file(&live, "note", "way.md"), "loot\n", "it stays in the root");
    for path in ["../note-evil/loot.md", "-evil/loot.md", "/../note-evil/loot.md", "note-evil/loot.md"] {
        assert!(live.snapshot().registry().read_file("note", path, 0).is_err(), "{path}");
    }
    // As a root of its own, with the name of another as its beginning.
    disk::write(dir.path(), "skills-evil/loot.md", "loot");
    disk::link(dir.path(), "skills/note/evil.md", "../../skills-evil/loot.md");
    let live = crate::open(&dir);
    assert!(codes(&live).contains(&("note/evil.md".to_owned(), Code::E014)));
}

/// The calls of the case, with the answers that a bundle gives.
#[test]
fn paths_that_lead_out() {
    let Some(dir) = case("056-dotdot-in-file-argument", &[]) else { return };
    let live = crate::open(&dir);
    for path in ["references/a.md", "./references/a.md", "references//a.md", "references/./a.md"] {
        assert_eq!(file(&live, "safe", path), "a\n", "{path}");
    }
    for path in [
        "references/../references/a.md",
        "../other/SKILL.md",
        "../../expect.json",
        "/etc/hostname",
        "C:\\Windows\\win.ini",
        "file:///etc/hostname",
        "references/a.md\0.txt",
        "..",
        "~/x",
    ] {
        assert_eq!(refused(&live, "safe", path), "INVALID_RESOURCE_PATH", "{path:?}");
    }
    for path in [
        "references/a.md/",
        "references",
        "references/a.md%00.txt",
        "REFERENCES/A.MD",
        "references\\a.md",
        ".",
    ] {
        assert_eq!(refused(&live, "safe", path), "RESOURCE_NOT_FOUND", "{path:?}");
    }
    assert_eq!(refused(&live, "safe", ""), "INVALID_ARGUMENTS");
}

#[test]
fn a_directory_lists_its_files() {
    let Some(dir) = case("059-directory-given-as-file", &[]) else { return };
    let live = crate::open(&dir);
    let snapshot = live.snapshot();
    let error = snapshot.registry().read_file("dirfile", "references", 0).expect_err("a directory");
    let text = "Error: 'references' is a directory. Files in it: references/a.md, references/b.md.";
    assert_eq!((error.to_string().as_str(), error.code()), (text, "RESOURCE_NOT_FOUND"));
}

/// A copy of a case, with its links made real.
fn case(id: &str, links: &[&str]) -> Option<TempDir> {
    let from = disk::shared("cases")?.join(id);
    let dir = disk::temp();
    disk::copy(&from, dir.path());
    for path in links {
        let target = disk::read_text(&dir.path().join(path));
        disk::remove(&dir.path().join(path));
        disk::link(dir.path(), path, target.trim_end());
    }
    Some(dir)
}
