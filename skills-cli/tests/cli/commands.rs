//! Slash commands: listed, shown and checked, never run.

use serde_json::json;

use crate::place::Place;

const DEFINITION: &str = "name: explain\ndescription: Explains a file\ntype: text\ntemplate_path: explain.txt\nargument_hint: <path>\n";

/// One root, `mine`, with a skill and a slash command.
fn mine() -> Place {
    let place = Place::new();
    place
        .skill("mine/pdf", "Reads PDF")
        .file("mine/commands/explain.command.yaml", DEFINITION)
        .file("mine/commands/explain.txt", "Explain {args.positional.0}\n");
    place
}

fn args<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["--root", "mine", "--no-bundle"].iter().chain(more).copied().collect()
}

#[test]
fn list_shows_them_after_the_skills() {
    let ran = mine().run(args(&["list"]));
    insta::assert_snapshot!(ran.stdout, @r"
    Available skills (1):
    - pdf: Reads PDF

    Slash commands (1):
    - /explain <path>: Explains a file

    Tip: `search WORDS` finds a skill, `load NAME` shows it.
    ");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let document = mine().run(args(&["list", "--json"])).json();
    assert_eq!(
        document["commands"],
        json!([{"name": "explain", "argument_hint": "<path>", "description": "Explains a file", "scope": "mine"}])
    );
}

#[test]
fn load_shows_a_definition_and_runs_nothing() {
    let ran = mine().run(args(&["load", "/explain"]));
    insta::assert_snapshot!(ran.stdout, @r"
    Slash command: /explain
    Description: Explains a file
    Arguments: <path>
    Type: text
    Scope: mine

    Definition:
    Explain {args.positional.0}
    ");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let document = mine().run(args(&["load", "/explain", "--json"])).json();
    assert_eq!((&document["command_name"], &document["scope"]), (&json!("explain"), &json!("mine")));
    assert_eq!(document["definition"], "Explain {args.positional.0}");
    let called = mine().run(args(&["call", r#"{"action": "load", "skill_name": "/explain"}"#]));
    assert_eq!(called.stdout, ran.stdout);
}

#[test]
fn a_missing_command_suggests_similar_names() {
    let ran = mine().run(args(&["load", "/explian"]));
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    assert_eq!(ran.stderr, "skills: no slash command is named `/explian`\nhelp: did you mean `/explain`?\n");
    let ran = mine().run(args(&["load", "/pdf"]));
    assert_eq!(ran.stderr, "skills: no slash command is named `/pdf`\nhelp: did you mean `pdf`?\n");
    let ran = mine().run(args(&["load", "/zzz", "--json"]));
    assert_eq!((ran.error_code().as_str(), ran.code), ("COMMAND_NOT_FOUND", 1));
}

#[test]
fn the_stock_commands_are_there_and_roots_hide_them() {
    let place = mine();
    let stock = place.run(["list", "--json"]).json();
    let names: Vec<_> =
        stock["commands"].as_array().expect("a list").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["fix-skills", "make-skill"]);
    assert!(place.run(["load", "/fix-skills"]).stdout.contains("\nScope: Bundle\n"));
    place
        .file("mine/fix-skills.command.yaml", DEFINITION.replace("explain", "fix-skills"))
        .file("mine/fix-skills.txt", "Mine");
    let ran = place.run(["--root", "mine", "list", "--json"]);
    assert_eq!(ran.stderr, "note: `/fix-skills` of this program is hidden by `/fix-skills` of mine\n");
    assert!(place.run(["--root", "mine", "load", "/fix-skills"]).stdout.ends_with("Definition:\nMine\n"));
}

#[test]
fn check_finds_them_under_its_paths() {
    let place = mine();
    let ran = place.run(["check", "mine"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("checked 1 skill, 1 command: no findings\n", 0));
    // Where there are commands and no skill, that is as good.
    let ran = place.run(["check", "mine/commands"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("checked 1 command: no findings\n", 0));
    let ran = place.run(["check", "mine/commands/explain.command.yaml"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("checked 1 command: no findings\n", 0));
    place.file("mine/commands/explain.txt", "Explain {arg.0}\n").file(
        "mine/commands/run.command.yaml",
        "name: run\ndescription: Runs\ntype: script\nscript_path: run.sh\n",
    );
    let ran = place.run(["check", "mine/commands"]);
    insta::assert_snapshot!(ran.stderr, @r"
    warning[L122]: `{arg.0}` is not a placeholder
     --> mine/commands/explain.txt:1:9
      |
    1 | Explain {arg.0}
      |         ^^^^^^^ this stays as it is
      |
      = help: write `{raw}`, `{args.positional.0}` or `{args.flags.name}`

    warning[L121]: commands of type `script` are not supported
     --> mine/commands/run.command.yaml:3:7
      |
    3 | type: script
      |       ^^^^^^ it is never run, and not served
      |
      = help: write what the script is for as a template, with `type: text`

    checked 2 commands: 2 warnings
    ");
    assert_eq!(ran.code, 0);
    assert_eq!(place.run(["check", "mine", "--deny", "command-unsupported"]).code, 1);
    let document = place.run(["check", "mine", "--json"]).json();
    assert_eq!((&document["skills"], &document["warned"]), (&json!(1), &json!(2)));
    assert_eq!(document["findings"][0]["path"], "mine/commands/explain.txt");
    // What is not supported is not served.
    let listed = place.run(args(&["list", "--json"])).json();
    assert_eq!(listed["commands"].as_array().map(Vec::len), Some(1));
    assert_eq!(listed["warnings"].as_array().map(Vec::len), Some(2));
}
