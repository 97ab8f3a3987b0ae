//! Validates the log of `check --format sarif` against the schema of SARIF 2.1.0.
//!
//! `fixtures/sarif-2.1.0.schema.json` is the schema that OASIS publishes with the standard, byte for
//! byte.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use std::path::Path;

use serde_json::Value;
use skills_bundle::compile::check;
use skills_bundle::{Code, Config, Finding, render};
use skills_source::code::RULES;
use skills_tests::disk;

fn fixtures() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The schema's errors for a log.
fn errors(log: &Value) -> Vec<String> {
    let schema = disk::read_text(&fixtures().join("sarif-2.1.0.schema.json"));
    let mut schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    // The schema has an extra bracket in two places, which the validator rejects. We write no language.
    for object in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][object]["properties"]["language"];
        assert!(language.as_object_mut().and_then(|language| language.remove("pattern")).is_some());
    }
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    validator.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

pub(crate) fn assert_valid(log: &str) -> Value {
    let log: Value = serde_json::from_str(log).expect("the log is JSON");
    let errors = errors(&log);
    assert!(errors.is_empty(), "{errors:#?}");
    log
}

#[test]
fn the_findings_of_all_fixtures_are_valid() {
    let mut all: Vec<Finding> = Vec::new();
    for folder in disk::directories(&fixtures().join("bad")) {
        all.extend(check(&Config::new("skills").base(&folder)).findings);
    }
    // Paths that are absolute, or have characters that a URI can't have.
    let dir = disk::temp();
    disk::write(dir.path(), "a b%/#ü?/pdf/SKILL.md", "---\nname: [\"\u{202e}\"]\nname: x\n---\n");
    all.extend(check(&Config::new(dir.path().join("a b%"))).findings);
    let log = assert_valid(&render::sarif(&all, true));
    let results = log["runs"][0]["results"].as_array().expect("a list");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("a list");
    assert!(results.len() == all.len() && results.len() > 100 && rules.len() == RULES.len());
    for (result, finding) in results.iter().zip(&all) {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(rules[index]["id"], finding.code.as_str());
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(
            (&region["startLine"], &region["startColumn"]),
            (&finding.line.into(), &finding.column.into())
        );
        assert_eq!(result["fixes"].is_array(), finding.edit.is_some());
        assert_eq!(result["relatedLocations"].is_array(), !finding.related.is_empty());
    }
    assert!(results.iter().any(|result| result["fixes"].is_array()));
    assert!(all.iter().any(|finding| finding.code == Code::E005 && !finding.related.is_empty()));
}

#[test]
fn a_clean_run_is_valid() {
    let log = assert_valid(&render::sarif(&[], false));
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let finding = check(&Config::new("nowhere")).findings;
    let log = assert_valid(&render::sarif(&finding, true));
    for (path, wrong) in [
        ("/runs/0/results/0/level", Value::from("deny")),
        ("/runs/0/results/0/message", Value::from("text")),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", Value::from(0)),
        ("/version", Value::from("2.0")),
    ] {
        let mut log = log.clone();
        *log.pointer_mut(path).expect("it is there") = wrong;
        assert!(!errors(&log).is_empty(), "{path}");
    }
}
