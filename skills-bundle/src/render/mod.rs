//! Renders findings, as text for people and as JSON for programs.
//!
//! The renderers are siblings over the same plain data: [`full`] shows the line, [`concise`] is one
//! line a finding, [`json_lines`] leaves nothing out, [`github`] and [`sarif`] are for the services
//! that read them. Nothing else formats findings, and nothing here prints, or decides what is a fault. Text that comes from skills and file names may hold
//! characters that act on a terminal, so every renderer shows those as escapes.

mod concise;
mod excerpt;
mod full;
mod github;
mod json;
#[cfg(test)]
mod sample;
mod sarif;
mod visible;

pub use concise::{concise, summary};
pub use full::{full, one};
pub use github::github;
pub use json::{finding_json, json_lines, json_text};
pub use sarif::sarif;
pub use visible::escape;

use skills_source::finding::Edit;
use skills_source::source::{Excerpt, Source};

/// Whether a text for people has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// Plain text.
    Never,
    /// With ANSI escape sequences.
    Always,
}

/// The column after the part of the line that is underlined, if any is.
fn end_column(column: u32, excerpt: Option<Excerpt<'_>>) -> Option<u32> {
    let Excerpt { text, start, end, .. } = excerpt?;
    let part = text.get(start..end).filter(|part| !part.is_empty())?;
    Some(column + part.chars().count() as u32)
}

/// Where an edit starts and ends, as line and column.
fn edited(edit: &Edit, source: &Source) -> ((u32, u32), (u32, u32)) {
    (source.line_column(edit.span.start), source.line_column(edit.span.end))
}
