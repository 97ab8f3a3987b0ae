//! The command `lsp`: a language server on stdin and stdout, for people and agents who write skills.
//!
//! It carries: what is wrong is found by `skills_bundle::compile::Checker`, as in every check, with the open
//! buffers in place of the files. One thread does everything, in the order of the messages; while more of
//! them are waiting, nothing is judged. `server` has the state, `dispatch` knows which message is for whom,
//! and each feature has its file.

mod actions;
mod complete;
mod diagnostics;
mod dispatch;
mod document;
mod hover;
mod links;
mod mentions;
mod place;
mod position;
mod rename;
mod root;
mod server;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typing;

use lsp_server::{Connection, ProtocolError};
use serde_json::json;

use crate::failure::Failure;
use crate::form::Exit;
use crate::output::Outcome;
use server::Server;

pub(crate) fn run() -> Result<Outcome, Failure> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection);
    drop(connection);
    // Both threads end with the connection. What stopped them is reported by what was served.
    let joined = threads.join();
    let failed = |why: String| {
        let help = "it is meant to be started by an editor; docs/editors.md says how";
        Failure::other("LSP", format!("the editor cannot be served: {why}"), help)
    };
    match (served, joined) {
        (Ok(exit), Ok(())) => Ok(Outcome::silent(exit)),
        (Err(error), _) => Err(failed(error.to_string())),
        (_, Err(error)) => Err(failed(skills_source::scan::in_words(&error).to_owned())),
    }
}

/// Serves one client until it leaves. The exit code is that of the protocol: 0 after a request to shut down.
pub(crate) fn serve(connection: &Connection) -> Result<Exit, ProtocolError> {
    let (id, params) = connection.initialize_start()?;
    let mut server = Server::new(&params);
    let result = json!({
        "capabilities": dispatch::capabilities(),
        "serverInfo": { "name": "skills", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, result)?;
    dispatch::run(&mut server, connection)
}
