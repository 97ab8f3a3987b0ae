//! The view of one slash command in a pack.

use core::cmp::Ordering;
use core::fmt;

use super::layout::command;
use super::reader::Pack;
use super::skill::{FieldValue, Types, fields};

/// One slash command: a prompt template that a user calls by name. It is a small `Copy` view: accessors slice
/// the pack and don't allocate.
#[derive(Clone, Copy)]
pub struct Command<'a> {
    pack: Pack<'a>,
    index: u32,
}

impl<'a> Pack<'a> {
    /// All slash commands, by name.
    pub fn commands(
        &self,
    ) -> impl ExactSizeIterator<Item = Command<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let pack = *self;
        (0..self.command_count()).map(move |index| Command::new(pack, index))
    }

    /// The slash command with this name, which has no slash and is [normalised](crate::with_normalised), by
    /// binary search.
    pub fn command(&self, name: &str) -> Option<Command<'a>> {
        let (mut low, mut high) = (0, self.command_count());
        while low < high {
            let middle = low.midpoint(high);
            let command = Command::new(*self, middle);
            match command.name().cmp(name) {
                Ordering::Equal => return Some(command),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        None
    }
}

impl<'a> Command<'a> {
    #[inline]
    fn new(pack: Pack<'a>, index: usize) -> Self {
        Self { pack, index: index as u32 }
    }

    /// The name, without the slash.
    #[inline]
    pub fn name(&self) -> &'a str {
        self.text(command::NAME)
    }

    /// The path of its definition, with `/`; for a bundled command, relative to the package that was built.
    pub fn path(&self) -> &'a str {
        self.text(command::PATH)
    }

    /// The description.
    pub fn description(&self) -> &'a str {
        self.text(command::DESCRIPTION)
    }

    /// The argument hint, to show after the name.
    pub fn argument_hint(&self) -> Option<&'a str> {
        Some(self.text(command::ARGUMENT_HINT)).filter(|hint| !hint.is_empty())
    }

    /// Whether it is left out of lists: `webui_hidden`. It can still be called.
    pub fn is_hidden(&self) -> bool {
        self.pack.word(self.record() + command::FLAGS) & command::HIDDEN != 0
    }

    /// The template, with placeholders such as `{raw}`: trimmed, with line feeds only.
    pub fn template(&self) -> &'a str {
        self.text(command::TEMPLATE)
    }

    /// The whole definition, including unknown fields, in the author's order.
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
