//! What every agent with the skill `release-notes` must do, whatever framework it is written with.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::{calls, results, says, start, tools};

/// Starts this agent against a model that searches for the skill, loads it twice, loads one that doesn't exist, and reads
/// the skill's file. Checks the tools that the agent offers, their results, and its output.
pub fn loads_a_skill_once_and_reads_its_file(agent: impl AsRef<Path>) {
    let load = ("load_skill", json!({"skill_name": "release-notes"}));
    let (base, requests) = start(vec![
        calls(&[("search_skills", json!({"query": "changelog"}))]),
        calls(&[load.clone()]),
        calls(&[load, ("load_skill", json!({"skill_name": "release-note"}))]),
        calls(&[(
            "read_skill_resource",
            json!({"skill_name": "release-notes", "file_path": "references/form.md"}),
        )]),
        says("### Added\n- faster start"),
    ]);
    let agent = Command::new(agent.as_ref())
        .args(["Write", "release", "notes:", "faster", "start"])
        .env("OPENAI_BASE_URL", base)
        .env("OPENAI_MODEL", "scripted")
        .output()
        .expect("the agent starts");
    assert!(agent.status.success(), "{}", String::from_utf8_lossy(&agent.stderr));
    assert_eq!(String::from_utf8_lossy(&agent.stdout), "### Added\n- faster start\n");

    let requests: Vec<Value> = requests.iter().collect();
    assert_eq!(requests.len(), 5);
    assert_eq!(requests[0]["model"], "scripted");
    assert_eq!(tools(&requests[0]), ["list_skills", "search_skills", "load_skill", "read_skill_resource"]);
    let load = &requests[0]["tools"][2]["function"];
    assert_eq!(load["parameters"]["properties"]["skill_name"]["enum"], json!(["release-notes"]));

    let results = results(&requests[4]);
    assert_eq!(results.len(), 5);
    assert!(results[0].starts_with("Skills matching 'changelog' (1):\n- release-notes: "), "{}", results[0]);
    assert!(results[1].contains("Put each change below one heading"), "{}", results[1]);
    assert_eq!(results[2], "Skill 'release-notes' is already loaded in visible chat history.");
    assert_eq!(
        results[3],
        "Error: skill not found: 'release-note'. Try list_skills or search_skills. Did you mean 'release-notes'?"
    );
    assert!(results[4].contains("`### Breaking`: what users must change"), "{}", results[4]);
}
