//! The definitions of the tools: as snapshots, and checked against the rules that each provider has
//! published.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use skills::{Provider, Registry, ToolOptions, Toolset};

use crate::registry;

const PROVIDERS: [(Provider, &str); 4] = [
    (Provider::OpenAi, "openai"),
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
            insta::assert_json_snapshot!(format!("tools_{name}_{number}"), tools);
        }
    }
    for (provider, name) in &PROVIDERS[..2] {
        let tools = tools(*provider, &ToolOptions::new(Toolset::One).strict(true));
        insta::assert_json_snapshot!(format!("tools_{name}_strict"), tools);
    }
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
            Provider::OpenAi => 1_024,
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
        assert_eq!(tool.get("strict"), (strict && provider != Provider::Mcp).then_some(&Value::Bool(true)));
        if !strict {
            return;
        }
        if provider == Provider::OpenAi {
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
        // A function without arguments leaves them out: an object without properties is refused.
        assert_eq!(tool.get("parameters").is_none(), tool["name"] == "list_skills");
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

#[test]
fn a_tool_is_called_by_its_name() {
    let registry = registry();
    let text = |tool: &str, arguments: &str| registry.call_tool(tool, arguments).map(|reply| reply.text);
    assert_eq!(text("list_skills", "{}"), Some(registry.list().to_string()));
    assert_eq!(text("list_skills", ""), Some(registry.list().to_string()));
    assert_eq!(
        text("search_skills", r#"{"query": "form"}"#),
        Some(registry.search("form").unwrap().to_string())
    );
    let loaded = registry.load_with("pdf-forms", "a").unwrap().text();
    assert_eq!(text("load_skill", r#"{"skill_name": "pdf-forms", "arguments": "a"}"#), Some(loaded));
    let file = registry.read_file("pdf-forms", "SKILL.md", 3).unwrap().to_text();
    let arguments = r#"{"skill_name": "pdf-forms", "file_path": "SKILL.md", "offset": 3}"#;
    assert_eq!(text("read_skill_resource", arguments), Some(file));
    assert_eq!(text("skills_tool", r#"{"action": "list"}"#), Some(registry.list().to_string()));
    // The tool's name decides the action, whatever the arguments say.
    assert_eq!(
        text("load_skill", r#"{"action": "list"}"#).unwrap(),
        "Error: skill_name is required for action=load."
    );
    // What a strict provider sends for an argument that isn't given.
    let nulls = r#"{"action": "load", "query": null, "skill_name": "pdf-forms", "file_path": null, "arguments": null, "offset": null}"#;
    assert_eq!(text("skills_tool", nulls), Some(registry.load("pdf-forms").unwrap().text()));
    assert_eq!(text("bash", "{}"), None);
}
