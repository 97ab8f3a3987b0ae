//! The compatibility note: L102.

use super::text;
use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::Frontmatter;

/// The most characters of `compatibility`.
pub const MAX_COMPATIBILITY: usize = 500;

pub(super) fn check(read: &Frontmatter, faults: &mut Vec<Fault>) {
    if let Some(note) = &read.compatibility {
        let help = "name what the skill needs; how to set it up belongs into the body";
        faults.extend(text::too_long("compatibility", note, MAX_COMPATIBILITY, Code::L102, help));
    }
}
