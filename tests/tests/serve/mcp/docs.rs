//! The configurations in the documentation.

use std::path::Path;

use serde_json::Value;
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
