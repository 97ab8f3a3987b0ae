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

/// What is hidden in a name is shown wherever a model reads it, so that what it reads is what it can ask for.
#[cfg(unix)]
#[test]
fn what_is_shown_can_be_asked_for() {
    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), "skills/gr\u{200b}oup/pdf/SKILL.md", skill_md("pdf", "Reads forms"));
    write(dir.path(), "skills/gr\u{200b}oup/pdf/a\u{200b}.md", "unseen");
    write(dir.path(), "skills/gr\u{200b}oup/pdf/a\\u{200b}.md", "spelt");
    write(dir.path(), "skills/gr\u{200b}oup/csv/SKILL.md", skill_md("csv", "Reads tables"));
    let report = check(&config(&dir));
    let found: Vec<_> = report.findings.iter().map(|finding| (finding.code, finding.path.as_str())).collect();
    let own = "skills/gr\u{200b}oup/pdf";
    assert_eq!(
        found,
        [
            (Code::L117, "skills/gr\u{200b}oup"),
            (Code::L117, &format!("{own}/a\\u{{200b}}.md")),
            (Code::L117, &format!("{own}/a\u{200b}.md"))
        ]
    );
    super::both(&dir, |skills| {
        let loaded = skills.load("pdf").expect("it is served").text();
        assert!(!loaded.contains('\u{200b}'), "{loaded}");
        let path = loaded.lines().find_map(|line| line.strip_prefix("Path: ")).expect("it has a path");
        assert!(path.ends_with("/gr\\u{200b}oup/pdf"), "{path}");
        assert_eq!(skills.load(path).expect("it is found").entry.skill.name(), "pdf");
        assert_eq!(
            skills.load(&path.replace("\\u{200b}", "\u{200b}")).expect("it is found").entry.skill.name(),
            "pdf"
        );
        for (shown, text) in
            [("a\\u{200b}.md", "unseen"), ("a\\u{5c}u{200b}.md", "spelt"), ("a\u{200b}.md", "unseen")]
        {
            assert!(shown.contains('\u{200b}') || loaded.contains(&format!(" {shown}")), "{loaded}");
            let file = skills.read_file("pdf", shown, 0).expect("it is found").to_string();
            assert!(file.ends_with(text), "{shown}: {file}");
        }
    });
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

/// Where a pointer is in place of what is read first, the error says so.
#[test]
fn a_pointer_of_git_lfs_is_named_where_it_is_read() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    let dir = tempfile::tempdir().expect("a directory");
    let definition = "name: go\ndescription: Goes\ntype: text\ntemplate_path: go.txt\n";
    write(dir.path(), "skills/go.command.yaml", definition);
    write(dir.path(), "skills/go.txt", pointer);
    write(dir.path(), "skills/stop.command.yaml", pointer);
    write(dir.path(), "skills/all/SKILL.md", pointer);
    write(dir.path(), "skills/csv/SKILL.md", pointer);
    write(dir.path(), "skills/all/pdf/SKILL.md", skill_md("pdf", "Reads forms"));
    let report = check(&config(&dir));
    let found: Vec<_> = report.findings.iter().map(|finding| (finding.path.as_str(), finding.code)).collect();
    assert_eq!(
        found,
        [
            ("skills/all/SKILL.md", Code::E001),
            ("skills/csv/SKILL.md", Code::E001),
            ("skills/go.txt", Code::L127),
            ("skills/stop.command.yaml", Code::E004),
        ]
    );
    for finding in &report.findings {
        assert!(finding.message.contains("Git LFS pointer"), "{finding}");
        assert!(finding.help.contains("`git lfs pull`"), "{}", finding.help);
    }
    assert_eq!(served(&compiled(&dir)), ["pdf"]);
    assert_eq!(names(&open(&dir, &["skills"])), ["pdf"]);
}
