//! Names of skills and of their files.

use skills_bundle::Code;
use skills_bundle::compile::compile_good;

use super::{assert_verdicts, case, compiled, config, explained, pack, registry, served};

/// They need `Config::unicode_names`; without it a name is `a-z`, `0-9` and `-`.
#[test]
fn names_in_other_scripts() {
    let dir = case("031-unicode-names");
    let generated = compile_good(&config(&dir).unicode_names(true));
    assert_verdicts(&generated.report, &[("Émile", &[Code::E009])]);
    assert!(explained(&generated.report, "Émile").contains("`name: émile`"));
    assert_eq!(served(&generated), ["café", "wide", "навык", "スキル", "数据分析"]);
    for name in ["wide", "ｗｉｄｅ", "数据分析", "Навык", "CAFÉ"] {
        assert!(registry(&generated).get(name).is_some(), "{name}");
    }
    let strict = compiled(&dir);
    assert!(pack(&strict).is_empty());
    assert!(strict.report.findings.iter().all(|finding| finding.code == Code::E009));
    assert_eq!(strict.report.findings.len(), 6);
}

#[test]
fn composed_and_decomposed_names_are_one() {
    let dir = case("032-nfc-nfd-names");
    let generated = compile_good(&config(&dir).unicode_names(true));
    assert_verdicts(&generated.report, &[]);
    for name in ["caf\u{e9}", "cafe\u{301}", "CAFÉ"] {
        assert!(registry(&generated).get(name).is_some(), "{name:?}");
    }
}

#[test]
fn bad_characters_are_pointed_at() {
    let dir = case("034-bad-name-characters");
    let report = compiled(&dir).report;
    assert_verdicts(
        &report,
        &[
            ("-edge", &[Code::E010]),
            ("Upper", &[Code::E009]),
            ("col-on", &[Code::E009]),
            ("do.t", &[Code::E009]),
            ("dou--ble", &[Code::E010]),
            ("edge-", &[Code::E010]),
            ("under_score", &[Code::E009]),
            ("with blank", &[Code::E009]),
        ],
    );
    // The opening quote is in column 7.
    let columns: Vec<_> = report.findings.iter().map(|finding| (finding.line, finding.column)).collect();
    assert_eq!(columns, [(2, 8), (2, 8), (2, 11), (2, 10), (2, 11), (2, 12), (2, 13), (2, 12)]);
    for (folder, fixed) in [
        ("-edge", "edge"),
        ("under_score", "under-score"),
        ("dou--ble", "dou-ble"),
        ("with blank", "with-blank"),
    ] {
        assert!(explained(&report, folder).contains(&format!("write `name: {fixed}`")), "{folder}");
    }
}

#[test]
fn a_skill_file_in_other_case() {
    let dir = case("035-file-name-case");
    let generated = compiled(&dir);
    assert_verdicts(
        &generated.report,
        &[("both", &[Code::E016]), ("lower", &[Code::E016]), ("mixed", &[Code::E016])],
    );
    assert!(pack(&generated).is_empty());
    assert!(explained(&generated.report, "mixed").contains("not `Skill.MD`"));
}

#[test]
fn names_that_are_paths() {
    let dir = case("037-name-with-path-parts");
    let generated = compiled(&dir);
    let codes: Vec<_> = ["n0", "n1", "n2", "n3", "n4", "n5"]
        .into_iter()
        .map(|folder| super::verdicts(&generated.report)[folder].clone())
        .map(|codes| codes.into_iter().find(|code| *code != Code::L103))
        .collect();
    let (e009, e007) = (Some(Code::E009), Some(Code::E007));
    assert_eq!(codes, [e009, e009, e009, e009, e007, e009]);
    assert!(pack(&generated).is_empty());
    for name in ["../escape", "/tmp/x", "a/b", ".", "", "a\\b", "n0/../n1", "skills/n0"] {
        assert!(registry(&generated).get(name).is_none(), "{name}");
    }
}
