//! Finds, reads and judges skills on disk, and writes packs.
//!
//! [`scan`] finds a skill, [`document`] splits it, [`yaml`] and [`frontmatter`] read its fields, [`rules`] judge them,
//! and [`skill`] puts that together; [`command`] does the same for a slash command. [`writer`] packs both. Nothing here
//! knows an agent or a registry.

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
