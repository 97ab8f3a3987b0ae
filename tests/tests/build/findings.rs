//! Findings on broken skills: a fixture per mistake, with a snapshot of what the author reads.
//!
//! Every directory in `fixtures/bad` is one mistake: `about.txt` describes it, `skills/` has it. Its name
//! begins with the code that it must cause, or with `many`. Every directory in `fixtures/good` comes close to
//! the code in its name and has no finding. `built` makes what git doesn't store well.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use skills_bundle::compile::{Report, check, compile, compile_good};
use skills_bundle::render::{self, Color};
use skills_bundle::{Code, Config, Finding, Level};
use skills_source::code::RULES;
use skills_tests::disk;

mod built;
mod hostile;
mod secrets;

use built::{BAD, Built, GOOD};

fn fixtures(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(kind)
}

/// The report of a compilation that may fail.
fn report(config: &Config) -> Report {
    match compile(config, None) {
        Ok(generated) => generated.report,
        Err(report) => report,
    }
}

/// The code in the name of a fixture; `None` for `many-…`.
fn promised(name: &str) -> Option<Code> {
    let word = name.split('-').next().unwrap_or_default();
    (word != "many").then(|| Code::parse(word).unwrap_or_else(|| panic!("`{name}` names no code")))
}

/// What is wrong with the findings of a fixture, beyond what the snapshots show.
fn complaints(name: &str, findings: &[Finding]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut complain = |when: bool, what: &str, finding: &Finding| {
        if when {
            complaints.push(format!("{name} {what}: {finding}"));
        }
    };
    for finding in findings {
        let Finding { path, line, column, message, help, .. } = finding;
        complain(promised(name).is_some_and(|code| code != finding.code), "also yields", finding);
        complain(
            path.replace("\\x", "").contains('\\') || path.starts_with('/'),
            "shows an odd path",
            finding,
        );
        complain(*line == 0 || *column == 0, "has no place", finding);
        complain(message.is_empty() || message.ends_with('.') || help.is_empty(), "lacks words", finding);
    }
    for pair in findings.windows(2) {
        complain((&pair[0].path, pair[0].line) > (&pair[1].path, pair[1].line), "is not sorted", &pair[1]);
    }
    if findings.is_empty() {
        complaints.push(format!("{name} has no finding"));
    }
    complaints
}

#[test]
fn bad_skills_are_explained() {
    let mut wrong = Vec::new();
    insta::glob!("../../fixtures/bad", "*/about.txt", |about| {
        let folder = about.parent().expect("the file is in a folder");
        let report = report(&Config::new("skills").base(folder));
        wrong.extend(complaints(&disk::name(folder), &report.findings));
        insta::with_settings!({ description => disk::read_text(about).trim(), omit_expression => true }, {
            insta::assert_snapshot!(render::full(&report.findings, Color::Never));
        });
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_git_does_not_carry_is_explained() {
    let mut wrong = Vec::new();
    for Built { name, about, make } in BAD {
        let dir = disk::temp();
        let report = report(&make(dir.path()));
        wrong.extend(complaints(name, &report.findings));
        insta::with_settings!({ description => *about, omit_expression => true }, {
            insta::assert_snapshot!(*name, render::full(&report.findings, Color::Never));
        });
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn good_skills_have_no_findings() {
    for folder in disk::directories(&fixtures("good")) {
        assert_good(&disk::name(&folder), &Config::new("skills").base(&folder));
    }
    for Built { name, make, .. } in GOOD {
        let dir = disk::temp();
        assert_good(name, &make(dir.path()));
    }
}

fn assert_good(name: &str, config: &Config) {
    let report = report(config);
    assert!(report.findings.is_empty(), "{name}:\n{}", render::full(&report.findings, Color::Never));
    assert!(report.skills + report.commands > 0 && promised(name).is_some(), "{name} says nothing");
}

/// The tests above check that a fixture causes the code in its name. Those of E014 need symlinks. What only a program
/// with a search finds (L130) has its tests there: `skills-cli/tests/cli/check_queries.rs`.
#[cfg(unix)]
#[test]
fn every_code_has_a_bad_and_a_good_fixture() {
    let codes = |kind: &str, built: &[Built]| -> BTreeSet<Code> {
        let folders = disk::directories(&fixtures(kind));
        let names = folders.iter().map(|folder| disk::name(folder));
        names
            .chain(built.iter().map(|built| built.name.to_owned()))
            .filter_map(|name| promised(&name))
            .collect()
    };
    let all: BTreeSet<Code> = RULES.iter().map(|rule| rule.code).filter(|code| *code != Code::L130).collect();
    assert_eq!(codes("bad", BAD), all);
    assert_eq!(codes("good", GOOD), all);
}

#[test]
fn ten_mistakes_in_five_files_cause_ten_findings() {
    let folder = fixtures("bad").join("many-ten-faults-in-five-files");
    let report = compile(&Config::new("skills").base(folder), None).expect_err("all five are broken");
    let files: BTreeSet<&str> = report.findings.iter().map(|finding| finding.path.as_str()).collect();
    assert_eq!((report.skills, files.len(), report.findings.len()), (5, 5, 10), "{:#?}", report.findings);
    assert!(report.findings.iter().all(|finding| finding.excerpt().is_some()), "each shows its line");
}

/// All bad fixtures under one root have the same findings as each alone, except that many of their skills
/// then have the same name.
#[test]
fn a_mistake_in_one_skill_never_hides_anothers() {
    let all = disk::temp();
    let mut alone: BTreeSet<String> = BTreeSet::new();
    for folder in disk::directories(&fixtures("bad")) {
        let name = disk::name(&folder);
        disk::copy(&folder.join("skills"), &all.path().join("skills").join(&name));
        let findings = report(&Config::new("skills").base(&folder)).findings;
        alone.extend(
            findings.iter().map(|finding| finding.to_string().replace("skills/", &format!("skills/{name}/"))),
        );
    }
    let findings = report(&Config::new("skills").base(all.path())).findings;
    let together: BTreeSet<String> = findings.iter().map(ToString::to_string).collect();
    // A duplicate name isn't also compared with the directory's name.
    let may_go = |line: &str| ["[E013]", "[L103]", "[L107]"].iter().any(|code| line.contains(code));
    let missing: Vec<_> = alone.difference(&together).filter(|line| !may_go(line)).collect();
    assert!(missing.is_empty(), "hidden: {missing:#?}");
    let may_come = |line: &str| ["[E013]", "[L107]"].iter().any(|code| line.contains(code));
    let new: Vec<_> = together.difference(&alone).filter(|line| !may_come(line)).collect();
    assert!(new.is_empty(), "made up: {new:#?}");
}

#[test]
fn good_skills_are_served_and_the_others_listed() {
    let folder = fixtures("bad").join("many-one-hides-no-other");
    let generated = compile_good(&Config::new("skills").base(folder));
    let pack = generated.pack().expect("the blocks fit");
    assert_eq!(pack.skills().map(|skill| skill.path().to_owned()).collect::<Vec<_>>(), ["skills/fine"]);
    let broken: BTreeSet<&str> =
        generated.report.findings.iter().map(|finding| finding.path.as_str()).collect();
    let expected = ["skills/also-broken/SKILL.md", "skills/broken/SKILL.md", "skills/wrong-name/SKILL.md"];
    assert!(broken.iter().eq(expected.iter()), "{broken:?}");
}

/// If a help quotes a line, replacing the faulty line with it fixes the finding.
#[test]
fn advice_can_be_pasted() {
    let mut pasted = 0;
    for folder in disk::directories(&fixtures("bad")) {
        for finding in report(&Config::new("skills").base(&folder)).findings {
            let Some(fixed) = paste(&folder, &finding) else { continue };
            let dir = disk::temp();
            disk::copy(&folder.join("skills"), &dir.path().join("skills"));
            disk::write(dir.path(), &finding.path, fixed);
            let after = report(&Config::new("skills").base(dir.path())).findings;
            let same = |other: &&Finding| {
                (other.code, &other.path, other.line) == (finding.code, &finding.path, finding.line)
            };
            assert_eq!(
                after.iter().find(same),
                None,
                "the help of {finding} does not help: {}",
                finding.help
            );
            pasted += 1;
        }
    }
    assert!(pasted > 40, "only {pasted} helps could be pasted");
}

/// The finding's file with the line that its help quotes; `None` if it quotes none.
fn paste(folder: &Path, finding: &Finding) -> Option<String> {
    let line = usize::try_from(finding.line).ok()?;
    let bytes = disk::read(&Some(folder.join(&finding.path)).filter(|file| file.is_file())?);
    let text = String::from_utf8(bytes).ok()?;
    let lines: Vec<&str> = text.lines().collect();
    // The field with the mistake, which may begin on an earlier line.
    let (at, key) = (0..line).rev().find_map(|at| Some((at, lines.get(at)?.split_once(':')?.0)))?;
    if key.starts_with(' ') {
        return None;
    }
    let quoted = &finding.help[finding.help.find(&format!("`{key}: "))? + 1..];
    let end = quoted.find("`; or").or(quoted.find("`, or")).unwrap_or(quoted.rfind('`')?);
    let fixed = [&lines[..at], &[&quoted[..end]], &lines[line.max(at + 1)..]].concat();
    Some(fixed.join("\n"))
}

#[test]
fn a_check_finds_what_a_compilation_finds() {
    for folder in disk::directories(&fixtures("bad")) {
        let config = Config::new("skills").base(&folder);
        assert_eq!(check(&config).findings, report(&config).findings, "{}", folder.display());
    }
}

#[test]
fn levels_are_obeyed() {
    let config = || Config::new("skills").base(fixtures("bad").join("l103-other-directory"));
    assert!(compile(&config(), None).is_ok_and(|generated| generated.report.warned() == 1));
    assert!(compile(&config().deny("L103"), None).is_err_and(|report| report.denied() == 1));
    assert!(
        compile(&config().allow("name-not-directory"), None)
            .is_ok_and(|generated| generated.report.findings.is_empty())
    );
    let long = Config::new("skills").base(fixtures("bad").join("l101-long-description"));
    assert!(compile(&long.clone().warn("l101"), None).is_ok_and(|generated| generated.report.warned() == 1));
    for (rule, word) in [("E007", "always deny"), ("L999", "no rule `L999`"), ("", "no rule ``")] {
        // The finding is at the call in the build script.
        let (config, line) = (config().allow(rule), line!());
        let report = compile(&config, None).expect_err("the level cannot be set");
        let finding =
            report.findings.iter().find(|finding| finding.code == Code::E019).expect("it is reported");
        assert_eq!((finding.level, finding.line), (Level::Deny, line));
        assert!(finding.path.ends_with("tests/build/findings.rs"), "{finding}");
        assert!(finding.message.contains(word), "{rule}: {finding}");
    }
}
