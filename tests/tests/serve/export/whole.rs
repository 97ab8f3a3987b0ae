//! A skill is put in place as a whole, whatever happens meanwhile, and goes away with its source.

use std::fs;
use std::path::Path;

use skills::export::{Exporter, What, installed};
use skills_tests::disk;

use super::{exporter, install, note, tree, what};

/// Names below a directory that a run has left.
fn left(dir: &Path) -> Vec<String> {
    let all = tree(dir).into_keys().filter(|path| path.contains(".skills-export-"));
    all.collect()
}

/// The number of a process that has ended.
#[cfg(unix)]
fn dead_process() -> u32 {
    let mut child = std::process::Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    child.id()
}

#[test]
fn a_skill_of_which_a_file_was_changed_stays_whole() {
    let out = disk::temp();
    let dir = out.path();
    let (_old_root, old) = note(&[("a.md", "a1"), ("b.md", "b1"), ("gone.md", "g")]);
    install(&old, &exporter(), dir);
    disk::write(dir, "note/b.md", "mine");
    let before = tree(dir);
    let (_new_root, new) = note(&[("a.md", "a2"), ("b.md", "b2"), ("c.md", "c2")]);
    for dry_run in [true, false] {
        let report = install(&new, &exporter().dry_run(dry_run), dir);
        for (path, expected) in [
            ("SKILL.md", What::Unchanged),
            ("a.md", What::KeptTogether),
            ("b.md", What::KeptChanged),
            ("c.md", What::KeptTogether),
            ("gone.md", What::KeptTogether),
        ] {
            assert_eq!(what(&report, "note", path), Some(expected), "{path}");
        }
        assert!(report.is_in_vain());
        assert_eq!(tree(dir), before);
    }
    // On request, the new version is beside it, where no agent looks, until the next update.
    let report = install(&new, &exporter().write_new(true), dir);
    assert_eq!(what(&report, ".note.new", "b.md"), Some(What::Created));
    assert_eq!(disk::read_text(&dir.join("note/b.md")), "mine");
    assert_eq!(disk::read_text(&dir.join(".note.new/b.md")), "b2");
    let report = install(&new, &exporter().write_new(true), dir);
    assert_eq!(what(&report, ".note.new", "b.md"), Some(What::Unchanged));
    let report = install(&new, &exporter().force(true), dir);
    assert_eq!(what(&report, "note", "b.md"), Some(What::Updated));
    assert_eq!(what(&report, "note", "gone.md"), Some(What::Removed));
    assert!(!report.is_in_vain());
    assert_eq!(disk::read_text(&dir.join("note/b.md")), "b2");
    assert!(!dir.join("note/gone.md").exists() && !dir.join(".note.new").exists());
    assert_eq!(left(dir), [""; 0]);
}

#[test]
fn files_of_others_move_with_their_skill() {
    let out = disk::temp();
    let dir = out.path();
    let (_old_root, old) = note(&[("a.md", "a1"), ("deep/gone.md", "g")]);
    install(&old, &exporter(), dir);
    for path in ["note/own.md", "note/deep/own.md", "note/mine/deeper/own.md"] {
        disk::write(dir, path, "own");
    }
    let (_new_root, new) = note(&[("a.md", "a2")]);
    let report = install(&new, &exporter(), dir);
    assert_eq!(what(&report, "note", "deep/gone.md"), Some(What::Removed));
    let files: Vec<String> = tree(dir).into_keys().filter(|path| !path.contains(".skills-export.")).collect();
    let expected =
        ["note/SKILL.md", "note/a.md", "note/deep/own.md", "note/mine/deeper/own.md", "note/own.md"];
    assert_eq!(files, expected);
    assert_eq!(disk::read_text(&dir.join("note/a.md")), "a2");
}

#[test]
fn the_ends_of_lines_are_no_change() {
    let out = disk::temp();
    let dir = out.path();
    let (_old_root, old) = note(&[("a.md", "one\ntwo\n"), ("b.md", "b\n")]);
    install(&old, &exporter(), dir);
    disk::write(dir, "note/a.md", "one\r\ntwo\r\n");
    let before = tree(dir);
    let report = install(&old, &exporter(), dir);
    assert_eq!(report.count(What::Unchanged), 3);
    assert_eq!(tree(dir), before, "it isn't written again");
    assert_eq!(installed(dir).unwrap()[0].changed, [""; 0]);
    // Another file is updated, and these lines stay as they are.
    let (_new_root, new) = note(&[("a.md", "one\ntwo\n"), ("b.md", "b2\n")]);
    assert_eq!(what(&install(&new, &exporter(), dir), "note", "b.md"), Some(What::Updated));
    assert_eq!(disk::read_text(&dir.join("note/a.md")), "one\r\ntwo\r\n");
    // And an update replaces them.
    let (_last_root, last) = note(&[("a.md", "three\n"), ("b.md", "b2\n")]);
    assert_eq!(what(&install(&last, &exporter(), dir), "note", "a.md"), Some(What::Updated));
    assert_eq!(disk::read_text(&dir.join("note/a.md")), "three\n");
}

#[test]
fn a_skill_that_its_source_no_longer_has_is_removed() {
    let out = disk::temp();
    let dir = out.path();
    let (root, live) = note(&[("a.md", "a")]);
    let origin = live.snapshot().registry().skills()[0].origin.to_owned();
    let from = || exporter().prune_from([origin.clone()]);
    install(&live, &from(), dir);
    assert_eq!(installed(dir).unwrap()[0].from.as_deref(), Some(origin.as_str()));
    fs::rename(root.path().join("note"), root.path().join("other")).unwrap();
    disk::write(root.path(), "other/SKILL.md", disk::skill_md("other", "Is new"));
    live.refresh();
    // One from elsewhere isn't known to be gone.
    let elsewhere = install(&live, &exporter().prune_from(["elsewhere"]), dir);
    assert_eq!(what(&elsewhere, "note", "SKILL.md"), None);
    // One that somebody has changed is named, and stays whole.
    disk::write(dir, "note/a.md", "mine");
    let report = install(&live, &from(), dir);
    assert_eq!(what(&report, "note", "a.md"), Some(What::KeptChanged));
    assert_eq!(what(&report, "note", "SKILL.md"), Some(What::KeptTogether));
    assert_eq!(disk::read_text(&dir.join("note/a.md")), "mine");
    let dry = install(&live, &from().force(true).dry_run(true), dir);
    assert_eq!(what(&dry, "note", "a.md"), Some(What::Removed));
    assert!(dir.join("note/a.md").is_file());
    install(&live, &from().force(true), dir);
    assert!(!dir.join("note").exists() && dir.join("other/SKILL.md").is_file());
}

#[test]
#[cfg(unix)]
fn what_a_killed_run_has_left_is_finished() {
    let out = disk::temp();
    let dir = out.path();
    let (_root, live) = note(&[("a.md", "a")]);
    install(&live, &exporter(), dir);
    let process = dead_process();
    // It was writing a skill, and a file.
    disk::write(dir, &format!(".skills-export-{process}-0.tmp/SKILL.md"), "half");
    disk::write(dir, &format!("note/.skills-export-{process}-1.tmp"), "half");
    // One of its own, which still runs.
    let mine = format!(".skills-export-{}-999.tmp/SKILL.md", std::process::id());
    disk::write(dir, &mine, "half");
    install(&live, &exporter(), dir);
    assert_eq!(left(dir), std::slice::from_ref(&mine));
    fs::remove_dir_all(dir.join(mine.split('/').next().unwrap())).unwrap();
    // It had moved the old version aside: the skill is back.
    let aside = dir.join(format!(".skills-export-{process}-2.old.note"));
    fs::rename(dir.join("note"), &aside).unwrap();
    assert_eq!(install(&live, &exporter(), dir).count(What::Unchanged), 2);
    assert_eq!(left(dir), [""; 0]);
    // It had put the new version in place, and not moved the files of others.
    fs::rename(dir.join("note"), &aside).unwrap();
    disk::write(&aside, "own.md", "own");
    let fresh = disk::temp();
    install(&live, &exporter(), fresh.path());
    fs::rename(fresh.path().join("note"), dir.join("note")).unwrap();
    assert_eq!(install(&live, &exporter(), dir).count(What::Unchanged), 2);
    assert_eq!(disk::read_text(&dir.join("note/own.md")), "own");
    assert_eq!((left(dir), aside.exists()), (Vec::new(), false));
}

#[test]
#[cfg(unix)]
fn the_directory_may_be_a_symlink_of_the_users_own() {
    let out = disk::temp();
    let (_root, live) = note(&[]);
    fs::create_dir_all(out.path().join(".agents/skills")).unwrap();
    fs::create_dir(out.path().join(".claude")).unwrap();
    disk::link(out.path(), ".claude/skills", "../.agents/skills");
    let dir = out.path().join(".claude/skills");
    install(&live, &exporter(), &dir);
    assert!(out.path().join(".agents/skills/note/SKILL.md").is_file());
    assert!(dir.symlink_metadata().unwrap().is_symlink(), "it stays one");
    // Only root can make one for another user.
    if std::os::unix::fs::lchown(&dir, Some(12_345), None).is_err() {
        return;
    }
    for result in [exporter().install(&live.snapshot().registry(), &dir), exporter().uninstall(&dir)] {
        assert!(
            result.unwrap_err().to_string().ends_with("is a symlink of another user, and isn't followed")
        );
    }
    assert!(out.path().join(".agents/skills/note/SKILL.md").is_file());
}

#[test]
#[cfg(unix)]
fn a_symlink_to_nothing_is_named() {
    let out = disk::temp();
    let (_root, live) = note(&[]);
    fs::create_dir(out.path().join(".claude")).unwrap();
    disk::link(out.path(), ".claude/skills", "../shared/skills");
    let (dir, registry) = (out.path().join(".claude/skills"), live.snapshot());
    let error = exporter().install(&registry.registry(), &dir).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("/.claude/skills` is a symlink to `../shared/skills`, which doesn't exist"),
        "{error}"
    );
    assert_eq!(error.suggestion(), "create the directory `../shared/skills`, or remove the symlink");
    assert!(exporter().uninstall(&dir).unwrap().is_in_vain(), "nothing is there to remove");
    fs::create_dir_all(out.path().join("shared/skills")).unwrap();
    install(&live, &exporter(), &dir);
    assert!(out.path().join("shared/skills/note/SKILL.md").is_file());
}

#[test]
fn what_is_installed_is_listed() {
    let out = disk::temp();
    let dir = out.path();
    assert!(installed(&dir.join("none")).unwrap().is_empty());
    let (_root, live) = note(&[("a.md", "a"), ("b.md", "b")]);
    install(&live, &Exporter::new("one"), dir);
    disk::write(dir, "by-hand/SKILL.md", disk::skill_md("by-hand", "Has no record"));
    disk::write(dir, "note/b.md", "mine");
    fs::remove_file(dir.join("note/a.md")).unwrap();
    let all = installed(dir).unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].name.as_str(), all[0].by.as_str()), ("note", "one"));
    assert_eq!(all[0].changed, ["a.md", "b.md"]);
}
