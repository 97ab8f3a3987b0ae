//! Tool calls in every form in which models write them, and invalid ones.

use serde_json::{Value, json};
use skills::tools::TOOL_NAME;
use skills::{Provider, schema};
use skills_tests::prng::Prng;

use crate::registry;

fn text(call: &Value) -> String {
    registry().call(&call.to_string()).text
}

const INVALID: &str = "Error: missing/invalid action. Supported actions: list, search, load, read_file.";

#[test]
fn a_call_equals_the_method() {
    let registry = registry();
    assert_eq!(text(&json!({"action": "list"})), registry.list().to_string());
    let found = registry.search("a form").expect("a query").to_string();
    assert_eq!(text(&json!({"action": "search", "query": "a form"})), found);
    let loaded = registry.load("pdf-forms").expect("it is there").text();
    assert_eq!(text(&json!({"action": "load", "skill_name": "pdf-forms"})), loaded);
    assert_eq!(registry.load("pdf-forms").expect("it is there").to_string(), loaded);
    let read =
        registry.read_file("long-reference", "references/long.md", 24_000).expect("it is there").to_string();
    let call = json!({"action": "read_file", "skill_name": "long-reference", "file_path": "references/long.md", "offset": 24_000});
    assert_eq!(text(&call), read);
}

#[test]
fn wrappers_and_aliases() {
    let read = registry().read_file("pdf-forms", "references/fields.md", 0).expect("it is there").to_string();
    let arguments = json!({"skill_name": "pdf-forms", "file_path": "references/fields.md"});
    let with = |key: &str, value: Value| {
        let mut call = arguments.clone();
        call[key] = value;
        call
    };
    for call in [
        with("action", json!("read_file")),
        with("method", json!("read_file")),
        with("action", json!(" Read-File\n")),
        with("action", json!("READ_FILE")),
        json!({"tool_name": "skills_tool", "tool_args": with("action", json!("read_file"))}),
        json!({"tool_name": "skills_tool", "tool_args": with("method", json!("read-file"))}),
        json!({"tool_name": "skills_tool:read_file", "tool_args": arguments}),
        json!({"tool_name": " skills_tool : Read-File ", "tool_args": arguments}),
        json!({"tool_name": "skills_tool", "tool_args": with("action", json!("read_file")).to_string()}),
        json!({"tool_name": "skills_tool:read_file", "tool_args": arguments.to_string(), "thought": "x"}),
        with("tool_name", json!("skills_tool:read_file")),
        json!({"action": "read_file", "skill_name": "**PDF Forms**", "file_path": "references/fields.md", "arguments": {}}),
        json!({"action": "read_file", "skill_name": "pdf-forms", "file_path": "references/fields.md", "args": "x", "offset": "0"}),
        json!({"action": "read_file", "skill_name": "pdf-forms", "file_path": "references/fields.md", "offset": null}),
    ] {
        assert_eq!(text(&call), read, "{call}");
    }
    // The inner action takes precedence over the one in the tool's name.
    let call = json!({"tool_name": "skills_tool:list", "tool_args": with("action", json!("read_file"))});
    assert_eq!(text(&call), read);
}

#[test]
fn a_name_may_be_a_number() {
    let text = text(&json!({"action": "load", "skill_name": 12306}));
    assert_eq!(text, "Error: skill not found: '12306'. Try skills_tool action=list or action=search.");
}

#[test]
fn invalid_calls_are_refused() {
    let deep = "[".repeat(100_000);
    let deep_object = "{\"a\":".repeat(100_000);
    for json in [
        "",
        " ",
        "null",
        "true",
        "7",
        "\"list\"",
        "[]",
        "[{\"action\": \"list\"}]",
        "{",
        "{}",
        "{\"action\": \"list\"",
        "list",
        "{\"action\": \"list\"} {}",
        "{'action': 'list'}",
        "\u{feff}{\"action\": \"list\"}",
        "{\"action\": \"\\ud800\"}",
        "{\"action\": {\"action\": \"list\"}}",
        "{\"action\": [\"list\"]}",
        "{\"Action\": \"list\"}",
        "{\"action\": \"li st\"}",
        "{\"tool_name\": \"other\", \"tool_args\": {\"action\": \"list\"}}",
        "{\"tool_name\": \"skills_tool\"}",
        "{\"tool_name\": \"skills_tool\", \"tool_args\": []}",
        "{\"tool_name\": \"skills_tool\", \"tool_args\": \"list\"}",
        "{\"tool_name\": \"skills_tool:\", \"tool_args\": {}}",
        "{\"tool_name\": \"skills_tool:list:load\", \"tool_args\": {}}",
        "{\"action\": 1e999}",
        "\0",
        &deep,
        &deep_object,
    ] {
        let reply = registry().call(json);
        assert_eq!(reply.text, INVALID, "{:?}", json.get(..60));
        assert_eq!(reply.outcome.expect_err("it fails").code(), "INVALID_ACTION");
    }
}

#[test]
fn odd_offsets_read_from_the_start_or_past_the_end() {
    let call = |offset: Value| {
        text(
            &json!({"action": "read_file", "skill_name": "pdf-forms", "file_path": "references/fields.md", "offset": offset}),
        )
    };
    let (start, end) = (call(json!(0)), "Skill file: pdf-forms/references/fields.md\n\n");
    for offset in [json!(-1), json!("x"), json!(""), json!([]), json!(true), json!({}), json!(1.5)] {
        assert_eq!(call(offset.clone()), start, "{offset}");
    }
    for offset in [json!(100), json!(u64::MAX), json!("99999")] {
        assert_eq!(call(offset.clone()), end, "{offset}");
    }
    for offset in [json!(" 2 "), json!(2.0), json!("2.0")] {
        assert_eq!(call(offset), call(json!(2)));
    }
    assert_eq!(call(json!(" 2 ")), format!("{end}Fields\n\nText, check box, choice.\n"));
}

/// A skill without placeholders gets the arguments after its body.
#[test]
fn load_puts_arguments_into_the_instructions() {
    let plain = text(&json!({"action": "load", "skill_name": "plain-note"}));
    for (arguments, shown) in [(json!(" a  'b' "), "a  'b'"), (json!(7), "7"), (json!(["x"]), "[\"x\"]")] {
        for key in ["arguments", "args"] {
            let with = text(&json!({"action": "load", "skill_name": "plain-note", key: arguments}));
            let expected = plain.replace(
                "\n\nNo additional files found.",
                &format!("\n\nARGUMENTS: {shown}\n\nNo additional files found."),
            );
            assert_eq!(with, expected);
        }
    }
    for none in [json!(""), json!(null)] {
        assert_eq!(text(&json!({"action": "load", "skill_name": "plain-note", "arguments": none})), plain);
    }
}

/// Calls with bytes changed, added, removed and swapped: an answer or an error, never a panic.
#[test]
fn no_call_panics() {
    let seeds = [
        json!({"action": "search", "query": "fill in a form"}),
        json!({"action": "load", "skill_name": "**pdf forms**"}),
        json!({"action": "read_file", "skill_name": "long-reference", "file_path": "references/long.md", "offset": 23_999}),
        json!({"tool_name": "skills_tool:read_file", "tool_args": {"skill_name": "pdf-forms", "file_path": "./a/../b\\c:d"}}),
        json!({"tool_name": "skills_tool", "tool_args": "{\"method\": \"list\", \"x\": [1, {\"y\": null}]}"}),
    ]
    .map(|seed| seed.to_string());
    let spice = [
        "\"", "\\", "{", "}", "[", ":", ",", "\\u0000", "\\ud83d", "é", "🌱", "\u{202e}", "..", "/", "1e9",
        "-", "**", "`", " ",
    ];
    let mut prng = Prng::new(1);
    let mut answered = 0;
    for round in 0..30_000 {
        let mut call: Vec<char> = prng.pick(&seeds).chars().collect();
        for _ in 0..=prng.below(4) {
            let at = prng.below(call.len());
            match prng.below(4) {
                0 => drop(call.splice(at..at, prng.pick(&spice).chars())),
                1 => drop(call.remove(at)),
                2 => call.truncate(at + 1),
                _ => call.swap(at, round % (at + 1)),
            }
            if call.is_empty() {
                call.push('x');
            }
        }
        let reply = registry().call(&call.iter().collect::<String>());
        assert!(!reply.text.is_empty());
        assert!(serde_json::to_string(&reply).is_ok());
        answered += usize::from(reply.outcome.is_ok());
    }
    assert!(answered > 500, "only {answered} of the calls were still calls");
}

#[test]
fn the_definition_for_each_provider() {
    let definition = |provider| -> Value { serde_json::from_str(&schema(provider)).expect("it is JSON") };
    let (open_ai, anthropic, mcp) =
        (definition(Provider::OpenAi), definition(Provider::Anthropic), definition(Provider::Mcp));
    let parameters = &open_ai["function"]["parameters"];
    assert_eq!((parameters, parameters), (&anthropic["input_schema"], &mcp["inputSchema"]));
    for named in [&open_ai["function"], &anthropic, &mcp] {
        assert_eq!(named["name"], TOOL_NAME);
    }
    let properties: Vec<&str> =
        parameters["properties"].as_object().expect("an object").keys().map(String::as_str).collect();
    for argument in ["action", "query", "skill_name", "file_path", "offset"] {
        assert!(properties.contains(&argument), "{argument}");
    }
    for action in parameters["properties"]["action"]["enum"].as_array().expect("a list") {
        let reply = registry().call(&json!({"action": action}).to_string());
        assert!(reply.outcome.is_ok_and(|_| action == "list") || action != "list", "{action}");
    }
    // The order of keys depends on a feature of `serde_json` that any crate may switch on.
    insta::with_settings!({ sort_maps => true }, { insta::assert_json_snapshot!("schema_open_ai", open_ai) });
}
