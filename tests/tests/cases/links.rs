//! Links, and paths that lead out.

use skills_bundle::Code;

use crate::{assert_verdicts, case, compiled, explained, pack, registry, served};

/// A build follows no link out of its root (contract 2.3).
#[test]
fn linked_directories() {
    let links = ["skills/linked", "skills/tofile", "skills/dead"];
    let Some(dir) = case("052-linked-skill-dir-skipped", &links) else { return };
    let generated = compiled(&dir);
    assert_verdicts(
        &generated.report,
        &[("dead", &[Code::E014]), ("linked", &[Code::E014]), ("tofile", &[Code::E014])],
    );
    assert!(
        explained(&generated.report, "linked").contains("out of the root: it points at `../store/linked`")
    );
    assert_eq!(served(&generated), ["local"]);
}

#[test]
fn linked_skill_files() {
    let links = ["skills/filelink/SKILL.md", "skills/deadlink/SKILL.md"];
    let Some(dir) = case("053-linked-skill-file-skipped", &links) else { return };
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("deadlink", &[Code::E014]), ("filelink", &[Code::E014])]);
    assert!(pack(&generated).is_empty());
}

/// Contract 2.3 follows a link to another skill of the root; two links lead out.
#[test]
fn links_out_of_a_skill() {
    let links = ["abs", "in", "out", "sib"].map(|name| format!("skills/leak/references/{name}.md"));
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let Some(dir) = case("055-link-escapes-skill", &links) else { return };
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("leak", &[Code::E014, Code::E014])]);
    let paths: Vec<_> = generated.report.findings.iter().map(|finding| finding.path.as_str()).collect();
    assert_eq!(paths, ["skills/leak/references/abs.md", "skills/leak/references/out.md"]);
    assert_eq!(served(&generated), ["other"], "what leaks is not served");
    assert!(!generated.written.texts.concat().contains("demo secret"));
}

/// Where the case leaves a choice: `.` and empty parts are passed over, `\` is no separator, and
/// `references/a.md/` is no file.
#[test]
fn paths_that_lead_out() {
    let Some(dir) = case("056-dotdot-in-file-argument", &[]) else { return };
    let generated = compiled(&dir);
    let registry = registry(&generated);
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
}

#[test]
fn paths_are_compared_part_by_part() {
    let Some(dir) = case("058-prefix-check-without-separator", &["skills/note/way.md"]) else { return };
    let generated = compiled(&dir);
    // The link leads to another skill of the root: it is followed (contract 2.3), and named as it stands.
    assert_verdicts(&generated.report, &[]);
    let registry = registry(&generated);
    let content = registry.read_file("note", "way.md", 0).expect("it stays in the root");
    assert_eq!(content.text.as_deref(), Some("loot\n"));
    for path in ["../note-evil/loot.md", "-evil/loot.md", "/../note-evil/loot.md", "note-evil/loot.md"] {
        assert!(registry.read_file("note", path, 0).is_err(), "{path}");
    }
}
