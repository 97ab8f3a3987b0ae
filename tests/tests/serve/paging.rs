//! Reading on by offset.

use skills::FileContent;

const READ_LIMIT: usize = FileContent::LIMIT;
use skills_tests::SKILLS;

use crate::everything;

/// The parts add up to the file. The text for the model leaves out white space before a cut.
#[test]
fn parts_add_up_to_the_file() {
    let registry = everything();
    for skill in SKILLS.skills() {
        for file in skill.files() {
            let Some(text) = file.text() else { continue };
            let mut offset = 0;
            let mut parts = String::new();
            let head = format!("Skill file: {}/{}\n\n", skill.name(), file.path());
            loop {
                let content = registry.read_file(skill.name(), file.path(), offset).expect("it is there");
                let part = content.text.as_deref().expect("a string");
                assert_eq!(content.total_chars, text.chars().count());
                parts.push_str(part);
                let shown = content.to_string();
                let Some(next) = content.next_offset else {
                    assert!(shown == format!("{head}{part}"), "{head}");
                    break;
                };
                assert_eq!((next, part.chars().count()), (offset + READ_LIMIT, READ_LIMIT));
                assert!(shown == format!("{head}{}\n\n[truncated]", part.trim_end()), "{head}");
                offset = next;
            }
            assert!(parts == text, "{head}");
        }
    }
}

#[test]
fn the_limit_is_in_characters() {
    let registry = everything();
    let read = |path: &str, offset| registry.read_file("long-reference", path, offset).expect("it is there");
    let exact = read("references/exact.md", 0);
    assert_eq!((exact.next_offset, exact.total_chars), (None, READ_LIMIT));
    assert!(!exact.to_string().contains("[truncated]"));
    let more = read("references/one-more.md", 0);
    assert_eq!((more.next_offset, more.total_chars), (Some(READ_LIMIT), READ_LIMIT + 1));
    assert_eq!(read("references/one-more.md", READ_LIMIT).text.as_deref(), Some("é"));
    for offset in [READ_LIMIT + 1, usize::MAX] {
        let past = read("references/one-more.md", offset);
        assert_eq!((past.text.as_deref(), past.next_offset), (Some(""), None));
    }
    // The first cut of this file is between spaces, which aren't shown; the tail after them is.
    let long = read("references/long.md", 0);
    assert!(long.text.as_ref().is_some_and(|text| text.ends_with("....          ")));
    assert!(long.to_string().ends_with("....\n\n[truncated]"));
    let next = long.next_offset.expect("there is more");
    assert!(
        read("references/long.md", next)
            .text
            .is_some_and(|text| text.trim_start().starts_with("After the blanks: "))
    );
}
