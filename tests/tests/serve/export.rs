//! Skills on disk where agents read them: written twice, changed, updated, removed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use skills::export::{Agent, ExportReport, Exporter, Scope, What};
use skills::live::{LiveRegistry, Overlays, Root};
use skills::{Audience, Registry};
use skills_tests::{SKILLS, disk};

mod whole;

fn bundle() -> Registry<'static> {
    Registry::new(&SKILLS).for_audience(Audience::Everyone)
}

fn exporter() -> Exporter {
    Exporter::new("test")
}

fn what(report: &ExportReport, skill: &str, path: &str) -> Option<What> {
    report
        .changes
        .iter()
        .find(|change| change.skill == skill && change.path == path)
        .map(|change| change.what)
}

/// The files below a directory, by path, including hidden ones.
fn tree(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = disk::files(dir).into_iter();
    files.map(|file| (file.to_str().unwrap().replace('\\', "/"), disk::read(&dir.join(file)))).collect()
}

/// A root with one skill, `note`, and what it serves.
fn note(files: &[(&str, &str)]) -> (tempfile::TempDir, LiveRegistry) {
    let root = disk::temp();
    disk::write(root.path(), "note/SKILL.md", disk::skill_md("note", "Takes notes"));
    for (path, text) in files {
        disk::write(root.path(), &format!("note/{path}"), text);
    }
    let live = Overlays::without_bundle().root(Root::new(root.path())).open();
    (root, live)
}

fn install(live: &LiveRegistry, exporter: &Exporter, dir: &Path) -> ExportReport {
    exporter.install(&live.snapshot().registry(), dir).unwrap()
}

#[test]
fn every_byte_of_the_bundle_is_written_once() {
    let out = disk::temp();
    let dir = out.path().join("not/there/yet");
    let report = exporter().install(&bundle(), &dir).unwrap();
    let mut files = 0;
    for skill in SKILLS.skills() {
        for file in skill.files() {
            let written = dir.join(skill.name()).join(file.path());
            assert_eq!(disk::read(&written), file.bytes().unwrap(), "{}", written.display());
            assert_eq!(what(&report, skill.name(), file.path()), Some(What::Created));
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let mode = fs::metadata(&written).unwrap().permissions().mode();
                assert_eq!(mode & 0o100 != 0, file.is_executable(), "{}", written.display());
            }
            files += 1;
        }
    }
    assert_eq!(report.changes.len(), files);
    // The second run has nothing to do.
    let before = tree(&dir);
    let stamps = |dir: &Path| -> Vec<_> {
        disk::files(dir)
            .iter()
            .map(|file| fs::metadata(dir.join(file)).unwrap().modified().unwrap())
            .collect()
    };
    let stamped = stamps(&dir);
    let again = exporter().install(&bundle(), &dir).unwrap();
    assert_eq!(again.count(What::Unchanged), files);
    assert_eq!((tree(&dir), stamps(&dir)), (before, stamped));
    // The written skills are served as before.
    let live = Overlays::without_bundle().audience(Audience::Everyone).root(Root::new(&dir)).open();
    assert_eq!(live.snapshot().registry().skills().len(), SKILLS.len());
    let gone = exporter().uninstall(&dir).unwrap();
    assert_eq!(gone.count(What::Removed), files);
    assert_eq!((tree(&dir).len(), disk::directories(&dir).len()), (0, 0));
}

#[test]
fn a_dry_run_reports_the_same_and_changes_nothing() {
    let out = disk::temp();
    let dir = out.path().join("skills");
    let planned = exporter().dry_run(true).install(&bundle(), &dir).unwrap();
    assert!(!dir.exists());
    assert_eq!(exporter().install(&bundle(), &dir).unwrap(), planned);
    let before = tree(&dir);
    let planned = exporter().dry_run(true).uninstall(&dir).unwrap();
    assert_eq!(tree(&dir), before);
    assert_eq!(exporter().uninstall(&dir).unwrap(), planned);
}

#[test]
fn a_later_version_updates_what_it_wrote() {
    let out = disk::temp();
    let dir = out.path();
    let (_old_root, old) = note(&[("a.md", "a1"), ("b.md", "b1"), ("deep/gone.md", "g1")]);
    install(&old, &exporter(), dir);
    disk::write(dir, "note/own.md", "own");
    let (_new_root, new) = note(&[("a.md", "a2"), ("b.md", "b1"), ("c.md", "c2")]);
    let report = install(&new, &exporter(), dir);
    for (path, expected) in [
        ("SKILL.md", What::Unchanged),
        ("a.md", What::Updated),
        ("b.md", What::Unchanged),
        ("c.md", What::Created),
        ("deep/gone.md", What::Removed),
    ] {
        assert_eq!(what(&report, "note", path), Some(expected), "{path}");
    }
    assert_eq!(what(&report, "note", "own.md"), None);
    for (path, text) in [("a.md", "a2"), ("b.md", "b1"), ("c.md", "c2"), ("own.md", "own")] {
        assert_eq!(disk::read_text(&dir.join("note").join(path)), text, "{path}");
    }
    assert!(!dir.join("note/deep").exists());
    // Uninstalling leaves what isn't ours, and of a skill that was changed all.
    disk::write(dir, "note/a.md", "mine");
    let before = tree(dir);
    let report = exporter().uninstall(dir).unwrap();
    assert_eq!(what(&report, "note", "a.md"), Some(What::KeptChanged));
    assert_eq!(what(&report, "note", "SKILL.md"), Some(What::KeptTogether));
    assert_eq!(tree(dir), before);
    exporter().force(true).uninstall(dir).unwrap();
    assert_eq!(tree(dir).keys().collect::<Vec<_>>(), ["note/own.md"]);
}

#[test]
fn another_version_is_stale_until_it_is_installed() {
    let out = disk::temp();
    let dir = out.path();
    let stale = |exporter: &Exporter| exporter.stale(&bundle(), dir).unwrap();
    assert!(stale(&exporter()).is_empty(), "nothing is installed");
    exporter().install(&bundle(), dir).unwrap();
    assert!(stale(&exporter()).is_empty());
    let (_root, old) = note(&[]);
    install(&old, &exporter(), dir);
    assert!(stale(&exporter()).is_empty(), "one that is gone stays by default");
    assert_eq!(stale(&exporter().prune(true)), ["note"]);
    let (_root, other) = note(&[]);
    install(&other, &Exporter::new("another"), &dir.join("elsewhere"));
    assert_eq!(exporter().prune(true).stale(&bundle(), &dir.join("elsewhere")).unwrap(), [""; 0]);
    let report = exporter().prune(true).only(["pdf-forms"]).install(&bundle(), dir).unwrap();
    assert_eq!(what(&report, "note", "SKILL.md"), None, "only what was asked for");
    let dry = exporter().prune(true).dry_run(true).install(&bundle(), dir).unwrap();
    assert_eq!(what(&dry, "note", "SKILL.md"), Some(What::Removed));
    assert!(dir.join("note/SKILL.md").is_file());
    exporter().prune(true).install(&bundle(), dir).unwrap();
    assert!(!dir.join("note").exists() && stale(&exporter().prune(true)).is_empty());
    // One that somebody has changed is no longer this program's alone.
    install(&old, &exporter(), dir);
    disk::write(dir, "note/SKILL.md", "mine");
    assert!(stale(&exporter().prune(true)).is_empty());
    exporter().prune(true).install(&bundle(), dir).unwrap();
    assert_eq!(disk::read_text(&dir.join("note/SKILL.md")), "mine");
}

#[test]
fn a_file_that_was_deleted_is_written_again() {
    let (out, (_root, live)) = (disk::temp(), note(&[("a.md", "a")]));
    install(&live, &exporter(), out.path());
    fs::remove_file(out.path().join("note/a.md")).unwrap();
    assert_eq!(what(&install(&live, &exporter(), out.path()), "note", "a.md"), Some(What::Created));
}

#[test]
fn files_of_others_are_left_alone() {
    let (out, (_root, live)) = (disk::temp(), note(&[("a.md", "a")]));
    let dir = out.path();
    disk::write(dir, "note/SKILL.md", disk::skill_md("note", "Is another one"));
    let before = tree(dir);
    let report = install(&live, &exporter(), dir);
    assert_eq!(what(&report, "note", ""), Some(What::KeptForeign));
    assert_eq!(tree(dir), before, "no file of one skill is put into another");
    // Another program's files also belong to others.
    let theirs = disk::temp();
    let (_other_root, other) = note(&[("a.md", "other")]);
    install(&other, &Exporter::new("other").only(["note"]), theirs.path());
    disk::write(theirs.path(), "note/SKILL.md", disk::skill_md("note", "Was changed"));
    assert!(exporter().uninstall(theirs.path()).unwrap().changes.is_empty());
    assert_eq!(what(&install(&live, &exporter(), theirs.path()), "note", ""), Some(What::KeptForeign));
    // A file that happens to be equal counts as ours.
    let same = disk::temp();
    disk::write(same.path(), "note/SKILL.md", disk::skill_md("note", "Takes notes"));
    assert_eq!(what(&install(&live, &exporter(), same.path()), "note", "a.md"), Some(What::Created));
}

#[cfg(unix)]
/// Two programs with the same skill in different versions.
#[test]
fn skills_of_another_program_stay_its_own() {
    let out = disk::temp();
    let (_first, theirs) = note(&[("a.md", "theirs")]);
    let (_second, ours) = note(&[("a.md", "ours")]);
    install(&theirs, &Exporter::new("theirs"), out.path());
    let before = tree(out.path());
    // SKILL.md is the same file in both.
    let report = install(&ours, &exporter(), out.path());
    assert_eq!(what(&report, "note", ""), Some(What::KeptForeign));
    exporter().uninstall(out.path()).unwrap();
    assert_eq!(tree(out.path()), before);
    // With `force` it takes over the skill.
    install(&ours, &exporter().force(true), out.path());
    assert_eq!(disk::read_text(&out.path().join("note/a.md")), "ours");
}

/// A pipe doesn't block.
#[test]
#[cfg(unix)]
fn a_pipe_instead_of_the_record_is_ignored() {
    let out = disk::temp();
    let (_root, live) = note(&[]);
    disk::write(out.path(), "note/other.txt", "other");
    let pipe = out.path().join("note/.skills-export.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "`mkfifo` makes a pipe");
    let (said, done) = std::sync::mpsc::channel();
    let dir = out.path().to_owned();
    std::thread::spawn(move || {
        said.send(exporter().dry_run(true).install(&live.snapshot().registry(), &dir).is_ok())
    });
    assert!(done.recv_timeout(std::time::Duration::from_secs(60)).is_ok(), "it waits for the pipe");
}

#[test]
fn nothing_is_written_or_removed_through_a_symlink() {
    let (out, outside, (_root, live)) =
        (disk::temp(), disk::temp(), note(&[("a.md", "a"), ("deep/b.md", "b")]));
    let dir = out.path();
    disk::write(outside.path(), "a.md", "outside");
    let target = outside.path().to_str().unwrap();
    // The skill's directory, a directory in it, a file in it.
    for force in [false, true] {
        disk::link(dir, "note", target);
        let report = install(&live, &exporter().force(force), dir);
        assert_eq!(what(&report, "note", ""), Some(What::KeptObstacle));
        fs::remove_file(dir.join("note")).unwrap();
        fs::create_dir(dir.join("note")).unwrap();
        disk::link(dir, "note/deep", target);
        disk::link(dir, "note/a.md", &format!("{target}/a.md"));
        let report = install(&live, &exporter().force(force), dir);
        assert_eq!(what(&report, "note", "deep/b.md"), Some(What::KeptObstacle));
        assert_eq!(what(&report, "note", "a.md"), Some(What::KeptObstacle));
        assert_eq!(what(&report, "note", "SKILL.md"), Some(What::KeptTogether));
        assert!(!dir.join("note/SKILL.md").exists(), "a skill isn't written in part");
        exporter().force(force).uninstall(dir).unwrap();
        assert_eq!(
            tree(outside.path()).into_iter().collect::<Vec<_>>(),
            [("a.md".to_owned(), b"outside".to_vec())]
        );
        fs::remove_dir_all(dir.join("note")).unwrap();
    }
}

#[test]
fn a_forged_record_has_no_effect_outside() {
    let out = disk::temp();
    let dir = out.path().join("skills");
    disk::write(out.path(), "secret.txt", "secret");
    let digest = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
    for path in ["../../secret.txt", "/etc/passwd", "..", "a/../../../secret.txt", ""] {
        let record = serde_json::json!({"format": 1, "by": "test", "files": {path: [digest]}});
        disk::write(&dir, "note/.skills-export.json", record.to_string());
        let report = exporter().force(true).uninstall(&dir).unwrap();
        assert!(report.changes.is_empty(), "{path}: {report:?}");
    }
    for broken in ["", "{", "[]", r#"{"format": 2}"#, r#"{"format":1,"by":"test","files":{"a":["zz"]}}"#] {
        disk::write(&dir, "note/.skills-export.json", broken);
        assert!(exporter().uninstall(&dir).unwrap().changes.is_empty(), "{broken}");
    }
    assert_eq!(disk::read_text(&out.path().join("secret.txt")), "secret");
}

#[test]
fn only_the_named_skills_are_written() {
    let out = disk::temp();
    let report = exporter().only(["pdf-forms"]).install(&bundle(), out.path()).unwrap();
    assert!(report.changes.iter().all(|change| change.skill == "pdf-forms"));
    let error = exporter().only(["pdf-form"]).install(&bundle(), out.path()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Error: skill not found: 'pdf-form'. Try skills_tool action=list or action=search. Did you mean 'pdf-forms'?"
    );
    exporter().install(&bundle(), out.path()).unwrap();
    exporter().only(["pdf-forms"]).uninstall(out.path()).unwrap();
    assert!(!out.path().join("pdf-forms").exists() && out.path().join("wordy").exists());
    assert!(exporter().uninstall(&out.path().join("none")).unwrap().changes.is_empty());
}

#[test]
fn agents_read_their_documented_directories() {
    let base = Path::new("base");
    for agent in Agent::all() {
        assert_eq!(Agent::parse(agent.name()), Some(agent));
        assert!(agent.dir(Scope::Project, base).ends_with("skills"));
    }
    assert_eq!(Agent::ClaudeCode.dir(Scope::User, base), base.join(".claude").join("skills"));
    assert_eq!(Agent::Copilot.dir(Scope::Project, base), base.join(".github").join("skills"));
    assert_eq!(Agent::parse("emacs"), None);
}
