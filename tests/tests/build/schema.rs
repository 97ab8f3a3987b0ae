//! The JSON Schema of a frontmatter agrees with the check, read by a validator that nobody here wrote.

#![allow(clippy::expect_used, reason = "a test fails by panicking, and so do its helpers")]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skills_bundle::{Code, Profile, schema};
use skills_source::document;
use skills_tests::disk;

/// The frontmatters of the SKILL.md files below a directory that are YAML, as JSON.
fn frontmatters(folder: &Path) -> Vec<(PathBuf, Value)> {
    let files = disk::files(folder).into_iter().filter(|file| file.ends_with("SKILL.md"));
    let read = |file: PathBuf| {
        let bytes = disk::read(&folder.join(&file));
        let text = document::decode(&bytes).ok()?;
        let frontmatter = document::split(text).ok()?.frontmatter;
        let options =
            serde_saphyr::options! { strict_booleans: true, reject_non_finite_typeless_float: false };
        let value = serde_saphyr::from_str_with_options::<Value>(&text[frontmatter], options).ok()?;
        Some((file, value))
    };
    files.filter_map(read).collect()
}

fn fixtures(kind: &str) -> Vec<PathBuf> {
    disk::directories(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(kind))
}

fn validator(profile: Profile) -> jsonschema::Validator {
    let schema = schema::frontmatter(profile);
    jsonschema::draft202012::meta::validate(&schema).expect("it is a schema");
    jsonschema::validator_for(&schema).expect("it is a schema")
}

#[test]
fn what_has_no_error_is_valid() {
    let mut tried = 0;
    let validator = validator(Profile::Default);
    for folder in fixtures("good") {
        for (file, value) in frontmatters(&folder) {
            let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{}/{}: {errors:#?}", folder.display(), file.display());
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
}

/// Of the rules that a schema can say.
#[test]
fn what_has_an_error_is_invalid() {
    let codes =
        [Code::E004, Code::E007, Code::E008, Code::E009, Code::E010, Code::E011, Code::L101, Code::L102];
    let validator = validator(Profile::Default);
    for code in codes {
        let prefix = format!("{}-", code.as_str().to_ascii_lowercase());
        let mut tried = 0;
        for folder in fixtures("bad").into_iter().filter(|folder| disk::name(folder).starts_with(&prefix)) {
            let read = frontmatters(&folder);
            tried += usize::from(!read.is_empty());
            let is_bad = |(_, value): &(PathBuf, Value)| !validator.is_valid(value);
            assert!(read.is_empty() || read.iter().any(is_bad), "{}", folder.display());
        }
        assert!(tried > 0, "{code}");
    }
}

#[test]
fn values_have_the_forms_that_are_read() {
    let validator = validator(Profile::Default);
    let with = |field: &str, value: Value| {
        let mut frontmatter = json!({"name": "pdf", "description": "Reads"});
        frontmatter[field] = value;
        validator.is_valid(&frontmatter)
    };
    for (field, value) in [
        ("allowed-tools", json!("Read, Bash(git add *)")),
        ("allowedTools", json!(["Read", 7])),
        ("disable-model-invocation", json!("Yes")),
        ("user_invocable", json!(0)),
        ("argument-hint", json!(["file"])),
        ("when-to-use", json!(["one", "two"])),
        ("metadata", json!({"a": {"b": []}})),
        ("version", json!(1.1)),
        ("tags", Value::Null),
        ("unknown", json!([1])),
    ] {
        assert!(with(field, value.clone()), "{field}: {value}");
    }
    for (field, value) in [
        ("allowed-tools", json!({"Read": true})),
        ("disable-model-invocation", json!("perhaps")),
        ("user-invocable", json!(2)),
        ("metadata", json!("x")),
        ("license", json!(["MIT"])),
        ("tags", json!([["x"]])),
        ("name", json!("")),
        ("description", json!("  ")),
    ] {
        assert!(!with(field, value.clone()), "{field}: {value}");
    }
    assert!(validator.is_valid(&json!({"skill": "pdf", "when_to_use": "x"})));
    assert!(validator.is_valid(&json!({"name": null, "skill": "pdf", "summary": "x"})));
}

#[test]
fn a_profile_has_its_own_fields() {
    let fields = |profile: Profile| {
        let schema = schema::frontmatter(profile);
        let properties = schema["properties"].as_object().expect("an object");
        let mut fields: Vec<String> = properties.keys().cloned().collect();
        fields.sort();
        fields
    };
    let (all, claude, standard) =
        (fields(Profile::Default), fields(Profile::Claude), fields(Profile::Standard));
    assert!(all.contains(&"allowed_tools".to_owned()) && all.contains(&"triggers".to_owned()));
    assert!(claude.contains(&"hooks".to_owned()) && !claude.contains(&"triggers".to_owned()));
    assert_eq!(standard, ["allowed-tools", "compatibility", "description", "license", "metadata", "name"]);
    // Names of other scripts are a matter of the profile.
    let name = json!({"name": "описание", "description": "x"});
    assert!(validator(Profile::Standard).is_valid(&name) && !validator(Profile::Default).is_valid(&name));
}
