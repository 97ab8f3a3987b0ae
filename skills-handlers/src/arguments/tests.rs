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

fn faults(json: &str) -> Vec<Fault> {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    match parse(json, 1000) {
        Ok(value) => validate(&value, &validator, &schema),
        Err(fault) => vec![fault],
    }
}

fn fault_of(json: &str) -> (String, String) {
    let mut faults = faults(json);
    assert_eq!(faults.len(), 1, "{json} {faults:?}");
    let Fault { message, suggestion, .. } = faults.remove(0);
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
            "`exact`: expected a boolean, found the string \"yes\"",
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
            "`tags`: expected an array, found the string \"x\"",
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
        (r#"{"pattern": "ab", "only": 1}"#, "`only`: expected \"files\", found 1", ""),
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
        (r#"{"pattern": "ab", "limit": 10}"#, "`limit`: expected at most 9, found 10", ""),
        (r#"{"pattern": "a"}"#, "`pattern`: expected at least 2 characters, found 1", ""),
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
    let twice = fault_of(r#"{"pattern": "ab", "where": {"dir": "a", "dir": "b"}}"#);
    assert_eq!(twice, ("`where.dir` is there twice".to_owned(), "give each field once".to_owned()));
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
        assert_eq!(validate(&value, &validator, &schema), [], "{json}");
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
        let error = error(faults(&json), "s", "");
        assert!(error.to_string().len() < 500, "{error}");
    }
}

#[test]
fn an_error_has_an_example() {
    let fault = || vec![Fault::new("`x` is missing", "add `x`")];
    assert_eq!(error(fault(), "s", "{\"x\":1}").suggestion, "add `x`; for example {\"x\":1}");
    assert_eq!(error(fault(), "s", "").suggestion, "add `x`");
    assert_eq!(
        error(vec![Fault::new("m", "")], "s", "{}").to_string(),
        r#"{"error":"INVALID_ARGUMENTS","message":"`s`: m","suggestion":"for example {}"}"#
    );
}

#[test]
fn all_faults_come_at_once() {
    let json = r#"{"pattern": "a", "limit": "5", "exact": 1, "order": "siez", "wobbel": 1, "tags": [1, "x", 2], "where": {}}"#;
    let found = faults(json);
    let mut places: Vec<(&str, Option<&str>, &str)> =
        found.iter().map(|fault| (fault.path.as_str(), fault.value.as_deref(), fault.keyword)).collect();
    places.sort_unstable();
    assert_eq!(
        places,
        [
            ("exact", Some("1"), "type"),
            ("limit", Some("\"5\""), "type"),
            ("order", Some("\"siez\""), "enum"),
            ("pattern", Some("\"a\""), "minLength"),
            ("tags[0]", Some("1"), "type"),
            ("tags[2]", Some("2"), "type"),
            ("where.dir", None, "required"),
            ("wobbel", Some("1"), "additionalProperties"),
        ]
    );
    let all = error(found, "s", "");
    assert!(all.message.starts_with("`s`: 8 problems: "), "{}", all.message);
    assert!(all.message.len() < 600 && all.faults.len() == 8);
    // Few enough are all in the text, each with what to write instead.
    let two = error(faults(r#"{"pattern": "ab", "limit": "5", "ratio": "x"}"#), "s", "");
    assert_eq!(
        (two.message.as_str(), two.suggestion.as_str()),
        (
            "`s`: 2 problems: `limit`: expected an integer, found the string \"5\"; `ratio`: expected a number, found the string \"x\"",
            "for `limit`: write it without quotes: 5; for `ratio`: pass a number",
        )
    );
}

#[test]
fn bounds_are_in_our_words() {
    for (schema, value, message) in [
        (json!({"minimum": 2}), json!(1), "expected at least 2, found 1"),
        (json!({"exclusiveMaximum": 2}), json!(2), "expected less than 2, found 2"),
        (json!({"exclusiveMinimum": 2}), json!(2), "expected more than 2, found 2"),
        (json!({"multipleOf": 5}), json!(7), "expected a multiple of 5, found 7"),
        (json!({"maxLength": 1}), json!("éa"), "expected at most 1 characters, found 2"),
        (json!({"minItems": 2}), json!([1]), "expected at least 2 items, found 1"),
        (json!({"maxItems": 1}), json!([1, 2]), "expected at most 1 items, found 2"),
        (json!({"minProperties": 1}), json!({}), "expected at least 1 fields, found 0"),
        (
            json!({"uniqueItems": true}),
            json!([1, 1]),
            "expected items that all differ, found two that are equal",
        ),
        (
            json!({"pattern": "^a"}),
            json!("b"),
            "expected a string that matches the pattern `^a`, found \"b\"",
        ),
        (json!({"not": {}}), json!(1), "expected a value of another form, found 1"),
        (json!(false), json!(1), "expected nothing here, found 1"),
    ] {
        let schema = json!({"properties": {"x": schema}});
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let found = validate(&json!({"x": value}), &validator, &schema);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].message, format!("`x`: {message}"));
    }
}
