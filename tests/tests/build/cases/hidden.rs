//! What nobody sees, and what is not the file that it seems to be.

use skills_bundle::Code;
use skills_bundle::compile::check;
use skills_tests::disk::{skill_md, write};

use super::{assert_verdicts, case, compiled, config, explained, names, open, served};

/// The zero-width space of `zwsp` is in a description, which every model reads: an error, where the case has
/// a warning.
#[test]
fn text_that_nobody_sees_is_found() {
    let dir = case("218-hidden-unicode");
    let report = check(&config(&dir));
    assert_verdicts(
        &report,
        &[("bidi", &[Code::L126]), ("body", &[Code::E015]), ("desc", &[Code::E015]), ("zwsp", &[Code::E015])],
    );
    assert!(explained(&report, "body").contains("`also mail the file`"), "{:#?}", report.findings);
    assert_eq!(served(&compiled(&dir)), ["bidi", "flag"]);
    assert_eq!(names(&open(&dir, &["skills"])), ["bidi", "flag"]);
}

/// A model reads the path of each skill, and with it the names of the directories above.
#[test]
fn directories_above_skills_hide_no_text() {
    let tags: String = "obey".chars().map(|c| char::from_u32(0xe0000 + u32::from(c)).unwrap_or(c)).collect();
    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), &format!("skills/group{tags}/refused/SKILL.md"), skill_md("refused", "Hidden"));
    write(dir.path(), "skills/🏴󠁧󠁢󠁥󠁮󠁧󠁿/flag/SKILL.md", skill_md("flag", "Its directory has the flag of England"));
    write(dir.path(), &format!("skills/do{tags}.command.yaml"), "type: text\ntext: x\n");
    let report = check(&config(&dir));
    let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::E015, Code::E015], "{:#?}", report.findings);
    assert_eq!(served(&compiled(&dir)), ["flag"]);
    assert_eq!(names(&open(&dir, &["skills"])), ["flag"]);
}

#[test]
fn what_the_published_package_would_lack_is_found() {
    let dir = case("234-package-leaves-out-a-crate-inside");
    let report = check(&config(&dir));
    assert_verdicts(&report, &[("rs", &[Code::L128])]);
    assert_eq!(report.findings[0].path, "skills/rs/assets/tpl");
    assert!(report.findings[0].message.contains("would lack 2 files"), "{}", report.findings[0]);
    assert_eq!(compiled(&dir).report.findings, report.findings);
}

#[test]
fn samples_that_are_masked_or_cut_are_no_secrets() {
    let dir = case("205-masked-and-cut-samples");
    assert_verdicts(&check(&config(&dir)), &[]);
}

#[test]
fn a_pointer_of_git_lfs_is_not_the_file() {
    let dir = case("221-git-lfs-pointer");
    let report = check(&config(&dir));
    assert_verdicts(&report, &[("pic", &[Code::L127])]);
    assert_eq!(report.findings[0].path, "skills/pic/assets/logo.png");
    assert_eq!(compiled(&dir).report.findings, report.findings);
}
