//! The action `load` (contract 3.4).

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use super::arguments;
use super::error::ActionError;
use super::registry::{Entry, Registry};
use crate::nearest;

/// What `load` answers. `Display` and [`text`](Self::text) give the text for the model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Loaded<'a> {
    /// The skill.
    pub entry: Entry<'a>,
    /// The skill's body, with the arguments put in if there were any.
    pub instructions: Cow<'a, str>,
    /// Whether a session knows that the instructions still stand in the conversation: the text for
    /// the model then says that, and nothing else.
    pub already_loaded: bool,
}

impl<'a> Registry<'a> {
    /// Loads a skill: its fields, instructions and files.
    ///
    /// # Errors
    ///
    /// [`ActionError::Missing`] where the name is blank, [`ActionError::SkillNotFound`] where no
    /// skill has it, [`ActionError::CommandNotFound`] where it begins with `/` and no slash command has it
    /// either. The definition of one is loaded by [`load_command`](Self::load_command).
    pub fn load(&self, name: &str) -> Result<Loaded<'a>, ActionError> {
        match self.named("load", name) {
            Ok(entry) => Ok(Loaded { entry, instructions: entry.skill.body().into(), already_loaded: false }),
            Err(ActionError::SkillNotFound { name, .. }) if name.starts_with('/') => {
                self.load_command(&name).and(Err(ActionError::SkillNotFound { name, nearest: Vec::new() }))
            }
            Err(error) => Err(error),
        }
    }

    /// Loads a skill with arguments put into its instructions (contract 5): for `$ARGUMENTS` and its
    /// kin or, where it has none of these, after them. Nothing is ever executed.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn load_with(&self, name: &str, arguments: &str) -> Result<Loaded<'a>, ActionError> {
        let Loaded { entry, .. } = self.load(name)?;
        let names: Vec<&str> = entry.skill.arguments().collect();
        let instructions = arguments::put_in(entry.skill.body(), arguments, &names, entry.skill.path());
        Ok(Loaded { entry, instructions: instructions.into(), already_loaded: false })
    }

    /// The skill that an action names.
    #[inline]
    pub(super) fn named(&self, action: &'static str, name: &str) -> Result<Entry<'a>, ActionError> {
        self.get(name).ok_or_else(|| {
            if name.trim().is_empty() {
                return ActionError::Missing { action, argument: "skill_name" };
            }
            let known = self.skills();
            let nearest = nearest::closest(name.trim(), known.iter().map(|entry| entry.skill.name()));
            ActionError::SkillNotFound {
                name: name.trim().to_string(),
                nearest: nearest.into_iter().map(Into::into).collect(),
            }
        })
    }
}

impl Loaded<'_> {
    /// The text for the model, in one allocation of its exact size.
    pub fn text(&self) -> String {
        let parts = self.parts();
        let mut text = String::with_capacity(parts.iter().map(|part| part.len()).sum());
        for part in parts {
            text.push_str(part);
        }
        text
    }

    #[inline]
    fn parts(&self) -> [&str; 7] {
        if self.already_loaded {
            let name = self.entry.skill.name();
            return ["Skill '", name, "' is already loaded in visible chat history.", "", "", "", ""];
        }
        let (skill, tree) = (&self.entry.skill, self.entry.skill.tree());
        let body = if self.instructions.is_empty() { "(empty)" } else { &self.instructions };
        let (files, path) = if tree.is_empty() {
            ("\n\nNo additional files found.", "")
        } else {
            ("\n\nFiles (use skills_tool action=read_file to open):\n", skill.path())
        };
        [skill.head(), skill.description(), "\n\nContent (SKILL.md body):\n", body, files, path, tree]
    }
}

impl fmt::Display for Loaded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().iter().try_for_each(|part| f.write_str(part))
    }
}
