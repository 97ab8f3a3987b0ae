//! Lengths, cuts and large files.

use skills_bundle::Code;
use skills_bundle::compile::compile_good;

use super::{assert_verdicts, case, compiled, config, pack, registry};

#[test]
fn lengths_count_characters() {
    let dir = case("064-bytes-versus-characters");
    let report = compile_good(&config(&dir).unicode_names(true)).report;
    assert_verdicts(&report, &[("ascii-1025", &[Code::L101]), ("emoji-1025", &[Code::L101])]);
    assert!(report.findings.iter().all(|finding| finding.message.ends_with("it has 1025")));
}

#[test]
fn cuts_fall_between_characters() {
    let dir = case("065-cut-inside-a-character");
    let generated = compiled(&dir);
    let registry = registry(&generated);
    let skill = pack(&generated).skill(0).expect("it is served");
    let cut: String = skill.description().chars().take(200).collect();
    assert!(registry.list().to_string().contains(&format!("- cut: {cut}…\n")));
    let text = skill.file("SKILL.md").and_then(|file| file.text()).expect("a string");
    let len = text.chars().count();
    for offset in (0..200).chain((200..len).step_by(97)).chain(len - 5..len + 5) {
        let content = registry.read_file("cut", "SKILL.md", offset).expect("any offset is fine");
        let rest: String = text.chars().skip(offset).take(skills::FileContent::LIMIT).collect();
        assert!(content.text.as_deref() == Some(rest.as_str()), "{offset}");
    }
}

#[test]
fn a_body_is_never_cut() {
    let dir = case("067-body-cut-without-notice");
    let generated = compiled(&dir);
    let registry = registry(&generated);
    let skill = pack(&generated).skill(0).expect("it is served");
    let last = skill.body().lines().last().expect("there are lines");
    assert!(skill.body().len() > 40_000);
    assert!(registry.load("long-body").expect("it is served").text().contains(&format!("\n{last}\n\n")));
    let first = registry.read_file("long-body", "SKILL.md", 0).expect("it is there");
    assert!(first.to_string().ends_with("\n\n[truncated]"));
    let next = first.next_offset.expect("there is more");
    let second = registry.read_file("long-body", "SKILL.md", next).expect("it is there");
    assert_eq!((second.next_offset, second.total_chars), (None, first.total_chars));
    assert!(second.text.is_some_and(|text| text.trim_end().ends_with(last)));
}

/// The limits can be set.
#[test]
fn large_files() {
    let dir = case("068-huge-skill-file");
    assert_verdicts(&compiled(&dir).report, &[("huge", &[Code::L106]), ("huge-front", &[Code::E018])]);
    let all = compile_good(&config(&dir).max_frontmatter_bytes(100_000));
    assert_verdicts(&all.report, &[("huge", &[Code::L106])]);
    let small = compile_good(&config(&dir).max_skill_bytes(100_000));
    assert_verdicts(&small.report, &[("huge", &[Code::E018]), ("huge-front", &[Code::E018])]);
}
