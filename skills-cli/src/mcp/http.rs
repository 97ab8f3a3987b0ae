//! `mcp --http`: serves many clients until SIGTERM.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use skills::mcp::HttpOptions;
use skills_bundle::render;
use skills_source::scan;

use crate::args::{Global, Mcp, Net};
use crate::failure::Failure;
use crate::output::{self, Outcome};
use crate::{log, mcp};

/// The value of `--http`.
pub(crate) type Address = SocketAddr;

/// An address, or a port of this machine only.
pub(crate) fn address(text: &str) -> Result<Address, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    text.parse()
        .map_err(|_| "give a port, such as 8080, or an address with one, such as 127.0.0.1:8080".into())
}

pub(super) fn serve(global: &Global, args: &Mcp, address: &Address) -> Result<Outcome, Failure> {
    let net = &args.net;
    if !address.ip().is_loopback() && net.token_file.is_none() && !net.no_auth {
        let message = format!("`{address}` can be reached from other machines");
        let help = "name the tokens that clients must send with `--token-file FILE`, or give `--no-auth` if \
                    something else controls access";
        return Err(Failure::other("ACCESS", message, help));
    }
    let options = options(net)?;
    log::start(net.log);
    let server = mcp::server(global, args)?.http(options);
    mcp::ended(server.serve_http(*address, |address| {
        output::tell(&format!("serving at http://{address}/mcp\n"));
        if !address.ip().is_loopback() && net.allow_host.is_empty() {
            output::note(
                "note: only requests for names of this machine are answered: name the others with `--allow-host`\n",
            );
        }
    }))
}

fn options(net: &Net) -> Result<HttpOptions, Failure> {
    let seconds = |number: u32| Duration::from_secs(number.into());
    let mut options = HttpOptions::new()
        .sessions(net.sessions)
        .no_auth(net.no_auth)
        .max_body(usize::try_from(net.max_body).unwrap_or(usize::MAX))
        .body_timeout(seconds(net.body_timeout))
        .max_connections(net.max_connections)
        .keep_alive(seconds(net.keep_alive))
        .session_keep_alive(seconds(net.session_keep_alive))
        .grace(seconds(net.grace))
        .drain(seconds(net.drain));
    for host in &net.allow_host {
        options = options.allow_host(host);
    }
    for origin in &net.allow_origin {
        options = options.allow_origin(origin);
    }
    match &net.token_file {
        Some(file) => Ok(options.tokens(tokens(file)?)),
        None => Ok(options),
    }
}

/// The tokens in a file, one per line.
#[allow(clippy::disallowed_methods, reason = "it is no file of a skill")]
fn tokens(file: &Path) -> Result<Vec<String>, Failure> {
    let failed = |why: &str| {
        let message = format!("the tokens in `{}` cannot be used: {why}", file.display());
        let help = "write one token per line; blank lines and lines that begin with # are ignored";
        Failure::other("TOKEN_FILE", render::escape(&message).into_owned(), help)
    };
    let bytes = std::fs::read(file).map_err(|error| failed(scan::in_words(&error)))?;
    let text = String::from_utf8(bytes).map_err(|_| failed("it is not UTF-8"))?;
    // Some editors write a byte-order mark.
    let lines = text
        .trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let tokens: Vec<String> = lines.map(str::to_owned).collect();
    match tokens.iter().find(|token| !token.chars().all(|c| c.is_ascii_graphic())) {
        _ if tokens.is_empty() => Err(failed("there is none")),
        // The header could not carry it.
        Some(_) => Err(failed("one has a blank or a character outside of ASCII")),
        None => Ok(tokens),
    }
}
