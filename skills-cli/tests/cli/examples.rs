//! Every example in the help texts works as it is.

use std::process::Command;

use crate::place::Place;

/// The shortest session of an editor.
const EDITOR: [&str; 4] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
    r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
    r#"{"jsonrpc":"2.0","method":"exit"}"#,
];

fn framed(message: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}

#[test]
#[cfg(unix)]
fn examples_in_the_help_work() {
    let place = Place::new();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_skills"));
    let path = format!("{}:/usr/bin:/bin", program.parent().expect("it is in a directory").display());
    let mut tried = 0;
    for command in [
        "",
        "list",
        "search",
        "load",
        "prompt",
        "read",
        "call",
        "schema",
        "check",
        "report",
        "explain",
        "test",
        "why",
        "new",
        "lsp",
        "mcp",
        "export",
        "install",
        "uninstall",
        "completions",
        "man",
    ] {
        let help = place.run([command, "--help"].into_iter().filter(|arg| !arg.is_empty())).stdout;
        let (_, examples) = help.split_once("Examples:\n").expect("each help has examples");
        let examples = examples.lines().take_while(|line| line.starts_with("  "));
        // A watch never ends, and there is no program: both have tests of their own.
        let is_tried = |line: &&str| !line.contains("--watch") && !line.contains("target/release");
        for example in examples.filter(is_tried) {
            let place = Place::new();
            if !example.contains(" new ") {
                place.run(["new", "my-skill"]);
            }
            if example.contains(" test ") {
                // The template has no words of users.
                place.skill("skills/pdf", "Fills in forms, merges scans");
            }
            if example.contains(" test ") && !example.contains(" --init") {
                place.run(["test", "skills", "--init"]);
                place.file(
                    "queries.json",
                    r#"[{"skill": "my-skill", "query": "my skill", "should_trigger": true}]"#,
                );
                place.file("baseline.json", place.run(["test", "skills", "--json"]).stdout);
            }
            if example.contains(" uninstall ") {
                place.run(["install", "--agent", "claude-code"]);
                place.run(["export", "out"]);
            }
            // A language server is ended by its editor.
            place.file("editor", EDITOR.map(framed).concat());
            let example = if command == "lsp" { format!("{example} < editor") } else { example.to_owned() };
            let output = Command::new("sh")
                .args(["-c", &example])
                .current_dir(place.path())
                .env("PATH", &path)
                .env("HOME", place.path())
                .output();
            let output = output.expect("there is a shell");
            assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
            tried += 1;
        }
    }
    assert!(tried > 28, "{tried}");
}

/// The commands in `docs/ci.md` and `.pre-commit-hooks.yaml` that users copy.
#[test]
fn commands_for_ci_work() {
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| std::fs::read_to_string(repository.join(path)).expect("it is in the repository");
    let (docs, hooks) = (read("docs/ci.md"), read(".pre-commit-hooks.yaml"));
    let steps = docs.lines().filter_map(|line| line.trim().strip_prefix("- run: skills "));
    let entries = hooks.lines().filter_map(|line| line.trim().strip_prefix("entry: skills "));
    let commands: Vec<String> =
        steps.map(str::to_owned).chain(entries.map(|entry| format!("{entry} skills"))).collect();
    assert_eq!(commands.len(), 6);
    for command in commands {
        let arguments = command.split(" > ").next().unwrap_or_default().split(' ');
        let place = Place::new();
        place.skill("skills/pdf", "Reads PDF");
        place.file("skills/pdf/evals/triggers.json", r#"[{"query": "read a PDF", "should_trigger": true}]"#);
        place.file("skills-baseline.json", place.run(["test", "skills", "--json"]).stdout);
        let ran = place.run(arguments.clone());
        assert_eq!(ran.code, 0, "{command}: {}", ran.stderr);
        place.file("skills/pdf/SKILL.md", "# no\n");
        assert_eq!(place.run(arguments).code, 1, "{command}");
    }
    for id in hooks.lines().filter_map(|line| line.strip_prefix("- id: ")) {
        assert!(docs.contains(&format!("`{id}`")), "{id} is not in the docs");
    }
}
