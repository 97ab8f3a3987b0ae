//! What stands on disk: finding skills, reading them, and judging them.
//!
//! A skill walks through this wing once, from left to right: [`scan`] finds it, [`document`] splits
//! it, [`yaml`] and [`frontmatter`] read its fields, [`rules`] judge them, and [`skill`] puts that
//! together. A slash command goes the same way, and [`command`] puts it together. Nothing here knows an agent, a registry or a packed form.

pub mod code;
pub mod command;
pub mod document;
mod edits;
pub mod fault;
pub mod finding;
pub mod fix;
pub mod frontmatter;
pub mod lfs;
pub mod look_alike;
pub mod parallel;
pub mod reader;
pub mod root;
pub mod rules;
pub mod scan;
pub mod skill;
pub mod source;
pub mod subject;
pub mod writer;
pub mod yaml;
