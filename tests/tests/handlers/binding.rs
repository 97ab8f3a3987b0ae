//! What can be bound, and the errors for what can't.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use skills::{Audience, Provider, Registry};
use skills_handlers::{BindError, Binding, Context, Failure, Handlers, Tool};

use crate::acting::{Find, Nothing, REGISTRY, SKILLS, file_delete, file_search, handlers};

fn refused(binding: Binding) -> String {
    Handlers::new(&REGISTRY).bind(binding).unwrap_err().to_string()
}

fn taking<I: for<'de> Deserialize<'de> + JsonSchema + Send + 'static>(skill: &str) -> Binding {
    Binding::new(skill, |_: I, _: Context| async { Ok::<_, Failure>(()) })
}

#[test]
fn a_function_stays_a_function() {
    let found = file_search(Find { word: "a".to_owned(), limit: None }, &Context::new("ada"));
    assert!(found.is_ok());
    assert_eq!(handlers().skills().collect::<Vec<_>>(), ["file-delete", "file-search"]);
    assert_eq!(file_delete::binding().skill(), "file-delete");
}

#[test]
fn a_skill_must_exist_and_is_bound_once() {
    assert_eq!(
        refused(taking::<Nothing>("row-cuont")),
        "no skill `row-cuont` is served, so nothing can be bound to it: did you mean `row-count`?"
    );
    let error = handlers().bind(file_search::binding()).unwrap_err();
    assert_eq!(error, BindError::BoundTwice { skill: "file-search".to_owned() });
    assert_eq!(error.to_string(), "two handlers are bound to the skill `file-search`: remove one of them");
}

#[test]
fn a_skill_that_no_model_sees_is_bound_for_others() {
    assert!(refused(taking::<Nothing>("hidden-work")).contains("serve the audience that may see it"));
    let everyone = Registry::new(&SKILLS).for_audience(Audience::Everyone);
    assert!(Handlers::new(&everyone).bind(taking::<Nothing>("hidden-work")).is_ok());
}

#[test]
fn arguments_are_a_struct() {
    let message = "the handler of `row-count` must take a struct: a call's arguments are an object";
    assert_eq!(refused(taking::<String>("row-count")), message);
    assert_eq!(refused(taking::<()>("row-count")), message);
    assert_eq!(refused(taking::<Vec<u8>>("row-count")), message);

    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    #[allow(dead_code, reason = "it is there for its schema")]
    enum Step {
        Go { to: String },
        Stop,
    }
    assert!(Handlers::new(&REGISTRY).bind(taking::<Step>("row-count")).is_ok());
}

#[test]
fn a_schema_that_contradicts_the_skill_is_refused_at_the_start() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is there for its schema")]
    struct Other {
        word: u32,
        limit: Option<i64>,
        depth: u32,
    }
    assert_eq!(
        refused(taking::<Other>("file-search")),
        "the SKILL.md of `file-search` contradicts its handler; fix its `parameters` or the type:\n  \
         `word`: SKILL.md says `string`, but the handler accepts `integer`\n  \
         `depth`: the handler requires it, but SKILL.md does not say so"
    );
}

/// As the test that the attribute generates does.
#[test]
#[should_panic(expected = "`limit`: the handler has no such field")]
fn the_generated_test_fails_for_a_contradiction() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is there for its schema")]
    struct Other {
        word: String,
    }
    let parameters = r#"{"type": "object", "properties": {"word": {}, "limit": {}}, "required": ["word"]}"#;
    skills_handlers::__private::check_handler(taking::<Other>("file-search"), Some(parameters));
}

#[test]
fn an_example_must_be_valid() {
    assert_eq!(
        refused(taking::<Find>("file-search").example("{\"word\": 7}")),
        "the example `{\"word\": 7}` for the handler of `file-search` is invalid: `word`: expected a string, found \
         the number 7"
    );
}

#[test]
fn the_tool_for_a_model() {
    let tools = handlers().tools(&Context::new("ada"));
    let [tool] = tools.as_slice() else { panic!("one needs a role") };
    let (name, description) =
        ("file-search", "Finds files whose name holds a word. Use when asked where a file is.");
    let word = json!({"type": "string", "minLength": 1, "description": "A part of the name."});
    let limit = json!({
        "type": ["integer", "null"], "format": "uint8", "minimum": 1, "maximum": 50, "default": null,
    });
    let parameters = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {"word": word, "limit": limit},
        "required": ["word"],
        "examples": [{"word": "notes"}],
    });
    let in_open_api = json!({
        "type": "OBJECT",
        "properties": {
            "word": {"type": "STRING", "minLength": 1, "description": "A part of the name."},
            "limit": {"type": "INTEGER", "nullable": true, "minimum": 1, "maximum": 50},
        },
        "required": ["word"],
        "example": {"word": "notes"},
    });
    for (provider, expected) in [
        (
            Provider::OpenAi,
            json!({"type": "function", "function": {
                "name": name, "description": description, "parameters": parameters,
            }}),
        ),
        (Provider::Anthropic, json!({"name": name, "description": description, "input_schema": parameters})),
        (Provider::Mcp, json!({"name": name, "description": description, "inputSchema": parameters})),
        (
            Provider::Gemini,
            json!({"functionDeclarations": [
                {"name": name, "description": description, "parameters": in_open_api},
            ]}),
        ),
    ] {
        assert_eq!(definition(tool, provider), expected, "{provider:?}");
    }
}

fn definition(tool: &Tool, provider: Provider) -> Value {
    serde_json::from_str(&tool.definition(provider)).unwrap()
}

/// Gemini refuses an object without properties, and its own kind of schema has no choices, maps or references.
#[test]
fn gemini_gets_json_schema_if_its_own_format_is_too_small() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "the schema is what counts")]
    enum Target {
        File(String),
        Line(u32),
    }
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "the schema is what counts")]
    struct Chooses {
        target: Target,
    }
    let declared = |binding: Binding| {
        let handlers = Handlers::new(&REGISTRY).bind(binding).unwrap();
        let tool = handlers.tools(&Context::new("ada")).remove(0);
        let mut declared = definition(&tool, Provider::Gemini)["functionDeclarations"][0].take();
        assert_eq!(declared["name"], "page-fetch");
        declared.as_object_mut().unwrap().remove("description");
        (declared, serde_json::from_str::<Value>(&tool.parameters()).unwrap())
    };
    let (tool, parameters) = declared(taking::<Chooses>("page-fetch"));
    assert_eq!(tool, json!({"name": "page-fetch", "parametersJsonSchema": parameters}));
    let (tool, _) = declared(taking::<Nothing>("page-fetch"));
    assert_eq!(tool, json!({"name": "page-fetch"}));
}

/// The tools that aren't handlers have the provider's format too.
#[test]
fn every_provider_gets_all_tools_in_its_format() {
    for tool in [Tool::skills_tool(), Tool::read_result()] {
        let gemini = definition(&tool, Provider::Gemini)["functionDeclarations"][0].take();
        assert_eq!((&gemini["name"], &gemini["parameters"]["type"]), (&json!(tool.name), &json!("OBJECT")));
        let ours = gemini["parameters"]["properties"].as_object().unwrap();
        let parameters: Value = serde_json::from_str(&tool.parameters()).unwrap();
        assert!(ours.keys().eq(parameters["properties"].as_object().unwrap().keys()));
    }
    let gemini: Value = serde_json::from_str(&skills::schema(Provider::Gemini)).unwrap();
    assert_eq!(definition(&Tool::skills_tool(), Provider::Gemini), gemini, "as the registry offers it");
}

/// The attribute is enough: this program has it on the functions of file-delete, file-search and page-fetch, in
/// two files.
#[tokio::test]
async fn handlers_are_registered_once() {
    let all = Handlers::all(&REGISTRY).unwrap();
    assert_eq!(all.skills().collect::<Vec<_>>(), ["file-delete", "file-search", "page-fetch"]);
    let output = all.call("file-search", r#"{"word": "a"}"#, &Context::new("ada")).await.unwrap();
    assert_eq!(output.text, r#"{"files":["a-0.txt"],"user":"ada"}"#);
    // More can be added, but not twice.
    assert!(all.clone().bind(taking::<Nothing>("row-count")).is_ok());
    assert!(matches!(all.bind(file_search::binding()), Err(BindError::BoundTwice { .. })));
    // What a policy blocks isn't bound, and isn't missing.
    let policy = skills::Policy::allow_all().block("file-delete");
    let some = Handlers::all(&REGISTRY.clone().with_policy(policy)).unwrap();
    assert_eq!(some.skills().collect::<Vec<_>>(), ["file-search", "page-fetch"]);
    assert_eq!(Handlers::all(&Registry::empty()).unwrap().skills().count(), 0);
}

#[test]
fn a_missing_handler_is_an_error_at_the_start() {
    let error = handlers().complete().unwrap_err();
    assert_eq!(
        error.to_string(),
        "no handler is bound to `page-fetch`: bind the function, or take its attribute or the `parameters` of the SKILL.md away"
    );
    let none = Handlers::new(&REGISTRY).complete().unwrap_err();
    assert_eq!(
        none,
        BindError::NotBound {
            skills: ["file-delete", "file-search", "page-fetch"].map(str::to_owned).into()
        }
    );
    assert!(handlers().bind(taking::<Nothing>("page-fetch")).unwrap().complete().is_ok());
}
