//! The short form of loading.

use serde_json::{Value, json};
use skills::catalogue::CatalogueOptions;
use skills::live::Overlays;
use skills::tools::SHORT_TOOL_NAME;
use skills::{Audience, Provider, Registry, ToolOptions, Toolset};
use skills_tests::SKILLS;
use skills_tests::disk;

use super::root;

#[test]
fn it_returns_the_directory_and_the_body() {
    let dir = disk::temp();
    disk::write(
        dir.path(),
        "skills/fix/SKILL.md",
        "---\nname: fix\ndescription: Fixes an issue\narguments: [number]\n---\n\nFix $number in ${SKILL_DIR}: $ARGUMENTS\n",
    );
    let live = Overlays::over(&SKILLS).root(root(&dir)).open();
    let snapshot = live.snapshot();
    let at = snapshot.registry().get("fix").expect("it is served").skill.path().to_owned();
    let call = |json: &str| snapshot.registry().call_short(json).text;
    assert_eq!(
        call(r#"{"name": "fix", "args": "12 now"}"#),
        format!("Base directory for this skill: {at}\n\nFix 12 in {at}: 12 now")
    );
    assert_eq!(
        call(r#"{"name": "Fix"}"#),
        format!("Base directory for this skill: {at}\n\nFix $number in {at}: ")
    );
    assert_eq!(
        call(r#"{"name": "fix", "args": 7}"#),
        format!("Base directory for this skill: {at}\n\nFix 7 in {at}: 7")
    );
    let bundled = SKILLS.get("plain-note").expect("it is bundled");
    assert_eq!(
        call(r#"{"name": "plain-note", "args": "x"}"#),
        format!("Base directory for this skill: {}\n\n{}\n\nARGUMENTS: x", bundled.path(), bundled.body())
    );
}

/// The texts name no other tool.
#[test]
fn errors_are_those_of_load() {
    let registry = Registry::new(&SKILLS);
    let fail = |json: &str| {
        let reply = registry.call_short(json);
        (reply.text, reply.outcome.expect_err("an error").code())
    };
    for json in ["{}", "", "[]", "null", r#"{"name": ""}"#, r#"{"name": null}"#] {
        assert_eq!(fail(json), ("Error: name is required.".to_owned(), "INVALID_ARGUMENTS"), "{json}");
    }
    for (name, text) in [
        ("nope", "Error: skill not found: 'nope'."),
        ("pdf-from", "Error: skill not found: 'pdf-from'. Did you mean 'pdf-forms'?"),
        ("/x", "Error: slash command not found: '/x'."),
        ("release-by-hand", "Error: skill not found: 'release-by-hand'."),
    ] {
        assert_eq!(fail(&json!({"name": name}).to_string()).0, text, "{name}");
    }
    assert!(
        registry.for_audience(Audience::User).call_short(r#"{"name": "release-by-hand"}"#).outcome.is_ok()
    );
}

#[test]
fn its_definition_carries_the_catalogue_and_the_names() {
    let registry = Registry::new(&SKILLS);
    let options = ToolOptions::new(Toolset::Short);
    let catalogue = registry.catalogue(&CatalogueOptions::default()).text;
    for (provider, schema) in [(Provider::Anthropic, "input_schema"), (Provider::Mcp, "inputSchema")] {
        let tools: Value = serde_json::from_str(&registry.tools(provider, &options)).expect("it is JSON");
        let tool = &tools[0];
        assert_eq!(tool["name"], SHORT_TOOL_NAME);
        assert!(tool["description"].as_str().is_some_and(|text| text.ends_with(&catalogue)), "{tool}");
        let names = tool[schema]["properties"]["name"]["enum"].as_array().expect("few names");
        assert_eq!(names.len(), registry.skills().len());
        assert_eq!(Registry::empty().tools(provider, &options), "[]", "nothing to load");
    }
}
