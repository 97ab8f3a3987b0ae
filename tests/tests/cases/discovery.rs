//! Which directories are skills, which wins, and what is said of the others.

use skills::Registry;
use skills_bundle::compile::{check, compile_good};
use skills_bundle::{Code, Config, Level};

use crate::{assert_verdicts, case, compiled, config, explained, pack, registry, served};

/// Two roots of a build; overlays come later.
#[test]
fn one_entry_by_the_order_of_roots() {
    let Some(dir) = case("040-project-and-user-both-listed", &[]) else { return };
    let generated = compile_good(&Config::new("project").root("user").base(dir.path()));
    assert!(generated.report.findings.is_empty());
    let descriptions: Vec<_> = pack(&generated).skills().map(|skill| skill.description()).collect();
    assert_eq!(descriptions, ["Project text."]);
    let shadowed = &generated.report.shadowed;
    assert_eq!((shadowed[0].path.as_str(), shadowed[0].by.as_str()), ("user/handoff", "project/handoff"));
}

/// Three packs in a registry: list, search, load and `read_file` take the same one.
#[test]
fn all_actions_agree() {
    let Some(dir) = case("043-list-and-load-disagree", &[]) else { return };
    let roots: Vec<_> =
        ["r1", "r2", "r3"].map(|root| compile_good(&Config::new(root).base(dir.path()))).into();
    let registry: Registry<'_> =
        roots.iter().fold(Registry::empty(), |registry, root| registry.with_pack("root", pack(root)));
    let list = registry.list().to_string();
    assert!(list.starts_with("Available skills (1):\n- same: Text of root 1.\n"), "{list}");
    assert!(registry.search("same").expect("a query").to_string().contains("- same: Text of root 1.\n"));
    let loaded = registry.load("same").expect("it is served").text();
    assert!(loaded.contains("Path: r1/same\n") && loaded.contains("\nbody 1\n"), "{loaded}");
    let file = registry.read_file("same", "SKILL.md", 0).expect("it is served").to_string();
    assert!(file.contains("Text of root 1.") && file.contains("body 1"));
    let build = compile_good(&Config::new("r1").root("r2").root("r3").base(dir.path()));
    assert_eq!(pack(&build).skill(0).map(|skill| skill.body()), Some("body 1"));
    assert_eq!(build.report.shadowed.len(), 2);
}

#[test]
fn a_skill_file_inside_a_skill() {
    let Some(dir) = case("044-nested-skill-files", &[]) else { return };
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("outer", &[Code::L113, Code::L113])]);
    assert_eq!(served(&generated), ["one", "outer", "two"]);
    let outer = registry(&generated).get("outer").expect("it is served").skill;
    let files: Vec<_> = outer.files().map(|file| file.path()).collect();
    assert_eq!(files, ["SKILL.md", "outer/SKILL.md", "references/example/SKILL.md"]);
    let nested = compile_good(&config(&dir).nested(true));
    assert_eq!(served(&nested), ["example", "one", "outer", "two"]);
    assert!(explained(&nested.report, "outer").contains("two skills are named `outer`"));
}

/// Contract 1.7 makes a link that leads nowhere E014.
#[test]
fn one_bad_entry_does_not_stop_the_scan() {
    let Some(dir) = case("046-one-bad-entry-stops-scan", &["skills/gone"]) else { return };
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("[odd] name", &[Code::L103]), ("gone", &[Code::E014])]);
    assert_eq!(served(&generated), ["fine", "odd"]);
}

#[test]
fn nothing_is_dropped_in_silence() {
    let Some(dir) = case("047-silent-drop", &[]) else { return };
    let generated = compiled(&dir);
    assert_verdicts(
        &generated.report,
        &[("bad-yaml", &[Code::E003]), ("no-desc", &[Code::E011]), ("no-name", &[Code::E007])],
    );
    assert_eq!(generated.report.without_skill, ["skills/no-file"]);
    assert_eq!((served(&generated), generated.report.skills), (vec!["ok"], 4));
}

#[test]
fn one_name_in_two_groups() {
    let Some(dir) = case("049-same-name-in-two-groups", &[]) else { return };
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("group-b", &[Code::E013])]);
    let text = explained(&report, "group-b");
    assert!(text.contains("`skills/group-a/report` and `skills/group-b/report`"), "{text}");
}

#[test]
fn an_unknown_name_gets_the_nearest() {
    let Some(dir) = case("050-unknown-skill-message", &[]) else { return };
    let generated = compiled(&dir);
    let registry = registry(&generated);
    let error = registry.load("pdf-form").expect_err("there is no such skill");
    let text = "Error: skill not found: 'pdf-form'. Try skills_tool action=list or action=search.";
    assert_eq!((error.to_string().as_str(), error.code()), (text, "SKILL_NOT_FOUND"));
    assert!(error.suggestion().starts_with("did you mean pdf-forms"), "{}", error.suggestion());
    assert_eq!(registry.load("PDF-Forms").expect("it is found").entry.skill.name(), "pdf-forms");
}

#[test]
fn a_check_accounts_for_every_directory() {
    let Some(dir) = case("107-check-passes-what-it-skips", &[]) else { return };
    let report = check(&config(&dir));
    assert_verdicts(&report, &[("lower", &[Code::E016])]);
    assert_eq!((report.skills, report.denied()), (2, 1));
    assert_eq!(report.without_skill, ["skills/nothing"]);
    assert!(report.findings.iter().all(|finding| finding.level == Level::Deny));
    assert_eq!(served(&compiled(&dir)), ["crlf"]);
    // Whether no skill at all is an error is for the caller: the report says that there is none.
    assert_eq!(check(&Config::new("empty-root").base(dir.path())).skills, 0);
}
