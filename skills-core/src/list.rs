//! The action `list`.

use alloc::vec::Vec;
use core::fmt;

use super::command::CommandEntry;
use super::registry::{Entry, Registry};
use super::text::{Flat, OneLine};
use skills_pack::text::Joined;

/// The answer of `list`. `Display` writes the text for the model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Listing<'a> {
    /// The skills, by name.
    pub skills: Vec<Entry<'a>>,
    /// The slash commands that aren't hidden, by name.
    pub commands: Vec<CommandEntry<'a>>,
}

impl<'a> Registry<'a> {
    /// Lists all skills, and the slash commands that aren't hidden.
    pub fn list(&self) -> Listing<'a> {
        let mut commands = self.commands();
        commands.retain(|entry| !entry.command.is_hidden());
        Listing { skills: self.skills(), commands }
    }
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.skills.is_empty() && self.commands.is_empty() {
            return f.write_str("No skills or slash commands found.");
        }
        if !self.skills.is_empty() {
            writeln!(f, "Available skills ({}):", self.skills.len())?;
        }
        for Entry { skill, .. } in &self.skills {
            // Writing piece by piece is several times faster than formatting.
            f.write_str("- ")?;
            f.write_str(skill.name())?;
            if let Some(version) = skill.version() {
                f.write_str(" v")?;
                Flat(version).fmt(f)?;
            }
            if skill.tags().len() > 0 {
                f.write_str(" tags=")?;
                Joined(skill.tags().map(Flat), ",").fmt(f)?;
            }
            f.write_str(": ")?;
            OneLine(skill.description()).fmt(f)?;
            f.write_str("\n")?;
        }
        self.write_commands(f)?;
        f.write_str("\nTip: use skills_tool action=search or action=load for details.")
    }
}

impl Listing<'_> {
    fn write_commands(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.commands.is_empty() {
            return Ok(());
        }
        let gap = if self.skills.is_empty() { "" } else { "\n" };
        writeln!(f, "{gap}Slash commands ({}):", self.commands.len())?;
        for CommandEntry { command, .. } in &self.commands {
            write!(f, "- /{}", command.name())?;
            if let Some(hint) = command.argument_hint() {
                write!(f, " {}", Flat(hint))?;
            }
            writeln!(f, ": {}", OneLine(command.description()))?;
        }
        Ok(())
    }
}
