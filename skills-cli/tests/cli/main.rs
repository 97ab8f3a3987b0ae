//! The program `skills`, run as a user runs it: arguments in; stdout, stderr and the exit code out.

#![allow(clippy::disallowed_methods, clippy::expect_used, reason = "tests make their own files")]

mod ask;
mod check;
mod check_fix;
mod check_forms;
mod check_stdin;
mod commands;
mod examples;
mod export;
mod mcp;
mod new;
mod place;
mod prompt;
mod roots;
mod rules;
mod terminal;
mod usage;
