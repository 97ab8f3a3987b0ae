//! The text of the server is that of the editor, whatever is typed.

use super::super::document::Document;
use super::super::place::Kind;
use super::*;
use gen_lsp_types::{TextDocumentContentChangeEvent, TextDocumentContentChangePartial as Partial, Uri};

/// Numbers that look random and are the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// What an editor in JavaScript has: UTF-16 code units, with lines that end at LF, CRLF or CR. It shares no code
/// with the server.
#[derive(Clone)]
struct Editor(Vec<u16>);

impl Editor {
    fn lines(&self) -> Vec<(usize, usize)> {
        let (mut lines, mut start, mut at) = (Vec::new(), 0, 0);
        while at < self.0.len() {
            let next = match (self.0[at], self.0.get(at + 1)) {
                (13, Some(10)) => at + 2,
                (10 | 13, _) => at + 1,
                _ => {
                    at += 1;
                    continue;
                }
            };
            lines.push((start, at));
            (start, at) = (next, next);
        }
        lines.push((start, self.0.len()));
        lines
    }

    /// A place between two characters, and its position.
    fn place(&self, numbers: &mut Numbers) -> (usize, Position) {
        let lines = self.lines();
        let line = numbers.below(lines.len());
        let (start, end) = lines[line];
        let mut at = start + numbers.below(end - start + 1);
        // Editors put no cursor inside a pair of surrogates.
        if at < end && (0xdc00..0xe000).contains(&self.0[at]) {
            at -= 1;
        }
        (at, Position { line: line as u32, character: (at - start) as u32 })
    }

    fn text(&self) -> String {
        String::from_utf16(&self.0).expect("no pair is torn")
    }
}

const TYPED: [&str; 14] = [
    "a",
    "é",
    "😀",
    "👩\u{200d}💻",
    "中文",
    "\n",
    "\r\n",
    "\r",
    ": ",
    "---\n",
    "\u{feff}",
    "",
    "\t",
    "[x](y.md)",
];

#[test]
fn random_edits_leave_the_same_text() {
    for seed in 1..=40_u64 {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut editor = Editor("---\r\nname: 😀\n---\rBody 中\n".encode_utf16().collect());
        let uri = Uri::from("file:///s/SKILL.md");
        let mut document = Document::new(uri, Kind::Skill, PathBuf::from("/nowhere/x"), 0, editor.text());
        for version in 1..250 {
            let changes: Vec<TextDocumentContentChangeEvent> = (0..=numbers.below(3))
                .map(|_| {
                    let (a, b) = (editor.place(&mut numbers), editor.place(&mut numbers));
                    let (from, to) = if a.0 <= b.0 { (a, b) } else { (b, a) };
                    // Most edits are small, or the text would never grow.
                    let (from, to) = if numbers.below(4) == 0 { (from, to) } else { (from, from) };
                    let text = TYPED[numbers.below(TYPED.len())];
                    editor.0.splice(from.0..to.0, text.encode_utf16());
                    let range = Range { start: from.1, end: to.1 };
                    #[allow(deprecated, reason = "old clients send it")]
                    Partial { range, range_length: None, text: text.to_owned() }.into()
                })
                .collect();
            document.change(version, changes);
            assert_eq!(document.text(), editor.text(), "seed {seed}, version {version}");
        }
    }
}

/// The same through the server: what it finds at last is what a check finds in the last text.
#[test]
fn after_many_edits_the_findings_are_those_of_the_text() {
    let (_dir, root) = place();
    let start = "---\nname: pdf\ndescription: Reads forms\n---\nBody\n";
    let skill = write(&root, "skills/pdf/SKILL.md", start);
    let client = Client::new(&root);
    client.open(&skill, start);
    let mut numbers = Numbers(7);
    let mut editor = Editor(start.encode_utf16().collect());
    for version in 2..=300 {
        let (at, position) = editor.place(&mut numbers);
        let text = TYPED[numbers.below(TYPED.len())];
        editor.0.splice(at..at, text.encode_utf16());
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
