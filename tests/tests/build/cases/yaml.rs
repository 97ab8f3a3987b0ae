//! Frontmatter that isn't YAML, or isn't the YAML that the author meant.

use skills::live::{Overlays, Root};
use skills_bundle::Code;

use super::{assert_verdicts, case, compiled, explained, names, open, pack, served};

#[test]
fn a_colon_in_the_description() {
    let dir = case("001-colon-in-description");
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("colon-plain", &[Code::E003]), ("colon-wrapped", &[Code::E003])]);
    let plain = explained(&report, "colon-plain");
    assert!(plain.starts_with("skills/colon-plain/SKILL.md:3:27: error[E003]"), "{plain}");
    assert!(
        plain.contains("quote the value: `description: \"Tidy a ledger: sort rows, then total them\"`"),
        "{plain}"
    );
    let wrapped = explained(&report, "colon-wrapped");
    assert!(wrapped.starts_with("skills/colon-wrapped/SKILL.md:4:24: error[E003]"), "{wrapped}");
    assert!(
        wrapped.contains("`description: \"Plan a garden bed and check it. Works with water-plan: run that"),
        "{wrapped}"
    );
}

/// The value is as YAML reads it.
#[test]
fn a_hash_cuts_the_description() {
    let dir = case("002-hash-cuts-description");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("hash-cut", &[Code::L114])]);
    let words = explained(&generated.report, "hash-cut");
    let help = "`description: \"Post the weekly note to #garden and close #42 afterwards\"`";
    assert!(words.starts_with("skills/hash-cut/SKILL.md:3:38: ") && words.contains(help), "{words}");
    let skill = pack(&generated).skill(0).expect("it is served");
    assert_eq!(skill.description(), "Post the weekly note to");
}

#[test]
fn quotes_belong_to_a_block() {
    let dir = case("004-block-scalar-quotes-stripped");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[]);
    let skill = pack(&generated).skill(0).expect("it is served");
    assert_eq!(skill.description(), "\"Say this line as it stands\"");
}

/// A one-item list is read as `[item]`, without a warning.
#[test]
fn a_hint_in_brackets() {
    let dir = case("005-argument-hint-brackets");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("hint-two", &[Code::E003])]);
    let two = explained(&generated.report, "hint-two");
    assert!(two.contains("quote the value: `argument-hint: \"[file] [--fast]\"`"), "{two}");
    let hints: Vec<_> =
        pack(&generated).skills().map(|skill| (skill.name(), skill.argument_hint())).collect();
    assert_eq!(hints, [("hint-list", Some("[file]")), ("hint-map", Some("[mode: fast]"))]);
}

/// Items become strings and empty ones are dropped, so `[Read, 7, ""]` is valid.
#[test]
fn allowed_tools_in_every_shape() {
    let dir = case("007-allowed-tools-shapes");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[]);
    let tools = |name: &str| -> Vec<String> {
        let skill = pack(&generated).skills().find(|skill| skill.name() == name).expect("it is served");
        skill.allowed_tools().map(str::to_owned).collect()
    };
    assert_eq!(tools("tools-block"), ["Read", "Grep"]);
    assert_eq!(tools("tools-flow"), ["Read", "Grep"]);
    assert_eq!(tools("tools-comma"), ["Read", "Bash(jq *)", "Grep"]);
    assert_eq!(tools("tools-space"), ["Read", "Bash(git log:*)", "Grep"]);
    assert_eq!(tools("tools-number"), ["Read", "7"]);
}

#[test]
fn a_key_twice() {
    let dir = case("008-duplicate-keys");
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("dup-desc", &[Code::E005]), ("dup-quoted", &[Code::E005])]);
    let lines: Vec<_> =
        report.findings.iter().map(|finding| (finding.line, finding.related[0].line)).collect();
    assert_eq!(lines, [(5, 3), (3, 2)], "the second and the first line of each");
}

#[test]
fn an_indented_fence() {
    let dir = case("010-indented-fence-in-block");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[]);
    let skill = pack(&generated).skill(0).expect("it is served");
    assert_eq!(
        (skill.description(), skill.license(), skill.body()),
        ("Above\n---\nBelow", Some("MIT"), "Body")
    );
}

/// All are strings, as written. `null` counts as missing, so it must be quoted.
#[test]
fn names_that_look_like_other_types() {
    let dir = case("011-scalar-name-types");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("null", &[Code::E007])]);
    assert!(explained(&generated.report, "null").contains("put a string such as `null` in quotes"));
    assert_eq!(served(&generated), ["0x1f", "12306", "1e3", "2026-01-02", "true", "yes"]);
}

#[test]
fn json_as_metadata() {
    let dir = case("013-json5-metadata");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("json-col0", &[Code::E003])]);
    assert!(explained(&generated.report, "json-col0").starts_with("skills/json-col0/SKILL.md:5:1: "));
    let metadata = |name: &str| {
        let skill = pack(&generated).skills().find(|skill| skill.name() == name).expect("it is served");
        skill.frontmatter().find(|(key, _)| *key == "metadata").map(|(_, value)| format!("{value:?}"))
    };
    assert_eq!(
        metadata("json-line").as_deref(),
        Some(r#"Json("{\"host\":{\"icon\":\"🔎\",\"bins\":[\"jq\"]}}")"#)
    );
    assert_eq!(metadata("json-multi").as_deref(), Some(r#"Json("{\"host\":{\"bins\":[\"jq\"]}}")"#));
}

/// If its aliases were expanded, this would never end.
#[test]
fn an_alias_bomb() {
    let dir = case("014-alias-bomb");
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("alias-bomb", &[Code::E018])]);
}

#[test]
fn positions_count_in_the_file() {
    let dir = case("016-error-without-position");
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("pos-check", &[Code::E003])]);
    let finding = &report.findings[0];
    let excerpt = finding.excerpt().expect("it shows the line");
    assert_eq!((finding.line, excerpt.text), (5, "metadata: [a, b"));
}

#[test]
fn misspelt_keys() {
    let dir = case("017-misspelt-key-ignored");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("typo-key", &[Code::E020]), ("typo-key3", &[Code::E011])]);
    let first = explained(&generated.report, "typo-key");
    assert!(first.contains("did you mean `allowed-tools`?"), "{first}");
    let third = explained(&generated.report, "typo-key3");
    assert!(
        third.contains(":3:1: error[E011]: `description` is missing / did you mean `description`?"),
        "{third}"
    );
    let skill = pack(&generated).skills().find(|skill| skill.name() == "typo-key2").expect("it is served");
    assert_eq!(skill.allowed_tools().collect::<Vec<_>>(), ["Read"]);
}

#[test]
fn backslashes_and_quotes_in_quotes() {
    let dir = case("019-bad-escapes");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("esc-path", &[Code::E003]), ("esc-quote", &[Code::E003])]);
    let path = explained(&generated.report, "esc-path");
    assert!(path.starts_with("skills/esc-path/SKILL.md:3:24: "), "{path}");
    assert!(
        path.contains(r"use single quotes")
            && path.contains(r"`description: 'Copies C:\Users\demo to D:\save'`")
    );
    let skill = pack(&generated).skill(0).expect("the third is served");
    assert_eq!(skill.description(), r"Copies C:\Users\demo, it's fine");
}

/// A description that can't be read strictly, next to a limit. An overlay that reads it leniently keeps the
/// limit.
#[test]
fn limits_are_never_lost() {
    let dir = case("020-malformed-frontmatter-drops-restrictions");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("lost-limits", &[Code::E003])]);
    assert!(pack(&generated).is_empty());
    assert_eq!(names(&open(&dir, &["skills"])), [""; 0]);
    let lenient = Overlays::without_bundle().root(Root::new(dir.path().join("skills")).lenient(true)).open();
    let snapshot = lenient.snapshot();
    let tools: Vec<(&str, Vec<&str>)> = snapshot
        .registry()
        .skills()
        .iter()
        .map(|entry| (entry.skill.name(), entry.skill.allowed_tools().collect()))
        .collect();
    assert_eq!(tools, [("lost-limits", vec!["Read"])]);
}

/// A formatter wraps a long value onto lines of its own, plain or in quotes.
#[test]
fn a_description_on_lines_of_its_own() {
    let dir = case("210-prettier-wrapped-description");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[]);
    let descriptions: Vec<_> = pack(&generated).skills().map(|skill| skill.description()).collect();
    assert_eq!(
        descriptions,
        [
            "Writes or changes shell scripts by the house rules. Use when a script is made or edited.",
            "Quoted: and wrapped onto a second line, with a \"quote\".",
        ]
    );
}
