//! Tests of the crate `skills`, as a user would write them.
//!
//! The package uses the crate as any user does: its build script compiles `skills/`, [`SKILLS`] includes
//! them, and the tests only see the public API. [`disk`] creates files for tests, [`cases`] copies
//! `fixtures/cases`, and [`properties`] has what must hold for any input.

pub mod cases;
pub mod disk;
pub mod locks;
pub mod prng;
pub mod properties;
pub mod quality;

/// The pages of `docs/`, whose examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/commands.md")]
pub struct CommandsPage;

/// The skills under `skills/`.
pub static SKILLS: skills::Bundle = skills::bundle!();

/// Their names, for other crates.
pub mod names {
    skills::names!();
}
