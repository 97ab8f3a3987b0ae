//! Links, and paths that lead out: in a build, and in an overlay, which reads the disk when it is asked.
//!
//! Which links the walk follows is tested where it is written; here, that both obey it, and what is then
//! served.

use super::{both, case};
#[cfg(unix)]
use {
    super::{assert_verdicts, compiled, explained, linked_case, names, open, pack, served},
    skills::live::{LiveRegistry, Overlays, Root},
    skills_bundle::Code,
    skills_tests::disk::{self, TempDir},
};

/// An overlay that follows links to whole skills outside of its root.
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

/// No link is followed out of the root, unless an overlay is told to.
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
        explained(&generated.report, "linked").contains("out of the root: it points at `../store/linked`")
    );
    assert_eq!(served(&generated), ["local"]);
    let live = open(&dir, &["skills"]);
    assert_eq!((names(&live), codes(&live).len()), (vec!["local".to_owned()], 3));
    let live = following(&dir);
    assert_eq!(names(&live), ["linked", "local"]);
    assert_eq!(codes(&live), [("dead".to_owned(), Code::E014), ("tofile".to_owned(), Code::E014)]);
}

/// A link to a `SKILL.md` is not a link to a whole skill: nothing follows it out.
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

/// Two links lead out of the root; one leads to another skill of the root, which is not followed either.
#[cfg(unix)]
#[test]
fn links_out_of_a_skill() {
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
        let expected = expected.map(|(name, code)| (format!("leak/references/{name}.md"), code));
        assert_eq!(codes(&live), expected);
    }
    // Without the two, the others are read.
    disk::remove(&dir.path().join("skills/leak/references/abs.md"));
    disk::remove(&dir.path().join("skills/leak/references/out.md"));
    both(&dir, |registry| {
        let text =
            |skill, path| registry.read_file(skill, path, 0).expect("it can be read").text.map(String::from);
        assert_eq!(text("leak", "references/in.md"), text("leak", "references/ok.md"));
        assert!(registry.read_file("leak", "references/sib.md", 0).is_err());
    });
}

/// Where the case leaves a choice: `.` and empty parts are passed over, `\` is no separator, and
/// `references/a.md/` is no file.
#[test]
fn paths_that_lead_out() {
    let dir = case("056-dotdot-in-file-argument");
    both(&dir, |registry| {
        let read = |path: &str| match registry.read_file("safe", path, 0) {
            Ok(content) => content.to_string(),
            Err(error) => error.code().to_owned(),
        };
        for path in ["references/a.md", "./references/a.md", "references//a.md", "references/./a.md"] {
            assert_eq!(read(path), "Skill file: safe/references/a.md\n\na\n", "{path}");
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
            "references/..",
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

/// A link to another skill of the root is followed, and the file keeps the name of the link; a root whose
/// name goes on where ours ends is another place.
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
    assert!(codes(&open(&dir, &["skills"])).contains(&("note/evil.md".to_owned(), Code::E014)));
}
