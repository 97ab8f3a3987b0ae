//! What the example does, as its users see it.

#![allow(clippy::expect_used, clippy::disallowed_methods, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use skills::export::{Agent, Exporter, Scope};
use skills::{Bundle, Registry};
use tempfile::TempDir;

/// What an earlier version of the program had.
static OLD: Bundle = skills::include_skills!("tests/old");

const NAME: &str = "cli-with-skills";

fn run(home: &TempDir, args: &[&str]) -> (Option<i32>, String, String) {
    let project = home.path().join("project");
    fs::create_dir_all(&project).expect("it is made");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cli-with-skills"));
    let output = command.args(args).current_dir(project).env("HOME", home.path()).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text").replace('\\', "/");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn ok(home: &TempDir, args: &[&str]) -> String {
    let (code, stdout, stderr) = run(home, args);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{args:?}");
    stdout
}

fn home() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

#[test]
fn the_skills_are_shown() {
    let home = home();
    let list = ok(&home, &["skills", "list"]);
    assert!(
        list.starts_with("Available skills (1):\n- count-words: Counts the words of text files"),
        "{list}"
    );
    assert!(ok(&home, &["skills", "search", "how", "long", "is", "it"]).contains("\n- count-words: "));
    let shown = ok(&home, &["skills", "show", "count-words"]);
    assert!(shown.starts_with("Skill: count-words\n") && shown.contains("# Count words"), "{shown}");
    assert_eq!(ok(&home, &["skills", "load", "Count Words"]), shown);
    assert!(
        ok(&home, &["skills", "read", "count-words", "references/limits.md"]).contains("150 to 250 words")
    );
    let json = ok(&home, &["skills", "list", "--json"]);
    assert!(json.starts_with("{\n") && json.contains("\"name\": \"count-words\""), "{json}");
    let help = ok(&home, &["skills", "--help"]);
    for command in ["list", "search", "show", "read", "install", "uninstall"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
    }
}

/// An agent's host starts the program like this.
#[cfg(feature = "mcp")]
#[test]
fn the_skills_are_served() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::Stdio;

    let mut server = Command::new(env!("CARGO_BIN_EXE_cli-with-skills"))
        .args(["skills", "mcp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut host = server.stdin.take().expect("it is piped");
    let mut answers = BufReader::new(server.stdout.take().expect("it is piped")).lines();
    let mut ask = |request: &str| {
        writeln!(host, "{request}").expect("it reads");
        answers.next().expect("it answers").expect("it is text")
    };
    let hello = ask(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
    );
    assert!(hello.contains(r#""name":"cli-with-skills""#), "{hello}");
    let loaded = ask(
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"load_skill","arguments":{"skill_name":"count-words"}}}"#,
    );
    assert!(loaded.contains("# Count words"), "{loaded}");
    drop(host);
    assert!(server.wait().expect("it ends").success());
}

#[test]
fn what_is_not_there_is_reported() {
    let home = home();
    let (code, stdout, stderr) = run(&home, &["skills", "show", "count-word"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert_eq!(stderr, "cli-with-skills: skill not found: 'count-word'\nhelp: did you mean count-words?\n");
    assert_eq!(run(&home, &["skills", "read", "count-words", "x.md"]).0, Some(1));
    assert_eq!(run(&home, &["skills", "search", "zebra"]).0, Some(1));
    assert_eq!(run(&home, &["skills", "search", " "]).0, Some(2));
    assert_eq!(run(&home, &["skills", "install"]).0, Some(2), "for whom?");
    assert_eq!(run(&home, &["skills", "install", "other", "--agent", "agents"]).0, Some(1));
    assert_eq!(run(&home, &["skills", "check"]).0, Some(2), "the build has checked them");
}

#[test]
fn skills_are_installed_for_two_agents_and_removed() {
    let home = home();
    let project = home.path().join("project");
    assert_eq!(
        ok(&home, &["skills", "install", "--agent", "claude-code", "--dry-run"]).lines().last(),
        Some("dry run, nothing is changed: would create 2")
    );
    assert!(!project.join(".claude").exists());
    for (agent, dir) in [("claude-code", ".claude"), ("gemini-cli", ".gemini")] {
        let text = ok(&home, &["skills", "install", "--agent", agent]);
        assert!(text.starts_with(&format!("created {dir}/skills/count-words/SKILL.md\n")), "{text}");
        assert!(text.ends_with("\n2 created\n"), "{text}");
        assert_eq!(ok(&home, &["skills", "install", "--agent", agent]), "2 unchanged\n");
    }
    ok(&home, &["skills", "install", "--agent", "claude-code", "--scope", "user"]);
    assert!(home.path().join(".claude/skills/count-words/SKILL.md").is_file());
    // Another program's, and the user's own, stay.
    fs::create_dir(project.join(".claude/skills/mine")).expect("it is made");
    let text = ok(&home, &["skills", "uninstall", "--agent", "claude-code", "--json"]);
    assert!(text.contains("\"removed\": 2"), "{text}");
    let left: Vec<_> = fs::read_dir(project.join(".claude/skills")).expect("it stays").flatten().collect();
    assert_eq!(left.iter().map(fs::DirEntry::file_name).collect::<Vec<_>>(), ["mine"]);
    let nothing = "nothing there was written by this program\n".to_owned();
    let again = run(&home, &["skills", "uninstall", "--agent", "claude-code"]);
    assert_eq!(again, (Some(1), nothing, String::new()));
    assert!(project.join(".gemini/skills/count-words/SKILL.md").is_file());
}

#[test]
fn several_agents_are_given_at_once() {
    let home = home();
    let project = home.path().join("project");
    let is_in = |dir: &str| project.join(dir).join("skills/count-words/SKILL.md").is_file();
    // Codex reads the shared directory, which is written once.
    let several = ["--agent", "agents", "--agent", "codex", "--agent", "gemini-cli"];
    let text = ok(&home, &[&["skills", "install"][..], &several].concat());
    assert!(
        text.starts_with(".agents/skills:\ncreated ") && text.contains("\n\n.gemini/skills:\n"),
        "{text}"
    );
    assert_eq!(text.matches("2 created").count(), 2, "{text}");
    assert!(is_in(".agents") && is_in(".gemini") && !is_in(".claude"));
    let json = ok(&home, &["skills", "install", "--agent", "all", "--json"]);
    assert!(json.starts_with("{\n  \"targets\": [\n") && json.matches("\"dir\": ").count() == 2, "{json}");
    assert!(is_in(".claude"));
    ok(&home, &["skills", "uninstall", "--agent", "all"]);
    assert!(!is_in(".agents") && !is_in(".claude") && is_in(".gemini"));
    let (code, _, stderr) = run(&home, &["skills", "install", "--agent", "every"]);
    assert!(code == Some(2) && stderr.contains("all"), "{stderr}");
    let help = ok(&home, &["skills", "uninstall", "--help"]);
    assert!(help.contains("The agent that no longer needs them") && !help.contains("should read"), "{help}");
}

/// As the program `skills`: nothing was done that was asked for.
#[test]
fn what_stays_as_a_whole_is_no_success() {
    let home = home();
    let install = ["skills", "install", "--agent", "agents"];
    ok(&home, &install);
    let file = home.path().join("project/.agents/skills/count-words/SKILL.md");
    fs::write(&file, "my own").expect("it is written");
    let (code, _, stderr) = run(&home, &install);
    assert!(code == Some(1) && stderr.starts_with("kept: "), "{stderr}");
    // One of two is something.
    assert_eq!(run(&home, &["skills", "install", "--agent", "all"]).0, Some(0));
    fs::remove_file(&file).expect("it is removed");
    assert_eq!(run(&home, &install).0, Some(0));
}

/// The README shows the lines that matter.
#[test]
fn the_readme_shows_this_program() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(package.join(path)).expect("it is in the repository");
    let (readme, program) = (read("../../README.md"), read("src/main.rs"));
    let (_, section) = readme.split_once("\n## In a program with clap\n").expect("it has that section");
    let block = section.split("```").find_map(|block| block.strip_prefix("rust")).expect("it has a block");
    for line in block.lines().skip(1) {
        assert!(program.lines().any(|own| own == line), "{line}");
    }
}

fn install_old(by: &str, agent: Agent, scope: Scope, base: &Path) {
    Exporter::new(by).install(&Registry::new(&OLD), &agent.dir(scope, base)).expect("it is written");
}

#[test]
fn an_older_version_is_noticed_and_updated() {
    let home = home();
    let project = home.path().join("project");
    let count = || {
        let (code, stdout, stderr) = run(&home, &["count", "a.txt"]);
        assert_eq!((code, stdout.as_str()), (Some(0), "3\n"));
        stderr
    };
    fs::create_dir_all(&project).expect("it is made");
    fs::write(project.join("a.txt"), "one two three\n").expect("it is written");
    install_old("another-program", Agent::Shared, Scope::Project, &project);
    assert_eq!(count(), "", "nothing of this program is installed");
    install_old(NAME, Agent::ClaudeCode, Scope::Project, &project);
    install_old(NAME, Agent::GeminiCli, Scope::User, home.path());
    let notes = count();
    let lines: Vec<&str> = notes.lines().collect();
    assert_eq!(lines.len(), 2, "{notes}");
    assert_eq!(
        lines[0],
        "note: 2 skills are not of this version in `.claude/skills`: `cli-with-skills skills install --agent claude-code` \
         updates them"
    );
    assert!(
        lines[1].ends_with("`cli-with-skills skills install --agent gemini-cli --scope user` updates them"),
        "{notes}"
    );
    let text = ok(&home, &["skills", "install", "--agent", "claude-code"]);
    assert!(text.contains("\nremoved .claude/skills/count-lines/SKILL.md\n"), "{text}");
    assert!(text.ends_with("\n1 created, 1 updated, 2 removed\n"), "{text}");
    ok(&home, &["skills", "install", "--agent", "gemini-cli", "--scope", "user"]);
    assert_eq!(count(), "");
    // What a user has changed isn't updated, so it isn't stale either.
    install_old(NAME, Agent::Copilot, Scope::Project, &project);
    fs::write(project.join(".github/skills/count-words/SKILL.md"), "my own").expect("it is written");
    ok(&home, &["skills", "list"]);
    let (_, _, kept) = run(&home, &["skills", "install", "--agent", "copilot"]);
    assert!(kept.starts_with("kept: .github/skills/count-words/SKILL.md was changed"), "{kept}");
    assert_eq!(count(), "");
}
