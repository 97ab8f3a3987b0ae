//! Slash commands, from the files in `tests/commands` to the text that is sent.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, and so do its helpers")]

use skills::Registry;

mod building;
mod calling;
mod random;
mod texts;

/// The skills and slash commands under `commands/`.
static COMMANDS: skills::Bundle = skills::include_skills!("commands");

/// What a model is served.
fn registry() -> Registry<'static> {
    Registry::new(&COMMANDS)
}
