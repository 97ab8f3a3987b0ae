//! What list, search and load say.

use skills::commands::Callable;
use skills::{Audience, Registry};
use skills_bundle::Code;
use skills_bundle::render::{self, Color};
use skills_tests::disk;

use crate::{assert_verdicts, case, compiled, explained, pack, registry};

/// `load` gives the body as it stands; replacing in it is a call of its own, which comes later.
#[test]
fn shell_text_stays() {
    let Some(dir) = case("070-shell-text-rewritten", &[]) else { return };
    let generated = compiled(&dir);
    let file = disk::read_text(&dir.path().join("skills/awk/SKILL.md"));
    let (_, body) = file.split_once("\n---\n").expect("there is a fence");
    assert_eq!(pack(&generated).skill(0).map(|skill| skill.body()), Some(body.trim()));
    assert!(registry(&generated).load("awk").expect("it is served").text().contains(body.trim()));
}

/// The budget comes later; the views are here. `"true"` is as good as `true` (contract 1.4), with a
/// warning.
#[test]
fn hidden_skills_are_absent() {
    let Some(dir) = case("074-hidden-skills-counted", &[]) else { return };
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

/// The host's own commands keep their names, what has one of them is reported, and is loaded all the same.
#[test]
fn names_of_the_host() {
    let Some(dir) = case("038-name-shadows-builtin", &[]) else { return };
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
    let Some(dir) = case("076-angle-brackets-refused", &[]) else { return };
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("angles", &[Code::L108])]);
    assert!(explained(&report, "angles").contains(":3:20: warning[L108]: `description` holds `<service>`"));
}

#[test]
fn scores_decide() {
    let Some(dir) = case("100-multi-word-query-in-list-order", &[]) else { return };
    let generated = compiled(&dir);
    let found = registry(&generated).search("docx document").expect("a query");
    let names: Vec<_> = found.results.iter().map(|hit| hit.entry.skill.name()).collect();
    assert_eq!(names, ["docx-tools"]);
}

/// The program's own output is tested beside it; here, what it prints.
#[test]
fn nothing_acts_on_a_terminal() {
    let Some(dir) = case("106-terminal-escapes", &[]) else { return };
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("esc", &[Code::E015, Code::L117])]);
    disk::write(dir.path(), "skills/fine/SKILL.md", disk::skill_md("fine", "x"));
    disk::write(dir.path(), "skills/fine/a\nb\u{1b}[2J.txt", "x");
    let generated = compiled(&dir);
    let registry = registry(&generated);
    let load = registry.load("fine").expect("it is served").text();
    assert!(load.contains("├── SKILL.md\n└── a\\nb\\u{1b}[2J.txt"), "{load}");
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
