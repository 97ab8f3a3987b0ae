//! The command `lsp`: a language server on stdin and stdout, for people and agents who write skills.
//!
//! It carries: what is wrong is found by `skills_bundle::compile::Checker`, as in every check, with the open
//! buffers in place of the files. One thread does everything, in the order of the messages; while more of
//! them are waiting, nothing is judged. `frames` reads and writes messages, `server` has the state, `dispatch` knows which message is for whom,
//! and each feature has its file.

mod actions;
mod cases;
mod complete;
pub(crate) mod concern;
mod diagnostics;
mod dispatch;
mod document;
mod frames;
mod hover;
mod links;
mod mentions;
pub(crate) mod place;
mod position;
mod rename;
mod root;
mod server;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typing;

use lsp_server::{Connection, ErrorCode, Message, Request, RequestId, Response};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::form::Exit;
use crate::output::Outcome;
use server::Server;

pub(crate) fn run() -> Result<Outcome, Failure> {
    let (connection, threads) = frames::stdio();
    let served = serve(&connection);
    drop(connection);
    // Both threads end with the connection. What stopped them is why nothing was served any more.
    threads.join().and(served).map(Outcome::silent).map_err(|why| {
        let help = "it is meant to be started by an editor; docs/editors.md says how";
        Failure::other("LSP", format!("the editor cannot be served: {why}"), help)
    })
}

/// Serves one client until it leaves. The exit code is that of the protocol: 0 after a request to shut down.
///
/// # Errors
///
/// If the client is gone before it has introduced itself, in words.
pub(crate) fn serve(connection: &Connection) -> Result<Exit, String> {
    let Some((id, params)) = first_request(connection)? else { return Ok(Exit::Nothing) };
    let mut server = Server::new(&params);
    let result = json!({
        "capabilities": dispatch::capabilities(),
        "serverInfo": { "name": "skills", "version": env!("CARGO_PKG_VERSION") },
    });
    dispatch::send(connection, Message::Response(Response { id, response_result: Ok(result) }));
    Ok(dispatch::run(&mut server, connection))
}

/// Waits for the request to initialize, and refuses all others; `None` if the client leaves.
fn first_request(connection: &Connection) -> Result<Option<(RequestId, Value)>, String> {
    loop {
        let gone = |_| "the input ended before a request to `initialize`".to_owned();
        match connection.receiver.recv().map_err(gone)? {
            Message::Request(Request { id, method, params }) if method == "initialize" => {
                return Ok(Some((id, params)));
            }
            Message::Request(Request { id, method, .. }) => {
                let why = format!("the first request has to be `initialize`, not `{method}`");
                dispatch::refuse(connection, id, ErrorCode::ServerNotInitialized, why);
            }
            Message::Notification(note) if note.method == "exit" => return Ok(None),
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
}
