//! The short form of loading.

use skills::live::Overlays;
use skills::tools::{SHORT_TOOL_NAME, short_schema};
use skills::{Audience, Provider, Registry};
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
    let call = |json: &str| snapshot.registry().call_short(json).unwrap_or_else(|error| error.to_string());
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

#[test]
fn errors_are_those_of_load() {
    let registry = Registry::new(&SKILLS);
    let error = |json: &str| registry.call_short(json).expect_err("an error").to_string();
    for json in ["{}", "", "[]", "null", r#"{"name": ""}"#, r#"{"name": null}"#] {
        assert_eq!(error(json), "Error: skill_name is required for action=load.", "{json}");
    }
    assert_eq!(
        error(r#"{"name": "nope"}"#),
        "Error: skill not found: 'nope'. Try skills_tool action=list or action=search."
    );
    assert!(
        error(r#"{"name": "release-by-hand"}"#).starts_with("Error: skill not found"),
        "no model may call it"
    );
    assert!(registry.for_audience(Audience::User).call_short(r#"{"name": "release-by-hand"}"#).is_ok());
}

#[test]
fn its_definition_has_the_catalogue() {
    let catalogue = Registry::new(&SKILLS).catalogue(&skills::catalogue::CatalogueOptions::default()).text;
    for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Mcp] {
        let schema: serde_json::Value =
            serde_json::from_str(&short_schema(provider, &catalogue)).expect("it is JSON");
        let tool = schema.get("function").unwrap_or(&schema);
        assert_eq!(tool["name"], SHORT_TOOL_NAME);
        assert!(tool["description"].as_str().is_some_and(|text| text.ends_with(&catalogue)), "{tool}");
    }
}
