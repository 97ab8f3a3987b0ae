//! What a user calls with a slash: slash commands, and skills as such.
//!
//! A call gives the text to send to the model, and nothing is executed. Which of a host's own commands
//! there are is the host's affair: it says their names, and they are never answered here.

use alloc::string::String;
use alloc::vec::Vec;

use super::arguments;
use super::call_arguments::CallArguments;
use super::command::CommandEntry;
use super::error::ActionError;
use super::registry::{Entry, Registry};

/// Reads a message that may call a slash command whose name is `known`, as `/name arguments` or
/// `arguments /name`: gives the name as written, without its slash, and the arguments, trimmed. A name
/// inside a sentence calls nothing, and where both ends name a command the one at the start is called.
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

/// Whether this can be a name, and is no path.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

/// What a slash and a name call.
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

    /// What it does.
    pub fn description(&self) -> &'a str {
        match self {
            Self::Command(entry) => entry.command.description(),
            Self::Skill(entry) => entry.skill.description(),
        }
    }

    /// What to show after its name.
    pub fn argument_hint(&self) -> Option<&'a str> {
        match self {
            Self::Command(entry) => entry.command.argument_hint(),
            Self::Skill(entry) => entry.skill.argument_hint(),
        }
    }
}

/// A call of a slash command or a skill that was carried out: the text to send, and where it is from.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Invocation<'a> {
    /// What was called.
    pub target: Callable<'a>,
    /// The arguments, as a command takes them.
    pub arguments: CallArguments,
    /// The text to send in place of what the user wrote: the command's template, or the skill's
    /// instructions, with the arguments put in.
    pub text: String,
}

impl<'a> Registry<'a> {
    /// Carries out what a user wrote, if it calls a slash command: `/name arguments` or
    /// `arguments /name`. `Ok(None)` where it does not, and where the name is one that the host
    /// [reserves](Self::with_reserved).
    ///
    /// The user is asking, whatever the registry's audience: every skill that the user may call is a
    /// slash command too, unless a command has its name.
    ///
    /// # Errors
    ///
    /// [`ActionError::CommandNotFound`] where the text begins with a slash and what could be a name, and
    /// nothing has it. A host may take such a text for a plain one.
    pub fn invoke(&self, text: &str) -> Result<Option<Invocation<'a>>, ActionError> {
        let start = leading(text);
        if start.is_some_and(|(name, _)| self.is_reserved(name)) {
            return Ok(None);
        }
        let Some((name, given)) = parse_invocation(text, |name| self.callable(name).is_some()) else {
            return start.map_or(Ok(None), |(name, _)| Err(self.no_call(name)));
        };
        Ok(self.callable(name).map(|target| {
            let arguments = CallArguments::parse(given);
            let text = match target {
                Callable::Command(entry) => arguments.render(entry.command.template()),
                Callable::Skill(Entry { skill, .. }) => {
                    let names: Vec<&str> = skill.arguments().collect();
                    arguments::put_in(skill.body(), given, &names, skill.path())
                }
            };
            Invocation { target, arguments, text }
        }))
    }

    /// What `/name` calls, under any spelling that finds it. Hidden commands can be called.
    pub fn callable(&self, name: &str) -> Option<Callable<'a>> {
        let bare = name.trim();
        let bare = bare.strip_prefix('/').unwrap_or(bare);
        let found = match self.command(name) {
            Some(entry) => Some(Callable::Command(entry)),
            None => self.user_view().get(bare).map(Callable::Skill),
        };
        // A skill is found under its directory's name too, so what was written and what was found count.
        found.filter(|found| !self.is_reserved(bare) && !self.is_reserved(found.name()))
    }

    /// All that a user can call with a slash, by name: the commands that are not hidden, and the skills
    /// that the user may call, but not what the host reserves.
    pub fn callables(&self) -> Vec<Callable<'a>> {
        self.by_slash(|name, hidden| !hidden && !self.is_reserved(name))
    }

    /// The commands and skills whose names the host [reserves](Self::with_reserved), by name. None of
    /// them can be called with a slash; the skills can be loaded by their names all the same.
    pub fn reserved(&self) -> Vec<Callable<'a>> {
        self.by_slash(|name, _| self.is_reserved(name))
    }

    /// Commands, and skills whose name no command has, by name.
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
