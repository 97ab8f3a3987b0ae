//! Advice that leads on, and names as models write them.

use skills_bundle::Code;
use skills_bundle::compile::check;
use skills_tests::disk;

use super::{assert_verdicts, both, case, config, explained, open};

#[test]
fn a_link_to_another_skill_names_it() {
    let dir = case("217-link-to-other-skills-file");
    let report = check(&config(&dir));
    assert_verdicts(&report, &[("argus", &[Code::L105])]);
    let help = &report.findings[0].help;
    assert_eq!(help, "name the skill `setup` without a link: each skill is shipped alone");
}

#[test]
fn a_frontmatter_in_a_code_fence_is_told_to_come_out() {
    let dir = case("220-frontmatter-in-a-code-fence");
    let report = check(&config(&dir));
    let e001: &[Code] = &[Code::E001];
    assert_verdicts(&report, &[("dash", e001), ("md", e001), ("toml", e001), ("ya", e001)]);
    for (skill, help) in [
        ("dash", "three hyphens, `---`"),
        ("md", "take the code fence away: its first line, and the last one"),
        ("toml", "as YAML, `name: …`, between two lines of `---`"),
        ("ya", "write `---` in place of both lines of the code fence"),
    ] {
        assert!(explained(&report, skill).contains(help), "{}", explained(&report, skill));
    }
}

#[test]
fn an_open_code_fence_is_found() {
    let dir = case("235-fence-never-closed");
    let report = check(&config(&dir));
    assert_verdicts(&report, &[("f", &[Code::L129])]);
    assert_eq!(report.findings[0].line, 7);
}

#[test]
fn what_is_printed_is_taken_back_and_the_rest_suggests() {
    let dir = case("224-model-names-a-skill-otherwise");
    both(&dir, |skills| {
        let path = skills.get("pdf-forms").expect("it is served").skill.path().to_owned();
        for name in [
            "skill://pdf-forms",
            "skill://pdf-forms/SKILL.md",
            " `skill://PDF-Forms/SKILL.md` ",
            "pdf-forms/SKILL.md",
            path.as_str(),
            &format!("{path}/SKILL.md"),
            &format!("{path}/"),
        ] {
            assert!(skills.load(name).is_ok(), "{name}");
            assert!(skills.read_file(name, "references/a.md", 0).is_ok(), "{name}");
        }
        for name in [
            "acme:pdf-forms",
            "skill:pdf-forms",
            "$pdf-forms",
            "plugins/acme/pdf-forms",
            "acme:pdf-form",
            "the pdf-forms skill",
            "pdf_forms",
            "@pdf-forms!",
            "<skill>pdf-forms</skill>",
            "skill=\"pdf_forms\"",
            "[pdf-forms](pdf-forms/SKILL.md)",
            "pdf-forms.md",
            "pdf-forms/references/a.md",
            "skill://x",
        ] {
            let error = skills.load(name).expect_err("it is no name");
            let suggestion = error.suggestion();
            assert_eq!(
                suggestion.contains("`pdf-forms`") || suggestion.contains("pdf-forms"),
                name != "skill://x",
                "{name}: {suggestion}"
            );
        }
        for name in [
            "../pdf-forms",
            "/etc/passwd",
            "pdf-forms/references/a.md",
            "skill://../pdf-forms",
            "/",
            "skill://",
            "/SKILL.md",
        ] {
            assert!(skills.load(name).is_err(), "{name}");
        }
    });
}

/// A path says no more than a name: what a policy blocks stays blocked under it.
#[test]
fn a_path_gets_past_no_policy() {
    let dir = case("224-model-names-a-skill-otherwise");
    let live = open(&dir, &["skills"]);
    let snapshot = live.snapshot();
    let policy = skills::Policy::default().block("pdf-forms");
    let registry = snapshot.registry().with_policy(policy);
    let path = format!("{}/pdf-forms", disk::name(&dir.path().join("skills")));
    for name in ["skill://pdf-forms", "pdf-forms/SKILL.md", path.as_str(), "acme:pdf-forms"] {
        let error = registry.load(name).expect_err("it is blocked");
        assert!(!error.suggestion().contains("pdf-forms"), "{name}: {}", error.suggestion());
    }
}
