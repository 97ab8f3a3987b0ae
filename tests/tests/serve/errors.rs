//! Every error: its text, its code and its suggestion.

use serde_json::{Value, json};

use crate::registry;

/// The text, the code and the suggestion of a failing call.
fn fail(call: &Value) -> (String, String, String) {
    let reply = registry().call(&call.to_string());
    let error = reply.outcome.as_ref().expect_err("the call is meant to fail");
    assert_eq!(error.to_string(), reply.text);
    let data = serde_json::to_value(&reply).expect("a reply is JSON");
    assert_eq!(
        data,
        json!({
            "text": reply.text,
            "data": null,
            "error": {"code": error.code(), "suggestion": error.suggestion()},
        })
    );
    assert!(!error.suggestion().is_empty());
    (reply.text, error.code().to_owned(), error.suggestion())
}

fn assert_fails(call: &Value, code: &str, text: &str) {
    let (found_text, found_code, _) = fail(call);
    assert_eq!((found_text.as_str(), found_code.as_str()), (text, code), "{call}");
}

#[test]
fn action_missing_or_unknown() {
    let text = "Error: missing/invalid action. Supported actions: list, search, load, read_file.";
    for call in [
        json!({}),
        json!({"action": ""}),
        json!({"action": "open"}),
        json!({"action": null}),
        json!({"action": 7}),
    ] {
        assert_fails(&call, "INVALID_ACTION", text);
    }
}

#[test]
fn search_without_query() {
    let text = "Error: query is required for action=search.";
    for query in [json!(null), json!(""), json!(" \n\t"), json!([]), json!({})] {
        assert_fails(&json!({"action": "search", "query": query}), "INVALID_ARGUMENTS", text);
    }
    assert_fails(&json!({"action": "search"}), "INVALID_ARGUMENTS", text);
}

#[test]
fn load_without_a_name() {
    let text = "Error: skill_name is required for action=load.";
    assert_fails(&json!({"action": "load"}), "INVALID_ARGUMENTS", text);
    assert_fails(&json!({"action": "load", "skill_name": "  "}), "INVALID_ARGUMENTS", text);
}

#[test]
fn load_no_such_skill() {
    let text = "Error: skill not found: 'pdf-froms'. Try skills_tool action=list or action=search. Did you mean 'pdf-forms'?";
    let call = json!({"action": "load", "skill_name": " pdf-froms "});
    assert_fails(&call, "SKILL_NOT_FOUND", text);
    assert_eq!(fail(&call).2, "did you mean pdf-forms?");
    let call = json!({"action": "load", "skill_name": "zzz"});
    assert_eq!(fail(&call).2, "list the skills to see their names");
}

/// A skill that is hidden from the audience isn't found or suggested.
#[test]
fn load_a_hidden_skill() {
    for name in ["release-by-hand", "release-by-hnad"] {
        let (text, code, suggestion) = fail(&json!({"action": "load", "skill_name": name}));
        assert_eq!(
            text,
            format!("Error: skill not found: '{name}'. Try skills_tool action=list or action=search.")
        );
        assert_eq!(code, "SKILL_NOT_FOUND");
        assert!(!suggestion.contains("release-by-hand"), "{suggestion}");
    }
}

#[test]
fn load_no_such_command() {
    let text = "Error: slash command not found: '/explain'. Try skills_tool action=list.";
    assert_fails(&json!({"action": "load", "skill_name": "/explain"}), "COMMAND_NOT_FOUND", text);
    assert_fails(&json!({"action": "load", "skill_name": " /explain "}), "COMMAND_NOT_FOUND", text);
}

#[test]
fn read_file_without_a_name_or_path() {
    let text = "Error: skill_name is required for action=read_file.";
    assert_fails(&json!({"action": "read_file"}), "INVALID_ARGUMENTS", text);
    assert_fails(&json!({"action": "read_file", "file_path": "SKILL.md"}), "INVALID_ARGUMENTS", text);
    let text = "Error: file_path is required for action=read_file.";
    assert_fails(&json!({"action": "read_file", "skill_name": "pdf-forms"}), "INVALID_ARGUMENTS", text);
    assert_fails(
        &json!({"action": "read_file", "skill_name": "pdf-forms", "file_path": ""}),
        "INVALID_ARGUMENTS",
        text,
    );
}

#[test]
fn read_file_no_such_skill() {
    let text = "Error: skill not found: 'x'. Try skills_tool action=list or action=search.";
    assert_fails(
        &json!({"action": "read_file", "skill_name": "x", "file_path": "SKILL.md"}),
        "SKILL_NOT_FOUND",
        text,
    );
}

#[test]
fn read_file_outside() {
    let text = "Error: file_path must stay inside the skill directory.";
    for path in [
        "../plain-note/SKILL.md",
        "/etc/hostname",
        "references/../../x",
        "C:\\x",
        "c:/x",
        "file:///x",
        "a\0b",
        "..",
        "\\\\server\\share",
        "..\\x",
        "~/x",
    ] {
        let call = json!({"action": "read_file", "skill_name": "pdf-forms", "file_path": path});
        assert_fails(&call, "INVALID_RESOURCE_PATH", text);
    }
}

#[test]
fn read_file_no_such_file() {
    let read = |path: &str| json!({"action": "read_file", "skill_name": "pdf-forms", "file_path": path});
    assert_fails(&read("x"), "RESOURCE_NOT_FOUND", "Error: skill file not found: 'x'.");
    for (path, meant) in [
        ("references/field.md", "references/fields.md"),
        ("references/fields", "references/fields.md"),
        ("References/Fields.MD", "references/fields.md"),
        ("fields.md", "references/fields.md"),
        ("references\\fields.md", "references/fields.md"),
        ("skill.md", "SKILL.md"),
    ] {
        let text = format!("Error: skill file not found: '{path}'. Did you mean '{meant}'?");
        let (found, _, suggestion) = fail(&read(path));
        assert_eq!((found, suggestion), (text, format!("did you mean {meant}?")));
    }
    let (text, _, suggestion) = fail(&read("scripts/fill"));
    let asked =
        "Error: skill file not found: 'scripts/fill'. Did you mean 'scripts/fill.py' or 'scripts/fill.sh'?";
    assert_eq!(
        (text.as_str(), suggestion.as_str()),
        (asked, "did you mean scripts/fill.py, scripts/fill.sh?")
    );
    assert_eq!(fail(&read("nothing/like/it.xyz")).2, "load the skill to see its files");
}

#[test]
fn read_file_on_a_directory() {
    let read = |path: &str| json!({"action": "read_file", "skill_name": "pdf-forms", "file_path": path});
    let text = "Error: 'scripts' is a directory. Files in it: scripts/fill.py, scripts/fill.sh.";
    assert_fails(&read("scripts"), "RESOURCE_NOT_FOUND", text);
    for path in [".", "./", "scripts/", "./scripts"] {
        assert!(fail(&read(path)).0.contains(" is a directory. Files in it: "), "{path}");
    }
}

/// A given name is shown back with a limited length and without control characters.
#[test]
fn given_names_are_shown_safely() {
    let long = "é".repeat(100_000);
    for call in [
        json!({"action": "load", "skill_name": long}),
        json!({"action": "load", "skill_name": format!("/{long}")}),
        json!({"action": "read_file", "skill_name": "pdf-forms", "file_path": long}),
    ] {
        let (text, ..) = fail(&call);
        assert!(text.chars().count() < 400 && text.contains("é…'"), "{text}");
    }
    let (text, ..) = fail(&json!({"action": "load", "skill_name": "a\u{1b}[2J\nb"}));
    assert!(!text.contains(['\u{1b}', '\n']), "{text:?}");
}
