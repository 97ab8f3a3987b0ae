//! The command `mcp`: serves the skills to an agent's host until it disconnects.
//!
//! Stdout belongs to the protocol. Findings in a root go to stderr, as in every command.

use std::sync::Arc;

use skills::Registry;
use skills::mcp::{ServeError, Server};

use crate::STOCK;
use crate::args::{Global, Mcp};
use crate::failure::Failure;
use crate::form::Exit;
use crate::log;
use crate::output::{self, Outcome};
use crate::served::Served;

pub(crate) use http::{Address, address};

#[cfg(feature = "mcp-http")]
mod http;

pub(crate) fn run(global: &Global, args: &Mcp) -> Result<Outcome, Failure> {
    match &args.http {
        None => {
            log::start_quiet();
            ended(server(global, args)?.serve_stdio())
        }
        Some(address) => http::serve(global, args, address),
    }
}

fn ended(served: Result<(), ServeError>) -> Result<Outcome, Failure> {
    match served {
        Ok(()) => Ok(Outcome::silent(Exit::Success)),
        Err(error) => {
            let help = "it is meant to be started by an agent's host; docs/mcp.md says how";
            Err(Failure::other("MCP", format!("the skills cannot be served: {error}"), help))
        }
    }
}

/// Without roots, nothing is read from disk.
fn server(global: &Global, args: &Mcp) -> Result<Server, Failure> {
    let server = if global.root.is_empty() {
        Server::new(if global.no_bundle { Registry::empty() } else { Registry::new(&STOCK) })
    } else {
        let served = Served::open_to_stay(global)?;
        output::note(&served.shadowed());
        Server::live(Arc::new(served.into_live()))
    };
    Ok(server.toolset(args.tools.into()).structured(args.structured))
}

#[cfg(not(feature = "mcp-http"))]
mod http {
    use super::{Failure, Global, Mcp, Outcome};

    /// The value of `--http`: anything, since the option is refused anyway.
    pub(crate) type Address = String;

    #[expect(clippy::unnecessary_wraps, reason = "it can fail with the feature")]
    pub(crate) fn address(text: &str) -> Result<Address, String> {
        Ok(text.to_owned())
    }

    pub(super) fn serve(_: &Global, _: &Mcp, _: &Address) -> Result<Outcome, Failure> {
        let message = "`--http` is not in this program: it was built without the feature `mcp-http`";
        let help = "in a checkout: `cargo install --path skills-cli --features mcp-http --locked`";
        Err(Failure::other("FEATURE_MISSING", message.to_owned(), help))
    }
}
