//! Errors in the arguments, in this program's words.
//!
//! They are written from the facts that clap gives about an error. Clap's finished message isn't used:
//! its parts can't be separated, and its wording may change.

use std::error::Error as _;
use std::iter;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use skills_pack::nearest;
use skills_pack::text::{Joined, Quoted, did_you_mean};

use crate::args::Cli;
use crate::failure::Failure;

const HELP: &str = "try `--help`";

/// The failure for an error in the arguments.
pub(crate) fn failure(error: &clap::Error) -> Failure {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Failure::Usage {
            text: error.render().to_string(),
            message: "a command is missing".to_owned(),
            suggestion: Cli::command().render_usage().to_string(),
        };
    }
    let (message, tip) = (message(error), tip(error));
    let usage = error.get(ContextKind::Usage).map(ContextValue::to_string);
    let mut text = format!("skills: {message}\n");
    if let Some(tip) = &tip {
        text.push_str(&format!("help: {tip}\n"));
    }
    if let Some(usage) = &usage {
        text.push_str(&format!("\n{usage}\n\n"));
    }
    text.push_str(&format!("help: {HELP}\n"));
    Failure::Usage { text, message, suggestion: tip.or(usage).unwrap_or_else(|| HELP.to_owned()) }
}

fn message(error: &clap::Error) -> String {
    let argument = || all(error, ContextKind::InvalidArg);
    let value = all(error, ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            format!("unknown command {}", all(error, ContextKind::InvalidSubcommand))
        }
        ErrorKind::UnknownArgument => format!("unexpected argument {}", argument()),
        ErrorKind::InvalidValue if matches!(value.as_str(), "" | "``") => {
            format!("{} needs a value", argument())
        }
        ErrorKind::InvalidValue => format!("invalid value {value} for {}", argument()),
        ErrorKind::ValueValidation => match error.source() {
            Some(why) => format!("invalid value {value} for {}: {why}", argument()),
            None => format!("invalid value {value} for {}", argument()),
        },
        ErrorKind::MissingRequiredArgument => format!("missing {}", argument()),
        ErrorKind::ArgumentConflict => {
            format!("{} cannot be used with {}", argument(), all(error, ContextKind::PriorArg))
        }
        ErrorKind::InvalidUtf8 => "an argument is not valid UTF-8".to_owned(),
        kind => kind.as_str().unwrap_or("the arguments are invalid").to_owned(),
    }
}

/// What to do about it, if anything is near.
fn tip(error: &clap::Error) -> Option<String> {
    if let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) {
        return nearest_command(typed);
    }
    let near = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
        .into_iter()
        .map(|kind| all(error, kind))
        .find(|near| !near.is_empty());
    let values = all(error, ContextKind::ValidValue);
    near.map(did_you_mean).or_else(|| (!values.is_empty()).then(|| format!("possible values: {values}")))
}

/// The commands that were probably meant, nearest first. Clap's own are sorted the other way, and further away.
fn nearest_command(typed: &str) -> Option<String> {
    let program = Cli::command();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let known =
        commands.flat_map(|command| iter::once(command.get_name()).chain(command.get_visible_aliases()));
    let near = nearest::closest(typed, known);
    (!near.is_empty()).then(|| did_you_mean(Joined(near.iter().map(Quoted), ", ")))
}

/// All strings of a fact, in backticks; empty if clap doesn't give it.
fn all(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(one)) => Quoted(one).to_string(),
        Some(ContextValue::Strings(several)) => Joined(several.iter().map(Quoted), ", ").to_string(),
        _ => String::new(),
    }
}
