//! Renders findings, as text for people and as JSON for programs.
//!
//! The renderers are siblings over the same plain data: [`full`] shows the line, [`concise`] is one
//! line a finding, [`finding_json`] leaves nothing out. Nothing else formats findings, and nothing
//! here prints, or decides what is a fault. Text that comes from skills and file names may hold
//! characters that act on a terminal, so every renderer shows those as escapes.

mod concise;
mod excerpt;
mod full;
mod json;
#[cfg(test)]
mod sample;
mod visible;

pub use concise::{concise, summary};
pub use full::{full, one};
pub use json::{finding_json, json_text};
pub use visible::escape;

/// Whether a text for people has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// Plain text.
    Never,
    /// With ANSI escape sequences.
    Always,
}
