//! What a model is shown: texts that name the tools that are offered, and data only on request.

use serde_json::{Value, json};
use skills::live::{Overlays, Root};
use skills::mcp::Server;
use skills::{Registry, Toolset};
use skills_tests::{SKILLS, disk};

use super::{COMMANDS, Client, run};

/// A call of each action that succeeds, in the form with four tools.
fn calls() -> [(&'static str, Value); 4] {
    [
        ("list_skills", json!({})),
        ("search_skills", json!({"query": "pdf"})),
        ("load_skill", json!({"skill_name": "pdf-forms"})),
        ("read_skill_resource", json!({"skill_name": "pdf-forms", "file_path": "references/fields.md"})),
    ]
}

#[test]
fn texts_name_the_tools_that_are_offered() {
    run(async {
        let mut client = Client::new().await;
        for (tool, arguments) in calls() {
            let text = client.text(tool, &arguments).await;
            assert!(!text.contains("skills_tool"), "{tool}: {text}");
        }
        let list = client.text("list_skills", &json!({})).await;
        assert!(list.ends_with("\nTip: use search_skills or load_skill for details."), "{list}");
        let load = client.text("load_skill", &json!({"skill_name": "pdf-forms"})).await;
        assert!(load.contains("\nPath: skills/pdf-forms\n"), "{load}");
        assert!(load.contains("\nFiles (use read_skill_resource to open):\n"), "{load}");
        let unknown = client.error_code("tools/call", &json!({"name": "skills_tool", "arguments": {}})).await;
        assert_eq!(unknown, -32602, "it isn't offered");
        client.close().await;
    });
}

#[test]
fn one_tool_replaces_the_four() {
    run(async {
        let mut client = Client::of(Server::new(Registry::new(&SKILLS)).toolset(Toolset::One)).await;
        let tools = client.ask("tools/list", &json!({})).await["result"]["tools"].clone();
        assert_eq!((tools.as_array().unwrap().len(), &tools[0]["name"]), (1, &json!("skills_tool")));
        let load = client.text("skills_tool", &json!({"action": "load", "skill_name": "pdf-forms"})).await;
        assert!(load.contains("\nFiles (use skills_tool action=read_file to open):\n"), "{load}");
        let wrong = client.text("skills_tool", &json!({"action": "list", "offset": "x"})).await;
        assert_eq!(wrong, "Error: offset must be a whole number for action=list.");
        let unknown = client.text("skills_tool", &json!({"action": "open"})).await;
        assert!(unknown.starts_with("Error: missing/invalid action."), "{unknown}");
        assert_eq!(client.error_code("tools/call", &json!({"name": "load_skill"})).await, -32602);
        client.close().await;
        let mut client = Client::of(Server::new(Registry::new(&SKILLS)).toolset(Toolset::Short)).await;
        let tools = client.ask("tools/list", &json!({})).await["result"]["tools"].clone();
        assert_eq!((tools.as_array().unwrap().len(), &tools[0]["name"]), (1, &json!("skill")));
        let text = client.text("skill", &json!({"name": "plain-note"})).await;
        assert!(text.starts_with("Base directory for this skill: skills/plain-note\n\n"), "{text}");
        assert_eq!(client.text("skill", &json!({})).await, "Error: name is required.");
        client.close().await;
    });
}

/// A host that validates calls would hide our errors, which have a suggestion.
#[test]
fn no_definition_lists_the_names() {
    run(async {
        for bundle in [&SKILLS, &COMMANDS] {
            let mut client = Client::of(Server::new(Registry::new(bundle))).await;
            let tools = client.ask("tools/list", &json!({})).await["result"]["tools"].clone();
            for tool in tools.as_array().unwrap() {
                assert_eq!(tool.get("outputSchema"), None, "{tool}");
                for (name, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
                    assert_eq!(property.get("enum"), None, "{name}");
                }
            }
            client.close().await;
        }
    });
}

#[test]
fn data_on_request_conforms_to_its_schema() {
    run(async {
        for (set, wrapped) in [(Toolset::PerAction, false), (Toolset::One, true)] {
            let server = Server::new(Registry::new(&SKILLS)).toolset(set).structured(true);
            let mut client = Client::of(server).await;
            let tools = client.ask("tools/list", &json!({})).await["result"]["tools"].clone();
            for ((tool, mut arguments), action) in
                calls().into_iter().zip(["list", "search", "load", "read_file"])
            {
                if wrapped {
                    arguments["action"] = action.into();
                }
                let tool = if wrapped { "skills_tool" } else { tool };
                let definition = tools.as_array().unwrap().iter().find(|one| one["name"] == tool).unwrap();
                let schema = &definition["outputSchema"];
                assert_eq!(schema["type"], "object", "the protocol allows no other");
                let result = client.call(tool, &arguments).await;
                let data = &result["structuredContent"];
                jsonschema::validate(schema, data).unwrap_or_else(|error| panic!("{action}: {error}"));
                assert!(
                    !jsonschema::is_valid(schema, &json!({"error": {}})),
                    "the schema asks for something"
                );
                if action == "load" {
                    assert_eq!(data["path"], "skills/pdf-forms");
                }
                arguments["skill_name"] = "none".into();
                arguments["query"] = "".into();
                if action != "list" {
                    let failed = client.call(tool, &arguments).await;
                    assert_eq!((&failed["isError"], failed.get("structuredContent")), (&json!(true), None));
                }
            }
            client.close().await;
        }
    });
}

#[test]
fn a_long_list_says_how_to_go_on() {
    run(async {
        let root = disk::temp();
        for number in 0..250 {
            let name = format!("skill-{number:03}");
            disk::write(root.path(), &format!("{name}/SKILL.md"), disk::skill_md(&name, "Does a thing"));
        }
        let live = Overlays::without_bundle().root(Root::new(root.path())).open();
        let live = std::sync::Arc::new(live);
        let mut client = Client::of(Server::live(std::sync::Arc::clone(&live))).await;
        let names = |text: &str| text.lines().filter(|line| line.starts_with("- ")).count();
        let first = client.text("list_skills", &json!({})).await;
        assert_eq!(names(&first), 100);
        assert!(first.starts_with("Available skills (250):\n- skill-000: "), "{first}");
        assert!(first.ends_with("\n… 150 more: use list_skills offset=100, or search_skills."), "{first}");
        let last = client.text("list_skills", &json!({"offset": 200})).await;
        assert_eq!(names(&last), 50);
        assert!(last.ends_with("\nTip: use search_skills or load_skill for details."), "{last}");
        assert_eq!(names(&client.text("list_skills", &json!({"limit": 7})).await), 7);
        assert_eq!(names(&client.text("list_skills", &json!({"limit": 1000})).await), 250);
        let past = client.text("list_skills", &json!({"offset": 900})).await;
        assert_eq!(past, "No more skills: 250 in all.");
        client.close().await;
        let mut client = Client::of(Server::live(live).toolset(Toolset::One)).await;
        // However the call is wrapped.
        for call in [
            json!({"action": "list"}),
            json!({"tool_name": "skills_tool:list", "tool_args": {}}),
            json!({"tool_name": "skills_tool", "tool_args": "{\"action\": \"list\"}"}),
        ] {
            let text = client.text("skills_tool", &call).await;
            assert!(text.ends_with("\n… 150 more: use action=list offset=100, or search."), "{text}");
        }
        client.close().await;
    });
}
