//! What an agent asks for: `list`, `search`, `load` and `read_file`.
//!
//! A [`Bundle`] is what was compiled in; a [`Registry`] is a bundle with what stands above it, and
//! answers the four actions, each as data that knows its exact text for the model. It also
//! carries out what a user calls with a slash.
//! With the feature `json`, [`Registry::call`] takes a raw tool call. Nothing here reads a file or
//! prints, and no input makes it panic.

mod arguments;
mod bundle;
mod call_arguments;
mod catalogue;
mod command;
mod error;
mod facts;
#[cfg(feature = "overlay")]
mod files;
mod fingerprint;
mod invoke;
#[cfg(feature = "json")]
mod json;
mod list;
mod load;
#[cfg(feature = "overlay")]
mod overlay;
mod policy;
mod read_file;
mod registry;
#[cfg(feature = "overlay")]
mod resolved;
#[cfg(feature = "json")]
mod schema;
mod search;
mod session;
#[cfg(feature = "json")]
mod short;
#[cfg(test)]
mod tests;
mod text;
#[cfg(feature = "json")]
mod tool;

pub use bundle::Bundle;
pub use call_arguments::CallArguments;
pub use catalogue::{Catalogue, CatalogueForm, CatalogueOptions, PROMPT_BUDGET, SLOT, fill_slot};
pub use command::{CommandEntry, LoadedCommand};
pub use error::ActionError;
pub use facts::FileFacts;
pub use invoke::{Callable, Invocation, SlashCall, parse_invocation};
pub use list::Listing;
pub use load::Loaded;
#[cfg(feature = "overlay")]
pub use overlay::{
    Changes, Conventions, Diagnostic, LiveRegistry, Overlays, Reason, Root, Shadowed, Snapshot, usual_roots,
};
#[cfg(feature = "watch")]
pub use overlay::{WatchError, Watcher};
pub use policy::Policy;
pub use read_file::{FileContent, READ_LIMIT};
pub use registry::{Audience, Entry, Registry};
/// For the crate `skills-handlers`.
#[cfg(feature = "json")]
#[doc(hidden)]
pub use schema::tool_form;
#[cfg(feature = "json")]
pub use schema::{Provider, ToolOptions, Toolset, schema};
pub use search::{Hit, Matches, Part, Ranking, SEARCH_LIMIT, SUGGESTION_LIMIT, SearchOptions, Suggestions};
#[cfg(feature = "json")]
pub use session::SessionDataError;
pub use session::{MEMORY, Session};
#[cfg(feature = "json")]
pub use short::{SHORT_TOOL_NAME, short_schema};
#[cfg(feature = "json")]
pub use tool::{Answer, OwnedReply, Reply, TOOL_NAME};
