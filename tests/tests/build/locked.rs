//! Locked skills in a build (E024): what counts as a difference, at which level, and what goes into the program.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use std::path::Path;

use skills_bundle::compile::{Generated, Report, check, compile};
use skills_bundle::lock::{self, LOCK_FILE, Lock};
use skills_bundle::{Code, Config, Level, emit};
use skills_tests::disk::{self, TempDir, skill_md};
use skills_tests::locks;

/// A package with a locked skill of two files, and one of its own.
fn package() -> TempDir {
    let dir = disk::temp();
    disk::write(dir.path(), "Cargo.toml", "[package]\nname = \"x\"\n[workspace]\n");
    disk::write(dir.path(), "skills/pdf/SKILL.md", skill_md("pdf", "Fills in forms"));
    disk::write(dir.path(), "skills/pdf/tools/fill.sh", "echo one\n");
    disk::write(dir.path(), "skills/own/SKILL.md", skill_md("own", "Keeps the garden"));
    locks::write(dir.path(), &["skills/pdf"]);
    dir
}

fn config(dir: &Path) -> Config {
    Config::new("skills").base(dir).cargo_settings(dir)
}

fn report(outcome: Result<Generated, Report>) -> Report {
    outcome.map_or_else(|report| report, |generated| generated.report)
}

/// The findings of a build and of a check, which must be the same, in one line each.
fn findings(config: &Config) -> Vec<String> {
    let built = report(compile(config, None)).findings;
    let checked = check(config).findings;
    assert_eq!(built, checked, "a check finds what a build finds");
    built.iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_as_locked_is_built_and_anything_else_is_named() {
    let dir = package();
    assert_eq!(findings(&config(dir.path())), [""; 0]);
    disk::write(dir.path(), "skills/pdf/tools/fill.sh", "echo two\n");
    disk::write(dir.path(), "skills/pdf/new.md", "new\n");
    disk::write(dir.path(), "skills/own/new.md", "new\n");
    assert_eq!(
        findings(&config(dir.path())),
        [
            "skills/pdf/new.md:1:1: error[E024]: the skill differs from `skill-sources.lock`: `new.md` (extra file), \
             `tools/fill.sh` (edited)"
        ]
    );
    // A broken skill is compared too.
    disk::write(dir.path(), "skills/pdf/SKILL.md", "no frontmatter\n");
    let found = findings(&config(dir.path()));
    assert!(found.len() == 2 && found[1].contains("E024") || found[0].contains("E024"), "{found:?}");
    assert!(
        found.iter().any(|line| line.contains("`SKILL.md` (edited), `new.md` (extra file)")),
        "{found:?}"
    );
    // The place of the entry is shown too.
    let report = check(&config(dir.path()));
    let finding = report.findings.iter().find(|finding| finding.code == Code::E024).expect("it is there");
    assert_eq!((finding.related[0].path.as_str(), finding.related[0].line), (LOCK_FILE, 5));
    disk::remove(&dir.path().join("skills/pdf/SKILL.md"));
    let missing =
        "skill-sources.lock:5:8: error[E024]: `skills/pdf` is locked, but is missing or has no SKILL.md";
    assert!(
        findings(&config(dir.path())).contains(&missing.to_owned()),
        "{:?}",
        findings(&config(dir.path()))
    );
}

#[test]
fn the_level_is_that_of_the_build_unless_it_is_set() {
    let dir = package();
    disk::write(dir.path(), "skills/pdf/tools/fill.sh", "echo two\n");
    let config = |debug: bool| config(dir.path()).debug_assertions(debug);
    let level = |config: &Config| report(compile(config, None)).findings.first().map(|finding| finding.level);
    assert_eq!(level(&config(false)), Some(Level::Deny));
    assert_eq!(level(&config(true)), Some(Level::Warn));
    assert_eq!(level(&config(true).deny("E024")), Some(Level::Deny));
    assert_eq!(level(&config(false).warn("differs-from-lock")), Some(Level::Warn));
    assert_eq!(level(&config(false).allow("E024")), None);
    disk::write(dir.path(), "Cargo.toml", "[workspace]\n[workspace.metadata.skills]\ndeny = [\"E024\"]\n");
    assert_eq!(level(&config(true)), Some(Level::Deny));
    // Other line ends are never an error: a checkout makes them.
    disk::write(dir.path(), "skills/pdf/tools/fill.sh", "echo one\r\n");
    assert_eq!(level(&config(false)), Some(Level::Warn));
    let found = check(&config(false));
    assert!(
        found.findings[0].message.contains("in its line ends alone: `tools/fill.sh`"),
        "{:?}",
        found.findings
    );
    assert!(found.findings[0].help.contains("`skills/pdf/** -text`"), "{:?}", found.findings);
    assert_eq!(level(&config(false).allow("E024")), None);
}

#[test]
fn a_lock_that_cannot_be_read_stops_every_build() {
    let dir = package();
    let text = disk::read_text(&dir.path().join(LOCK_FILE));
    for (broken, word) in [
        (text.replace("version = 1", "version = 2"), "a version that is not known here: 2"),
        (text.replace("dir =", "=======\ndir ="), "not valid TOML"),
        (format!("<<<<<<< ours\n{text}"), "conflict markers"),
    ] {
        disk::write(dir.path(), LOCK_FILE, &broken);
        let config = config(dir.path()).debug_assertions(true).allow("E024");
        let found = findings(&config);
        assert!(found.len() == 1 && found[0].contains("error[E017]") && found[0].contains(word), "{found:?}");
        assert_eq!(disk::read_text(&dir.path().join(LOCK_FILE)), broken);
    }
    disk::remove(&dir.path().join(LOCK_FILE));
    disk::write(dir.path(), &format!("{LOCK_FILE}/x"), "");
    assert!(report(compile(&config(dir.path()), None)).denied() > 0, "a directory in its place is no lock");
}

/// What isn't under a root of this build, or is left out of it, is no matter of this build.
#[test]
fn only_what_is_built_is_compared() {
    let dir = package();
    for skill in ["other/csv", "skills/draft", ".agents/zip"] {
        let name = skill.rsplit('/').next().expect("it has a last part");
        disk::write(dir.path(), &format!("{skill}/SKILL.md"), skill_md(name, &format!("Does {name}")));
    }
    locks::write(dir.path(), &["skills/pdf", "other/csv", "skills/draft", ".agents/zip"]);
    for skill in ["other/csv", "skills/draft", ".agents/zip"] {
        disk::write(dir.path(), &format!("{skill}/new.md"), "x");
    }
    let config = config(dir.path()).ignore("draft");
    assert_eq!(findings(&config), [""; 0]);
    let generated = compile(&config, None).unwrap_or_else(|report| panic!("{report:?}"));
    let embedded =
        Lock::read(LOCK_FILE, generated.lock.as_deref().expect("there is one")).expect("it is a lock");
    let dirs: Vec<&str> = embedded.skills.iter().map(|skill| skill.dir.as_str()).collect();
    assert_eq!(dirs, ["skills/pdf"], "a program tells nothing of skills that it doesn't have");
    // A root that is the skill itself, and one above it.
    for root in ["skills/pdf", ".", "skills/../skills"] {
        let config =
            Config::new(root).base(dir.path()).cargo_settings(dir.path()).ignore("draft").ignore("other");
        let generated = compile(&config, None).unwrap_or_else(|report| panic!("{root}: {report:?}"));
        assert!(generated.lock.is_some(), "{root}");
        disk::write(dir.path(), "skills/pdf/new.md", "x");
        assert!(findings(&config).iter().any(|line| line.contains("E024")), "{root}");
        disk::remove(&dir.path().join("skills/pdf/new.md"));
    }
}

/// What is left out by its name isn't extra; where the lock lists it, it is compared all the same.
#[test]
fn names_that_are_left_out_count_where_they_are_locked() {
    let dir = package();
    disk::write(dir.path(), "skills/pdf/__pycache__/a.pyc", "x");
    assert_eq!(findings(&config(dir.path())), [""; 0]);
    disk::write(dir.path(), "skills/pdf/.config/keys", "a\n");
    locks::write(dir.path(), &["skills/pdf"]);
    assert_eq!(findings(&config(dir.path())), [""; 0]);
    disk::write(dir.path(), "skills/pdf/.config/keys", "b\n");
    let found = findings(&config(dir.path()));
    assert!(found.len() == 1 && found[0].contains("`.config/keys` (edited)"), "{found:?}");
}

/// A lock changes nothing of the pack, and a program without locked skills has no block.
#[test]
fn the_lock_goes_into_the_program_beside_the_pack() {
    let dir = package();
    let locked = compile(&config(dir.path()), None).unwrap_or_else(|report| panic!("{report:?}"));
    assert!(emit::bundle_from_files(&locked).contains(".with_lock(::core::include_bytes!"));
    let found = lock::in_program(&lock::block(locked.lock.as_deref().expect("there is one")), "x");
    assert_eq!(found.locks[0].to_string(), disk::read_text(&dir.path().join(LOCK_FILE)));
    disk::remove(&dir.path().join(LOCK_FILE));
    let plain = compile(&config(dir.path()), None).unwrap_or_else(|report| panic!("{report:?}"));
    assert_eq!((&locked.written, &locked.digest), (&plain.written, &plain.digest));
    assert!(plain.lock.is_none() && !emit::bundle_from_files(&plain).contains("with_lock"));
}
