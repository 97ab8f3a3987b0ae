//! The configurations in the documentation.

use std::path::Path;

use serde_json::Value;
use skills::Provider;
use skills_tests::disk;

#[test]
fn every_configuration_starts_or_reaches_the_server() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/mcp.md");
    let page = disk::read_text(&page);
    let fences: Vec<&str> =
        page.split("```json\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    let (mut started, mut reached) = (0, 0);
    for fence in fences {
        let config: Value = serde_json::from_str(fence).unwrap_or_else(|error| panic!("{error}:\n{fence}"));
        let servers = config.as_object().unwrap().values().next().unwrap();
        let server = &servers["skills"];
        if let Some(url) = server["url"].as_str().or(server["httpUrl"].as_str()) {
            assert!(url.starts_with("https://") && url.ends_with("/mcp"), "{url}");
            let token = server["headers"]["Authorization"].as_str();
            assert!(token.is_some_and(|token| token.starts_with("Bearer ")), "{server}");
            reached += 1;
            continue;
        }
        started += 1;
        let mut line: Vec<&str> = match &server["command"] {
            Value::Array(words) => words.iter().map(|word| word.as_str().unwrap()).collect(),
            command => vec![command.as_str().unwrap()],
        };
        line.extend(server["args"].as_array().into_iter().flatten().map(|word| word.as_str().unwrap()));
        assert!(line[0].ends_with("skills") && line[1] == "mcp", "{line:?}");
        assert!(line[2..].is_empty() || line[2] == "--root", "{line:?}");
    }
    assert!(started >= 6 && reached >= 5, "a section for each host");
}

/// What people ran into with each host, and the form of the definitions for each provider.
#[test]
fn the_page_says_what_people_hit() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/mcp.md");
    let page = disk::read_text(&page).split_whitespace().collect::<Vec<_>>().join(" ");
    let section = |title: &str| {
        let (_, section) = page.split_once(&format!("## {title} ")).unwrap_or_else(|| panic!("{title}"));
        section.split(" ## ").next().unwrap().split(" # ").next().unwrap().to_owned()
    };
    for (host, part) in [
        ("Claude Code", "asks each user once to approve a server of `.mcp.json`"),
        ("Gemini CLI", "In a folder that you haven't trusted, Gemini CLI disables all MCP servers"),
        ("MCP Inspector", "Node 22.19 or later"),
    ] {
        assert!(section(host).contains(part), "{host}: {part}");
    }
    for host in ["Claude Code", "Codex", "Gemini CLI", "VS Code", "Cursor", "Goose", "OpenCode", "Zed"] {
        let section = section(host);
        assert!(section.contains("https://skills.example.com/mcp"), "{host} has an example over HTTP");
        // A host that reads this directory itself would offer each skill twice.
        let reads = ["Codex", "Gemini CLI", "VS Code", "OpenCode"].contains(&host);
        assert!(!reads || !section.contains("\".agents/skills"), "{host}");
    }
    assert!(page.contains("offers each of its skills a second time"));
    assert!(
        page.contains("with skills in both `.agents/skills` and `.gemini/skills`, Gemini CLI warns of each")
    );
    for (variant, provider) in [
        (Provider::OpenAi, "openai"),
        (Provider::OpenAiResponses, "openai-responses"),
        (Provider::Anthropic, "anthropic"),
        (Provider::Gemini, "gemini"),
        (Provider::Mcp, "mcp"),
    ] {
        assert!(page.contains(&format!("| `{variant:?}` | `{provider}` |")), "{provider}");
    }
}
