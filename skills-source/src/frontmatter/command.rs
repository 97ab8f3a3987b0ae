//! The fields of a slash command's definition, in the forms that fields of a skill have.

use super::forms::Fields;
use super::table::{HINT, field};
use super::{Field, Form, Frontmatter, Text};
use crate::code::Code;
use crate::fault::Fault;
use crate::source::Span;
use crate::yaml::{Node, Value};

/// `name` alone: the other names of a skill's field mean nothing here.
pub(crate) const COMMAND_NAME: Field = field(&["name"], Form::Text);
/// `description` alone.
pub(crate) const COMMAND_DESCRIPTION: Field = field(&["description"], Form::Text);
/// `type`.
pub(crate) const COMMAND_TYPE: Field = field(&["type"], Form::Text);
/// `template_path`.
pub(crate) const TEMPLATE_PATH: Field = field(&["template_path"], Form::Text);
const HIDDEN: Field = field(&["webui_hidden"], Form::Flag);

/// The fields of a slash command.
pub(crate) struct Definition {
    /// Those that a skill has too: name, description, argument hint, and everything as written.
    pub(crate) common: Frontmatter,
    /// `type`.
    pub(crate) kind: Option<Text>,
    /// `template_path`.
    pub(crate) template_path: Option<Text>,
    /// `webui_hidden`; one that cannot be read hides it.
    pub(crate) hidden: bool,
}

/// Reads the fields of a definition.
///
/// # Errors
///
/// [`Code::E004`] where `root` is no mapping. Faults in single fields are returned beside what could be
/// read.
pub(crate) fn read_command(root: Node, span: Span) -> Result<(Definition, Vec<Fault>), Fault> {
    const WRITE: &str = "write `name: …`, `description: …`, `type: text` and `template_path: …`, one a line";
    let entries = match root.value {
        Value::Map(entries) => entries,
        Value::Null => {
            return Err(Fault::new(Code::E004, span.start..span.start, "the file is empty").help(WRITE));
        }
        _ => {
            return Err(Fault::new(Code::E004, root.span, "the file is not a mapping")
                .label("this is no `key: value`")
                .help(WRITE));
        }
    };
    let mut fields = Fields { entries: &entries, faults: Vec::new(), reported: Vec::new() };
    let name = fields.text(COMMAND_NAME);
    let description = fields.text(COMMAND_DESCRIPTION);
    let argument_hint = fields.text(HINT);
    let kind = fields.text(COMMAND_TYPE);
    let template_path = fields.text(TEMPLATE_PATH);
    let hidden = fields.flag(HIDDEN, false);
    let Fields { faults, reported, .. } = fields;
    let common =
        Frontmatter { name, description, argument_hint, entries, reported, ..Frontmatter::default() };
    Ok((Definition { common, kind, template_path, hidden }, faults))
}
