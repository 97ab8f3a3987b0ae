//! The loop: one message after the other, diagnostics once none is waiting, and queries of tests after a pause.

use std::time::Duration;

use gen_lsp_types::{
    CodeActionParams, CompletionParams, DefinitionParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentLinkParams, HoverParams,
    PrepareRenameParams, RenameParams, TextDocumentPositionParams,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::actions::{self, FIX_ALL};
use super::place::path_of;
use super::server::Server;
use super::{complete, hover, links, rename};
use crate::form::Exit;

/// What a client is asked to watch: skills and commands, and the queries around them, which roots of any name have.
const WATCHED: [&str; 7] = [
    "**/SKILL.md",
    "**/*.command.yaml",
    "**/Cargo.toml",
    "**/skills/**",
    "**/commands/**",
    "**/evals/**",
    "**/tests/*.{json,jsonl,ndjson,csv,yaml,yml}",
];

/// How long nothing is typed before the queries of tests are judged: all else is judged at once.
const PAUSE: Duration = Duration::from_millis(200);

/// What the server can do.
pub(crate) fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "codeActionProvider": { "codeActionKinds": ["quickfix", FIX_ALL] },
        "completionProvider": { "triggerCharacters": complete::TRIGGERS },
        "hoverProvider": true,
        "definitionProvider": true,
        "documentLinkProvider": {},
        "renameProvider": { "prepareProvider": true },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
    })
}

/// Answers until the client leaves.
pub(crate) fn run(server: &mut Server, connection: &Connection) -> Exit {
    let mut exit = Exit::Nothing;
    loop {
        let waiting = match connection.receiver.try_recv() {
            Ok(message) => Some(message),
            Err(error) if error.is_disconnected() => return exit,
            Err(_) => None,
        };
        if waiting.is_none() && server.is_waiting() {
            for params in server.take_diagnostics() {
                notify(connection, "textDocument/publishDiagnostics", &params);
            }
            continue;
        }
        let received = match waiting {
            Some(message) => Ok(message),
            None if server.has_old_queries() => match connection.receiver.recv_timeout(PAUSE) {
                Err(error) if error.is_timeout() => {
                    server.judge_queries();
                    continue;
                }
                received => received.map_err(|_| ()),
            },
            None => connection.receiver.recv().map_err(|_| ()),
        };
        let Ok(message) = received else { return exit };
        match message {
            Message::Request(Request { id, .. }) if exit == Exit::Success => {
                let why = "the server was asked to shut down, and waits for `exit`";
                refuse(connection, id, ErrorCode::InvalidRequest, why.to_owned());
            }
            Message::Request(Request { id, method, .. }) if method == "shutdown" => {
                exit = Exit::Success;
                send(connection, Message::Response(Response { id, response_result: Ok(Value::Null) }));
            }
            Message::Request(Request { id, method, .. }) if method == "initialize" => {
                let why = "the server is initialized already";
                refuse(connection, id, ErrorCode::InvalidRequest, why.to_owned());
            }
            Message::Request(request) => {
                let response = if request.method == "textDocument/rename" {
                    rename_skill(server, connection, request)
                } else {
                    answer(server, request)
                };
                send(connection, Message::Response(response));
            }
            Message::Notification(Notification { method, .. }) if method == "exit" => return exit,
            Message::Notification(Notification { method, .. }) if method == "initialized" => {
                if server.client.watches_files {
                    send(connection, Message::Request(watch_request()));
                }
            }
            // Nobody waits for what they would lead to.
            Message::Notification(_) if exit == Exit::Success => {}
            Message::Notification(notification) => take(server, notification),
            Message::Response(_) => {}
        }
    }
}

/// Answers a request with an error.
pub(crate) fn refuse(connection: &Connection, id: RequestId, code: ErrorCode, why: String) {
    send(connection, Message::Response(Response { id, response_result: Err(error(code, why)) }));
}

fn answer(server: &mut Server, Request { id, method, params }: Request) -> Response {
    let result = match method.as_str() {
        "textDocument/codeAction" => with(params, |params: CodeActionParams| {
            let client = server.client;
            let opened = server.opened(&params.text_document.uri);
            opened.map(|(document, root)| actions::actions(document, root, client, &params))
        }),
        "textDocument/completion" => with(params, |params: CompletionParams| {
            let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
            let opened = server.opened(&text_document.uri);
            opened.map(|(document, root)| complete::items(document, root, position))
        }),
        "textDocument/hover" => with(params, |params: HoverParams| {
            let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
            let (document, root) = server.opened(&text_document.uri)?;
            hover::hover(document, root, position)
        }),
        "textDocument/definition" => with(params, |params: DefinitionParams| {
            let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
            let (document, root) = server.opened(&text_document.uri)?;
            links::definition(document, root, position)
        }),
        "textDocument/documentLink" => with(params, |params: DocumentLinkParams| {
            let opened = server.opened(&params.text_document.uri);
            opened.map(|(document, root)| links::links(document, root))
        }),
        "textDocument/prepareRename" => with(params, |params: PrepareRenameParams| {
            let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
            let (document, root) = server.opened(&text_document.uri)?;
            let (range, placeholder) = rename::prepare(document, root, position)?;
            Some(json!({ "range": range, "placeholder": placeholder }))
        }),
        other => Err(error(ErrorCode::MethodNotFound, format!("there is no method `{other}`"))),
    };
    Response { id, response_result: result }
}

/// The answer to a rename. What it can't do is said in a message.
fn rename_skill(
    server: &mut Server,
    connection: &Connection,
    Request { id, params, .. }: Request,
) -> Response {
    let renamed = with(params, |params: RenameParams| {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let client = server.client;
        let open = server.open_files();
        let Some((document, root)) = server.opened(&text_document.uri) else {
            return Err("this file isn't open, or isn't one of a skill".to_owned());
        };
        rename::rename(document, root, client, position, &params.new_name, &open).map(|renamed| {
            if let Some(note) = renamed.note {
                notify(connection, "window/showMessage", &json!({ "type": 2, "message": note }));
            }
            renamed.edit
        })
    });
    // The protocol has an error for what can't be done.
    let result = renamed.and_then(|renamed| match renamed {
        Value::Object(mut either) => match (either.remove("Ok"), either.remove("Err")) {
            (Some(edit), _) => Ok(edit),
            (_, why) => Err(error(
                ErrorCode::RequestFailed,
                why.and_then(|why| Some(why.as_str()?.to_owned())).unwrap_or_default(),
            )),
        },
        other => Ok(other),
    });
    Response { id, response_result: result }
}

/// The answer to a request, from its parameters.
fn with<P: DeserializeOwned, R: Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> R,
) -> Result<Value, ResponseError> {
    let params = serde_json::from_value(params)
        .map_err(|why| error(ErrorCode::InvalidParams, format!("the parameters cannot be read: {why}")))?;
    serde_json::to_value(answer(params))
        .map_err(|why| error(ErrorCode::InternalError, format!("the answer cannot be written: {why}")))
}

fn error(code: ErrorCode, message: String) -> ResponseError {
    ResponseError { code: code as i32, message, data: None }
}

/// Takes note. What can't be read is ignored: nobody waits for an answer.
fn take(server: &mut Server, Notification { method, params }: Notification) {
    match method.as_str() {
        "textDocument/didOpen" => read(params, |params: DidOpenTextDocumentParams| server.open(params)),
        "textDocument/didChange" => read(params, |params: DidChangeTextDocumentParams| server.change(params)),
        "textDocument/didSave" => {
            read(params, |params: DidSaveTextDocumentParams| server.save(&params.text_document.uri));
        }
        "textDocument/didClose" => {
            read(params, |params: DidCloseTextDocumentParams| server.close(&params.text_document.uri));
        }
        "workspace/didChangeWatchedFiles" => read(params, |params: DidChangeWatchedFilesParams| {
            for path in params.changes.iter().filter_map(|change| path_of(&change.uri)) {
                server.changed_on_disk(&skills_source::scan::real(&path));
            }
        }),
        "workspace/didChangeWorkspaceFolders" => read(params, |params: DidChangeWorkspaceFoldersParams| {
            params.event.removed.iter().for_each(|folder| server.remove_folder(&folder.uri));
            params.event.added.iter().for_each(|folder| server.add_folder(&folder.uri));
        }),
        _ => {}
    }
}

fn read<P: DeserializeOwned>(params: Value, take: impl FnOnce(P)) {
    if let Ok(params) = serde_json::from_value(params) {
        take(params);
    }
}

/// Asks the client to tell of changes that others make on disk.
fn watch_request() -> Request {
    let watchers = WATCHED.map(|pattern| json!({ "globPattern": pattern }));
    let registration = json!({
        "id": "skills-files",
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": { "watchers": watchers },
    });
    Request {
        id: RequestId::from(1),
        method: "client/registerCapability".to_owned(),
        params: json!({ "registrations": [registration] }),
    }
}

fn notify(connection: &Connection, method: &str, params: &impl Serialize) {
    if let Ok(params) = serde_json::to_value(params) {
        send(connection, Message::Notification(Notification { method: method.to_owned(), params }));
    }
}

/// Sends a message. A client that has left gets none, and the loop ends when nothing comes from it either.
pub(crate) fn send(connection: &Connection, message: Message) {
    let _ = connection.sender.send(message);
}
