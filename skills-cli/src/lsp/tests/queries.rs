//! The queries of tests that a skill doesn't pass.

use super::*;

const SHEETS: &str = "---\nname: sheets\ndescription: Sums the columns of tables\n---\n";
const PDF: &str = "---\nname: pdf\ndescription: Fills forms\nlicense: MIT\n---\n";
const CASES: &str = "[\n  { \"query\": \"fill a form\", \"should_trigger\": true },\n  \
                     { \"query\": \"sum the columns of an invoice\", \"should_trigger\": true, \"top_k\": 1 }\n]\n";

/// A root of two skills with queries for one of them.
fn root() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let (dir, root) = place();
    write(&root, "skills/sheets/SKILL.md", SHEETS);
    let skill = write(&root, "skills/pdf/SKILL.md", PDF);
    write(&root, "skills/pdf/evals/triggers.json", CASES);
    (dir, root, skill)
}

/// The diagnostics once there are as many of L130.
fn with_failing(client: &Client, path: &Path, version: i32, count: usize) -> Vec<Value> {
    loop {
        let shown = client.diagnostics(path, Some(version));
        if codes(&shown).iter().filter(|code| **code == "L130").count() == count {
            return shown;
        }
    }
}

/// What a check finds in queries, without a code that the program adds: the server has the words of the check.
fn failing_on_disk(base: &Path) -> Vec<Finding> {
    let config = Config::new("skills").base(base);
    let mut found = Vec::new();
    compile::check_with(&config, |skills, rules| {
        let files =
            crate::test::failing::Files::around(&[("skills".to_owned(), &base.join("skills"))], skills);
        let of_skills = files.judge(skills, rules, |_| true).of_skills;
        found.extend(of_skills.into_values().flat_map(|of_skill| of_skill.failing));
        Vec::new()
    });
    found
}

#[test]
fn a_failing_query_is_shown_at_the_description() {
    let (_dir, root, skill) = root();
    let mut client = Client::new(&root);
    client.open(&skill, PDF);
    let shown = with_failing(&client, &skill, 1, 1);
    let [failing] = shown.as_slice() else { panic!("{shown:#?}") };
    assert_eq!(failing["range"], json!(range_of(PDF, "description")));
    let place = &failing["relatedInformation"][0];
    assert_eq!(place["location"]["uri"], json!(uri_of(&root.join("skills/pdf/evals/triggers.json"))));
    assert_eq!(place["location"]["range"]["start"], json!({"line": 2, "character": 2}));
    let [finding] = failing_on_disk(&root).try_into().expect("one query fails");
    assert_eq!(failing["message"], json!(format!("{}\nhelp: {}", finding.message, finding.help)));
    assert_eq!((finding.path.as_str(), finding.line), ("skills/pdf/evals/triggers.json", 3));
    assert!(finding.message.starts_with("`pdf` "), "{finding}");
    // What is typed counts, and the other way round.
    let better = PDF.replace("Fills forms", "Fills forms. Sums the columns of an invoice");
    client.change(&skill, 2, &json!([{ "text": better }]));
    assert!(codes(&with_failing(&client, &skill, 2, 0)).is_empty());
    let at = json!({"textDocument": {"uri": uri_of(&skill)}, "position": range_of(&better, "Sums").start});
    let hover = client.request("textDocument/hover", &at);
    let words = hover["contents"]["value"].as_str().expect("words");
    assert!(words.ends_with("\n\nIt passes the 2 queries that test it."), "{words}");
    client.change(&skill, 3, &json!([{ "text": PDF.replace("Fills forms", "Reads 😀 pages") }]));
    with_failing(&client, &skill, 3, 2);
    assert_eq!(client.leave(), Exit::Success);
}

#[test]
fn a_hover_has_the_queries_that_fail() {
    let (_dir, root, skill) = root();
    write(&root, "skills/pdf/evals/triggers.json", CASES.replace("an invoice", "an ``` invoice"));
    let mut client = Client::new(&root);
    client.open(&skill, PDF);
    // It doesn't wait for a pause.
    let at = json!({"textDocument": {"uri": uri_of(&skill)}, "position": range_of(PDF, "Fills").start});
    let hover = client.request("textDocument/hover", &at);
    let words = hover["contents"]["value"].as_str().expect("words");
    let start = "It doesn't pass 1 of the 2 queries that test it:\n\n````text\nskills/pdf/evals/triggers.json:3: `pdf` ";
    assert!(words.contains(start) && words.contains("\nhelp: ") && words.ends_with("\n````"), "{words}");
    // And what it found is shown too.
    with_failing(&client, &skill, 1, 1);
}

#[test]
fn queries_that_others_write_are_judged_again() {
    let (_dir, root, skill) = root();
    let client = Client::new(&root);
    client.open(&skill, PDF);
    with_failing(&client, &skill, 1, 1);
    let other = write(&root, "skills/pdf/evals/triggers.json", "[]");
    client
        .notify("workspace/didChangeWatchedFiles", &json!({"changes": [{"uri": uri_of(&other), "type": 2}]}));
    with_failing(&client, &skill, 1, 0);
    // A change of a neighbour counts as well.
    write(
        &root,
        "skills/pdf/evals/triggers.json",
        r#"[{"query": "fill a form", "should_trigger": true, "top_k": 1}]"#,
    );
    client.notify_on("textDocument/didSave", &skill);
    with_failing(&client, &skill, 1, 0);
    let sheets = root.join("skills/sheets/SKILL.md");
    client.open(&sheets, SHEETS);
    client.change(&sheets, 2, &json!([{ "text": SHEETS.replace("sheets", "fill-a-form") }]));
    with_failing(&client, &skill, 1, 1);
}

#[test]
fn where_the_rule_is_off_no_query_is_judged() {
    let (_dir, root, skill) = root();
    write(
        &root,
        "Cargo.toml",
        "[package]\nname = \"x\"\npublish = false\n[package.metadata.skills]\nallow = [\"failing-query\"]\n",
    );
    let mut client = Client::new(&root);
    client.open(&skill, PDF);
    assert!(client.diagnostics(&skill, Some(1)).is_empty());
    let at = json!({"textDocument": {"uri": uri_of(&skill)}, "position": range_of(PDF, "Fills").start});
    let hover = client.request("textDocument/hover", &at);
    let words = hover["contents"]["value"].as_str().expect("words");
    assert!(!words.contains("queries"), "{words}");
}

/// Whether a path is one of a pattern of the protocol, of which the forms are known that the server uses.
fn is_of(pattern: &str, path: &str) -> bool {
    if let Some((before, rest)) = pattern.split_once('{') {
        let (choices, after) = rest.split_once('}').expect("it ends");
        return choices.split(',').any(|choice| is_of(&format!("{before}{choice}{after}"), path));
    }
    let (part, rest) = pattern.split_once('/').unwrap_or((pattern, ""));
    let (name, below) = path.split_once('/').unwrap_or((path, ""));
    match part {
        "" => path.is_empty(),
        "**" => is_of(rest, path) || !path.is_empty() && is_of(pattern, below),
        _ => part.strip_prefix('*').map_or(part == name, |end| name.ends_with(end)) && is_of(rest, below),
    }
}

#[test]
fn a_client_watches_the_queries_of_a_root_of_any_name() {
    let (_dir, root) = place();
    let client =
        Client::able(&root, &json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}}));
    let Message::Request(asked) = client.receive() else { panic!("the server asks for something") };
    assert_eq!(asked.method, "client/registerCapability");
    let watchers = &asked.params["registrations"][0]["registerOptions"]["watchers"];
    let watchers = watchers.as_array().expect("a list").iter();
    let patterns: Vec<&str> = watchers.map(|watcher| watcher["globPattern"].as_str().expect("one")).collect();
    let is_watched = |path: &str| patterns.iter().any(|pattern| is_of(pattern, path));
    for path in [
        "agents/pdf/SKILL.md",
        "agents/pdf/evals/triggers.json",
        "agents/evals/triggers.csv",
        "agents/evals/cases/one.yaml",
        "agents/tests/one.json",
        "agents/tests/two.ndjson",
        "agents/tests/three.yml",
    ] {
        assert!(is_watched(path), "{path}: {patterns:?}");
    }
    for path in ["agents/tests/one.rs", "agents/tests/data/one.json", "agents/one.json"] {
        assert!(!is_watched(path), "{path}: {patterns:?}");
    }
}

#[test]
fn a_hover_counts_the_queries_that_have_no_row() {
    let (_dir, root, skill) = root();
    let query = |number| format!("{{\"query\": \"sum columns {number}\", \"should_trigger\": true}}\n");
    write(&root, "skills/pdf/evals/triggers.json", "[]");
    write(&root, "skills/pdf/evals/more.jsonl", (0..60).map(query).collect::<String>());
    let mut client = Client::new(&root);
    client.open(&skill, PDF);
    let at = json!({"textDocument": {"uri": uri_of(&skill)}, "position": range_of(PDF, "Fills").start});
    let hover = client.request("textDocument/hover", &at);
    let words = hover["contents"]["value"].as_str().expect("words");
    assert!(
        words.contains("It doesn't pass 60 of the 60 queries") && words.contains(":51: 10 more queries fail")
    );
}
