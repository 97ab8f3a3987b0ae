//! Encodings, line endings, fences and bytes.

use skills_bundle::Code;
use skills_tests::disk;

use super::{assert_verdicts, case, compiled, explained, pack, registry, served};

#[test]
fn a_mark_is_dropped_where_it_leads() {
    let dir = case("022-utf8-bom");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("bom-inner", &[Code::L126])]);
    let bodies: Vec<_> = pack(&generated).skills().map(|skill| (skill.name(), skill.body())).collect();
    assert_eq!(bodies, [("bom-crlf", "Body text."), ("bom-inner", "a\u{feff}b"), ("bom-lf", "Body text.")]);
}

#[test]
fn utf_16_is_named() {
    let dir = case("023-utf16-file");
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("utf16", &[Code::E006])]);
    let text = explained(&report, "utf16");
    assert!(text.contains("UTF-16") && text.contains("save the file as UTF-8"), "{text}");
}

/// Nothing here reads the locale; another test shows that the program prints the same under `LC_ALL=C`.
#[test]
fn text_is_utf_8_everywhere() {
    let dir = case("025-locale-decoding");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[]);
    let skill = pack(&generated).skill(0).expect("it is served");
    assert_eq!((skill.description(), skill.body()), ("Zählt Äpfel → 🍎 — fertig", "„Größe“ → ok ✅"));
}

/// Blank lines before the fence are allowed.
#[test]
fn text_above_the_fence() {
    let dir = case("026-text-before-fence");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("comment-first", &[Code::E001]), ("heading-first", &[Code::E001])]);
    assert_eq!(served(&generated), ["blank-first"]);
    let fences: Vec<_> = generated.report.findings.iter().map(|finding| finding.related[0].line).collect();
    assert_eq!(fences, [2, 3], "the lines of the real fences");
    assert!(explained(&generated.report, "heading-first").contains("above line 3"));
}

#[test]
fn edge_forms_of_fences() {
    let dir = case("028-fence-edge-forms");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("empty", &[Code::E001]), ("fence-open", &[Code::E002])]);
    assert!(explained(&generated.report, "fence-open").starts_with("skills/fence-open/SKILL.md:1:1: "));
    let bodies: Vec<_> = pack(&generated).skills().map(|skill| (skill.name(), skill.body())).collect();
    assert_eq!(bodies, [("fence-blanks", "Body"), ("fence-eof", "")]);
    let loaded = registry(&generated).load("fence-eof").expect("it is served").text();
    assert!(loaded.contains("Content (SKILL.md body):\n(empty)\n"), "{loaded}");
}

/// `nul.txt` has an L117, since Windows can't have such a file.
#[test]
fn every_byte_is_kept() {
    let dir = case("029-binary-assets-corrupted");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("bin-assets", &[Code::L117])]);
    let skill = pack(&generated).skill(0).expect("it is served");
    let all: Vec<u8> = (0..=255).collect();
    for (path, is_text) in [
        ("assets/all.bin", false),
        ("assets/empty.bin", true),
        ("assets/noext", false),
        ("assets/nul.txt", false),
    ] {
        let file = skill.file(path).expect("it is there");
        let on_disk = disk::read(&dir.path().join("skills/bin-assets").join(path));
        assert_eq!(file.bytes(), Some(on_disk.as_slice()), "{path}");
        assert_eq!(file.text().is_some(), is_text, "{path}");
        let content = registry(&generated).read_file("bin-assets", path, 0).expect("it can be read");
        assert_eq!(content.bytes(), on_disk, "{path}");
        if !is_text {
            let text = format!(
                "Skill file: bin-assets/{path}\n\nBinary file: application/octet-stream, {} bytes.",
                on_disk.len()
            );
            assert_eq!(content.to_string(), text);
        }
    }
    assert_eq!(skill.file("assets/all.bin").and_then(|file| file.bytes()), Some(&*all));
}

/// Joiners and direction marks are part of how Persian, Arabic and some emoji are written.
#[test]
fn joiners_that_are_spelling() {
    let dir = case("231-joiners-that-are-spelling");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[]);
    for skill in pack(&generated).skills() {
        let loaded = registry(&generated).load(skill.name()).expect("it is served").text();
        assert!(loaded.contains(skill.description()), "{loaded}");
        let has = |joiner| skill.description().contains(joiner);
        assert!(has('\u{200c}') || has('\u{200d}') || has('\u{200f}'), "{}", skill.name());
    }
}
