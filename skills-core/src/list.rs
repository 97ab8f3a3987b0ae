//! The action `list`.

use alloc::vec::Vec;
use core::fmt;

use super::command::CommandEntry;
use super::entry::Entry;
use super::registry::Registry;
use super::text::{Flat, OneLine};
use super::toolset::Toolset;
use skills_pack::text::Joined;

/// The answer of `list`. `Display` writes the text for the model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Listing<'a> {
    /// The skills of this page, by name.
    pub skills: Vec<Entry<'a>>,
    /// The slash commands that aren't hidden, by name. Only the first page has them.
    pub commands: Vec<CommandEntry<'a>>,
    /// The number of skills on all pages.
    pub total: usize,
    /// The offset of this page.
    pub offset: usize,
    /// The offset of the next page, or `None` at the end.
    pub next_offset: Option<usize>,
    tools: Toolset,
}

/// The most skills on a page.
const MAX_PAGE: usize = 1000;

impl<'a> Registry<'a> {
    /// Lists all skills, and the slash commands that aren't hidden.
    pub fn list(&self) -> Listing<'a> {
        self.list_page(0, None)
    }

    /// Lists `limit` skills from `offset` on; without a limit, all of them. A limit is at least 1 and at most
    /// 1,000. The first page has the slash commands too.
    pub fn list_page(&self, offset: usize, limit: Option<usize>) -> Listing<'a> {
        let mut skills = self.skills();
        let total = skills.len();
        skills.drain(..offset.min(total));
        skills.truncate(limit.map_or(usize::MAX, |limit| limit.clamp(1, MAX_PAGE)));
        let mut commands = if offset == 0 { self.commands() } else { Vec::new() };
        commands.retain(|entry| !entry.command.is_hidden());
        let end = offset.saturating_add(skills.len());
        let next_offset = (end < total).then_some(end);
        Listing { skills, commands, total, offset, next_offset, tools: self.toolset() }
    }
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.offset > 0 && self.skills.is_empty() {
            return write!(f, "No more skills: {} in all.", self.total);
        }
        if self.skills.is_empty() && self.commands.is_empty() {
            return f.write_str("No skills or slash commands found.");
        }
        if !self.skills.is_empty() {
            writeln!(f, "Available skills ({}):", self.total)?;
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
        match self.next_offset {
            Some(next) => self.tools.after_cut_list(f, self.total - next, next),
            None => f.write_str(self.tools.after_list()),
        }
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
