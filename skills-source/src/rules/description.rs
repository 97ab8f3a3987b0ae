//! The description: E011, E015, L101, L108.

use super::text::{self, Top};
use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::command::COMMAND_DESCRIPTION;
use crate::frontmatter::{DESCRIPTION, Field, Frontmatter, Text, WHEN_TO_USE};

/// The most characters of a description, with when to use it.
pub const MAX_DESCRIPTION: usize = 1024;

pub(super) fn check(read: &Frontmatter, top: Top, faults: &mut Vec<Fault>) {
    let write = "write `description: …`: what the skill does, and when to use it";
    let help = "say what it does and when to use it; details belong into the body";
    check_field(read, DESCRIPTION, top, [write, help], faults);
    if let (Some(description), Some(when)) = (&read.description, &read.when_to_use) {
        faults.extend(text::control_characters(when.key, when, is_space));
        faults.extend(text::tag_like(when.key, when));
        faults.extend(too_long_together(description, when, help));
    }
}

/// L101 of a description that is within the limit, but not with what follows it.
fn too_long_together(description: &Text, when: &Text, help: &str) -> Option<Fault> {
    let before = description.value.chars().count();
    let left = MAX_DESCRIPTION.checked_sub(before)?.saturating_sub(1);
    let (from, _) = when.value.char_indices().nth(left)?;
    let count = before + 1 + when.value.chars().count();
    let key = when.key;
    Some(
        Fault::new(
            Code::L101,
            when.part(from..when.value.len()),
            format!("`description` and `{key}` together are longer than 1,024 characters: they have {count}"),
        )
        .label(if when.exact { "past the limit from here on" } else { "this value" })
        .help(help),
    )
}

/// The control characters that a description may hold.
fn is_space(c: char) -> bool {
    matches!(c, '\n' | '\t' | '\r')
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
        if !read.was_reported(field) && !read.was_reported(WHEN_TO_USE) {
            faults.push(text::missing_field(read, field, top, Code::E011, write));
        }
        return;
    };
    faults.extend(text::control_characters("description", description, is_space));
    faults.extend(text::too_long("description", description, MAX_DESCRIPTION, Code::L101, help));
    faults.extend(text::tag_like("description", description));
}
