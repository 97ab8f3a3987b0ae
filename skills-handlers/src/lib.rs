//! Skills that act: Rust functions that are bound to skills and called with typed arguments.
//!
//! A SKILL.md tells a model what to do; a **handler** does it. The attribute [`handler`] binds a function to
//! a skill, and [`Handlers`] holds the bindings. A call goes through these stages: the skill's name, the
//! caller's permissions, the schema of the arguments, the confirmation of irreversible calls, the time limit,
//! the function itself, the size of the result, and the trace. Each error is `{error, message, suggestion}`,
//! so that a model can correct its call. A host may add a [`Stage`] before or after each of these.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use skills_handlers::{Binding, Context, Failure, Handlers};
//!
//! #[derive(Deserialize, schemars::JsonSchema)]
//! struct Find {
//!     /// A word in the file's name.
//!     word: String,
//! }
//!
//! // The attribute `#[skills_handlers::handler(skill = "file-search")]` would generate
//! // `file_search::binding()` and check the skill's name at compile time.
//! fn file_search(input: Find, context: Context) -> Result<Vec<String>, Failure> {
//!     let names = std::fs::read_dir(context.dir())?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
//!     Ok(names.filter(|name| name.contains(&input.word)).collect())
//! }
//!
//! # fn demo(registry: &skills::Registry<'_>) -> Result<(), skills_handlers::BindError> {
//! let handlers = Handlers::new(registry).bind(Binding::blocking("file-search", file_search))?;
//! let call = async {
//!     let context = Context::new("ada").working_dir("/srv/ada");
//!     let output = handlers.call("file-search", r#"{"word": "notes"}"#, &context).await?;
//!     Ok::<_, skills_handlers::CallError>(output.to_string())
//! };
//! # drop(call);
//! # Ok(())
//! # }
//! # let _ = demo(&skills::Registry::empty());
//! ```
//!
//! [`run`] drives a [`Model`] with these tools. This crate keeps no state of a user: that is in the
//! [`Context`] of each call. The only global state is the number of open files. Handlers aren't sandboxed: a
//! handler must check paths itself.
//!
//! The feature `genai` adds `GenAi`, a model of any provider that the crate `genai` supports, which can stream its
//! text. The feature `metrics` records calls through the crate `metrics`, `mcp` serves handlers to MCP hosts, and `live`
//! binds them to skills that are read from disk.
//!
//! The crate needs a file system, threads and random numbers of the operating system, so it doesn't build for
//! `wasm32-unknown-unknown`.

mod arguments;
mod audit;
mod bind_error;
mod binding;
mod bound;
#[cfg(feature = "mcp")]
mod callers;
mod calls;
mod cancel;
mod check;
mod confirm;
mod context;
mod conversation;
mod counts;
mod digest;
mod error;
mod execute;
mod failure;
mod fault;
#[cfg(feature = "genai")]
mod genai_model;
mod limits;
mod lock;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "metrics")]
mod metrics;
mod model;
mod observe;
mod output;
mod panics;
mod parameters;
mod pending;
mod pipeline;
mod private_files;
mod random;
mod registered;
mod results;
mod router;
mod run;
mod sample;
mod shown;
mod source;
mod stage;
mod steps;
mod stopped;
mod store;
mod tool;
mod unknown;
mod waiting;
#[cfg(feature = "genai")]
mod wire_name;
mod work;

pub use bind_error::BindError;
pub use binding::Binding;
pub use bound::Handlers;
pub use calls::CallUse;
pub use cancel::Cancel;
pub use context::Context;
pub use counts::SkillCounts;
pub use error::{CallError, ErrorCode};
pub use failure::{About, Failure};
pub use fault::Fault;
#[cfg(feature = "genai")]
pub use genai;
#[cfg(feature = "genai")]
pub use genai_model::GenAi;
pub use limits::{Cost, Limits};
#[cfg(feature = "mcp")]
pub use mcp::Served;
pub use model::{Assistant, Message, Model, ModelError, ToolCall, Usage};
pub use output::{Output, Piece, READ_RESULT, RESULT_LIMIT, Rest};
pub use pending::Pending;
pub use results::ResultStore;
pub use router::{Group, Router, Selection};
pub use run::{End, Run, run};
pub use source::Source;
pub use stage::{Call, Next, Passing, Place, Stage};
pub use steps::Step;
pub use store::{Store, Storing};
pub use tool::Tool;

/// Binds a function to a skill. The function stays as it is, and `name::binding()` returns its [`Binding`]
/// for [`Handlers::bind`].
///
/// ```ignore
/// /// Finds files by a part of their name.
/// #[skills_handlers::handler(skill = "file-search", group = "files", timeout = "5s")]
/// fn file_search(input: Find, context: Context) -> Result<Vec<String>, Failure> {
///     Ok(names_below(context.dir(), &input.word)?)
/// }
///
/// let handlers = Handlers::all(&REGISTRY)?; // or `Handlers::new(&REGISTRY).bind(file_search::binding())?`
/// ```
///
/// The function takes its arguments as one type that implements `Deserialize` and
/// [`JsonSchema`](https://docs.rs/schemars), and optionally a [`Context`], each by value or by reference. It
/// returns a `Result` of a `Serialize` type and a [`Failure`] or a type that converts to one. An `async fn`
/// is awaited; any other function runs on a thread that may block.
///
/// * `skill = "name"`: a skill that the build script compiled, or `skill = "name" in "skills"` without a
///   build script. An unknown name is a compile error that suggests similar names.
/// * `group = "files"`: a group for the router, in addition to those in the SKILL.md; may be repeated.
/// * `confirm` or `confirm = "deletes a file"`: the user must confirm every call.
/// * `timeout = "10s"`: an integer and `ms`, `s` or `m`.
/// * `roles = ["editor"]`: who may call it; everyone by default.
/// * `result_limit = 2000`: how many characters of a result the model gets at once.
/// * `examples = [r#"{"word": "notes"}"#]`: arguments, as JSON.
/// * `record_arguments`: traces and the audit log may record the arguments.
/// * `crate = path`: the path of this crate if it isn't `::skills_handlers`.
///
/// It also registers the function for [`Handlers::all`], and generates a test that checks the type against the
/// SKILL.md's `parameters` and the examples.
pub use skills_macros::handler;

/// For generated code only.
#[doc(hidden)]
pub mod __private {
    pub use super::registered::Registered;
    pub use inventory;

    /// The test that the attribute `handler` generates. It fails with the first contradiction.
    #[allow(clippy::panic, reason = "this is how a test fails")]
    pub fn check_handler(binding: super::Binding, parameters: Option<&str>) {
        if let Err(error) = super::bound::check(binding, parameters) {
            panic!("{error}");
        }
    }
}
