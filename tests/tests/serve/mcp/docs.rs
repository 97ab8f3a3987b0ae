//! The configurations in the documentation.

use std::path::Path;

use serde_json::Value;
use skills_tests::disk;

#[test]
fn every_configuration_starts_the_server() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/mcp.md");
    let page = disk::read_text(&page);
    let fences: Vec<&str> =
        page.split("```json\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    assert!(fences.len() >= 6, "a section a host");
    for fence in fences {
        let config: Value = serde_json::from_str(fence).unwrap_or_else(|error| panic!("{error}:\n{fence}"));
        let servers = config.as_object().unwrap().values().next().unwrap();
        let server = &servers["skills"];
        let mut line: Vec<&str> = match &server["command"] {
            Value::Array(words) => words.iter().map(|word| word.as_str().unwrap()).collect(),
            command => vec![command.as_str().unwrap()],
        };
        line.extend(server["args"].as_array().into_iter().flatten().map(|word| word.as_str().unwrap()));
        assert!(line[0].ends_with("skills") && line[1] == "mcp", "{line:?}");
        assert!(line[2..].is_empty() || line[2] == "--root", "{line:?}");
    }
}
