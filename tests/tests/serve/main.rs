//! The skills under `skills/`, compiled in by this package's build script, and all that is asked of
//! them: the exact texts of contract 3 and 7, as snapshots and one by one.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use skills::{Audience, Registry};
use skills_tests::SKILLS;

mod calls;
mod data;
mod errors;
mod hybrid;
mod lookup;
mod paging;
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
