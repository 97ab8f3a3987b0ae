//! Adds slash commands to a pack.

use super::PackWriter;
use super::parts::InFile;
use super::record::Record;
use crate::command::CommandText;
use skills_pack::layout::command;

/// One slash command to be packed.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by the caller, field by field")]
pub struct CommandSource<'s> {
    /// Its definition file, as it is shown, with `/`.
    pub path: &'s str,
    /// What was read of the definition and its template.
    pub text: &'s CommandText,
}

impl PackWriter {
    /// Adds one slash command. A second one of the same name takes the place of the first; callers see
    /// to it that there is none.
    pub fn add_command(&mut self, source: &CommandSource<'_>) {
        let mut record = Record { words: vec![0; command::WORDS], ..Record::default() };
        let CommandText { name, description, argument_hint, hidden, template, entries, .. } = source.text;
        for (at, text) in [
            (command::NAME, name.as_str()),
            (command::PATH, source.path),
            (command::DESCRIPTION, description),
            (command::ARGUMENT_HINT, argument_hint.as_deref().unwrap_or_default()),
            (command::TEMPLATE, template),
        ] {
            record.span(at, self.texts.intern(text));
        }
        // The definition itself does not stand in the pack, so nothing can be a slice of it.
        let in_file = InFile { start: None };
        for entry in entries {
            record.field(entry, &in_file, &mut self.texts, &mut self.shared);
        }
        record.words[command::FLAGS] = u64::from(if *hidden { command::HIDDEN } else { 0 });
        self.commands.insert(name.clone(), record);
    }
}
