//! The options of every command.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, Args, ValueEnum};

use crate::form::Form;

/// Options of every command.
#[derive(Debug, Clone, Default, Args)]
#[allow(clippy::struct_excessive_bools, reason = "they are switches of the command line")]
pub(crate) struct Global {
    /// Also serve the skills under DIR, above the built-in ones
    ///
    /// DIR is a directory with skills and slash commands at any depth, or one skill. It is a path, not a URL;
    /// your shell expands `~`. May be given several times: if two skills have the same name, the one under
    /// the earlier DIR is served. Broken skills are reported and left out. Without it, the directories in the
    /// environment variable `SKILLS_ROOT` are served, separated as in PATH. Commands that don't list this option
    /// ignore it.
    #[arg(long, value_name = "DIR", help_heading = "Options of every command")]
    pub(crate) root: Vec<PathBuf>,

    /// Read the skills of --root leniently: an invalid form of a name is only a warning, and a value with a
    /// stray `: ` is text
    #[arg(long, help_heading = "Options of every command")]
    pub(crate) lenient: bool,

    /// Take a SKILL.md inside a skill for another skill, not for a file of the outer one
    #[arg(long, help_heading = "Options of every command")]
    pub(crate) nested: bool,

    /// Leave out the built-in skills
    #[arg(long, help_heading = "Options of every command")]
    pub(crate) no_bundle: bool,

    /// Print one JSON document on stdout with nothing shortened, also for errors
    #[arg(long, help_heading = "Options of every command")]
    json: bool,

    /// When to use colours; `auto` is on a terminal, and obeys `NO_COLOR` and `CLICOLOR_FORCE`
    #[arg(long, value_name = "WHEN", value_enum, help_heading = "Options of every command")]
    color: Option<When>,

    /// Print only results, findings and errors: no notes, no progress
    #[arg(long, short, help_heading = "Options of every command")]
    pub(crate) quiet: bool,

    /// Whether the roots are those of the environment.
    #[arg(skip)]
    pub(crate) is_of_environment: bool,
}

/// When something is done that is meant for people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Global {
    /// The options from before and after the command's name. Without a root, those of the environment.
    pub(super) fn and(&self, after: &Self) -> Self {
        let before = self;
        let mut root: Vec<PathBuf> = before.root.iter().chain(&after.root).cloned().collect();
        let is_of_environment = root.is_empty();
        if is_of_environment {
            root = roots_of_environment();
        }
        Self {
            root,
            is_of_environment,
            lenient: before.lenient || after.lenient,
            nested: before.nested || after.nested,
            no_bundle: before.no_bundle || after.no_bundle,
            json: before.json || after.json,
            color: after.color.or(before.color),
            quiet: before.quiet || after.quiet,
        }
    }

    pub(crate) fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::Text }
    }

    /// When to use colours.
    pub(crate) fn color(&self) -> When {
        self.color.unwrap_or_default()
    }

    /// The same with these roots alone.
    pub(crate) fn only(&self, roots: Vec<PathBuf>) -> Self {
        Self { is_of_environment: false, root: roots, no_bundle: true, ..self.clone() }
    }
}

/// The roots in `SKILLS_ROOT`; an empty entry is none.
#[allow(clippy::disallowed_methods, reason = "it stands for an argument")]
fn roots_of_environment() -> Vec<PathBuf> {
    let Some(list) = env::var_os("SKILLS_ROOT") else { return Vec::new() };
    env::split_paths(&list).filter(|root| !root.as_os_str().is_empty()).collect()
}

/// The output format for an error in the arguments.
pub(crate) fn form_asked_for(arguments: &[OsString]) -> Form {
    let mut options = arguments.iter().take_while(|argument| *argument != "--");
    if options.any(|argument| argument == "--json") { Form::Json } else { Form::Text }
}

/// When to use colours for help and for an error in the arguments.
pub(crate) fn color_asked_for(arguments: &[OsString]) -> When {
    let mut when = When::default();
    let options = arguments.iter().take_while(|argument| *argument != "--");
    let mut is_next = false;
    for argument in options.filter_map(|argument| argument.to_str()) {
        let value = if is_next { Some(argument) } else { argument.strip_prefix("--color=") };
        is_next = argument == "--color";
        if let Some(known) = value.and_then(|value| When::from_str(value, false).ok()) {
            when = known;
        }
    }
    when
}

/// For commands that serve nothing: they accept these options silently, since a user's alias may pass them,
/// and hide them from the help.
pub(super) fn hide_what_is_served(arg: Arg) -> Arg {
    let serves = ["root", "no_bundle", "lenient"].iter().any(|id| arg.get_id() == id);
    if serves { arg.hide(true) } else { arg }
}

/// For a command that is started by a program and prints nothing: it has none of them, but accepts them all.
pub(super) fn hide_every_option(arg: Arg) -> Arg {
    let prints = ["json", "color", "quiet"].iter().any(|id| arg.get_id() == id);
    if prints { arg.hide(true) } else { hide_how_skills_are_read(arg) }
}

/// For commands that read no skills either.
pub(super) fn hide_how_skills_are_read(arg: Arg) -> Arg {
    if arg.get_id() == "nested" { arg.hide(true) } else { hide_what_is_served(arg) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_colour_counts() {
        for (arguments, expected) in [
            (&["skills", "--help"][..], When::Auto),
            (&["skills", "--color", "always", "--help"], When::Always),
            (&["skills", "--color=always", "list", "--color", "never"], When::Never),
            (&["skills", "--color", "pink"], When::Auto),
            (&["skills", "search", "--", "--color=always"], When::Auto),
        ] {
            let arguments: Vec<OsString> = arguments.iter().map(Into::into).collect();
            assert_eq!(color_asked_for(&arguments), expected, "{arguments:?}");
        }
    }
}
