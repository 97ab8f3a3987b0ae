//! Slash commands as a registry serves them, and the definition that `load` shows.
//!
//! Showing a definition runs nothing; [`invoke`](super::invoke) calls commands.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use super::error::ActionError;
use super::layer::BUNDLE;
use super::read_file::READ_LIMIT;
use super::registry::Registry;
use super::text::{Flat, skip_chars};
use skills_pack::nearest;
use skills_pack::{Command, with_normalised};

/// A slash command, and where it comes from.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CommandEntry<'a> {
    /// The command.
    pub command: Command<'a>,
    /// The origin: `bundle`, or the label of the root.
    pub origin: &'a str,
}

impl<'a> CommandEntry<'a> {
    /// The origin as it is shown: `Bundle`, or the label of the root.
    pub fn scope(&self) -> &'a str {
        if self.origin == BUNDLE { "Bundle" } else { self.origin }
    }
}

/// The answer of `load` to the name of a slash command: its definition. `Display` writes the text for the
/// model.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct LoadedCommand<'a> {
    /// The command.
    pub entry: CommandEntry<'a>,
}

impl<'a> Registry<'a> {
    /// Whether a name that is to be loaded means a slash command: it begins with a slash, and isn't the
    /// absolute path of a skill, as `load` shows it.
    #[doc(hidden)]
    pub fn names_command(&self, name: &str) -> bool {
        name.trim_start().starts_with('/') && (self.command(name).is_some() || self.get(name).is_none())
    }

    /// All slash commands that are served, by name, including hidden ones. If two packs have a command with
    /// the same name, the one in the earlier pack is served.
    pub fn commands(&self) -> Vec<CommandEntry<'a>> {
        self.note_list();
        let commands = self.layers().commands();
        let mut entries: Vec<CommandEntry<'a>> =
            commands.map(|(layer, command)| CommandEntry { command, origin: layer.label }).collect();
        entries.sort_by_key(|entry| entry.command.name());
        entries.dedup_by_key(|entry| entry.command.name());
        entries
    }

    /// Returns the slash command with this name, with or without its slash.
    pub fn command(&self, name: &str) -> Option<CommandEntry<'a>> {
        self.note_command();
        let name = name.trim();
        with_normalised(name.strip_prefix('/').unwrap_or(name), |name| {
            let (layer, command) = self.layers().command(name)?;
            Some(CommandEntry { command, origin: layer.label })
        })
    }

    /// Loads the definition of a slash command, whose name may begin with a slash. Runs nothing.
    ///
    /// # Errors
    ///
    /// [`ActionError::Missing`] if the name is blank, [`ActionError::CommandNotFound`] if there is no such
    /// command.
    pub fn load_command(&self, name: &str) -> Result<LoadedCommand<'a>, ActionError> {
        let given = name.trim();
        let bare = given.strip_prefix('/').unwrap_or(given);
        if given.is_empty() {
            return Err(ActionError::Missing { action: "load", argument: "skill_name" });
        }
        self.command(given).map(|entry| LoadedCommand { entry }).ok_or_else(|| {
            // The caller usually means the skill with that name.
            let skill = self.get(bare).map(|entry| entry.skill.name().to_string());
            let known = self.commands();
            let names = nearest::closest(bare, known.iter().map(|entry| entry.command.name()));
            let nearest = names.into_iter().map(|name| alloc::format!("/{name}"));
            let name = if given == bare { alloc::format!("/{bare}") } else { given.to_string() };
            ActionError::CommandNotFound { name, nearest: skill.into_iter().chain(nearest).take(3).collect() }
        })
    }
}

impl LoadedCommand<'_> {
    /// The text for the model.
    pub fn text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for LoadedCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = self.entry.command;
        writeln!(f, "Slash command: /{}\nDescription: {}", command.name(), Flat(command.description()))?;
        if let Some(hint) = command.argument_hint() {
            writeln!(f, "Arguments: {}", Flat(hint))?;
        }
        write!(f, "Type: text\nScope: {}\n\nDefinition:\n", Flat(self.entry.scope()))?;
        let template = command.template();
        match skip_chars(template, READ_LIMIT) {
            "" => f.write_str(template),
            rest => {
                let shown = &template[..template.len() - rest.len()];
                write!(f, "{}\n\n[truncated]", shown.trim_end())
            }
        }
    }
}
