//! The command `mcp`: serves the skills to an agent's host until that goes away.
//!
//! Stdout belongs to the protocol. What is wrong with a root is told on stderr, as with every command.

use std::sync::Arc;

use skills::Registry;
use skills::mcp::Server;

use crate::STOCK;
use crate::args::{Global, Mcp};
use crate::failure::Failure;
use crate::output::{self, Exit, Outcome};
use crate::served::Served;

#[cfg_attr(not(feature = "mcp-http"), allow(unused_variables, reason = "all its options are of HTTP"))]
pub(crate) fn run(global: &Global, args: &Mcp) -> Result<Outcome, Failure> {
    let server = server(global)?;
    #[cfg(feature = "mcp-http")]
    let served = match args.http {
        None => server.serve_stdio(),
        Some(address) => server.serve_http(address, |address| {
            output::tell(&format!("serving at http://{address}/mcp\n"));
        }),
    };
    #[cfg(not(feature = "mcp-http"))]
    let served = server.serve_stdio();
    match served {
        Ok(()) => Ok(Outcome::silent(Exit::Success)),
        Err(error) => {
            let help = "start it as an agent's host does; docs/mcp.md says how";
            Err(Failure::other("MCP", format!("the skills cannot be served: {error}"), help))
        }
    }
}

/// Without roots there is nothing on disk to look at.
fn server(global: &Global) -> Result<Server, Failure> {
    if global.root.is_empty() {
        return Ok(Server::new(if global.no_bundle { Registry::empty() } else { Registry::new(&STOCK) }));
    }
    let served = Served::open(global)?;
    output::tell(&served.shadowed());
    Ok(Server::live(Arc::new(served.into_live())))
}

/// An address, or a port of this machine alone.
#[cfg(feature = "mcp-http")]
pub(crate) fn address(text: &str) -> Result<std::net::SocketAddr, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok((std::net::Ipv4Addr::LOCALHOST, port).into());
    }
    text.parse()
        .map_err(|_| "give a port, such as 8080, or an address with one, such as 127.0.0.1:8080".into())
}
