use serde_json::json;

use super::*;

fn schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "pattern": {"type": "string", "minLength": 2},
            "limit": {"type": ["integer", "null"], "maximum": 9},
            "exact": {"type": "boolean"},
            "ratio": {"type": "number"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "order": {"enum": ["name", "size"]},
            "only": {"const": "files"},
            "where": {"anyOf": [
                {"type": "object", "properties": {"dir": {"type": "string"}}, "required": ["dir"]},
                {"type": "null"},
            ]},
            "step": {"oneOf": [
                {"type": "object", "properties": {"kind": {"const": "go"}, "to": {"type": "string"}}, "required": ["kind", "to"]},
                {"type": "object", "properties": {"kind": {"const": "stop"}}, "required": ["kind"]},
            ]},
        },
        "required": ["pattern"],
    })
}

fn fault_of(json: &str) -> (String, String) {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let checked = parse(json, 1000).and_then(|value| validate(&value, &validator, &schema));
    let Fault { message, suggestion } = checked.expect_err(json);
    (message, suggestion)
}

#[test]
fn common_mistakes_of_models_are_explained() {
    for (json, message, suggestion) in [
        (
            r#"{"pattern": "ab", "limit": "5"}"#,
            "`limit`: expected an integer, found the string \"5\"",
            "write it without quotes: 5",
        ),
        (
            r#"{"pattern": "ab", "limit": 1.5}"#,
            "`limit`: expected an integer, found 1.5",
            "write a number without a fraction",
        ),
        (
            r#"{"pattern": "ab", "exact": "true"}"#,
            "`exact`: expected a boolean, found the string \"true\"",
            "write it without quotes: true",
        ),
        (
            r#"{"pattern": "ab", "exact": "yes"}"#,
            "`exact`: expected a boolean, found a string",
            "pass a boolean",
        ),
        (
            r#"{"pattern": "ab", "ratio": null}"#,
            "`ratio`: expected a number, found null",
            "give a value, or leave the field out if it is optional",
        ),
        (r#"{"pattern": 7}"#, "`pattern`: expected a string, found the number 7", "put it in quotes: \"7\""),
        (
            r#"{"pattern": "ab", "tags": "x"}"#,
            "`tags`: expected an array, found a string",
            "put it in an array: [\"x\"]",
        ),
        (
            r#"{"pattern": "ab", "tags": "[\"x\"]"}"#,
            "`tags`: expected an array, found a string that contains JSON",
            "pass the value itself, not a string",
        ),
        (
            r#"{"pattern": "ab", "tags": ["x", 7]}"#,
            "`tags[1]`: expected a string, found the number 7",
            "put it in quotes: \"7\"",
        ),
        (
            r#""{\"pattern\": \"ab\"}""#,
            "the arguments: expected an object, found a string that contains JSON",
            "pass the value itself, not a string",
        ),
        ("[]", "the arguments: expected an object, found an array", "pass an object"),
        ("{}", "`pattern` is missing", "add `pattern`"),
        ("", "`pattern` is missing", "add `pattern`"),
        ("null", "`pattern` is missing", "add `pattern`"),
        (r#"{"patern": "ab"}"#, "there is no field `patern`", "did you mean `pattern`?"),
        (
            r#"{"pattern": "ab", "wobble": 1}"#,
            "there is no field `wobble`",
            "leave it out; the fields are `exact`, `limit`, `only`, `order`, `pattern`, `ratio`, `step`, `tags`, `where`",
        ),
        (
            r#"{"pattern": "ab", "order": "siez"}"#,
            "`order`: expected one of \"name\", \"size\", found \"siez\"",
            "did you mean \"size\"?",
        ),
        (r#"{"pattern": "ab", "only": 1}"#, "`only`: expected one of \"files\", found 1", ""),
        (r#"{"pattern": "ab", "where": {}}"#, "`where.dir` is missing", "add `dir`"),
        (
            r#"{"pattern": "ab", "where": "{\"dir\": \"x\"}"}"#,
            "`where`: expected an object, found a string that contains JSON",
            "pass the value itself, not a string",
        ),
        (r#"{"pattern": "ab", "step": {"kind": "go"}}"#, "`step.to` is missing", "add `to`"),
        (
            r#"{"pattern": "ab", "step": {"kind": "go", "to": 5}}"#,
            "`step.to`: expected a string, found the number 5",
            "put it in quotes: \"5\"",
        ),
        (r#"{"pattern": "ab", "limit": 10}"#, "`limit`: value is greater than the maximum of 9", ""),
        (r#"{"pattern": "a"}"#, "`pattern`: value is shorter than 2 characters", ""),
    ] {
        assert_eq!(fault_of(json), (message.to_owned(), suggestion.to_owned()), "{json}");
    }
}

#[test]
fn invalid_json_is_explained() {
    let (message, suggestion) = fault_of("{\"pattern\": }");
    assert_eq!(message, "the arguments aren't valid JSON: expected value at line 1 column 13");
    assert_eq!(suggestion, "write one JSON object");
    let (message, _) = fault_of(&format!("{{\"pattern\": \"{}\"}}", "x".repeat(1000)));
    assert_eq!(message, "the arguments are larger than 1000 bytes: they have 1015");
    let (message, _) = fault_of(&"[".repeat(999));
    assert!(message.contains("recursion limit"), "{message}");
}

#[test]
fn valid_arguments_are_accepted() {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for json in [
        r#"{"pattern": "ab"}"#,
        r#"{"pattern": "ab", "limit": null, "where": null, "tags": [], "step": {"kind": "stop"}}"#,
        r#" {"pattern": "éé", "order": "size", "ratio": 1} "#,
    ] {
        let value = parse(json, 1000).expect("JSON");
        assert_eq!(validate(&value, &validator, &schema), Ok(()), "{json}");
    }
}

#[test]
fn an_error_does_not_repeat_what_was_sent() {
    let long = "x".repeat(900);
    for json in [
        format!(r#"{{"{long}": 1}}"#),
        format!(r#"{{"pattern": "ab", "order": "{long}"}}"#),
        format!(r#"{{"pattern": "ab", "limit": "{long}"}}"#),
        format!(r#"{{"pattern": "ab", "tags": "{long}"}}"#),
    ] {
        let (message, suggestion) = fault_of(&json);
        assert!(message.len() + suggestion.len() < 400, "{message} {suggestion}");
    }
}

#[test]
fn an_error_has_an_example() {
    let fault = || Fault::new("`x` is missing", "add `x`");
    assert_eq!(fault().into_error("s", "{\"x\":1}").suggestion, "add `x`; for example {\"x\":1}");
    assert_eq!(fault().into_error("s", "").suggestion, "add `x`");
    assert_eq!(
        Fault::new("m", "").into_error("s", "{}").to_string(),
        r#"{"error":"INVALID_ARGUMENTS","message":"`s`: m","suggestion":"for example {}"}"#
    );
}
