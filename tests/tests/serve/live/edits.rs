//! One skill among others is edited over and over: what is served is what a new registry serves, in every
//! answer, though only that skill is read and packed again.

use skills::Registry;
use skills::live::LiveRegistry;
use skills_tests::disk::{self, TempDir};

use super::{codes, file_codes, open, refused, summary, write_skill};

/// The versions of a SKILL.md: other texts, fields, lists and lengths, good and broken ones.
fn versions() -> Vec<String> {
    let texts = [
        ("description: First\n", "Body"),
        ("description: First\n", "Another body"),
        ("description: First\n", ""),
        ("description: Second\n", "Body"),
        ("description: Second\ntags: [a, b]\n", "Body"),
        ("description: Second\ntags: [a, b]\n", "Body of tags"),
        ("description: Second\ntags: [b, a]\n", "Body of tags"),
        ("description: Second\ntags: a, b\n", "Body of tags"),
        ("description: Second\ntags: [b]\nlicense: MIT\nversion: 1.10\n", "x"),
        ("description: Second\ntags: [b]\nlicense: MPL\nversion: 1.20\n", "y"),
        ("description: Second\ntags: [b]\nlicence: MPL\nversion: 1.20\n", "y"),
        ("description: Second\nallowed-tools: Read Grep\nmetadata: {a: 1, b: [2]}\n", "z"),
        ("description: Second\nallowed-tools: Grep Read\nmetadata: {a: 2, b: [3]}\n", "z"),
        ("description: Second\nallowed-tools: [Read, Grep]\nmetadata: {a: 2}\n", "z"),
        ("description: Second\nwhen_to_use: always\n", "z"),
        ("description: Second\nuser-invocable: false\nwhen_to_use: always\n", "long\n"),
        ("description: Second\ndisable-model-invocation: true\n", "hidden"),
        ("description: \"a: b\"\narguments: [x, y]\n", "$x and $y"),
        ("description: \"c: d\"\narguments: [y, x]\n", "$y and $x"),
        ("description: Second\ntriggers: [plan a bed, sow]\n", "z"),
        ("description: Second\ntriggers: [plan a garden, does it grow]\n", "z"),
        ("description: Second. For reports use two-words instead.\n", "z"),
        ("description: Second. For reports use no-words instead.\n", "z"),
        ("description: 第二，多维表格\n", "z"),
        ("descripton: broken\n", "z"),
        ("description: <b>First</b>\n", "Body with a finding"),
        ("description: <i>First</i>\n", "Body with another"),
        ("description: First\n", "Body"),
    ];
    let mut versions: Vec<String> =
        texts.iter().map(|(fields, body)| format!("---\nname: beta\n{fields}---\n\n{body}\n")).collect();
    // One that fills more than a piece of the pack, and some after it.
    for size in [900_000, 1_000_000, 10, 1_000_000] {
        versions.push(format!("---\nname: beta\ndescription: First\n---\n\n{}\n", "long ".repeat(size / 5)));
    }
    versions.push("---\nname: other\ndescription: First\n---\n".to_owned());
    versions.push("---\nname: beta\ndescription: First\n---\n".to_owned());
    versions
}

/// Everything that is answered about the skills.
fn answers(registry: &Registry<'_>) -> Vec<String> {
    let mut answers = vec![registry.list().to_string()];
    for query in ["beta", "first", "second", "tags", "a", "does", "plan", "garden", "reports", "表格"] {
        answers.push(registry.call(&format!(r#"{{"action": "search", "query": "{query}"}}"#)).text);
    }
    for name in ["alpha", "beta", "gamma", "other"] {
        let call = format!(r#"{{"action": "load", "skill_name": "{name}"}}"#);
        answers.push(serde_json::to_string(&registry.call(&call)).expect("it is data"));
    }
    answers
}

fn assert_like_new(live: &LiveRegistry, dir: &TempDir, what: &str) {
    let new = open(dir);
    let (now, fresh) = (live.snapshot(), new.snapshot());
    for audience in [skills::Audience::Model, skills::Audience::Everyone] {
        let of = |registry: Registry<'_>| answers(&registry.for_audience(audience));
        assert_eq!(of(now.registry()), of(fresh.registry()), "{what}");
    }
    let findings = |live: &LiveRegistry| -> Vec<String> {
        live.snapshot().findings().map(ToString::to_string).collect()
    };
    assert_eq!(findings(live), findings(&new), "{what}");
}

#[test]
fn an_edit_is_served_as_by_a_new_registry() {
    let dir = disk::temp();
    for name in ["alpha", "gamma", "two-words"] {
        write_skill(&dir, name, name, "Text");
    }
    write_skill(&dir, "beta", "beta", "Text");
    let live = open(&dir);
    for (number, version) in versions().into_iter().enumerate() {
        disk::write(dir.path(), "skills/beta/SKILL.md", &version);
        live.refresh();
        // A broken skill keeps its last good version here, and has none in a new registry.
        if !version.contains("descripton") {
            assert_like_new(&live, &dir, &format!("version {number}"));
        }
    }
}

/// After many edits the pack is written again.
#[test]
fn hundreds_of_edits() {
    let dir = disk::temp();
    for name in ["alpha", "beta", "gamma"] {
        write_skill(&dir, name, name, "Text");
    }
    let live = open(&dir);
    for number in 0..600 {
        write_skill(&dir, "beta", "beta", &format!("Text {number}"));
        assert_eq!(summary(&live.refresh()), "~beta", "{number}");
    }
    assert_like_new(&live, &dir, "after all of them");
}

/// A fault of a file beside SKILL.md costs that file alone.
#[test]
fn a_bad_file_costs_itself() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "Text");
    disk::write(dir.path(), "skills/alpha/fine.md", "Fine");
    disk::write(dir.path(), "skills/alpha/tags.md", "Hi\u{e0068}\u{e0069}");
    disk::write(dir.path(), "skills/alpha/n\u{e0061}me.md", "x");
    let live = open(&dir);
    assert_eq!(codes(&live), []);
    assert_eq!(super::file(&live, "alpha", "fine.md"), "Fine");
    assert_eq!(refused(&live, "alpha", "tags.md"), "RESOURCE_REFUSED");
    let text = live.call(r#"{"action": "read_file", "skill_name": "alpha", "file_path": "tags.md"}"#).text;
    assert_eq!(text, "Error: skill file not shown: 'tags.md' holds invisible characters (E015).");
    assert_eq!(refused(&live, "alpha", "n\u{e0061}me.md"), "RESOURCE_NOT_FOUND");
    let found = file_codes(&live, "alpha");
    assert_eq!(found.iter().map(|(_, code)| code.as_str()).collect::<Vec<_>>(), ["E015"], "{found:?}");
    // What was repaired is read at once.
    disk::write(dir.path(), "skills/alpha/tags.md", "Hi");
    assert_eq!(super::file(&live, "alpha", "tags.md"), "Hi");
}
