//! Tests of the crate `skills`, as a user would write them.
//!
//! The package is one of its users: its build script compiles `skills/`, [`SKILLS`] takes them in, and
//! the tests beside it see only what is public. [`disk`] makes what the tests need on disk, [`cases`]
//! copies what is kept in `fixtures/cases`, and [`properties`] says what holds for any input.

pub mod cases;
pub mod disk;
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
