//! The action `load`.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use super::arguments;
use super::error::ActionError;
use super::printed;
use super::registry::{Entry, Registry};
use skills_pack::nearest;

/// The answer of `load`. `Display` and [`text`](Self::text) give the text for the model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Loaded<'a> {
    /// The skill.
    pub entry: Entry<'a>,
    /// The skill's body, with the arguments of the call filled in.
    pub instructions: Cow<'a, str>,
    /// Whether the session knows that the instructions are still in the conversation. The text for the model
    /// then only says so.
    pub already_loaded: bool,
}

/// How many names an error suggests.
const MOST_NEAREST: usize = 3;

impl<'a> Registry<'a> {
    /// Loads a skill: its fields, instructions and list of files.
    ///
    /// # Errors
    ///
    /// [`ActionError::Missing`] if the name is blank, [`ActionError::SkillNotFound`] if there is no such
    /// skill, and [`ActionError::CommandNotFound`] if the name begins with `/` and there is no such slash
    /// command either. To load the definition of a slash command, call [`load_command`](Self::load_command).
    pub fn load(&self, name: &str) -> Result<Loaded<'a>, ActionError> {
        match self.named("load", name) {
            Ok(entry) => Ok(Loaded { entry, instructions: entry.skill.body().into(), already_loaded: false }),
            Err(ActionError::SkillNotFound { name, .. }) if name.starts_with('/') => {
                self.load_command(&name).and(Err(ActionError::SkillNotFound { name, nearest: Vec::new() }))
            }
            Err(error) => Err(error),
        }
    }

    /// Loads a skill and replaces `$ARGUMENTS` and the other placeholders in its instructions, or adds the
    /// arguments at the end if there is no placeholder. Nothing is executed.
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

    /// Finds the skill that an action names.
    #[inline]
    pub(super) fn named(&self, action: &'static str, name: &str) -> Result<Entry<'a>, ActionError> {
        self.get(name).ok_or_else(|| {
            if name.trim().is_empty() {
                return ActionError::Missing { action, argument: "skill_name" };
            }
            let known = self.skills();
            // `acme:pdf` means `pdf`.
            let word = printed::last_word(name);
            let meant = word.and_then(|word| self.get(word)).map(|entry| entry.skill.name());
            let close = |word| nearest::closest(word, known.iter().map(|entry| entry.skill.name()));
            let near = word.map(close).into_iter().flatten().chain(close(name.trim()));
            let mut nearest: Vec<String> = Vec::new();
            for name in meant.into_iter().chain(near) {
                if nearest.len() < MOST_NEAREST && !nearest.iter().any(|known| known == name) {
                    nearest.push(name.into());
                }
            }
            ActionError::SkillNotFound { name: name.trim().to_string(), nearest }
        })
    }
}

impl Loaded<'_> {
    /// The text for the model, allocated once at its exact size.
    pub fn text(&self) -> String {
        if self.already_loaded {
            return self.to_string();
        }
        let parts = self.parts();
        let mut len = 0;
        parts.each(|part| len += part.len());
        let mut text = String::with_capacity(len);
        parts.each(|part| text.push_str(part));
        text
    }

    #[inline]
    fn parts(&self) -> Parts<'_> {
        let skill = &self.entry.skill;
        Parts {
            head: skill.head(),
            description: skill.description(),
            body: if self.instructions.is_empty() { "(empty)" } else { &self.instructions },
            path: skill.path(),
            tree: skill.tree(),
        }
    }
}

impl fmt::Display for Loaded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.already_loaded {
            let name = self.entry.skill.name();
            return write!(f, "Skill '{name}' is already loaded in visible chat history.");
        }
        let mut result = Ok(());
        self.parts().each(|part| result = result.and_then(|()| f.write_str(part)));
        result
    }
}

/// The parts of the answer that differ between skills.
struct Parts<'p> {
    head: &'p str,
    description: &'p str,
    body: &'p str,
    path: &'p str,
    tree: &'p str,
}

impl Parts<'_> {
    /// Writes the answer part by part. The fixed parts are literals in this function, not items of a list:
    /// the compiler then knows their lengths and copies them fast.
    #[inline]
    fn each(&self, mut write: impl FnMut(&str)) {
        write(self.head);
        write(self.description);
        write("\n\nContent (SKILL.md body):\n");
        write(self.body);
        if self.tree.is_empty() {
            write("\n\nNo additional files found.");
        } else {
            write("\n\nFiles (use skills_tool action=read_file to open):\n");
            write(self.path);
            write(self.tree);
        }
    }
}
