//! Which directories are skills, which of them wins, and how the others are reported, in a build and in an
//! overlay.

use skills::Registry;
use skills::catalogue::CatalogueOptions;
use skills::live::{Overlays, Root};
use skills_bundle::compile::{check, compile_good};
use skills_bundle::{Code, Config, Level};

#[cfg(unix)]
use super::linked_case;
use super::{assert_verdicts, case, compiled, config, explained, names, open, pack, registry, served};

#[test]
fn one_entry_by_the_order_of_roots() {
    let dir = case("040-project-and-user-both-listed");
    let generated = compile_good(&Config::new("project").root("user").base(dir.path()));
    let findings: Vec<_> =
        generated.report.findings.iter().map(|one| (one.code, one.message.as_str())).collect();
    let hidden = "the skill `handoff` of `user` is hidden by the one of `project`";
    assert_eq!(findings, [(skills_bundle::Code::L124, hidden)]);
    let denied = Config::new("project").root("user").base(dir.path()).deny("hidden-skill");
    assert!(skills_bundle::compile::compile(&denied, None).is_err_and(|report| report.denied() == 1));
    let descriptions: Vec<_> = pack(&generated).skills().map(|skill| skill.description()).collect();
    assert_eq!(descriptions, ["Project text."]);
    let shadowed = &generated.report.shadowed;
    assert_eq!((shadowed[0].path.as_str(), shadowed[0].by.as_str()), ("user/handoff", "project/handoff"));

    let live = open(&dir, &["project", "user"]);
    let snapshot = live.snapshot();
    let list = snapshot.registry().list().to_string();
    assert!(list.contains("Available skills (1):\n- handoff: Project text.\n"), "{list}");
    let shadowed = snapshot.shadowed();
    let [found] = shadowed.as_slice() else { panic!("{shadowed:?}") };
    assert!(found.path.ends_with("user/handoff") && found.by_path.ends_with("project/handoff"), "{found:?}");
    assert_eq!((found.origin.as_str(), found.by_origin.as_str()), ("user", "project"));
}

/// Three packs in a registry, three roots of a build, three overlays: list, search, load, `read_file` and the
/// catalogue all use the same skill, the first one.
#[test]
fn all_actions_agree() {
    let dir = case("043-list-and-load-disagree");
    for (order, wins) in [(["r1", "r2", "r3"], "1"), (["r3", "r1", "r2"], "3"), (["r2", "r3", "r1"], "2")] {
        let (description, body) = (format!("Text of root {wins}."), format!("body {wins}"));
        let assert_agree = |registry: &Registry<'_>| {
            let list = registry.list().to_string();
            assert!(list.starts_with(&format!("Available skills (1):\n- same: {description}\n")), "{list}");
            assert!(registry.search("same").expect("a query").to_string().contains(&description));
            let loaded = registry.load("same").expect("it is served");
            assert_eq!(loaded.instructions, body);
            let path = format!("Path: {}\n", loaded.entry.skill.path());
            assert!(
                path.ends_with(&format!("{}/same\n", order[0])) && loaded.text().contains(&path),
                "{path}"
            );
            let file = registry.read_file("same", "SKILL.md", 0).expect("it is served").to_string();
            assert!(file.contains(&description) && file.contains(&body), "{file}");
            assert!(registry.catalogue(&CatalogueOptions::default()).text.contains(&description));
        };
        let packed = order.map(|root| compile_good(&Config::new(root).base(dir.path())));
        let packs: Registry<'_> =
            packed.iter().fold(Registry::empty(), |registry, root| registry.with_pack("root", pack(root)));
        assert_agree(&packs);
        let live = open(&dir, &order);
        assert_agree(&live.snapshot().registry());
        assert_eq!(live.snapshot().shadowed().len(), 2);
        let [first, second, third] = order;
        let build = compile_good(&Config::new(first).root(second).root(third).base(dir.path()));
        assert_eq!(pack(&build).skill(0).map(|skill| skill.body()), Some(body.as_str()));
        assert_eq!(build.report.shadowed.len(), 2);
    }
}

#[test]
fn a_skill_file_inside_a_skill() {
    let dir = case("044-nested-skill-files");
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("outer", &[Code::L113, Code::L113])]);
    assert_eq!(served(&generated), ["one", "outer", "two"]);
    let outer = registry(&generated).get("outer").expect("it is served").skill;
    let files: Vec<_> = outer.files().map(|file| file.path()).collect();
    assert_eq!(files, ["SKILL.md", "outer/SKILL.md", "references/example/SKILL.md"]);
    let nested = compile_good(&config(&dir).nested(true));
    assert_eq!(served(&nested), ["example", "one", "outer", "two"]);
    assert!(explained(&nested.report, "outer").contains("two skills are named `outer`"));
    assert_eq!(names(&open(&dir, &["skills"])), ["one", "outer", "two"]);
    let nested = Overlays::without_bundle().root(Root::new(dir.path().join("skills")).nested(true)).open();
    assert_eq!(names(&nested), ["example", "one", "outer", "two"]);
}

/// A broken symlink is an error of its own.
#[cfg(unix)]
#[test]
fn one_bad_entry_does_not_stop_the_scan() {
    let dir = linked_case("046-one-bad-entry-stops-scan", &["skills/gone"]);
    let generated = compiled(&dir);
    assert_verdicts(&generated.report, &[("[odd] name", &[Code::L103]), ("gone", &[Code::E014])]);
    assert_eq!(served(&generated), ["fine", "odd"]);
    let live = open(&dir, &["skills"]);
    assert_eq!(names(&live), ["fine", "odd"]);
    assert!(live.snapshot().findings().any(|finding| finding.code == Code::E014));
}

/// Every directory that is not served has its finding or its record, in a build and in an overlay.
#[test]
fn nothing_is_dropped_silently() {
    let dir = case("047-silent-drop");
    let generated = compiled(&dir);
    assert_verdicts(
        &generated.report,
        &[("bad-yaml", &[Code::E003]), ("no-desc", &[Code::E011]), ("no-name", &[Code::E007])],
    );
    assert_eq!(generated.report.without_skill, ["skills/no-file"]);
    assert_eq!((served(&generated), generated.report.skills), (vec!["ok"], 4));
    let live = open(&dir, &["skills"]);
    let snapshot = live.snapshot();
    assert_eq!(names(&live), ["ok"]);
    let said: String = snapshot.diagnostics().iter().map(|found| format!("{}\n", found.path)).collect();
    for name in ["bad-yaml", "no-desc", "no-file", "no-name"] {
        assert!(said.contains(&format!("/skills/{name}")), "{name}: {said}");
    }
    assert_eq!(snapshot.diagnostics().len(), 4, "{said}");
}

/// An error in a build; an overlay serves the first by path and reports the other.
#[test]
fn one_name_in_two_groups() {
    let dir = case("049-same-name-in-two-groups");
    let report = compiled(&dir).report;
    assert_verdicts(&report, &[("group-b", &[Code::E013])]);
    let text = explained(&report, "group-b");
    assert!(text.contains("`skills/group-a/report` and `skills/group-b/report`"), "{text}");
    let live = open(&dir, &["skills"]);
    let snapshot = live.snapshot();
    let entry = snapshot.registry().get("report").expect("the first is served");
    assert!(entry.skill.path().ends_with("skills/group-a/report"));
    let findings: Vec<_> = snapshot
        .findings()
        .map(|finding| (finding.code, finding.path.ends_with("group-b/report/SKILL.md")))
        .collect();
    assert_eq!(findings, [(Code::E013, true)]);
}

#[test]
fn an_unknown_name_gets_the_nearest() {
    let dir = case("050-unknown-skill-message");
    let generated = compiled(&dir);
    let registry = registry(&generated);
    let error = registry.load("pdf-form").expect_err("there is no such skill");
    let text = "Error: skill not found: 'pdf-form'. Try skills_tool action=list or action=search. Did you mean 'pdf-forms'?";
    assert_eq!((error.to_string().as_str(), error.code()), (text, "SKILL_NOT_FOUND"));
    assert!(error.suggestion().starts_with("did you mean pdf-forms"), "{}", error.suggestion());
    assert_eq!(registry.load("PDF-Forms").expect("it is found").entry.skill.name(), "pdf-forms");
}

#[test]
fn a_check_accounts_for_every_directory() {
    let dir = case("107-check-passes-what-it-skips");
    let report = check(&config(&dir));
    assert_verdicts(&report, &[("lower", &[Code::E016])]);
    assert_eq!((report.skills, report.denied()), (2, 1));
    assert_eq!(report.without_skill, ["skills/nothing"]);
    assert!(report.findings.iter().all(|finding| finding.level == Level::Deny));
    assert_eq!(served(&compiled(&dir)), ["crlf"]);
    // The caller decides whether it is an error; the report has no skills.
    assert_eq!(check(&Config::new("empty-root").base(dir.path())).skills, 0);
}
