//! The program `skills`, run as a user runs it: arguments in; stdout, stderr and the exit code out.

#![allow(clippy::disallowed_methods, clippy::expect_used, reason = "tests make their own files")]

mod add;
mod archives;
mod ask;
mod check;
mod check_fix;
mod check_forms;
mod check_queries;
mod check_stdin;
mod check_watch;
mod commands;
mod connections;
mod crates;
mod diff;
mod every;
mod examples;
mod export;
mod help;
mod hints;
mod import;
mod lock;
mod lsp;
mod mcp;
#[cfg(feature = "mcp-http")]
mod mcp_http;
#[cfg(all(feature = "mcp-http", target_os = "linux"))]
mod mcp_http_long;
mod new;
mod place;
mod project;
mod prompt;
mod published;
mod remote;
mod report;
mod review;
mod roots;
mod rules;
mod served;
mod terminal;
mod test;
mod update;
mod usage;
mod websites;
