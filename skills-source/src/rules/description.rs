//! The description: E011, E015, L101, L108.

use super::text::{self, Top};
use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::command::COMMAND_DESCRIPTION;
use crate::frontmatter::{DESCRIPTION, Field, Frontmatter};

/// The most characters of a description, as the standard has it.
const MAX_CHARS: usize = 1024;

pub(super) fn check(read: &Frontmatter, top: Top, faults: &mut Vec<Fault>) {
    let write = "write `description: …`: what the skill does, and when to use it";
    let help = "say what it does and when to use it; details belong into the body";
    check_field(read, DESCRIPTION, top, [write, help], faults);
}

/// The same of a slash command.
pub(super) fn check_command(read: &Frontmatter, top: Top, faults: &mut Vec<Fault>) {
    let write = "write `description: …`: what the command does";
    let help = "say what it does in a line; details belong into the template";
    check_field(read, COMMAND_DESCRIPTION, top, [write, help], faults);
}

fn check_field(
    read: &Frontmatter,
    field: Field,
    top: Top,
    [write, help]: [&str; 2],
    faults: &mut Vec<Fault>,
) {
    let Some(description) = &read.description else {
        if !read.was_reported(field) {
            faults.push(text::missing_field(read, field, top, Code::E011, write));
        }
        return;
    };
    faults.extend(text::control_characters("description", description, |c| matches!(c, '\n' | '\t' | '\r')));
    faults.extend(text::too_long("description", description, MAX_CHARS, Code::L101, help));
    faults.extend(text::tag_like("description", description));
}
