//! The packed form of skills and slash commands: one string, one block of bytes, and tables of offsets
//! into them.
//!
//! Compiled-in skills and skills that were read at run time have the same form. The crate `skills-source`
//! writes it and [`Pack`] reads it, without allocation, parsing or relocation: [`Skill`] and [`Command`] are
//! small `Copy` views whose accessors slice. [`Pack`] rejects a pack that doesn't match its tables as a
//! whole; after that no accessor fails or panics.
//!
//! This crate also has what both the writing and the reading side need: how text becomes search terms
//! ([`words`]) and how much they weigh ([`worth`]), suggestions for misspelt names ([`nearest`]), the placeholders of a command's template
//! ([`template`]), which characters nobody sees ([`hidden`]) and small pieces of messages ([`text`]). It doesn't know how skills are found or served.
//!
//! This crate is a part of `skills` and not meant to be depended on directly: it can change in any release.

#![cfg_attr(not(test), no_std)]

extern crate alloc;
#[cfg(all(not(test), feature = "std"))]
extern crate std;

pub mod bad_bytes;
pub mod blocks;
mod command;
mod disjoint;
pub mod hidden;
#[cfg(feature = "std")]
mod io_words;
pub mod layout;
pub mod logarithm;
pub mod marked;
mod names;
pub mod nearest;
mod patch;
mod reader;
pub mod search;
pub mod section;
mod skill;
pub mod template;
pub mod text;
pub mod words;
pub mod worth;

pub use command::Command;
pub use disjoint::Shared;
#[cfg(feature = "std")]
pub use io_words::{in_words, what_to_do};
pub use layout::{EMPTY_LEN, FORMAT, empty_tables};
pub use names::{Named, with_normalised};
pub use reader::{Mismatch, Pack};
pub use skill::{FieldValue, Skill, SkillFile, Texts};
