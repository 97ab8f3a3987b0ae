//! The arguments of `mcp`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, value_parser};

use super::{Global, Tools};

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Serve over HTTP at ADDRESS, `IP:PORT` or a port of this machine only, instead of stdin and stdout
    ///
    /// Port 0 picks a free port. The address for clients is printed on stderr. There is no encryption. An address
    /// that other machines can reach needs --token-file or --no-auth. SIGTERM ends the server once it has answered.
    #[cfg_attr(
        not(feature = "mcp-http"),
        doc = "",
        doc = "This program was built without it: the feature `mcp-http`."
    )]
    #[arg(long, value_name = "ADDRESS", value_parser = crate::mcp::address)]
    pub(crate) http: Option<crate::mcp::Address>,

    /// One tool per action, or one tool with an action
    #[arg(long, value_name = "NUMBER", value_enum, default_value_t = Tools::Four)]
    pub(crate) tools: Tools,

    /// Also send every answer as data, with a schema: many hosts then show a model the data, which is longer
    #[arg(long)]
    pub(crate) structured: bool,

    #[command(flatten)]
    pub(crate) net: Net,

    #[command(flatten)]
    pub(super) global: Global,
}

/// Options of `--http`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of --http")]
pub(crate) struct Net {
    /// Also answer requests for the host NAME, as a proxy sends it; names of this machine are always allowed
    #[arg(long, value_name = "NAME", requires = "http", value_parser = host)]
    pub(crate) allow_host: Vec<String>,

    /// Also answer web pages of ORIGIN, such as `https://app.example.com`; those of this machine always are
    #[arg(long, value_name = "ORIGIN", requires = "http", value_parser = origin)]
    pub(crate) allow_origin: Vec<String>,

    /// Only answer requests with a token of FILE, as `Authorization: Bearer TOKEN`
    ///
    /// It has one token per line; blank lines and lines that begin with # are ignored.
    #[arg(long, value_name = "FILE", requires = "http", conflicts_with = "no_auth")]
    pub(crate) token_file: Option<PathBuf>,

    /// Answer everybody who can reach the address: something else controls access
    #[arg(long, requires = "http")]
    pub(crate) no_auth: bool,

    /// Keep a session for each client of an old protocol, to notify it of changes
    ///
    /// All requests of a session must reach this process.
    #[arg(long, requires = "http")]
    pub(crate) sessions: bool,

    /// The largest body of a request; a larger one is answered with 413
    #[arg(long, value_name = "BYTES", requires = "http", default_value_t = 4 * 1024 * 1024, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_body: u32,

    /// How long a client may take to send a body; a slower one is answered with 408
    #[arg(long, value_name = "SECONDS", requires = "http", default_value_t = 10)]
    pub(crate) body_timeout: u32,

    /// How many connections are open at a time; more wait
    #[arg(long, value_name = "N", requires = "http", default_value_t = 1024)]
    pub(crate) max_connections: usize,

    /// How long a connection may wait for the next request
    #[arg(long, value_name = "SECONDS", requires = "http", default_value_t = 75, value_parser = value_parser!(u32).range(1..))]
    pub(crate) keep_alive: u32,

    /// How long a session lives without a message; a client with an open event stream is asked whether it is there
    #[arg(long, value_name = "SECONDS", requires = "sessions", default_value_t = 300, value_parser = value_parser!(u32).range(1..))]
    pub(crate) session_keep_alive: u32,

    /// After SIGTERM, how long requests are still accepted while a load balancer looks elsewhere
    #[arg(long, value_name = "SECONDS", requires = "http", default_value_t = 2)]
    pub(crate) grace: u32,

    /// After SIGTERM, when to end at the latest
    #[arg(long, value_name = "SECONDS", requires = "http", default_value_t = 10)]
    pub(crate) drain: u32,

    /// Print a line for each request on stderr
    #[arg(long, value_name = "FORM", requires = "http", value_enum)]
    pub(crate) log: Option<Log>,
}

/// The form of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Log {
    /// For people
    Text,
    /// For programs
    Json,
}

/// A host: a name or an address, perhaps a port.
fn host(text: &str) -> Result<String, &'static str> {
    let is_host =
        !text.is_empty() && !text.contains(['/', '?', '#', '@']) && !text.contains(char::is_whitespace);
    if is_host { Ok(text.to_owned()) } else { Err("give a name without a scheme, such as app.example.com") }
}

/// An origin: a scheme, a host, perhaps a port.
fn origin(text: &str) -> Result<String, &'static str> {
    let host = text.split_once("://").filter(|(scheme, _)| !scheme.is_empty()).map(|(_, host)| host);
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@']) => Ok(text.to_owned()),
        _ => Err("give a scheme and a host, such as https://app.example.com"),
    }
}
