//! The build side of `skills`: compiles a tree of Agent Skills and explains what is wrong with it.
//!
//! A build script calls [`build`]; tools call [`compile`](compile::compile) or
//! [`check`](compile::check) with a [`Config`] and render the [`Report`]. `skills-source`
//! reads and judges one skill; this crate adds the rules that need other files or skills, turns the result into
//! Rust, and talks to Cargo.

mod cargo;
mod commands;
pub mod compile;
mod config;
#[cfg(feature = "check")]
pub mod diff;
pub mod emit;
#[doc(hidden)]
pub mod expand;
#[cfg(feature = "check")]
pub mod explain;
#[cfg(feature = "check")]
pub mod fix;
mod good;
mod hidden;
mod levels;
pub mod lock;
mod manifest;
mod names;
#[cfg(feature = "check")]
pub mod overview;
#[cfg(feature = "check")]
mod published;
mod raw;
pub mod render;
mod report;
#[cfg(feature = "check")]
pub mod reviews;
mod roots;
mod rules;
#[cfg(feature = "check")]
pub mod schema;
mod texts;

pub use cargo::{Builder, build};
pub use compile::Generated;
pub use config::Config;
#[cfg(feature = "check")]
pub use manifest::publishes;
#[cfg(feature = "check")]
pub use published::Published;
pub use report::{Hidden, Report};
pub use rules::{Link, links_of};
pub use skills_source::code::{Code, Level};
pub use skills_source::finding::Finding;
pub use skills_source::rules::Profile;
pub use skills_source::writer::SearchIndex;
