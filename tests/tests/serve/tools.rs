//! The definitions of the tools: as snapshots, and checked against the rules that each provider has
//! published.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use skills::{Provider, Registry, ToolOptions, Toolset};

use crate::registry;

const PROVIDERS: [(Provider, &str); 5] = [
    (Provider::OpenAi, "openai"),
    (Provider::OpenAiResponses, "openai_responses"),
    (Provider::Anthropic, "anthropic"),
    (Provider::Mcp, "mcp"),
    (Provider::Gemini, "gemini"),
];

fn tools(provider: Provider, options: &ToolOptions) -> Vec<Value> {
    serde_json::from_str(&registry().tools(provider, options)).unwrap()
}

#[test]
fn definitions_match_their_snapshots() {
    for (provider, name) in PROVIDERS {
        for (set, number) in [(Toolset::One, "one"), (Toolset::PerAction, "four")] {
            let tools = tools(provider, &ToolOptions::new(set));
            snapshot(&format!("tools_{name}_{number}"), &tools);
        }
    }
    for (provider, name) in &PROVIDERS[..3] {
        let tools = tools(*provider, &ToolOptions::new(Toolset::One).strict(true));
        snapshot(&format!("tools_{name}_strict"), &tools);
    }
}

/// The order of keys depends on a feature of `serde_json` that any crate may switch on.
fn snapshot(name: &str, tools: &[Value]) {
    insta::with_settings!({ sort_maps => true }, { insta::assert_json_snapshot!(name, tools) });
}

/// Every way to request definitions, with its tools in one form: name, description, parameters.
fn each(check: impl Fn(Provider, bool, &Value, &Map<String, Value>)) {
    for (provider, _) in PROVIDERS {
        for set in [Toolset::One, Toolset::PerAction] {
            for strict in [false, true] {
                for budget in [0, 300, 12_000] {
                    let options = ToolOptions::new(set).strict(strict).budget(budget);
                    for tool in tools(provider, &options) {
                        let (tools, key) = match provider {
                            Provider::OpenAi => (vec![tool["function"].clone()], "parameters"),
                            Provider::OpenAiResponses => (vec![tool], "parameters"),
                            Provider::Anthropic => (vec![tool], "input_schema"),
                            Provider::Gemini => {
                                (tool["functionDeclarations"].as_array().unwrap().clone(), "parameters")
                            }
                            _ => (vec![tool], "inputSchema"),
                        };
                        for tool in tools {
                            let empty = Map::new();
                            check(provider, strict, &tool, tool[key].as_object().unwrap_or(&empty));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn names_and_descriptions_are_accepted_by_providers() {
    each(|provider, _, tool, _| {
        let name = tool["name"].as_str().unwrap();
        // The strictest of all: letters, digits, `_` and `-`, at most 64, a letter or `_` first (Gemini).
        assert!(
            name.len() <= 64
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        );
        assert!(name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
        let description = tool["description"].as_str().unwrap().chars().count();
        let most = match provider {
            Provider::OpenAi | Provider::OpenAiResponses => 1_024,
            Provider::Mcp => 2_048,
            _ => 20_000,
        };
        assert!(description > 0 && description <= most, "{name}: {description}");
    });
}

#[test]
fn json_schemas_are_complete_and_closed() {
    each(|provider, strict, tool, schema| {
        if provider == Provider::Gemini {
            return;
        }
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["additionalProperties"], false);
        let properties: BTreeSet<&str> =
            schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let required: BTreeSet<&str> =
            schema["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        assert!(required.is_subset(&properties));
        let is_strict = strict && provider.can_be_strict();
        // In this API a definition without it is strict.
        let is_said = is_strict || provider == Provider::OpenAiResponses;
        assert_eq!(tool.get("strict"), is_said.then_some(&Value::Bool(is_strict)));
        if !strict {
            return;
        }
        if matches!(provider, Provider::OpenAi | Provider::OpenAiResponses) {
            assert_eq!(required, properties, "strict: every property is required");
        }
        for property in schema["properties"].as_object().unwrap().values() {
            let known = ["type", "description", "enum"];
            let other = property.as_object().unwrap().keys().find(|key| !known.contains(&key.as_str()));
            assert!(provider == Provider::Mcp || other.is_none(), "strict: `{other:?}` is not in the subset");
            if let (Some(values), Some(kinds)) = (property["enum"].as_array(), property["type"].as_array()) {
                // A nullable value must have null among its values.
                assert!(kinds.contains(&json!("null")) && values.contains(&Value::Null));
            }
            // OpenAI: at most 1,000 values, and 15,000 characters of more than 250.
            assert!(property["enum"].as_array().is_none_or(|values| values.len() <= 250));
        }
    });
}

#[test]
fn gemini_gets_its_subset_of_open_api() {
    each(|provider, _, tool, schema| {
        if provider != Provider::Gemini {
            return;
        }
        let only = |object: &Map<String, Value>, known: &[&str]| {
            for key in object.keys() {
                assert!(known.contains(&key.as_str()), "{key} in {object:?}");
            }
        };
        only(tool.as_object().unwrap(), &["name", "description", "parameters"]);
        assert!(tool.get("parameters").is_some());
        only(schema, &["type", "properties", "required"]);
        for property in schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values)
        {
            let property = property.as_object().unwrap();
            only(property, &["type", "format", "description", "enum", "minimum"]);
            assert!(["STRING", "INTEGER"].contains(&property["type"].as_str().unwrap()));
            assert_eq!(property.contains_key("enum"), property.get("format").is_some());
        }
        assert!(schema.get("required").is_none_or(|required| !required.as_array().unwrap().is_empty()));
    });
}

#[test]
fn names_are_listed_if_there_are_few() {
    let skill_name = |options: &ToolOptions| {
        tools(Provider::Anthropic, options)[0]["input_schema"]["properties"]["skill_name"].clone()
    };
    let names: Vec<&str> = registry().skills().iter().map(|entry| entry.skill.name()).collect();
    assert_eq!(skill_name(&ToolOptions::default())["enum"], json!(names));
    assert_eq!(skill_name(&ToolOptions::default().names_up_to(names.len()))["enum"], json!(names));
    assert_eq!(skill_name(&ToolOptions::default().names_up_to(names.len() - 1)).get("enum"), None);
}

#[test]
fn skills_that_do_not_fit_the_catalogue_are_counted() {
    let description = |budget| {
        let tools = tools(Provider::Anthropic, &ToolOptions::default().budget(budget));
        tools[0]["description"].as_str().unwrap().to_owned()
    };
    let whole = description(12_000);
    assert!(whole.contains("\n\nAvailable skills:\n- ") && !whole.contains("more: list"));
    let cut = description(80);
    let more = cut.rsplit_once("\n… and ").unwrap().1;
    let left_out: usize = more.strip_suffix(" more: list or search them").unwrap().parse().unwrap();
    assert_eq!(cut.matches("\n- ").count() + left_out, registry().skills().len());
    assert!(!description(0).contains("Available skills"));
}

#[test]
fn without_skills_no_tool_is_offered() {
    for (provider, _) in PROVIDERS {
        assert_eq!(Registry::empty().tools(provider, &ToolOptions::new(Toolset::PerAction)), "[]");
    }
}

/// Each tool is answered in the words of its set.
#[test]
fn a_tool_is_called_by_its_name() {
    let one = registry();
    let four = registry().with_toolset(Toolset::PerAction);
    let text = |tool: &str, arguments: &str| one.call_tool(tool, arguments).map(|reply| reply.text);
    assert_eq!(text("list_skills", "{}"), Some(four.list().to_string()));
    assert_eq!(text("list_skills", ""), Some(four.list().to_string()));
    assert_eq!(text("search_skills", r#"{"query": "form"}"#), Some(four.search("form").unwrap().to_string()));
    let loaded = four.load_with("pdf-forms", "a").unwrap().text();
    assert_eq!(text("load_skill", r#"{"skill_name": "pdf-forms", "arguments": "a"}"#), Some(loaded));
    let file = four.read_file("pdf-forms", "SKILL.md", 3).unwrap().to_text();
    let arguments = r#"{"skill_name": "pdf-forms", "file_path": "SKILL.md", "offset": 3}"#;
    assert_eq!(text("read_skill_resource", arguments), Some(file));
    assert_eq!(text("skills_tool", r#"{"action": "list"}"#), Some(one.list().to_string()));
    // The name of the tool says what to do, whatever the arguments say.
    assert_eq!(
        text("load_skill", r#"{"action": "list"}"#).unwrap(),
        "Error: skill_name is required for load_skill."
    );
    // What a strict provider sends for an argument that isn't given.
    let nulls = r#"{"action": "load", "query": null, "skill_name": "pdf-forms", "file_path": null, "arguments": null, "offset": null}"#;
    assert_eq!(text("skills_tool", nulls), Some(one.load("pdf-forms").unwrap().text()));
    assert_eq!((text("bash", "{}"), text("skill", "{}")), (None, None));
}

/// Every text that differs between one tool and four, once.
#[test]
fn texts_name_the_tool_that_was_offered() {
    let end = |text: &str| text.rsplit('\n').next().unwrap_or_default().to_owned();
    let text =
        |tool: &str, arguments: Value| registry().call_tool(tool, &arguments.to_string()).unwrap().text;
    for (tool, arguments, last) in [
        ("list_skills", json!({}), "Tip: use search_skills or load_skill for details."),
        ("list_skills", json!({"limit": 2}), "… 7 more: use list_skills offset=2, or search_skills."),
        (
            "search_skills",
            json!({"query": "pdf"}),
            "Tip: use load_skill skill_name=<name> to load full instructions.",
        ),
        ("search_skills", json!({}), "Error: query is required for search_skills."),
        ("load_skill", json!({}), "Error: skill_name is required for load_skill."),
        (
            "load_skill",
            json!({"skill_name": "x"}),
            "Error: skill not found: 'x'. Try list_skills or search_skills.",
        ),
        ("load_skill", json!({"skill_name": "/x"}), "Error: slash command not found: '/x'. Try list_skills."),
        ("read_skill_resource", json!({}), "Error: skill_name is required for read_skill_resource."),
        (
            "read_skill_resource",
            json!({"skill_name": "wordy"}),
            "Error: file_path is required for read_skill_resource.",
        ),
        (
            "skills_tool",
            json!({"action": "list", "limit": 2}),
            "… 7 more: use action=list offset=2, or search.",
        ),
    ] {
        assert_eq!(end(&text(tool, arguments.clone())), last, "{tool} {arguments}");
    }
    let loaded = text("load_skill", json!({"skill_name": "pdf-forms"}));
    assert!(loaded.contains("\n\nFiles (use read_skill_resource to open):\n"), "{loaded}");
    // None of the four names the one tool or its actions.
    for tool in ["list_skills", "search_skills", "load_skill", "read_skill_resource"] {
        for arguments in [json!({}), json!({"query": "pdf", "skill_name": "pdf-forms", "file_path": "x"})] {
            let text = text(tool, arguments);
            assert!(!text.contains("skills_tool") && !text.contains("action="), "{text}");
        }
    }
    // Suggestions too.
    let suggested = registry().with_toolset(Toolset::PerAction).suggest("fill in a pdf form").to_string();
    assert!(suggested.ends_with("use load_skill skill_name=<name> before you begin."), "{suggested}");
}

#[test]
fn a_list_comes_in_pages() {
    let list = |offset: Value, limit: Value| {
        let reply = registry().call(&json!({"action": "list", "offset": offset, "limit": limit}).to_string());
        (reply.text.clone(), json!(reply)["data"].clone())
    };
    let all: Vec<String> = registry().skills().iter().map(|entry| entry.skill.name().to_owned()).collect();
    let mut seen = Vec::new();
    let mut offset = Some(json!(0));
    while let Some(at) = offset {
        let (text, data) = list(at, json!(4));
        assert!(text.starts_with("Available skills (9):\n- "), "the number is that of all: {text}");
        seen.extend(data["skills"].as_array().unwrap().iter().map(|skill| skill["name"].clone()));
        assert_eq!(data["total"], 9);
        assert_eq!(text.contains("more: use action=list"), !data["next_offset"].is_null(), "{text}");
        assert_eq!(text.contains("Tip: "), data["next_offset"].is_null(), "{text}");
        offset = Some(data["next_offset"].clone()).filter(|next| !next.is_null());
    }
    assert_eq!(json!(seen), json!(all));
    assert_eq!(list(json!(9), json!(null)).0, "No more skills: 9 in all.");
    assert_eq!(list(json!(1e9), json!("3")).0, "No more skills: 9 in all.");
    assert!(list(json!(0), json!(0)).0.contains("… 8 more: "), "at least one");
    assert_eq!(list(json!(null), json!(5_000)).0, registry().list().to_string());
}

/// A model that is held to the names of the definition can load everything that a list shows.
#[test]
fn names_that_can_be_loaded_are_listed() {
    let dir = skills_tests::disk::temp();
    skills_tests::disk::write(
        dir.path(),
        "s/explain.command.yaml",
        "name: explain\ndescription: x\ntype: text\ntemplate_path: explain.txt\n",
    );
    skills_tests::disk::write(dir.path(), "s/explain.txt", "Explain {raw}");
    skills_tests::disk::write(dir.path(), "s/pdf/SKILL.md", "---\nname: pdf\ndescription: x\n---\n");
    let live =
        skills::live::Overlays::without_bundle().root(skills::live::Root::new(dir.path().join("s"))).open();
    let snapshot = live.snapshot();
    let tools: Value = serde_json::from_str(
        &snapshot.registry().tools(Provider::Anthropic, &ToolOptions::new(Toolset::PerAction)),
    )
    .unwrap();
    let names = |tool: usize| tools[tool]["input_schema"]["properties"]["skill_name"]["enum"].clone();
    assert_eq!((names(2), names(3)), (json!(["pdf", "/explain"]), json!(["pdf"])));
    let one: Value =
        serde_json::from_str(&snapshot.registry().tools(Provider::Anthropic, &ToolOptions::default()))
            .unwrap();
    assert_eq!(one[0]["input_schema"]["properties"]["skill_name"]["enum"], json!(["pdf", "/explain"]));
    let few: Value = serde_json::from_str(
        &snapshot.registry().tools(Provider::Anthropic, &ToolOptions::default().names_up_to(1)),
    )
    .unwrap();
    assert_eq!(few[0]["input_schema"]["properties"]["skill_name"].get("enum"), None, "two are too many");
}
