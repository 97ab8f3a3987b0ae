//! The description: E011, E015, L101, L108.

use super::text;
use crate::source::code::Code;
use crate::source::frontmatter::{DESCRIPTION, Frontmatter};
use crate::source::place::{Fault, Span};

/// The most characters of a description, as the standard has it.
const MAX_CHARS: usize = 1024;

pub(super) fn check(read: &Frontmatter, fence: Span, faults: &mut Vec<Fault>) {
    let Some(description) = &read.description else {
        if !read.was_reported(DESCRIPTION) {
            let write = "write `description: …`: what the skill does, and when to use it";
            faults.push(text::missing_field(read, DESCRIPTION, fence, Code::E011, write));
        }
        return;
    };
    faults.extend(text::control_characters("description", description, |c| matches!(c, '\n' | '\t' | '\r')));
    let help = "say what it does and when to use it; details belong into the body";
    faults.extend(text::too_long("description", description, MAX_CHARS, Code::L101, help));
    faults.extend(text::tag_like("description", description));
}
