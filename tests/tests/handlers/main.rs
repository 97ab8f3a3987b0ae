//! Handlers as a user binds, calls and observes them.
//!
//! The skills are in `fixtures/acting`; the handlers are in [`acting`], or closures where a test needs its own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::items_after_statements,
    reason = "these are tests, their helpers too"
)]

mod acting;
mod bad_input;
mod binding;
mod confirming;
mod endpoint;
mod gen_ai;
mod listed;
mod model_ends;
mod model_loop;
mod panics;
mod property;
mod routes;
mod script;
mod served;
mod served_http;
mod stages;
mod store;
mod users;
mod watching;
