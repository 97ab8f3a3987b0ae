//! The server, as a client sees it: messages in, messages out.

#![allow(clippy::disallowed_methods, reason = "tests make their own files")]

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use gen_lsp_types::{Position, Range, TextEdit};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use skills_bundle::{Config, Finding, compile};
use skills_source::source::Source;

use super::place::uri_of;
use super::position::shown_range;
use crate::form::Exit;

mod edits;
mod features;
mod findings;
mod fixes;
mod queries;
mod renames;

/// A client of a server that runs in another thread.
pub(super) struct Client {
    connection: Connection,
    server: Option<JoinHandle<Exit>>,
    next_id: i32,
}

impl Client {
    /// A client with one folder, that can do what most can.
    pub(super) fn new(folder: &Path) -> Self {
        Self::able(
            folder,
            &json!({"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["rename"]}}}),
        )
    }

    pub(super) fn able(folder: &Path, capabilities: &Value) -> Self {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || super::serve(&server).expect("the messages are in order"));
        let mut client = Self { connection, server: Some(server), next_id: 0 };
        let folders = json!([{ "uri": uri_of(folder), "name": "x" }]);
        client.request("initialize", &json!({"capabilities": capabilities, "workspaceFolders": folders}));
        client.notify("initialized", &json!({}));
        client
    }

    pub(super) fn notify(&self, method: &str, params: &Value) {
        let notification = Notification { method: method.to_owned(), params: params.clone() };
        self.connection.sender.send(Message::Notification(notification)).expect("the server listens");
    }

    pub(super) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.try_request(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    pub(super) fn try_request(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        let request = Request { id: id.clone(), method: method.to_owned(), params: params.clone() };
        self.connection.sender.send(Message::Request(request)).expect("the server listens");
        loop {
            if let Message::Response(response) = self.receive()
                && response.id == id
            {
                return response.response_result.map_err(|error| error.message);
            }
        }
    }

    pub(super) fn open(&self, path: &Path, text: &str) {
        let item = json!({"uri": uri_of(path), "languageId": "skill", "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({ "textDocument": item }));
    }

    pub(super) fn change(&self, path: &Path, version: i32, changes: &Value) {
        let document = json!({"uri": uri_of(path), "version": version});
        self.notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}));
    }

    pub(super) fn notify_on(&self, method: &str, path: &Path) {
        self.notify(method, &json!({"textDocument": {"uri": uri_of(path)}}));
    }

    /// The diagnostics of a file in this version.
    pub(super) fn diagnostics(&self, path: &Path, version: Option<i32>) -> Vec<Value> {
        loop {
            let Message::Notification(Notification { method, params }) = self.receive() else { continue };
            let is_it = params["uri"] == json!(uri_of(path)) && params["version"] == json!(version);
            if method == "textDocument/publishDiagnostics" && is_it {
                return params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    pub(super) fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect("the server answers")
    }

    /// Leaves in order, and returns the exit code of the server.
    pub(super) fn leave(mut self) -> Exit {
        self.request("shutdown", &Value::Null);
        self.notify("exit", &Value::Null);
        self.server.take().and_then(|server| server.join().ok()).expect("the server ends")
    }
}

pub(super) fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("it has one")).expect("made");
    fs::write(&path, text).expect("written");
    path
}

/// A directory of its own, with the symlinks above it resolved.
pub(super) fn place() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().canonicalize().expect("it is there");
    (dir, path)
}

/// The codes of diagnostics.
pub(super) fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().expect("each has one")).collect()
}

/// A text after the edits of a workspace edit for one file, which don't overlap.
pub(super) fn edited(text: &str, path: &Path, edit: &Value) -> String {
    let uri = json!(uri_of(path));
    let changes = edit["documentChanges"].as_array().expect("document changes").iter();
    let of_file = changes.filter(|change| change["textDocument"]["uri"] == uri);
    let mut edits: Vec<TextEdit> = of_file
        .flat_map(|change| change["edits"].as_array().expect("edits").clone())
        .map(|edit| serde_json::from_value(edit).expect("an edit"))
        .collect();
    edits.sort_by_key(|edit| edit.range.start);
    let source = Source::new("", text);
    let mut edited = text.to_owned();
    for edit in edits.iter().rev() {
        let [start, end] = [edit.range.start, edit.range.end].map(|at| super::position::offset(&source, at));
        edited.replace_range(start..end, &edit.new_text);
    }
    edited
}

pub(super) fn range_of(text: &str, part: &str) -> Range {
    let start = text.find(part).expect("it is in the text");
    super::position::range(&Source::new("", text), &(start..start + part.len()))
}

/// The range in the protocol of what a finding underlines.
pub(super) fn range_in_protocol(finding: &Finding) -> Range {
    let zero = Position { line: 0, character: 0 };
    let nothing = Range { start: zero, end: zero };
    finding.source.as_ref().map_or(nothing, |source| shown_range(source, &finding.span))
}

/// All that `skills check` finds below a directory.
pub(super) fn checked(base: &Path, root: &str) -> Vec<Finding> {
    compile::check(&Config::new(root).base(base).within_live_limits(true)).findings
}
