//! Renders an overview: siblings over the same data, for people, for browsers, for programs and as a bill of
//! materials.
//!
//! What comes from a skill may act on a terminal, be taken for markup, or hide. Every renderer shows hidden
//! characters as escapes or in JSON's, and no text of a skill is ever markup.

mod cyclonedx;
mod html;
mod json;
mod text;

pub use cyclonedx::cyclonedx;
pub use html::html;
pub use json::json;
pub use text::text;
