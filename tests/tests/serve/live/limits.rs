//! The limits of an overlay: beyond one there is a finding, and the rest is served.

use skills::findings::Code;
use skills::live::{Overlays, Reason};
use skills_tests::disk::{self, skill_md};

use super::{codes, names, open, root, write_skill};

#[test]
fn a_skill_file_of_one_mib_is_served_and_no_larger_one() {
    let dir = disk::temp();
    let text = skill_md("fits", "One");
    disk::write(dir.path(), "skills/fits/SKILL.md", text.clone() + &"x".repeat(1024 * 1024 - text.len()));
    disk::write(dir.path(), "skills/large/SKILL.md", skill_md("large", "One") + &"x".repeat(1024 * 1024));
    let live = open(&dir);
    assert_eq!(names(&live), ["fits"]);
    assert_eq!(codes(&live), [("large/SKILL.md".to_owned(), Code::E018)]);
}

#[test]
fn a_frontmatter_of_16_kib_is_served_and_no_larger_one() {
    let dir = disk::temp();
    let with = |name: &str, len: usize| {
        let fields = format!("name: {name}\ndescription: Long\nnotes: ");
        format!("---\n{fields}{}\n---\n", "x".repeat(len - fields.len() - 1))
    };
    disk::write(dir.path(), "skills/fits/SKILL.md", with("fits", 16 * 1024));
    disk::write(dir.path(), "skills/large/SKILL.md", with("large", 16 * 1024 + 1));
    let live = open(&dir);
    assert_eq!(names(&live), ["fits"], "{:?}", live.snapshot().findings().collect::<Vec<_>>());
    assert!(codes(&live).contains(&("large/SKILL.md".to_owned(), Code::E018)), "{:?}", codes(&live));
}

#[test]
fn a_skill_16_levels_down_is_served_and_none_deeper() {
    let dir = disk::temp();
    let levels = |count: usize| vec!["d"; count - 1].join("/");
    write_skill(&dir, &format!("{}/sixteen", levels(16)), "sixteen", "Deep");
    write_skill(&dir, &format!("{}/seventeen", levels(17)), "seventeen", "Deeper");
    let live = open(&dir);
    assert_eq!(names(&live), ["sixteen"]);
    let found = codes(&live);
    assert_eq!(found.iter().map(|(_, code)| *code).collect::<Vec<_>>(), [Code::E018], "{found:?}");
    // It is reported, and served as soon as it is less deep.
    super::rename(&dir.path().join("skills").join(levels(17)), &dir.path().join("skills/up"));
    assert_eq!(super::summary(&live.refresh()), "+seventeen");
}

#[test]
fn ten_thousand_skills_are_served_and_no_more() {
    let dir = disk::temp();
    for number in 0..10_001 {
        disk::write(
            dir.path(),
            &format!("skills/s{number:05}/SKILL.md"),
            format!("---\nname: s{number:05}\ndescription: d\n---\n"),
        );
    }
    let live = open(&dir);
    assert_eq!(names(&live).len(), 10_000);
    let found: Vec<_> =
        live.snapshot().findings().map(|finding| (finding.path.clone(), finding.message.clone())).collect();
    let [(path, message)] = found.as_slice() else { panic!("{found:?}") };
    assert!(path.ends_with("s10000") && message.contains("more than 10000 skills"), "{message}");
    let snapshot = live.snapshot();
    assert_eq!(snapshot.registry().search("s09999").expect("a query").results.len(), 1);
}

/// If every skill is broken, each is reported.
#[test]
fn a_root_full_of_broken_skills() {
    let dir = disk::temp();
    for number in 0..2_000 {
        disk::write(dir.path(), &format!("skills/s{number:05}/SKILL.md"), "---\nname: [\n---\n");
    }
    write_skill(&dir, "fine", "fine", "Fine");
    let live = open(&dir);
    assert_eq!(names(&live), ["fine"]);
    let diagnostics = live.snapshot().diagnostics();
    assert_eq!(diagnostics.len(), 2_000);
    assert!(
        diagnostics
            .iter()
            .all(|found| matches!(&found.reason, Reason::Broken(findings) if !findings.is_empty()))
    );
}

/// More directories outside the root than a process may have open; each can be read.
#[cfg(unix)]
#[test]
fn symlinks_to_more_skills_than_can_be_open() {
    let dir = disk::temp();
    for number in 0..1_500 {
        let name = format!("s{number}");
        disk::write(dir.path(), &format!("store/{name}/SKILL.md"), skill_md(&name, "Outside"));
        disk::link(dir.path(), &format!("skills/{name}"), &format!("../store/{name}"));
    }
    let live = Overlays::without_bundle().root(root(&dir).follow_links_out(true)).open();
    assert_eq!(names(&live).len(), 1_500);
    let held = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    assert!(held < 1_000, "{held} are held open");
    assert!(super::file(&live, "s1499", "SKILL.md").contains("Outside"));
}

#[cfg(unix)]
#[test]
fn only_plain_files_are_opened() {
    let dir = disk::temp();
    write_skill(&dir, "fine", "fine", "Fine");
    disk::write(dir.path(), "skills/piped/x.txt", "x");
    super::make_pipe(&dir.path().join("skills/piped/SKILL.md"));
    super::make_pipe(&dir.path().join("skills/fine/pipe"));
    disk::link(dir.path(), "skills/device/SKILL.md", "/dev/zero");
    let live = open(&dir);
    assert_eq!(names(&live), ["fine"], "a pipe costs itself alone");
    let expected = [("device/SKILL.md", Code::E014), ("piped/SKILL.md", Code::E017)];
    assert_eq!(codes(&live), expected.map(|(path, code)| (path.to_owned(), code)));
    assert_eq!(super::file_codes(&live, "fine"), [("fine/pipe".to_owned(), Code::E017)]);
    assert_eq!(super::refused(&live, "fine", "pipe"), "RESOURCE_NOT_FOUND");
}

#[cfg(unix)]
#[test]
fn a_root_that_is_a_loop() {
    let dir = disk::temp();
    write_skill(&dir, "fine", "fine", "Fine");
    disk::link(dir.path(), "skills/again", "..");
    disk::link(dir.path(), "skills/self", ".");
    disk::link(dir.path(), "skills/a", "b");
    disk::link(dir.path(), "skills/b", "a");
    let live = open(&dir);
    assert_eq!(names(&live), ["fine"]);
    let reasons: Vec<_> = live
        .snapshot()
        .diagnostics()
        .into_iter()
        .map(|found| found.path.rsplit_once('/').map(|(_, name)| name.to_owned()))
        .collect();
    assert_eq!(reasons.into_iter().flatten().collect::<Vec<_>>(), ["a", "again", "b", "self"]);
    disk::link(dir.path(), "circle", "circle");
    let circle = Overlays::without_bundle().root(skills::live::Root::new(dir.path().join("circle"))).open();
    assert_eq!((names(&circle).len(), codes(&circle).len()), (0, 1));
}
