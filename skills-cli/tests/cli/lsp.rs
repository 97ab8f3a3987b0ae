//! `skills lsp` as an editor starts it: bytes in, bytes out. What it finds reads as in `check` and `check -`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdout, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::place::Place;

/// How long a server may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that runs, and what it sends.
struct Server {
    child: Child,
    sent: Receiver<Value>,
}

impl Server {
    fn start(place: &Place) -> Self {
        let mut command = place.command(["lsp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("it starts");
        let stdout = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let (sender, sent) = mpsc::channel();
        thread::spawn(move || read_all(stdout, |message| sender.send(message).is_ok()));
        let mut server = Self { child, sent };
        let folder = uri(place, "");
        let params = json!({"capabilities": {}, "workspaceFolders": [{"uri": folder, "name": "x"}]});
        server.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
        let hello = server.receive(|message| message["id"] == 1);
        assert_eq!(hello["result"]["serverInfo"]["name"], "skills");
        server.notify("initialized", &json!({}));
        server
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let stdin = self.child.stdin.as_mut().expect("it is a pipe");
        write!(stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("it listens");
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn receive(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.sent.recv_timeout(PATIENCE).expect("it answers");
            if is_it(&message) {
                return message;
            }
        }
    }

    /// Opens a file with this text, and returns its diagnostics once they are as wanted.
    fn open(
        &mut self,
        place: &Place,
        path: &str,
        text: &str,
        wanted: impl Fn(&[Value]) -> bool,
    ) -> Vec<Value> {
        let uri = uri(place, path);
        let item = json!({"uri": uri, "languageId": "skill", "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({ "textDocument": item }));
        let all = |message: &Value| message["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
        let message = self.receive(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri.as_str()
                && wanted(&all(message))
        });
        all(&message)
    }

    /// Leaves in order.
    fn leave(mut self) {
        self.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}));
        self.receive(|message| message["id"] == 2);
        self.notify("exit", &Value::Null);
        drop(self.child.stdin.take());
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
    }
}

/// Every message, until the other side closes or nobody wants more.
fn read_all(mut stdout: BufReader<ChildStdout>, mut take: impl FnMut(Value) -> bool) {
    loop {
        let mut len = None;
        loop {
            let mut line = String::new();
            if stdout.read_line(&mut line).unwrap_or_default() == 0 {
                return;
            }
            match line.trim_end() {
                "" => break,
                line => len = line.strip_prefix("Content-Length: ").map_or(len, |len| len.parse().ok()),
            }
        }
        let mut body = vec![0; len.expect("a header has the length")];
        stdout.read_exact(&mut body).expect("the body is whole");
        if !take(serde_json::from_slice(&body).expect("it is JSON")) {
            return;
        }
    }
}

fn uri(place: &Place, path: &str) -> String {
    let root = place.path().canonicalize().expect("it is there");
    format!("file://{}", root.join(path).display()).trim_end_matches('/').to_owned()
}

/// Code and words of what a check finds.
fn words_of_check(document: &Value) -> Vec<(String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().expect("it has one").to_owned();
    let findings = document["findings"].as_array().expect("a list").iter();
    let mut words: Vec<(String, String)> = findings
        .map(|one| (text(one, "code"), format!("{}\nhelp: {}", text(one, "message"), text(one, "help"))))
        .collect();
    words.sort();
    words
}

/// The same of diagnostics.
fn words(diagnostics: &[Value]) -> Vec<(String, String)> {
    let text = |one: &Value, key: &str| one[key].as_str().expect("it has one").to_owned();
    let mut words: Vec<(String, String)> =
        diagnostics.iter().map(|one| (text(one, "code"), text(one, "message"))).collect();
    words.sort();
    words
}

/// Compares the three ways to ask about one skill, which is alone in its root.
fn assert_same(place: &Place, path: &str, text: &str, codes: &[&str]) {
    let typed = place.run_with(["check", "-", "--stdin-path", path, "--json"], text.as_bytes()).json();
    let mut server = Server::start(place);
    let shown = server.open(place, path, text, |_| true);
    server.leave();
    place.file(path, text);
    let saved = place.run(["check", "skills", "--json"]).json();
    let expected = words_of_check(&saved);
    assert_eq!(expected.iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>(), codes, "{saved:#}");
    assert_eq!(words_of_check(&typed), expected, "check -");
    assert_eq!(words(&shown), expected, "the server");
}

#[test]
fn an_edited_skill_that_is_locked_reads_the_same_everywhere() {
    let place = Place::new();
    let text = "---\nname: pdf\ndescription: Fills forms\n---\n\nBody of pdf.\n";
    place.skill("skills/pdf", "Fills forms");
    let file = skills_bundle::lock::LockedFile::of("SKILL.md".to_owned(), false, text.as_bytes());
    let digest = skills_bundle::lock::digest(std::slice::from_ref(&file));
    let sha256: String = file.sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    place.file("Cargo.toml", "[package]\nname = \"x\"\npublish = false\n[workspace]\n").file(
        "skill-sources.lock",
        format!(
            "version = 1\n\n[[skill]]\nname = \"pdf\"\ndir = \"skills/pdf\"\nsource = \"acme/skills#v1\"\n\
             digest = \"{digest}\"\nfiles = [\"644 {} {sha256} SKILL.md\"]\n",
            text.len()
        ),
    );
    assert_same(&place, "skills/pdf/SKILL.md", text, &[]);
    assert_same(&place, "skills/pdf/SKILL.md", &text.replace("Fills", "Reads"), &["E024"]);
}

#[test]
fn a_file_that_is_not_published_reads_the_same_everywhere() {
    let place = Place::new();
    place
        .file(
            "Cargo.toml",
            "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2024\"\nexclude = [\"notes.md\"]\n[workspace]\n",
        )
        .file("src/lib.rs", "")
        .skill("skills/pdf", "Fills forms")
        .file("skills/pdf/notes.md", "x\n");
    let text = "---\nname: pdf\ndescription: Fills forms\n---\n\n[a](gone.md)\n";
    assert_same(&place, "skills/pdf/SKILL.md", text, &["L105", "L128"]);
}

#[test]
fn a_query_that_fails_reads_the_same_everywhere() {
    let place = Place::new();
    place.skill("skills/pdf", "Fills forms").skill("skills/sheets", "Sums the columns of tables");
    let query = r#"[{"query": "sum the columns of an invoice", "should_trigger": true, "top_k": 1}]"#;
    place.file("skills/pdf/evals/triggers.json", query);
    let text = std::fs::read_to_string(place.path().join("skills/pdf/SKILL.md")).expect("it is there");
    let expected = words_of_check(&place.run(["check", "skills", "--json"]).json());
    assert_eq!(expected.len(), 1, "{expected:?}");
    let mut server = Server::start(&place);
    let shown = server.open(&place, "skills/pdf/SKILL.md", &text, |shown| !shown.is_empty());
    server.leave();
    assert_eq!(words(&shown), expected);
}

#[test]
fn an_editor_that_dies_ends_the_server() {
    let place = Place::new();
    let mut server = Server::start(&place);
    drop(server.child.stdin.take());
    assert_eq!(server.child.wait().expect("it ends").code(), Some(1));
    // One that says nothing at all, too.
    let ran = place.run(["lsp"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 2));
    assert!(
        ran.stderr.contains("the editor cannot be served: ") && ran.stderr.contains("docs/editors.md"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_is_no_message_is_refused_in_words() {
    let place = Place::new();
    for (input, why) in [
        (
            "Content-Length: 99999999999999\r\n\r\n{}",
            "a message of 99999999999999 bytes is longer than 64 MiB",
        ),
        ("Content-Length: 5\r\n\r\nhello", "a message isn't one of JSON-RPC; it begins with `hello`"),
    ] {
        let ran = place.run_with(["lsp"], input.as_bytes());
        assert_eq!((ran.stdout.as_str(), ran.code), ("", 2), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("the editor cannot be served: {why}")), "{}", ran.stderr);
    }
    // One that leaves at once has not asked for a shutdown.
    let exit = "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
    let ran = place.run_with(["lsp"], format!("Content-Length: {}\r\n\r\n{exit}", exit.len()).as_bytes());
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1), "{}", ran.stderr);
}
