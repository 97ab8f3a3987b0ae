//! What an agent asks for: `list`, `search`, `load` and `read_file`.
//!
//! A [`Bundle`] is what was compiled in; a [`Registry`] is a bundle with what stands above it, and
//! answers the four actions, each as data that knows its exact text for the model (contract 3).
//! With the feature `json`, [`Registry::call`] takes a raw tool call. Nothing here reads a file or
//! prints, and no input makes it panic.

mod arguments;
mod bundle;
mod error;
#[cfg(feature = "json")]
mod json;
mod list;
mod load;
mod read_file;
mod registry;
#[cfg(feature = "json")]
mod schema;
mod search;
#[cfg(test)]
mod tests;
mod text;
#[cfg(feature = "json")]
mod tool;

pub use bundle::Bundle;
pub use error::ActionError;
pub use list::Listing;
pub use load::Loaded;
pub use read_file::{FileContent, READ_LIMIT};
pub use registry::{Audience, Entry, Registry};
#[cfg(feature = "json")]
pub use schema::{Provider, schema};
pub use search::{Hit, Matches, Part, Ranking, SEARCH_LIMIT, SUGGESTION_LIMIT, SearchOptions, Suggestions};
#[cfg(feature = "json")]
pub use tool::{Answer, Reply, TOOL_NAME};
