//! A secret is shown in nothing that a check prints, whatever else is wrong beside it.

use skills_bundle::compile;
use skills_bundle::fix;
use skills_bundle::render::{self, Color};
use skills_bundle::{Code, Config};
use skills_tests::disk::{self, TempDir, skill_md};

/// A token that looks real, put together here so that no file of the repository holds one.
fn token() -> String {
    format!("gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
}

/// The codes of a check, and all its texts.
fn checked(dir: &TempDir) -> (Vec<Code>, String) {
    let report = compile::check(&Config::new("skills").base(dir.path()));
    let mut text = render::full(&report.findings, Color::Never);
    text += &render::concise(&report.findings);
    text += &render::json_lines(&report.findings);
    (report.findings.iter().map(|finding| finding.code).collect(), text)
}

#[test]
fn a_finding_beside_it_does_not_show_it() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/SKILL.md", skill_md("pdf", "Reads forms"));
    disk::write(dir.path(), "skills/pdf/a.txt", format!("key {} x\u{200b}y\n", token()));
    let (codes, text) = checked(&dir);
    assert!(codes.contains(&Code::L111) && codes.contains(&Code::L126), "{codes:?}");
    assert!(!text.contains(&token()), "{text}");
}

#[test]
fn one_bad_byte_hides_neither_a_secret_nor_hidden_text() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/SKILL.md", skill_md("pdf", "Reads forms"));
    let mut bytes = format!("key {} x\u{e0041}y ", token()).into_bytes();
    bytes.push(0xff);
    disk::write(dir.path(), "skills/pdf/a.txt", bytes);
    let (codes, text) = checked(&dir);
    assert!(codes.contains(&Code::L111) && codes.contains(&Code::E015), "{codes:?}");
    assert!(!text.contains(&token()), "{text}");
}

#[test]
fn commands_are_searched_too() {
    let dir = disk::temp();
    let definition = "name: send\ndescription: Sends it\ntype: text\ntemplate_path: send.txt\n";
    disk::write(dir.path(), "skills/send.command.yaml", definition);
    disk::write(dir.path(), "skills/send.txt", format!("Use {} for {{arg.0}}\n", token()));
    let (codes, text) = checked(&dir);
    assert!(codes.contains(&Code::L111) && codes.contains(&Code::L122), "{codes:?}");
    assert!(!text.contains(&token()), "{text}");
}

#[test]
fn a_diff_masks_it() {
    let dir = disk::temp();
    let text = format!("---\nname: pdf\ndescription: Read: forms\n---\nKey {}\n", token());
    disk::write(dir.path(), "skills/pdf/SKILL.md", text);
    let fixes = fix::plan(&Config::new("skills").base(dir.path()));
    let diff = fix::diff(&fixes[0]);
    assert!(diff.contains("+description: \"Read: forms\"") && diff.contains("Key gh"), "{diff}");
    assert!(!diff.contains(&token()), "{diff}");
    // The file itself keeps it.
    fix::write(&fixes[0]).expect("it is written");
    assert!(disk::read_text(&dir.path().join("skills/pdf/SKILL.md")).contains(&token()));
}

#[test]
fn what_is_not_shown_is_counted() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/SKILL.md", skill_md("pdf", "Reads forms"));
    let tokens: String =
        (10..80).map(|number| format!("{}\n", token().replace("R8", &number.to_string()))).collect();
    disk::write(dir.path(), "skills/pdf/a.txt", tokens);
    let (codes, text) = checked(&dir);
    assert_eq!(codes.len(), 64);
    assert!(text.contains("; 6 more in this file are reported once these are gone"), "{text}");
}
