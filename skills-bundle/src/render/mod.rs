//! Renders findings, as text for people and as JSON for programs.
//!
//! The renderers are siblings over the same plain data: [`full`] shows the line, [`concise`] is one
//! line for each finding. With the feature `check`, `json_lines` leaves nothing out, and `github` and
//! `sarif` are for the services that read them. Nothing else formats findings, and nothing here prints
//! or decides what is a fault. Text that comes from skills and file names may hold characters that act
//! on a terminal, so every renderer shows those as escapes.

mod concise;
mod excerpt;
mod full;
#[cfg(feature = "check")]
mod github;
#[cfg(feature = "check")]
mod json;
#[cfg(test)]
mod sample;
#[cfg(feature = "check")]
mod sarif;
mod visible;

pub use concise::{concise, summary};
pub use full::{full, one};
#[cfg(feature = "check")]
pub use github::{github, github_note};
#[cfg(feature = "check")]
pub use json::{finding_json, json_lines, json_text};
#[cfg(feature = "check")]
pub(crate) use sarif::artifact;
#[cfg(feature = "check")]
pub use sarif::sarif;
pub use visible::escape;
#[cfg(feature = "check")]
pub(crate) use visible::is_hidden;

/// Whether text for people has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// Plain text.
    Never,
    /// With ANSI escape sequences.
    Always,
}
