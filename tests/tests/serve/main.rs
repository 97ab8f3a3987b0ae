//! The skills under `skills/`, compiled in by this package's build script, and all actions on them, with
//! their exact texts. Each larger subject has a module of its own: slash commands, overlays, export, the MCP
//! server, search quality.
//!
//! They are one program, since linking each part separately takes longer than running it.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use skills::{Audience, Registry};
use skills_tests::SKILLS;

mod agents;
mod calls;
mod commands;
mod data;
mod errors;
mod export;
mod hybrid;
mod live;
mod lookup;
mod mcp;
mod paging;
mod quality;
mod ranking;
mod texts;
mod tools;
mod triggers;

/// The registry for a model.
fn registry() -> Registry<'static> {
    Registry::new(&SKILLS)
}

/// All skills, without filtering.
fn everything() -> Registry<'static> {
    Registry::new(&SKILLS).for_audience(Audience::Everyone)
}

#[test]
fn what_the_model_sees() {
    skills::assert_skill_snapshots!(SKILLS);
}
