//! Serves packed skills: the four actions `list`, `search`, `load` and `read_file`.
//!
//! A [`Bundle`] holds the skills that are compiled in. A [`Registry`] serves one bundle or several packs, and
//! answers the four actions: each answer is data, and `Display` writes its exact text for the model. It also
//! expands what a user calls with a slash. With the feature `json`, [`Registry::call`] answers a raw tool
//! call.
//!
//! This crate doesn't read files, print, exit, or read the environment, and no input makes it panic. It needs
//! `alloc` but not `std`. It is a part of `skills` and not meant to be depended on directly: it can change in
//! any release.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod action;
mod arguments;
mod bundle;
mod call_arguments;
mod catalogue;
mod command;
#[cfg(feature = "json")]
mod data_error;
mod defaults;
mod disjoint;
mod entry;
mod error;
mod facts;
mod file_path;
mod files;
mod fingerprint;
mod index;
mod invoke;
#[cfg(feature = "json")]
mod json;
mod layers;
mod list;
mod load;
mod look;
mod name_table;
mod policy;
mod printed;
mod read_file;
mod registry;
#[cfg(feature = "json")]
mod rules_data;
#[cfg(feature = "json")]
mod schema;
mod search;
mod session;
mod shadowed;
#[cfg(feature = "json")]
mod short;
mod text;
#[cfg(feature = "json")]
mod tool;
mod toolset;
#[cfg(feature = "json")]
mod value;

pub use action::{Action, TOOL_NAME};
pub use bundle::Bundle;
pub use call_arguments::CallArguments;
pub use catalogue::{Catalogue, CatalogueForm, CatalogueOptions, PROMPT_BUDGET, SLOT};
pub use command::{CommandEntry, LoadedCommand};
#[cfg(feature = "json")]
pub use data_error::DataError;
pub use defaults::Defaults;
#[doc(hidden)]
pub use disjoint::assert_disjoint;
pub use entry::Entry;
pub use error::ActionError;
#[doc(hidden)]
pub use facts::FileFacts;
#[doc(hidden)]
pub use files::Files;
/// For the macro `assert_skill_snapshots`.
#[doc(hidden)]
pub use index::index;
pub use invoke::{Callable, Invocation, parse_invocation};
#[doc(hidden)]
pub use layers::Layer;
pub use list::Listing;
pub use load::Loaded;
#[doc(hidden)]
pub use look::Look;
#[doc(hidden)]
pub use name_table::NameTable;
pub use policy::Policy;
pub use read_file::FileContent;
pub use registry::{Audience, Registry, Visibility};
/// For the crate `skills-handlers`.
#[cfg(feature = "json")]
#[doc(hidden)]
pub use schema::tool_form;
#[cfg(feature = "json")]
pub use schema::{Provider, ToolDefinition, ToolOptions, schema};
pub use search::{Hit, Matches, Part, Ranking, SEARCH_LIMIT, SUGGESTION_LIMIT, SearchOptions, Suggestions};
pub use session::Session;
pub use shadowed::Shadowed;
#[cfg(feature = "json")]
pub use tool::{Answer, CallOptions, OwnedReply, Reply};
pub use toolset::{SHORT_TOOL_NAME, Toolset};
#[cfg(feature = "json")]
#[doc(hidden)]
pub use value::text_of;
