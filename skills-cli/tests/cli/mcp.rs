//! `mcp`, started as a host does. The library tests its answers.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::place::Place;

pub(crate) fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}})
}

/// The text that a model sees of an answer.
fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().expect("the answer of a tool")
}

/// A host that has started the program.
struct Host {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Host {
    fn start(place: &Place, args: &[&str]) -> Self {
        let mut command = place.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let stdin = child.stdin.take().expect("stdin is a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        Self { child, stdin, stdout }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin, "{message}").expect("it reads");
    }

    /// The answer to a request, whatever comes before it.
    fn ask(&mut self, request: &Value) -> Value {
        self.send(request);
        loop {
            let mut line = String::new();
            self.stdout.read_line(&mut line).expect("it answers");
            let message: Value = serde_json::from_str(&line).expect("an answer is JSON");
            if message["id"] == request["id"] {
                return message;
            }
        }
    }

    /// Goes away, and gives what was said on stderr and the exit code.
    fn end(self) -> (String, i32) {
        drop(self.stdin);
        let output = self.child.wait_with_output().expect("it ends with its host");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        (stderr, output.status.code().expect("not killed"))
    }
}

#[test]
fn a_host_is_served_and_broken_skills_are_reported() {
    let place = Place::new();
    place.skill("skills/zebra", "Counts stripes").file("skills/broken/SKILL.md", "no frontmatter");
    let started = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let load = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "load_skill", "arguments": {"skill_name": "zebra"}}});
    let mut host = Host::start(&place, &["mcp", "--root", "skills"]);
    let greeted = host.ask(&hello());
    assert_eq!(greeted["result"]["serverInfo"]["name"], "skills");
    assert_eq!(greeted["result"]["capabilities"]["tools"]["listChanged"], true);
    host.send(&started);
    assert!(text(&host.ask(&load)).starts_with("Skill: zebra\n"));
    let (stderr, code) = host.end();
    assert!(stderr.contains("error[E001]"), "{stderr}");
    assert_eq!(code, 0);
}

#[test]
fn the_server_ends_when_its_host_disconnects() {
    let place = Place::new();
    for stdin in ["", "{"] {
        let ran = place.run_with(["mcp"], stdin.as_bytes());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{stdin:?}: {}", ran.stdout);
    }
    place.file("no-folder", "");
    let ran = place.run(["mcp", "--root", "no-folder", "--json"]);
    assert_eq!((ran.error_code().as_str(), ran.code), ("ROOT_UNREADABLE", 2));
}

/// When a host is set up, few projects have the directories that docs/mcp.md configures.
#[test]
fn a_missing_root_is_served_when_it_appears() {
    let place = Place::new();
    let ran = place.run(["list", "--root", ".agents/skills", "--json"]);
    assert_eq!((ran.error_code().as_str(), ran.code), ("ROOT_UNREADABLE", 2), "that is for mcp alone");
    let mut host = Host::start(&place, &["mcp", "--no-bundle", "--root", ".agents/skills"]);
    host.ask(&hello());
    host.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    assert_eq!(host.ask(&list)["result"]["tools"], json!([]), "there is nothing yet");
    place.skill(".agents/skills/zebra", "Counts stripes");
    let load = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": {"name": "load_skill", "arguments": {"skill_name": "zebra"}}});
    assert!(text(&host.ask(&load)).starts_with("Skill: zebra\n"));
    let (stderr, code) = host.end();
    assert_eq!(stderr, "note: `.agents/skills` does not exist yet: it is served when it appears\n");
    assert_eq!(code, 0);
}

#[test]
fn a_line_that_is_not_json_is_answered_and_reported() {
    let ran = Place::new().run_with(["mcp"], b"not json\n");
    let answer: Value = serde_json::from_str(&ran.stdout).expect("one line of JSON");
    assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(-32700), Some(&Value::Null)));
    assert_eq!(ran.stderr, " WARN a line was refused: Parse error: expected ident at line 1 column 2\n");
    assert_eq!(ran.code, 0);
}

#[test]
fn the_form_of_answers_is_chosen() {
    let place = Place::new();
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "skills_tool", "arguments": {"action": "load", "skill_name": "write-skill"}}});
    let mut host = Host::start(&place, &["mcp", "--tools", "one", "--structured"]);
    let greeted = host.ask(&hello());
    let instructions = greeted["result"]["instructions"].as_str().expect("there are some");
    assert!(instructions.contains("skills_tool action=load") && !instructions.contains("load_skill"));
    host.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let answer = host.ask(&call);
    assert_eq!(answer["result"]["structuredContent"]["skill_name"], "write-skill");
    assert!(text(&answer).contains("Files (use skills_tool action=read_file to open):"));
    assert_eq!(host.end(), (String::new(), 0));
}

#[test]
#[cfg(not(feature = "mcp-http"))]
fn the_error_about_http_names_the_feature() {
    for address in ["8080", "x"] {
        let ran = Place::new().run(["mcp", "--http", address]);
        let said = "skills: `--http` is not in this program: it was built without the feature `mcp-http`\n\
                    help: in a checkout: `cargo install --path skills-cli --features mcp-http --locked`\n";
        assert_eq!(ran.stderr, said, "{address}");
        assert_eq!(ran.code, 2);
    }
    assert!(Place::new().run(["mcp", "--help"]).stdout.contains("built without it"));
}

#[test]
fn the_help_says_what_http_needs() {
    assert!(Place::new().run(["mcp", "--help"]).stdout.contains("--features mcp-http --locked"));
}
