//! The skills under `skills/`, compiled in by this package's build script, and all that is asked of
//! them: the exact texts, as snapshots and one by one. Each larger subject has a module of its own:
//! slash commands, overlays, export, the MCP server, how well search finds.
//!
//! One program, since linking each part on its own takes longer than running it.

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

/// What a model is served.
fn registry() -> Registry<'static> {
    Registry::new(&SKILLS)
}

/// All skills, whoever asks.
fn everything() -> Registry<'static> {
    Registry::new(&SKILLS).for_audience(Audience::Everyone)
}

#[test]
fn what_the_model_sees() {
    skills::assert_skill_snapshots!(SKILLS);
}
