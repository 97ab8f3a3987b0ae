//! A client of `skills lsp` over stdin and stdout, which waits for each answer.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use bench_harness::failure::{Outcome, failure};
use bench_harness::run;
use serde_json::{Value, json};

/// A server that runs, and one file that is open in it.
#[derive(Debug)]
pub struct Client {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    uri: String,
    version: i32,
}

impl Client {
    /// Starts the server for a workspace.
    pub fn start(program: &Path, workspace: &Path) -> Outcome<Self> {
        let mut command = Command::new(program);
        command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child =
            command.spawn().map_err(|error| failure(format!("the server does not start: {error}")))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| failure("the server has no pipes"))?;
        let stdout = BufReader::new(stdout);
        let mut client = Self { child, stdin, stdout, uri: String::new(), version: 0 };
        let folder = json!({"uri": uri(workspace), "name": "bench"});
        let params = json!({"capabilities": {}, "workspaceFolders": [folder]});
        client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}))?;
        while client.receive()?["id"] != 1 {}
        client.notify("initialized", &json!({}))?;
        Ok(client)
    }

    /// Opens the file, and returns how long its first diagnostics took.
    pub fn open(&mut self, file: &Path, text: &str) -> Outcome<Duration> {
        self.uri = uri(file);
        self.version = 1;
        let item = json!({"uri": self.uri, "languageId": "skill", "version": 1, "text": text});
        let started = Instant::now();
        self.notify("textDocument/didOpen", &json!({ "textDocument": item }))?;
        self.diagnostics()?;
        Ok(started.elapsed())
    }

    /// Puts `text` in place of what is between two columns of a line, and returns how long the diagnostics of the new
    /// text took.
    pub fn edit(&mut self, line: usize, columns: [usize; 2], text: &str) -> Outcome<Duration> {
        let started = Instant::now();
        self.change(line, columns, text)?;
        self.diagnostics()?;
        Ok(started.elapsed())
    }

    /// The same until the diagnostics have, or haven't, one of this code.
    pub fn edit_until(
        &mut self,
        line: usize,
        columns: [usize; 2],
        text: &str,
        code: &str,
        has_it: bool,
    ) -> Outcome<Duration> {
        let started = Instant::now();
        self.change(line, columns, text)?;
        loop {
            let shown = self.diagnostics()?;
            let has = shown.as_array().is_some_and(|all| all.iter().any(|one| one["code"] == code));
            if has == has_it {
                return Ok(started.elapsed());
            }
        }
    }

    /// The memory of the server, in MB; `None` where the system doesn't say.
    pub fn memory(&self) -> Option<f64> {
        run::resident(self.child.id())
    }

    /// Leaves, and waits for the end of the server.
    pub fn leave(mut self) -> Outcome<()> {
        self.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}))?;
        while self.receive()?["id"] != 2 {}
        self.notify("exit", &Value::Null)?;
        let ended =
            self.child.wait().map_err(|error| failure(format!("the server does not end: {error}")))?;
        if ended.success() { Ok(()) } else { Err(failure(format!("the server ended with {ended}"))) }
    }

    fn change(&mut self, line: usize, [from, to]: [usize; 2], text: &str) -> Outcome<()> {
        self.version += 1;
        let range =
            json!({"start": {"line": line, "character": from}, "end": {"line": line, "character": to}});
        let document = json!({"uri": self.uri, "version": self.version});
        let changes = json!([{"range": range, "text": text}]);
        self.notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}))
    }

    /// The next diagnostics of the text as it is now.
    fn diagnostics(&mut self) -> Outcome<Value> {
        loop {
            let mut message = self.receive()?;
            if message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["version"] == self.version
            {
                return Ok(message["params"]["diagnostics"].take());
            }
        }
    }

    fn notify(&mut self, method: &str, params: &Value) -> Outcome<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn send(&mut self, message: &Value) -> Outcome<()> {
        let body = message.to_string();
        let sent = write!(self.stdin, "Content-Length: {}\r\n\r\n{body}", body.len())
            .and_then(|()| self.stdin.flush());
        sent.map_err(|error| failure(format!("the server does not listen: {error}")))
    }

    fn receive(&mut self) -> Outcome<Value> {
        let gone = |error| failure(format!("the server is gone: {error}"));
        let mut len = 0;
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line).map_err(gone)? == 0 {
                return Err(failure("the server has left"));
            }
            match line.trim_end() {
                "" => break,
                line => {
                    len =
                        line.strip_prefix("Content-Length: ").and_then(|len| len.parse().ok()).unwrap_or(len);
                }
            }
        }
        let mut body = vec![0; len];
        self.stdout.read_exact(&mut body).map_err(gone)?;
        serde_json::from_slice(&body).map_err(|error| failure(format!("the server sends no JSON: {error}")))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
