//! The packed form of skills and slash commands: one text, one block of bytes, and tables of offsets into them.
//!
//! Skills that were compiled in and skills that were read at run time have this one form, one
//! writer ([`writer`], feature `overlay`) and one reader ([`Pack`]). Reading needs no heap, no
//! parsing and no relocation: [`Skill`] and [`Command`] are small `Copy` views whose accessors slice.
//!
//! Nothing here knows how skills are found or served. A pack that does not fit its tables is
//! refused as a whole when it is put together; after that no accessor fails or panics.

mod blocks;
mod command;
mod layout;
mod names;
mod reader;
mod search;
mod section;
mod skill;
#[cfg(feature = "overlay")]
mod tree;
#[cfg(feature = "overlay")]
pub mod writer;

pub use command::Command;
pub use layout::FORMAT;
pub(crate) use layout::{EMPTY_LEN, empty_tables};
pub use names::with_normalised;
pub use reader::{Mismatch, Pack};
pub(crate) use search::{Column, END, SearchTables, Weight};
pub(crate) use section::{Searched, Section};
pub use skill::{FieldValue, Skill, SkillFile, Texts};
