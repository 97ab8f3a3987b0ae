//! Calls with a slash: slash commands, and skills that the user may call.
//!
//! A call returns the text to send to the model and executes nothing. A host's own commands are not known
//! here: it reserves their names, and they are never answered.

use alloc::string::String;
use alloc::vec::Vec;

use super::arguments;
use super::call_arguments::CallArguments;
use super::command::CommandEntry;
use super::entry::Entry;
use super::error::ActionError;
use super::registry::Registry;

/// Parses a message that calls a slash command whose name is `known`: `/name arguments` or `arguments /name`.
/// Returns the name as written, without its slash, and the trimmed arguments. A name inside a sentence calls
/// nothing. If both ends name a command, the one at the start counts.
///
/// ```
/// use skills_core::parse_invocation;
///
/// let known = |name: &str| name == "explain";
/// assert_eq!(parse_invocation("src/main.rs /explain", known), Some(("explain", "src/main.rs")));
/// assert_eq!(parse_invocation("what does /explain do?", known), None);
/// ```
pub fn parse_invocation(text: &str, known: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    [leading(text), trailing(text)].into_iter().flatten().find(|(name, _)| known(name))
}

/// `/name rest`
fn leading(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim().strip_prefix('/')?;
    let (name, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    is_word(name).then(|| (name, arguments.trim()))
}

/// `rest /name`
fn trailing(text: &str) -> Option<(&str, &str)> {
    let (arguments, last) = text.trim().rsplit_once(char::is_whitespace)?;
    let name = last.strip_prefix('/')?;
    is_word(name).then(|| (name, arguments.trim()))
}

/// Whether this can be a name, and isn't a path.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

/// The target of a call with a slash.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Callable<'a> {
    /// A slash command.
    Command(CommandEntry<'a>),
    /// A skill that the user may call.
    Skill(Entry<'a>),
}

impl<'a> Callable<'a> {
    /// The name, without a slash.
    pub fn name(&self) -> &'a str {
        match self {
            Self::Command(entry) => entry.command.name(),
            Self::Skill(entry) => entry.skill.name(),
        }
    }

    /// The description.
    pub fn description(&self) -> &'a str {
        match self {
            Self::Command(entry) => entry.command.description(),
            Self::Skill(entry) => entry.skill.description(),
        }
    }

    /// The argument hint, to show after the name.
    pub fn argument_hint(&self) -> Option<&'a str> {
        match self {
            Self::Command(entry) => entry.command.argument_hint(),
            Self::Skill(entry) => entry.skill.argument_hint(),
        }
    }
}

/// A call of a slash command or a skill: the text to send, and its source.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Invocation<'a> {
    /// The command or skill.
    pub target: Callable<'a>,
    /// The parsed arguments.
    pub arguments: CallArguments,
    /// The text to send instead of the user's message: the command's template, or the skill's instructions,
    /// with the arguments filled in.
    pub text: String,
}

impl<'a> Registry<'a> {
    /// Expands a message of the form `/name arguments` or `arguments /name`. Returns `Ok(None)` if it calls
    /// nothing, or if the host [reserves](Self::with_reserved) the name.
    ///
    /// The caller is the user, whatever the registry's audience. Every skill that the user may call is also a
    /// slash command, unless a command has its name.
    ///
    /// # Errors
    ///
    /// [`ActionError::CommandNotFound`] if the message begins with a slash and a valid name, but nothing has
    /// that name. A host may send such a message unchanged.
    pub fn invoke(&self, text: &str) -> Result<Option<Invocation<'a>>, ActionError> {
        let start = leading(text);
        if start.is_some_and(|(name, _)| self.is_reserved(name)) {
            return Ok(None);
        }
        let Some((name, given)) = parse_invocation(text, |name| self.callable(name).is_some()) else {
            return start.map_or(Ok(None), |(name, _)| Err(self.no_call(name)));
        };
        let Some(target) = self.callable(name) else { return Ok(None) };
        let arguments = CallArguments::parse(given);
        let text = match target {
            Callable::Command(entry) => arguments.put_into(entry.command.template()),
            Callable::Skill(entry) => {
                let skill = self.current(entry)?.skill;
                let names: Vec<&str> = skill.arguments().collect();
                arguments::put_in(skill.body(), given, &names, skill.path())
            }
        };
        Ok(Some(Invocation { target, arguments, text }))
    }

    /// Returns what `/name` calls, in any spelling that a look-up accepts. Hidden commands can be called.
    pub fn callable(&self, name: &str) -> Option<Callable<'a>> {
        let bare = name.trim();
        let bare = bare.strip_prefix('/').unwrap_or(bare);
        let found = match self.command(name) {
            Some(entry) => Some(Callable::Command(entry)),
            None => self.user_view().get(bare).map(Callable::Skill),
        };
        // A look-up also accepts a directory name, so the given and the actual name both count.
        found.filter(|found| !self.is_reserved(bare) && !self.is_reserved(found.name()))
    }

    /// Everything that a user can call with a slash, by name: the commands that aren't hidden and the skills
    /// that the user may call, except names that the host reserves.
    pub fn callables(&self) -> Vec<Callable<'a>> {
        self.by_slash(|name, hidden| !hidden && !self.is_reserved(name))
    }

    /// The commands and skills whose names the host [reserves](Self::with_reserved), by name. They can't be
    /// called with a slash, but the skills can still be loaded by name.
    pub fn reserved(&self) -> Vec<Callable<'a>> {
        self.by_slash(|name, _| self.is_reserved(name))
    }

    /// All commands, and the skills whose name no command has, by name.
    fn by_slash(&self, wanted: impl Fn(&str, bool) -> bool) -> Vec<Callable<'a>> {
        let commands = self.commands();
        let has_command =
            |name: &str| commands.binary_search_by_key(&name, |entry| entry.command.name()).is_ok();
        let skills = self.user_view().skills().into_iter().filter(|entry| !has_command(entry.skill.name()));
        let mut found: Vec<Callable<'a>> = skills
            .filter(|entry| wanted(entry.skill.name(), false))
            .map(Callable::Skill)
            .chain(
                commands
                    .iter()
                    .filter(|entry| wanted(entry.command.name(), entry.command.is_hidden()))
                    .map(|entry| Callable::Command(*entry)),
            )
            .collect();
        found.sort_by_key(Callable::name);
        found
    }

    fn no_call(&self, name: &str) -> ActionError {
        let known = self.callables();
        let nearest = skills_pack::nearest::closest(name, known.iter().map(Callable::name));
        ActionError::CommandNotFound {
            name: alloc::format!("/{name}"),
            nearest: nearest.into_iter().map(|name| alloc::format!("/{name}")).collect(),
        }
    }
}
