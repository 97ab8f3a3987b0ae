//! Skills that act: Rust functions bound to skills, called typed and supervised.
//!
//! A SKILL.md tells a model what to do; a **handler** lets it be done. The attribute
//! [`handler`](crate::handler) binds a function to a skill, [`Handlers`] holds the bindings, and a call
//! goes, in this order, through the name, the caller's permissions, the schema of the arguments,
//! confirmation for what cannot be undone, a time limit, the function itself, the size of the result, and
//! a trace. Each error is `{error, message, suggestion}`, for a model to mend its call by.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use skills::handlers::{Binding, Context, Failure, Handlers};
//!
//! #[derive(Deserialize, schemars::JsonSchema)]
//! struct Find {
//!     /// A word that the file's name holds.
//!     word: String,
//! }
//!
//! // With `#[skills::handler(skill = "file-search")]` above it, `file_search::binding()` is made for you,
//! // and the name is checked when the program is built.
//! fn file_search(input: Find, context: Context) -> Result<Vec<String>, Failure> {
//!     let names = std::fs::read_dir(context.dir())?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
//!     Ok(names.filter(|name| name.contains(&input.word)).collect())
//! }
//!
//! # fn demo(registry: &skills::Registry<'_>) -> Result<(), skills::handlers::BindError> {
//! let handlers = Handlers::new(registry).bind(Binding::blocking("file-search", file_search))?;
//! let call = async {
//!     let context = Context::new("ada").working_dir("/srv/ada");
//!     let output = handlers.call("file-search", r#"{"word": "notes"}"#, &context).await?;
//!     Ok::<_, skills::handlers::CallError>(output.to_string())
//! };
//! # drop(call);
//! # Ok(())
//! # }
//! # let _ = demo(&skills::Registry::empty());
//! ```
//!
//! [`run`] drives a [`Model`] with these tools. Nothing here keeps state of a user's: that is in the
//! [`Context`] that each call is given. Nothing is global. A handler is not kept from what the program may
//! do: a root is guarded by the handler, not by this module.

mod arguments;
mod audit;
mod bind_error;
mod binding;
mod bound;
mod calls;
mod confirm;
mod context;
mod error;
mod execute;
mod model;
mod observe;
#[cfg(feature = "openai")]
mod openai;
mod parameters;
mod pipeline;
mod random;
mod results;
mod router;
mod run;
mod sample;
mod tool;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use bind_error::BindError;
pub use binding::Binding;
pub use bound::Handlers;
pub use confirm::Pending;
pub use context::Context;
pub use error::{CallError, ErrorCode, Failure};
pub use model::{Assistant, Message, Model, ModelError, ToolCall};
pub use observe::SkillCounts;
#[cfg(feature = "openai")]
pub use openai::OpenAi;
pub use results::{Output, Piece, READ_RESULT, RESULT_LIMIT, Rest, ResultStore};
pub use router::{Group, Router, Selection};
pub use run::{End, Limits, Run, run};
pub use tool::Tool;

/// Nothing is left half done under a lock, so one that a panic left is used on.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// For the test that the attribute `handler` generates: stops it with what is wrong.
#[doc(hidden)]
#[allow(clippy::panic, reason = "it is called by a test, which fails in this way")]
pub fn __check(binding: Binding, parameters: Option<&str>) {
    if let Err(error) = bound::check(binding, parameters) {
        panic!("{error}");
    }
}
