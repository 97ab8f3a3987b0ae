//! Reading the files of a skill.

use skills_bundle::Code;
use skills_bundle::render::{self, Color};
use skills_tests::disk;

use super::{assert_verdicts, both, case, compiled, config, pack, registry};

#[test]
fn a_directory_lists_its_files() {
    let dir = case("059-directory-given-as-file");
    both(&dir, |registry| {
        let error = registry.read_file("dirfile", "references", 0).expect_err("a directory");
        let text = "Error: 'references' is a directory. Files in it: references/a.md, references/b.md.";
        assert_eq!((error.to_string().as_str(), error.code()), (text, "RESOURCE_NOT_FOUND"));
    });
}

#[cfg(unix)]
#[test]
fn the_execute_bit_is_kept() {
    let dir = case("061-executable-bit-lost");
    both(&dir, |registry| {
        let skill = registry.skills()[0].with_files().skill;
        let executable: Vec<_> = skill.files().map(|file| (file.path(), file.is_executable())).collect();
        assert_eq!(executable, [("SKILL.md", false), ("scripts/data.txt", false), ("scripts/go.sh", true)]);
    });
}

#[test]
fn paths_are_the_skills_own() {
    let dir = case("062-relative-paths-from-wrong-base");
    let generated = compiled(&dir);
    let registry = registry(&generated);
    let loaded = registry.load("base").expect("it is served").text();
    assert!(
        loaded.contains("Path: skills/base\n")
            && loaded.contains("skills/base/\n├── references/\n│   └── a.md\n")
    );
    let content = registry.read_file("base", "references/a.md", 0).expect("it is there");
    assert_eq!(content.text.as_deref(), Some("from the skill\n"));
}

#[test]
fn a_miss_names_the_file_with_its_ending() {
    let dir = case("077-resource-hint-mismatch");
    let generated = compiled(&dir);
    let error =
        registry(&generated).read_file("res", "references/output-schema", 0).expect_err("no such file");
    assert_eq!(
        error.to_string(),
        "Error: skill file not found: 'references/output-schema'. Did you mean 'references/output-schema.md'?"
    );
    assert_eq!(error.suggestion(), "did you mean references/output-schema.md?");
}

#[test]
fn keys_have_slashes() {
    let dir = case("095-embedded-keys-with-backslash");
    let generated = compiled(&dir);
    let registry = registry(&generated);
    let loaded = registry.load("keys").expect("it is served").text();
    assert!(loaded.contains("├── references/\n│   └── deep/\n│       └── a.md\n"), "{loaded}");
    assert!(registry.read_file("keys", "references/deep/a.md", 0).is_ok());
    let error = registry.read_file("keys", "references\\deep\\a.md", 0).expect_err("only `/` separates");
    assert_eq!(error.suggestion(), "did you mean references/deep/a.md?");
}

#[test]
fn no_text_has_backslashes() {
    let dir = case("097-backslashes-in-output");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("with space", &[Code::L103])]);
    let registry = registry(&generated);
    let loaded = registry.load("with-space").expect("it is served").text();
    assert!(loaded.contains("Path: skills/with space\n") && !loaded.contains('\\'), "{loaded}");
    assert!(!render::full(&generated.report.findings, Color::Never).contains('\\'));
}

/// A bare `\` or `:` is part of an ordinary name on Unix, and a root is a path, never a URL.
#[test]
fn odd_roots_and_long_paths() {
    let dir = case("098-drive-letters-and-long-paths");
    for root in disk::read_text(&dir.path().join("roots.txt")).lines() {
        let report = skills_bundle::compile::check(&skills_bundle::Config::new(root).base(dir.path()));
        let codes: Vec<_> = report.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::E017], "{root}");
    }
    let generated = skills_bundle::compile::compile_good(&config(&dir));
    assert_verdicts(&generated.report, &[("deep", &[Code::L117])]);
    let skill = pack(&generated).skill(0).expect("it is served");
    let long = skill.files().map(|file| file.path()).find(|path| path.len() > 230).expect("it is listed");
    let content = registry(&generated).read_file("deep", long, 0).expect("it can be read");
    assert_eq!(content.text.as_deref(), Some("a\n"));
}
