//! What a refresh sees: each kind of edit, and the changes that it reports.
//!
//! All edits are made twice: immediately, when the file system's clock may not have ticked since the root was
//! read, and later, when only stamps are compared.

use std::fs::{self, File};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use skills::live::{LiveRegistry, Overlays};
use skills_tests::disk::{self, TempDir, skill_md};

use super::{codes, remove_all, rename, root, summary};

/// An edit of the tree that [`tree`] makes, below `skills/`, and the changes that it makes.
type Edit = (&'static str, fn(&Path), &'static str);

fn tree() -> TempDir {
    let dir = disk::temp();
    for (path, name) in [("alpha", "alpha"), ("beta", "beta"), ("group/gamma", "gamma")] {
        disk::write(dir.path(), &format!("skills/{path}/SKILL.md"), skill_md(name, "First text"));
    }
    disk::write(dir.path(), "skills/alpha/references/a.md", "A");
    if cfg!(unix) {
        for version in ["1", "2"] {
            let text = skill_md("linked", &format!("Version {version}"));
            disk::write(dir.path(), &format!("store/versions/{version}/linked/SKILL.md"), text);
            let text = skill_md("chained", &format!("Version {version}"));
            disk::write(dir.path(), &format!("store/versions/{version}/chained/SKILL.md"), text);
        }
        disk::write(dir.path(), "skills/notes/one.md", skill_md("filed", "First text"));
        disk::link(dir.path(), "skills/linked", "../store/versions/1/linked");
        disk::link(dir.path(), "store/current", "versions/1");
        disk::link(dir.path(), "skills/chained", "../store/current/chained");
        disk::link(dir.path(), "skills/filed/SKILL.md", "../notes/one.md");
        disk::link(dir.path(), "skills/late", "../pool/late");
    }
    dir
}

const EDITS: &[Edit] = &[
    ("nothing", |_| {}, ""),
    ("a skill comes", |at| disk::write(at, "new/SKILL.md", skill_md("new", "New")), "+new"),
    ("one comes deep down", |at| disk::write(at, "group/a/b/SKILL.md", skill_md("deep", "New")), "+deep"),
    (
        "one comes out of hiding",
        |at| {
            disk::write(at, ".hidden/SKILL.md", skill_md("shy", "New"));
            rename(&at.join(".hidden"), &at.join("shy"));
        },
        "+shy",
    ),
    ("a SKILL.md goes", |at| disk::remove(&at.join("alpha/SKILL.md")), "-alpha"),
    ("a directory goes", |at| remove_all(&at.join("alpha")), "-alpha"),
    ("a group goes", |at| remove_all(&at.join("group")), "-gamma"),
    ("the root goes", remove_all, "-alpha -beta -chained -filed -gamma -linked"),
    ("a directory is renamed", |at| rename(&at.join("alpha"), &at.join("zeta")), "~alpha"),
    ("a directory moves", |at| rename(&at.join("alpha"), &at.join("group/alpha")), "~alpha"),
    (
        "a name is another",
        |at| disk::write(at, "alpha/SKILL.md", skill_md("aleph", "First text")),
        "+aleph -alpha",
    ),
    ("a file is longer", |at| disk::write(at, "alpha/SKILL.md", skill_md("alpha", "Second text")), "~alpha"),
    ("a file is as long", |at| disk::write(at, "alpha/SKILL.md", skill_md("alpha", "Other text")), "~alpha"),
    (
        "as long, and older",
        |at| {
            disk::write(at, "alpha/SKILL.md", skill_md("alpha", "Other text"));
            set_back(&at.join("alpha/SKILL.md"));
        },
        "~alpha",
    ),
    (
        "as long, and as old",
        |at| {
            let path = at.join("alpha/SKILL.md");
            let before = fs::metadata(&path).and_then(|metadata| metadata.modified()).expect("it has a time");
            disk::write(at, "alpha/SKILL.md", skill_md("alpha", "Other text"));
            set_time(&path, before);
        },
        "~alpha",
    ),
    (
        "another file takes its place",
        |at| {
            disk::write(at, "alpha/new.tmp", skill_md("alpha", "Other text"));
            rename(&at.join("alpha/new.tmp"), &at.join("alpha/SKILL.md"));
        },
        "~alpha",
    ),
    ("the same text again", |at| disk::write(at, "alpha/SKILL.md", skill_md("alpha", "First text")), ""),
    ("only the time is another", |at| set_back(&at.join("alpha/SKILL.md")), ""),
    ("two files change places", |at| swap(at, "alpha/SKILL.md", "beta/SKILL.md"), "~alpha ~beta"),
    ("two directories change places", |at| swap(at, "alpha", "beta"), "~alpha ~beta"),
    ("a file comes", |at| disk::write(at, "alpha/references/b.md", "B"), ""),
    ("a file goes", |at| disk::remove(&at.join("alpha/references/a.md")), ""),
    ("a file is longer", |at| disk::write(at, "alpha/references/a.md", "AA"), ""),
    ("a SKILL.md comes inside a skill", |at| disk::write(at, "alpha/x/SKILL.md", skill_md("x", "X")), ""),
    ("a fence breaks", |at| disk::write(at, "alpha/SKILL.md", "--\nname: alpha\n---\n"), "~alpha"),
    ("a file is emptied", |at| disk::write(at, "alpha/SKILL.md", ""), "~alpha"),
    (
        "a file is too large",
        |at| {
            disk::write(at, "alpha/SKILL.md", skill_md("alpha", "Large") + &"x".repeat(1024 * 1024));
        },
        "~alpha",
    ),
    (
        "a file name in other letters",
        |at| rename(&at.join("alpha/SKILL.md"), &at.join("alpha/skill.md")),
        "~alpha",
    ),
    (
        "a directory takes its place",
        |at| {
            disk::remove(&at.join("alpha/SKILL.md"));
            disk::write(at, "alpha/SKILL.md/x.txt", "x");
        },
        "~alpha",
    ),
    ("a later skill takes a name", |at| disk::write(at, "beta/SKILL.md", skill_md("alpha", "Mine")), "~beta"),
    (
        "an earlier skill takes a name",
        |at| disk::write(at, "alpha/SKILL.md", skill_md("beta", "Mine")),
        "~beta -alpha",
    ),
];

#[cfg(unix)]
const EDITS_OF_LINKS: &[Edit] = &[
    ("a link leads elsewhere", |at| point(at, "linked", "../store/versions/2/linked"), "~linked"),
    ("a link on the way leads elsewhere", |at| point(at, "../store/current", "versions/2"), "~chained"),
    ("a link on the way goes", |at| disk::remove(&at.join("../store/current")), "~chained"),
    (
        "a link's target is rewritten",
        |at| {
            disk::write(at, "notes/one.md", skill_md("filed", "Other text"));
        },
        "~filed",
    ),
    (
        "a link's target is another file",
        |at| {
            disk::write(at, "notes/two.md", skill_md("filed", "Other text"));
            rename(&at.join("notes/two.md"), &at.join("notes/one.md"));
        },
        "~filed",
    ),
    ("a link's target goes", |at| disk::remove(&at.join("notes/one.md")), "~filed"),
    ("a link goes", |at| disk::remove(&at.join("linked")), "-linked"),
    (
        "a link's target comes",
        |at| disk::write(at, "../pool/late/SKILL.md", skill_md("late", "Late")),
        "+late",
    ),
    (
        "a link takes a file's place",
        |at| {
            rename(&at.join("alpha/SKILL.md"), &at.join("notes/alpha.md"));
            disk::link(at, "alpha/SKILL.md", "../notes/alpha.md");
        },
        "~alpha",
    ),
    (
        "a symlink that points outside replaces a file",
        |at| point(at, "alpha/SKILL.md", "/etc/hostname"),
        "~alpha",
    ),
    (
        "a pipe takes a file's place",
        |at| {
            disk::remove(&at.join("alpha/SKILL.md"));
            super::make_pipe(&at.join("alpha/SKILL.md"));
        },
        "~alpha",
    ),
];

#[cfg(not(unix))]
const EDITS_OF_LINKS: &[Edit] = &[];

#[test]
fn every_edit_is_seen_at_once() {
    let opened = opened();
    make_edits(&opened);
}

#[test]
fn every_edit_is_seen_after_a_while() {
    let opened = opened();
    sleep(Duration::from_millis(2_500));
    for (_, live, (what, ..)) in &opened {
        assert_eq!(summary(&live.refresh()), "", "{what}");
    }
    make_edits(&opened);
}

fn opened() -> Vec<(TempDir, LiveRegistry, &'static Edit)> {
    let edits = EDITS.iter().chain(EDITS_OF_LINKS);
    let opened = edits.map(|edit| {
        let dir = tree();
        let live = open(&dir);
        (dir, live, edit)
    });
    opened.collect()
}

fn make_edits(opened: &[(TempDir, LiveRegistry, &Edit)]) {
    for (dir, live, (what, edit, changes)) in opened {
        edit(&dir.path().join("skills"));
        let changes = if cfg!(unix) { (*changes).to_owned() } else { without_links(changes) };
        assert_eq!(summary(&live.refresh()), changes, "{what}: {:?}", codes(live));
        assert_eq!(summary(&live.refresh()), "", "{what}, looked at again");
        // The same is served as by a new registry, except for stale skills.
        let (now, new) = (live.snapshot(), open(dir).snapshot());
        let stale: Vec<&str> = now
            .registry()
            .skills()
            .iter()
            .filter(|entry| entry.is_stale())
            .map(|entry| entry.skill.name())
            .collect();
        let texts = |registry: &skills::Registry<'_>| -> Vec<(String, String)> {
            let skills = registry.skills();
            let served = skills.iter().filter(|entry| !stale.contains(&entry.skill.name()));
            let skills = served.map(|entry| entry.with_files().skill);
            skills.map(|skill| (skill.head().to_owned(), skill.tree().to_owned())).collect()
        };
        assert_eq!(texts(&now.registry()), texts(&new.registry()), "{what}");
        let findings = |snapshot: &skills::live::Snapshot| -> Vec<String> {
            snapshot.findings().map(ToString::to_string).collect()
        };
        assert_eq!(findings(&now), findings(&new), "{what}");
    }
}

/// Symlinks may point outside the root to whole skills.
fn open(dir: &TempDir) -> LiveRegistry {
    Overlays::without_bundle().root(root(dir).follow_links_out(true)).open()
}

fn without_links(changes: &str) -> String {
    let words = changes.split(' ').filter(|word| !["-chained", "-filed", "-linked"].contains(word));
    words.collect::<Vec<_>>().join(" ")
}

fn set_back(path: &Path) {
    set_time(path, SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000));
}

fn set_time(path: &Path, time: SystemTime) {
    let file = File::options().write(true).open(path).expect("it is there");
    file.set_modified(time).expect("its time can be set");
}

fn swap(at: &Path, one: &str, other: &str) {
    rename(&at.join(one), &at.join("between"));
    rename(&at.join(other), &at.join(one));
    rename(&at.join("between"), &at.join(other));
}

#[cfg(unix)]
fn point(at: &Path, link: &str, target: &str) {
    disk::remove(&at.join(link));
    disk::link(at, link, target);
}
