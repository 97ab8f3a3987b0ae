//! Properties that hold for any input, tried with generated inputs: parts of real skills, special characters
//! of YAML and Markdown, and random text. `fuzz/` tries the same for longer.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
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
}
