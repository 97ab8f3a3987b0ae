//! Skills that act: Rust functions bound to skills, called typed and supervised.
//!
//! A SKILL.md tells a model what to do; a **handler** lets it be done. The attribute [`handler`] binds a
//! function to a skill, [`Handlers`] holds the bindings, and a call goes, in this order, through the name, the caller's permissions, the schema of the arguments,
//! confirmation for what cannot be undone, a time limit, the function itself, the size of the result, and
//! a trace. Each error is `{error, message, suggestion}`, so that a model can correct its call. A host may
//! add a [`Stage`] before or after each of these.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use skills_handlers::{Binding, Context, Failure, Handlers};
//!
//! #[derive(Deserialize, schemars::JsonSchema)]
//! struct Find {
//!     /// A word that the file's name holds.
//!     word: String,
//! }
//!
//! // With `#[skills_handlers::handler(skill = "file-search")]` above it, `file_search::binding()` is made for you,
//! // and the name is checked when the program is built.
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
//! [`run`] drives a [`Model`] with these tools. Nothing here keeps state of a user's: that is in the
//! [`Context`] that each call is given. Nothing is global
//! but the number of open files. A handler is not kept from what the program may
//! do: a root is guarded by the handler, not by this crate.
//!
//! With the feature `genai` there is `GenAi`, a model of any provider that the crate `genai` knows, with its text as it
//! comes. With the feature `openai` there is `OpenAi`, a model behind an endpoint that speaks OpenAI's chat completions,
//! with fewer dependencies.

mod arguments;
mod audit;
mod bind_error;
mod binding;
mod bound;
mod calls;
mod cancel;
mod confirm;
mod context;
mod conversation;
mod counts;
mod error;
mod execute;
mod failure;
#[cfg(feature = "genai")]
mod genai_model;
mod limits;
mod lock;
#[cfg(feature = "mcp")]
mod mcp;
mod model;
mod observe;
#[cfg(feature = "openai")]
mod openai;
mod parameters;
mod pending;
mod pipeline;
mod random;
mod registered;
mod results;
mod router;
mod run;
mod sample;
mod stage;
mod steps;
mod storage;
mod tool;
mod unknown;
mod waiting;
#[cfg(any(feature = "genai", feature = "openai"))]
mod wire_name;
mod work;

pub use arguments::Fault;
pub use bind_error::BindError;
pub use binding::Binding;
pub use bound::Handlers;
pub use calls::CallUse;
pub use cancel::Cancel;
pub use context::Context;
pub use counts::SkillCounts;
pub use error::{CallError, ErrorCode};
pub use failure::{About, Failure};
#[cfg(feature = "genai")]
pub use genai;
#[cfg(feature = "genai")]
pub use genai_model::GenAi;
pub use limits::{Cost, Limits};
#[cfg(feature = "mcp")]
pub use mcp::Served;
pub use model::{Assistant, Message, Model, ModelError, ToolCall, Usage};
#[cfg(feature = "openai")]
pub use openai::OpenAi;
pub use pending::Pending;
pub use results::{Output, Piece, READ_RESULT, RESULT_LIMIT, Rest, ResultStore};
pub use router::{Group, Router, Selection};
pub use run::{End, Run, run};
pub use stage::{Call, Next, Passing, Place, Stage};
pub use steps::Step;
pub use tool::Tool;

/// Binds a function to a skill: the function stays as it is, and `name::binding()` gives its
/// [`Binding`] for [`Handlers::bind`].
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
/// The function takes its arguments as one type that is `Deserialize` and
/// [`JsonSchema`](https://docs.rs/schemars), then, if it wants, a [`Context`], each by value or by reference.
/// It gives a `Result` of what is `Serialize` and a [`Failure`] or what becomes one. An `async fn` is
/// awaited; another one is run beside the async threads.
///
/// * `skill = "name"`: the skill that the build script compiled, or `skill = "name" in "skills"` without a
///   build script. A name that no skill has is a compile error that says which one may have been meant.
/// * `group = "files"`: a group for the router, beside those in the SKILL.md; may be given more than once.
/// * `confirm` or `confirm = "deletes a file"`: every call waits for the user's yes.
/// * `timeout = "10s"`: a whole number and `ms`, `s` or `m`.
/// * `roles = ["editor"]`: who may call it; everyone if left out.
/// * `result_limit = 2000`: characters of a result that the model gets at once.
/// * `examples = [r#"{"word": "notes"}"#]`: arguments, as JSON.
/// * `record_arguments`: traces and the audit log may hold the arguments.
/// * `crate = path`: this crate, where it is known under another path than `::skills_handlers`.
///
/// The function is registered for [`Handlers::all`]. A test is generated that holds the type against the `parameters` of the SKILL.md and the examples.
pub use skills_macros::handler;

/// For generated code alone.
#[doc(hidden)]
pub mod __private {
    pub use super::registered::Registered;
    pub use inventory;

    /// The test that the attribute `handler` generates: it fails with the first thing that does not agree.
    #[allow(clippy::panic, reason = "a test calls it, and fails in this way")]
    pub fn check_handler(binding: super::Binding, parameters: Option<&str>) {
        if let Err(error) = super::bound::check(binding, parameters) {
            panic!("{error}");
        }
    }
}
