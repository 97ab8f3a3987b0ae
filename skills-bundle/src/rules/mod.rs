//! Judges what one SKILL.md does not show by itself: the files beside it, and skills together.
//!
//! A frontmatter and a body are judged in `skills-source`; here are the rules that need the
//! list of files, their contents, or all skills of the bundle. Levels are set by the caller.

mod catalogue;
mod content;
mod fences;
mod files;
mod links;
mod live;
mod look_alikes;
mod packages;
#[cfg(feature = "check")]
mod published;
mod secrets;

pub(crate) use catalogue::check as catalogue;
pub(crate) use content::check as content;
pub(crate) use fences::check as fences;
pub(crate) use files::{check as files, clashing_directories, directory_names};
pub(crate) use links::check as links;
pub use links::{Link, links_of};
pub(crate) use live::check as beyond_live_limits;
pub(crate) use look_alikes::check as look_alikes;
pub(crate) use packages::check as packages;
#[cfg(feature = "check")]
pub(crate) use published::check as published;
pub(crate) use secrets::{check as secrets, hide as hide_secrets, masked};
#[cfg(feature = "check")]
pub(crate) use secrets::{masked_in_place, masked_text};
