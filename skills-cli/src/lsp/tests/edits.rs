//! The text of the server is that of the editor, whatever is typed.

use super::super::typing::{Editor, leaves_the_same_text};
use super::*;

/// Numbers that look random and are the same in every run (xorshift).
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    move |end| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % end.max(1) as u64) as usize
    }
}

#[test]
fn random_edits_leave_the_same_text() {
    for seed in 1..=60 {
        leaves_the_same_text("---\r\nname: 😀\n---\rBody 中\n", 250, &mut numbers(seed));
    }
    leaves_the_same_text("", 250, &mut numbers(61));
}

/// The same through the server: what it finds at last is what a check finds in the last text.
#[test]
fn after_many_edits_the_findings_are_those_of_the_text() {
    let (_dir, root) = place();
    let start = "---\nname: pdf\ndescription: Reads forms\n---\nBody\n";
    let skill = write(&root, "skills/pdf/SKILL.md", start);
    let client = Client::new(&root);
    client.open(&skill, start);
    let mut numbers = numbers(7);
    let mut editor = Editor::new(start);
    for version in 2..=300 {
        let (position, text) = editor.insert(&mut numbers);
        let range = Range { start: position, end: position };
        client.change(&skill, version, &json!([{"range": range, "text": text}]));
    }
    let shown = client.diagnostics(&skill, Some(300));
    write(&root, "skills/pdf/SKILL.md", editor.text());
    let found = checked(&root, "skills");
    let expected: Vec<Value> = found.iter().map(|finding| json!(range_in_protocol(finding))).collect();
    assert_eq!(codes(&shown), found.iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>());
    // A mark at the start of the file is no character of the text for a check, and one for an editor.
    if !editor.text().starts_with('\u{feff}') {
        assert_eq!(shown.iter().map(|found| found["range"].clone()).collect::<Vec<_>>(), expected);
    }
    assert!(!found.is_empty());
}
