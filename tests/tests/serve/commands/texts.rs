//! Slash commands in the answers of list and load, as text and as data.

use serde_json::{Value, json};
use skills::{FileContent, Pack, Registry};

const READ_LIMIT: usize = FileContent::LIMIT;
use skills_bundle::Config;
use skills_bundle::compile::compile_good;
use skills_tests::disk;

use super::{COMMANDS, registry};

fn call(registry: &Registry<'_>, call: &Value) -> Value {
    serde_json::to_value(registry.call(&call.to_string())).expect("a reply is JSON")
}

/// Serves a pack of one command with this template and these other fields.
fn with_command(template: &str, more: &str, run: impl FnOnce(Pack<'_>)) {
    let dir = disk::temp();
    let fields = "name: explain\ndescription: Explains a file\ntype: text\ntemplate_path: explain.txt\n";
    disk::write(dir.path(), "commands/explain.command.yaml", format!("{fields}{more}"));
    disk::write(dir.path(), "commands/explain.txt", template);
    let generated = compile_good(&Config::new("commands").base(dir.path()));
    assert_eq!(generated.report.findings, []);
    run(generated.pack().expect("the blocks fit"));
}

#[test]
fn list() {
    insta::assert_snapshot!(registry().list(), @r"
    Available skills (3):
    - greet: Greets as the skill does
    - model-only: Is for the model alone
    - pdf: Reads PDF forms

    Slash commands (3):
    - /explain <path>: Explains a file
    - /greet: Greets as the command does
    - /review [range]: Reviews a change, line by line

    Tip: use skills_tool action=search or action=load for details.
    ");
}

#[test]
fn list_without_skills() {
    with_command("x", "", |pack| {
        let registry = Registry::empty().with_pack("mine", pack);
        assert!(!registry.is_empty());
        assert_eq!(
            registry.list().to_string(),
            "Slash commands (1):\n- /explain: Explains a file\n\n\
             Tip: use skills_tool action=search or action=load for details."
        );
    });
    with_command("x", "webui_hidden: true\n", |pack| {
        let registry = Registry::empty().with_pack("mine", pack);
        assert_eq!(registry.list().to_string(), "No skills or slash commands found.");
        assert!(!registry.is_empty() && registry.load_command("/explain").is_ok());
    });
}

#[test]
fn list_as_data() {
    let data = call(&registry(), &json!({"action": "list"}))["data"].clone();
    assert_eq!(
        data["commands"],
        json!([
            {"name": "explain", "argument_hint": "<path>", "description": "Explains a file", "scope": "Bundle"},
            {"name": "greet", "argument_hint": null, "description": "Greets as the command does", "scope": "Bundle"},
            {"name": "review", "argument_hint": "[range]", "description": "Reviews a change,\nline by line", "scope": "Bundle"},
        ])
    );
}

#[test]
fn load() {
    let text = "Slash command: /explain\n\
        Description: Explains a file\n\
        Arguments: <path>\n\
        Type: text\n\
        Scope: Bundle\n\
        \n\
        Definition:\n\
        Explain {args.positional.0}";
    for name in ["/explain", " /explain\n", "/Explain", "/`explain`"] {
        let reply = registry().call(&json!({"action": "load", "skill_name": name}).to_string());
        assert_eq!(reply.text, text, "{name}");
    }
    let loaded = registry().load_command("explain").expect("the slash may be missing here");
    assert_eq!(loaded.text(), text);
    insta::assert_snapshot!(registry().load_command("/review").expect("it is there"), @r#"
    Slash command: /review
    Description: Reviews a change, line by line
    Arguments: [range]
    Type: text
    Scope: Bundle

    Definition:
    Review {args.positional.0}.
    All of it: {raw}
    Language: {args.flags.lang}; dry run: {args.flags.dry_run}; {other} {"json": 1}
    "#);
    let plain = registry().load_command("/greet").expect("it is there").text();
    assert_eq!(plain.lines().nth(2), Some("Type: text"));
}

#[test]
fn load_as_data() {
    let reply = call(&registry(), &json!({"action": "load", "skill_name": "/review", "arguments": "HEAD~1"}));
    assert!(reply["error"].is_null());
    let data = &reply["data"];
    assert_eq!((&data["command_name"], &data["type"]), (&json!("review"), &json!("text")));
    assert_eq!((&data["scope"], &data["argument_hint"]), (&json!("Bundle"), &json!("[range]")));
    // It is shown and not run: arguments have no effect.
    assert_eq!(data["definition"], COMMANDS.command("review").expect("it is there").template());
    assert_eq!(data["text"], reply["text"]);
    assert_eq!(
        data["frontmatter"],
        json!({
            "name": "review",
            "description": "Reviews a change,\nline by line\n",
            "type": "text",
            "template_path": "prompts/review.txt",
            "argument_hint": ["range"],
            "team": {"name": "tools", "size": 3},
            "models": ["small", "large"],
        })
    );
}

#[test]
fn a_long_definition_is_cut() {
    let just = format!("{}é", "x".repeat(READ_LIMIT - 1));
    with_command(&just, "", |pack| {
        let registry = Registry::empty().with_pack("mine", pack);
        let text = registry.load_command("/explain").expect("it is there").text();
        assert!(text.ends_with("xé") && text.contains("\nScope: mine\n"));
    });
    let long = format!("{}  \nand more", "é".repeat(READ_LIMIT - 2));
    with_command(&long, "", |pack| {
        let registry = Registry::empty().with_pack("mine", pack);
        let text = registry.load_command("/explain").expect("it is there").text();
        let (_, definition) = text.split_once("Definition:\n").expect("it is shown");
        assert_eq!(definition, format!("{}\n\n[truncated]", "é".repeat(READ_LIMIT - 2)));
        let reply = call(&registry, &json!({"action": "load", "skill_name": "/explain"}));
        assert_eq!(reply["data"]["definition"], long);
        let invoked = registry.invoke("/explain").expect("it is there").expect("it is called");
        assert_eq!(invoked.text, long);
    });
}

#[test]
fn load_no_such_command() {
    let fail = |name: &str| {
        let reply = call(&registry(), &json!({"action": "load", "skill_name": name}));
        assert!(reply["data"].is_null());
        let of = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (of(&reply["text"]), of(&reply["error"]["code"]), of(&reply["error"]["suggestion"]))
    };
    let (text, code, suggestion) = fail("/explian");
    assert_eq!(
        text,
        "Error: slash command not found: '/explian'. Try skills_tool action=list. Did you mean '/explain'?"
    );
    assert_eq!((code.as_str(), suggestion.as_str()), ("COMMAND_NOT_FOUND", "did you mean /explain?"));
    let (_, code, suggestion) = fail("/pdf");
    assert_eq!((code.as_str(), suggestion.as_str()), ("COMMAND_NOT_FOUND", "did you mean pdf?"));
    for name in
        ["/", "//explain", "/../explain", "/explain/", "/\u{1b}[31m", &format!("/{}", "x".repeat(1 << 20))]
    {
        assert_eq!(fail(name).1, "COMMAND_NOT_FOUND", "{name:.40}");
    }
    // The suggestion doesn't reveal a skill that the model may not call.
    assert!(!fail("/by-hand").2.contains("by-hand"));
    // Skills and commands have different types in Rust.
    assert_eq!(registry().load("/explain").expect_err("it isn't a skill").code(), "SKILL_NOT_FOUND");
    assert_eq!(registry().load("/none").expect_err("it is nothing").code(), "COMMAND_NOT_FOUND");
    assert_eq!(registry().load_command(" ").expect_err("it is blank").code(), "INVALID_ARGUMENTS");
    assert_eq!(registry().load("explain").expect_err("it isn't a skill").code(), "SKILL_NOT_FOUND");
}

#[test]
fn the_earlier_root_wins() {
    with_command("mine", "argument_hint: mine\n", |mine| {
        with_command("theirs", "", |theirs| {
            let registry = Registry::new(&COMMANDS).with_pack("mine", mine).with_pack("theirs", theirs);
            let loaded = registry.load_command("/explain").expect("it is there");
            assert_eq!((loaded.entry.scope(), loaded.entry.command.template()), ("mine", "mine"));
            let listed: Vec<_> =
                registry.list().commands.iter().map(|entry| (entry.command.name(), entry.origin)).collect();
            assert_eq!(listed, [("explain", "mine"), ("greet", "bundle"), ("review", "bundle")]);
        });
    });
}
