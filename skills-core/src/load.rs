//! The action `load`.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use super::arguments;
use super::entry::Entry;
use super::error::ActionError;
use super::printed;
use super::registry::Registry;
use super::toolset::Toolset;
use skills_pack::{hidden, nearest};

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
    tools: Toolset,
    /// Whether the text says where the skill comes from.
    shows_origin: bool,
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
            Ok(entry) => Ok(self.loaded(entry, entry.skill.body().into())),
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
        Ok(self.loaded(entry, instructions.into()))
    }

    fn loaded(&self, entry: Entry<'a>, instructions: Cow<'a, str>) -> Loaded<'a> {
        let (tools, shows_origin) = (self.toolset(), self.layers().len() > 1);
        Loaded { entry, instructions, already_loaded: false, tools, shows_origin }
    }

    /// Finds the skill that an action names.
    #[inline]
    pub(super) fn named(&self, action: &'static str, name: &str) -> Result<Entry<'a>, ActionError> {
        let found = self.get(name).ok_or_else(|| {
            if name.trim().is_empty() {
                return ActionError::Missing { action, argument: "skill_name" };
            }
            ActionError::SkillNotFound { name: name.trim().to_string(), nearest: self.nearest(name) }
        });
        self.current(found?).map(Entry::with_files)
    }
}

impl Registry<'_> {
    /// The names of visible skills that may be meant by one that isn't found, nearest first.
    fn nearest(&self, name: &str) -> Vec<String> {
        let known = self.skills();
        // `acme:pdf` means `pdf`.
        let word = printed::last_word(name);
        let named = |word: &str| self.get(word).map(|entry| entry.skill.name());
        let in_hyphens = |word: &str| named(&word.replace('_', "-")).filter(|_| word.contains('_'));
        let in_sentence = || printed::words(name).find_map(|word| named(word).or_else(|| in_hyphens(word)));
        let meant = word.and_then(named).or_else(in_sentence);
        let close = |word| nearest::closest(word, known.iter().map(|entry| entry.skill.name()));
        let near = word.map(close).into_iter().flatten().chain(close(name.trim()));
        let mut nearest: Vec<String> = Vec::new();
        for name in meant.into_iter().chain(near) {
            if nearest.len() < MOST_NEAREST && !nearest.iter().any(|known| known == name) {
                nearest.push(name.into());
            }
        }
        nearest
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
        // The head has the name and the path on its first two lines.
        let head = skill.head();
        let split = if self.shows_origin {
            head.match_indices('\n').nth(1).map_or(head.len(), |(at, _)| at + 1)
        } else {
            head.len()
        };
        let (head, after_origin) = head.split_at(split);
        Parts {
            head,
            origin: if self.shows_origin { self.entry.origin } else { "" },
            after_origin,
            before_files: self.tools.before_files(),
            description: skill.description(),
            body: if self.instructions.is_empty() { "(empty)" } else { &self.instructions },
            path: hidden::shown(skill.path()),
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
    /// Empty if it isn't shown.
    origin: &'p str,
    after_origin: &'p str,
    before_files: &'static str,
    description: &'p str,
    body: &'p str,
    path: Cow<'p, str>,
    tree: &'p str,
}

impl Parts<'_> {
    /// Writes the answer part by part. The fixed parts are literals in this function, not items of a list:
    /// the compiler then knows their lengths and copies them fast.
    #[inline]
    fn each(&self, mut write: impl FnMut(&str)) {
        write(self.head);
        if !self.origin.is_empty() {
            write("Origin: ");
            // A label has no line breaks that could begin another line.
            self.origin.lines().for_each(&mut write);
            write("\n");
        }
        write(self.after_origin);
        write(self.description);
        write("\n\nContent (SKILL.md body):\n");
        write(self.body);
        if self.tree.is_empty() {
            write("\n\nNo additional files found.");
        } else {
            write(self.before_files);
            write(&self.path);
            write(self.tree);
        }
    }
}
