//! The view of one slash command in a pack.

use core::fmt;

use super::layout::command;
use super::reader::Pack;
use super::skill::{FieldValue, Types, fields};

/// One slash command: a prompt template that a user calls by name. A small `Copy` view; every accessor
/// slices the pack and none allocates.
#[derive(Clone, Copy)]
pub struct Command<'a> {
    pack: Pack<'a>,
    index: u32,
}

impl<'a> Command<'a> {
    #[inline]
    pub(super) fn new(pack: Pack<'a>, index: usize) -> Self {
        Self { pack, index: index as u32 }
    }

    /// The name by which it is called, without the slash.
    #[inline]
    pub fn name(&self) -> &'a str {
        self.text(command::NAME)
    }

    /// Its definition file: for a bundled command relative to the package that was built, with `/`.
    pub fn path(&self) -> &'a str {
        self.text(command::PATH)
    }

    /// What it does.
    pub fn description(&self) -> &'a str {
        self.text(command::DESCRIPTION)
    }

    /// What to show after its name: the arguments that it takes.
    pub fn argument_hint(&self) -> Option<&'a str> {
        Some(self.text(command::ARGUMENT_HINT)).filter(|hint| !hint.is_empty())
    }

    /// Whether it is left out of lists: `webui_hidden`. It can be called all the same.
    pub fn is_hidden(&self) -> bool {
        self.pack.word(self.record() + command::FLAGS) & command::HIDDEN != 0
    }

    /// What is sent when it is called, with placeholders such as `{raw}`: trimmed, with line feeds only.
    pub fn template(&self) -> &'a str {
        self.text(command::TEMPLATE)
    }

    /// The whole definition, unknown fields too, in the author's order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&'a str, FieldValue<'a>)> + use<'a> {
        let at = self.record() + command::FIELDS;
        fields(self.pack, self.pack.word(at) as usize, self.pack.word(at + 1) as usize, Types::AsWritten)
    }

    fn record(&self) -> usize {
        self.pack.command_record(self.index as usize)
    }

    fn text(&self, at: usize) -> &'a str {
        self.pack.text_at(self.record() + at)
    }
}

impl fmt::Debug for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command")
            .field("name", &self.name())
            .field("path", &self.path())
            .finish_non_exhaustive()
    }
}
