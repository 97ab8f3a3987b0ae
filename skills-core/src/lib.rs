//! What an Agent Skill is: reading, checking, packing and serving it.
//!
//! The crate has three wings, and a skill walks through them once, from left to right:
//!
//! * `source` (feature `overlay`): what stands on disk. It finds, reads and judges skills and slash
//!   commands.
//! * [`pack`]: the form in between, one text, one block of bytes and tables of offsets.
//! * [`serve`]: what an agent asks for, the four actions `list`, `search`, `load` and `read_file`.
//!
//! Without the feature `overlay` the crate needs no YAML, no file system and no `std`. It never
//! prints, exits or reads the environment. Most users depend on the crate `skills`, which
//! re-exports what they need.

#![cfg_attr(not(feature = "overlay"), no_std)]

extern crate alloc;

pub mod nearest;
pub mod pack;
pub mod serve;
#[cfg(feature = "overlay")]
pub mod source;
mod template;
mod words;
