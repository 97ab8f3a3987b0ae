//! The answers of list, search and load.

use skills::catalogue::{CatalogueForm, CatalogueOptions};
use skills::commands::Callable;
use skills::{Audience, Registry};
use skills_bundle::Code;
use skills_bundle::render::{self, Color};
use skills_tests::disk;

use super::{assert_verdicts, both, case, compiled, explained, pack, registry};

/// `load` returns the body as it is, without arguments.
#[test]
fn shell_text_stays() {
    let dir = case("070-shell-text-rewritten");
    let generated = compiled(&dir);
    let file = disk::read_text(&dir.path().join("skills/awk/SKILL.md"));
    let (_, body) = file.split_once("\n---\n").expect("there is a fence");
    assert_eq!(pack(&generated).skill(0).map(|skill| skill.body()), Some(body.trim()));
    assert!(registry(&generated).load("awk").expect("it is served").text().contains(body.trim()));
}

/// `"true"` counts as `true`, with a warning.
#[test]
fn hidden_skills_are_absent() {
    let dir = case("074-hidden-skills-counted");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("texty", &[Code::L118])]);
    let names = |audience| -> Vec<&str> {
        let registry = Registry::empty().with_pack("case", pack(&generated)).for_audience(audience);
        for name in ["plain", "model-only", "manual", "neither", "texty"] {
            let listed = registry.skills().iter().any(|entry| entry.skill.name() == name);
            assert_eq!(registry.load(name).is_ok(), listed, "{name}");
            assert_eq!(registry.read_file(name, "SKILL.md", 0).is_ok(), listed, "{name}");
            assert_eq!(registry.search(name).is_ok_and(|found| !found.results.is_empty()), listed, "{name}");
        }
        registry.skills().iter().map(|entry| entry.skill.name()).collect()
    };
    assert_eq!(names(Audience::Model), ["model-only", "plain"]);
    assert_eq!(names(Audience::User), ["manual", "plain", "texty"]);
    assert_eq!(names(Audience::Everyone), ["manual", "model-only", "neither", "plain", "texty"]);
}

/// The host's own commands keep their names. A skill with such a name is reported and can still be loaded.
#[test]
fn names_that_the_host_reserves() {
    let dir = case("038-name-shadows-builtin");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[]);
    let registry = registry(&generated).with_reserved(&["help", "clear", "status", "quit"]);
    let reserved: Vec<_> = registry.reserved().iter().map(Callable::name).collect();
    assert_eq!(reserved, ["clear", "help", "status"]);
    assert!(registry.callables().is_empty());
    for name in reserved {
        assert!(registry.invoke(&format!("/{name} it")).is_ok_and(|found| found.is_none()), "{name}");
        assert!(registry.load(name).is_ok(), "{name}");
    }
    // Without that list they are commands like all others.
    assert!(self::registry(&generated).invoke("/help").is_ok_and(|found| found.is_some()));
}

#[test]
fn tag_like_text() {
    let dir = case("076-angle-brackets-refused");
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("angles", &[Code::L108])]);
    assert!(explained(&report, "angles").contains(":3:20: warning[L108]: `description` holds `<service>`"));
}

#[test]
fn scores_decide() {
    let dir = case("100-multi-word-query-in-list-order");
    let generated = compiled(&dir);
    let found = registry(&generated).search("docx document").expect("a query");
    let names: Vec<_> = found.results.iter().map(|hit| hit.entry.skill.name()).collect();
    assert_eq!(names, ["docx-tools"]);
}

/// The program's output has its own tests; this checks what it prints.
#[test]
fn nothing_controls_a_terminal() {
    let dir = case("106-terminal-escapes");
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("esc", &[Code::E015, Code::L117])]);
    disk::write(dir.path(), "skills/fine/SKILL.md", disk::skill_md("fine", "x"));
    disk::write(dir.path(), "skills/fine/a\nb\u{1b}[2J.txt", "x");
    let generated = compiled(&dir);
    let registry = registry(&generated);
    let load = registry.load("fine").expect("it is served").text();
    assert!(load.contains("├── SKILL.md\n└── a\\u{a}b\\u{1b}[2J.txt"), "{load}");
    let texts = [
        load,
        render::full(&generated.report.findings, Color::Never),
        render::concise(&generated.report.findings),
        registry.load("\u{1b}[2J").expect_err("no such skill").to_string(),
        registry.read_file("fine", "\u{1b}\n", 0).expect_err("no such file").to_string(),
        registry.search("\u{1b}]0;x\u{7}").expect("a query").to_string(),
    ];
    for text in texts {
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
}

/// Each line of `queries.txt` is a query and the skill that comes first, or `(none)`.
#[test]
fn chinese_japanese_and_korean_are_found() {
    let dir = case("101-cjk-query-empty");
    let generated = compiled(&dir);
    let registry = registry(&generated);
    let queries = disk::read_text(&dir.path().join("queries.txt"));
    for line in queries.lines() {
        let (query, expected) = line.split_once(" => ").expect("a query and a skill");
        let found = registry.search(query).expect("a query");
        let first = found.results.first().map_or("(none)", |hit| hit.entry.skill.name());
        assert_eq!(first, expected, "{query}");
    }
    assert!(queries.lines().count() > 5);
}

/// The text after a slash command may have several lines, and may begin on the next one.
#[test]
fn a_command_with_several_lines() {
    let dir = case("207-command-with-several-lines");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[]);
    let registry = registry(&generated);
    for (message, note) in [
        ("/note first\nsecond", "Note: first\nsecond"),
        ("/note\nfirst\nsecond", "Note: first\nsecond"),
        ("/note first\n\n  second", "Note: first\n\n  second"),
        ("/note first\r\nsecond", "Note: first\r\nsecond"),
    ] {
        let call = registry.invoke(message).expect("a command").expect("a command");
        assert!(call.text.contains(note), "{message:?}: {}", call.text);
    }
}

/// A description is shown as it is, even if it looks like a template.
#[test]
fn a_description_is_not_a_template() {
    let dir = case("229-description-says-catalogue-token");
    both(&dir, |registry| {
        let description = "Explains {{available_skills}} and {args} and $ARGUMENTS and %s";
        let loaded = registry.load_with("tok", "now").expect("it is served").text();
        for form in [CatalogueForm::Plain, CatalogueForm::Xml, CatalogueForm::Json] {
            let catalogue = registry.catalogue(&CatalogueOptions::new(form)).text;
            assert_eq!(catalogue.matches(description).count(), 1, "{catalogue}");
        }
        for text in [registry.list().to_string(), loaded] {
            assert!(text.contains(description), "{text}");
        }
    });
}
