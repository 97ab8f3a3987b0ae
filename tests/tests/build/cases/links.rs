//! Symlinks and paths that point outside: in a build, and in an overlay, which reads from disk on request.
//!
//! The scan's own tests check which symlinks it follows; these check that build and overlay agree, and what
//! is served then.

use super::{both, case};
#[cfg(unix)]
use {
    super::{assert_verdicts, compiled, explained, linked_case, names, open, pack, served},
    skills::live::{LiveRegistry, Overlays, Root},
    skills_bundle::Code,
    skills_tests::disk::{self, TempDir},
};

/// An overlay that follows symlinks to whole skills outside its root.
#[cfg(unix)]
fn following(dir: &TempDir) -> LiveRegistry {
    Overlays::without_bundle().root(Root::new(dir.path().join("skills")).follow_links_out(true)).open()
}

/// The codes of an overlay, with the paths below its root.
#[cfg(unix)]
fn codes(live: &LiveRegistry) -> Vec<(String, Code)> {
    let below = |path: &str| path.rsplit_once("/skills/").map_or(path, |(_, below)| below).to_owned();
    live.snapshot().findings().map(|finding| (below(&finding.path), finding.code)).collect()
}

/// Symlinks out of the root aren't followed, unless an overlay is configured to.
#[cfg(unix)]
#[test]
fn linked_directories() {
    let links = ["skills/linked", "skills/tofile", "skills/dead"];
    let dir = linked_case("052-linked-skill-dir-skipped", &links);
    let generated = compiled(&dir);
    let refused: [(&str, &[Code]); 3] =
        [("dead", &[Code::E014]), ("linked", &[Code::E014]), ("tofile", &[Code::E014])];
    assert_verdicts(&generated.report, &refused);
    assert!(
        explained(&generated.report, "linked").contains("outside the root: its target is `../store/linked`")
    );
    assert_eq!(served(&generated), ["local"]);
    let live = open(&dir, &["skills"]);
    assert_eq!((names(&live), codes(&live).len()), (vec!["local".to_owned()], 3));
    let live = following(&dir);
    assert_eq!(names(&live), ["linked", "local"]);
    assert_eq!(codes(&live), [("dead".to_owned(), Code::E014), ("tofile".to_owned(), Code::E014)]);
}

/// A symlink to a `SKILL.md` isn't a symlink to a whole skill, so it isn't followed outside.
#[cfg(unix)]
#[test]
fn linked_skill_files() {
    let links = ["skills/filelink/SKILL.md", "skills/deadlink/SKILL.md"];
    let dir = linked_case("053-linked-skill-file-skipped", &links);
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("deadlink", &[Code::E014]), ("filelink", &[Code::E014])]);
    assert!(pack(&generated).is_empty());
    for live in [following(&dir), open(&dir, &["skills"])] {
        assert_eq!(names(&live), [""; 0]);
        let expected = ["deadlink/SKILL.md", "filelink/SKILL.md"];
        assert_eq!(codes(&live), expected.map(|path| (path.to_owned(), Code::E014)));
    }
}

/// Two symlinks point outside the root; one points to another skill of the root, and isn't followed either.
#[cfg(unix)]
#[test]
fn symlinks_out_of_a_skill() {
    let links = ["abs", "in", "out", "sib"].map(|name| format!("skills/leak/references/{name}.md"));
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let dir = linked_case("055-link-escapes-skill", &links);
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("leak", &[Code::E014, Code::E014, Code::L125])]);
    let paths: Vec<_> = generated.report.findings.iter().map(|finding| finding.path.as_str()).collect();
    assert_eq!(paths, ["abs", "out", "sib"].map(|name| format!("skills/leak/references/{name}.md")));
    assert_eq!(served(&generated), ["other"], "what leaks is not served");
    assert!(!generated.written.texts.concat().contains("demo secret"));
    for live in [following(&dir), open(&dir, &["skills"])] {
        assert_eq!(names(&live), ["leak", "other"], "an overlay leaves out the files alone");
        let snapshot = live.snapshot();
        let expected = [("abs", Code::E014), ("out", Code::E014), ("sib", Code::L125)];
        for (name, _) in expected {
            let path = format!("references/{name}.md");
            assert!(snapshot.registry().read_file("leak", &path, 0).is_err(), "{path}");
        }
        let found = snapshot.file_findings("leak").iter();
        let found: Vec<_> =
            found.map(|found| (found.path.rsplit('/').next().unwrap_or(""), found.code)).collect();
        let names = expected.map(|(name, code)| (format!("{name}.md"), code));
        assert_eq!(found, names.each_ref().map(|(name, code)| (name.as_str(), *code)));
    }
    // Without these two, the other files can be read.
    disk::remove(&dir.path().join("skills/leak/references/abs.md"));
    disk::remove(&dir.path().join("skills/leak/references/out.md"));
    both(&dir, |registry| {
        let text =
            |skill, path| registry.read_file(skill, path, 0).expect("it can be read").text.map(String::from);
        assert_eq!(text("leak", "references/in.md"), text("leak", "references/ok.md"));
        assert!(registry.read_file("leak", "references/sib.md", 0).is_err());
    });
}

/// Where the case leaves a choice: `.` and empty parts are ignored, `\` isn't a separator, and
/// `references/a.md/` isn't a file.
#[test]
fn paths_that_point_outside() {
    let dir = case("056-dotdot-in-file-argument");
    both(&dir, |registry| {
        let read = |path: &str| match registry.read_file("safe", path, 0) {
            Ok(content) => content.to_string(),
            Err(error) => error.code().to_owned(),
        };
        for path in [
            "references/a.md",
            "./references/a.md",
            "references//a.md",
            "references/./a.md",
            "references/../references/a.md",
        ] {
            assert_eq!(read(path), "Skill file: safe/references/a.md\n\na\n", "{path}");
        }
        for path in [
            "../other/SKILL.md",
            "../../expect.json",
            "/etc/hostname",
            "C:\\Windows\\win.ini",
            "file:///etc/hostname",
            "references/a.md\0.txt",
            "..",
            "..\\other\\SKILL.md",
            "references\\..\\SKILL.md",
            "~/x",
            "\\\\server\\share",
            "C:a",
        ] {
            assert_eq!(read(path), "INVALID_RESOURCE_PATH", "{path:?}");
        }
        for path in [
            "references/a.md/",
            "references/..",
            "references",
            "references/",
            "references/a.md%00.txt",
            "REFERENCES/A.MD",
            "references\\a.md",
            ".",
            "...",
        ] {
            assert_eq!(read(path), "RESOURCE_NOT_FOUND", "{path:?}");
        }
        assert_eq!(read(""), "INVALID_ARGUMENTS");
        let error = registry.read_file("safe", "references", 0).expect_err("a directory").to_string();
        assert_eq!(error, "Error: 'references' is a directory. Files in it: references/a.md.");
    });
}

/// A symlink to another skill of the root is followed, and the file keeps the symlink's name. A root whose
/// name only begins like ours is a different place.
#[cfg(unix)]
#[test]
fn paths_are_compared_part_by_part() {
    let dir = linked_case("058-prefix-check-without-separator", &["skills/note/way.md"]);
    assert_verdicts(&compiled(&dir).report, &[("note", &[Code::L125])]);
    both(&dir, |registry| {
        assert!(registry.read_file("note", "way.md", 0).is_err(), "it leads into another skill");
        for path in ["../note-evil/loot.md", "-evil/loot.md", "/../note-evil/loot.md", "note-evil/loot.md"] {
            assert!(registry.read_file("note", path, 0).is_err(), "{path}");
        }
    });
    disk::write(dir.path(), "skills-evil/loot.md", "loot");
    disk::link(dir.path(), "skills/note/evil.md", "../../skills-evil/loot.md");
    let snapshot = open(&dir, &["skills"]).snapshot();
    let found: Vec<_> = snapshot.file_findings("note").iter().map(|finding| finding.code).collect();
    assert_eq!(found, [Code::E014, Code::L125]);
}
