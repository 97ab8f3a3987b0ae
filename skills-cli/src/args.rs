//! The command-line arguments and their help texts, which are only here.
//!
//! Global options may come before or after the command's name, and both count. That is why they aren't
//! `global` arguments of clap, which would keep the roots of one place and forget the others.

use clap::Parser;

mod ask;
mod check;
mod command;
mod deliver;
mod global;
mod help;
mod lock;
mod mcp;
mod report;
mod test;

pub(crate) use ask::{Call, List, Load, Prompt, Read, Schema, Search, Tools};
pub(crate) use check::{Check, Explain, Format, Lsp, New};
pub(crate) use command::Command;
pub(crate) use deliver::{Export, How, Install, Place, ScopeName, Target};
pub(crate) use global::{Global, When, color_asked_for, form_asked_for};
pub(crate) use help::{Completions, Man};
pub(crate) use lock::{Add, Diff, DiffFormat, Lock, Outdated, Remove, Review, Update};
pub(crate) use mcp::Mcp;
#[cfg(feature = "mcp-http")]
pub(crate) use mcp::{Log, Net};
pub(crate) use report::{Bill, Report};
pub(crate) use test::{Test, TestFormat, Why};

/// Checks, tests, installs and serves Agent Skills: those built in, and those in your directories
#[derive(Debug, Parser)]
#[command(
    name = "skills",
    bin_name = "skills",
    version,
    arg_required_else_help = true,
    after_help = "\
Examples:
  skills list
  skills search commit message
  skills load write-skill
  skills new my-skill
  skills check skills
  skills --root skills list --json

Results go to stdout, findings and errors to stderr.
Exit status: 0 success; 1 errors found, no match or not found; 2 wrong usage or could not run.
Where a command has more to say of its exit status, its help does."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// The options of every command, from before and after the command's name.
    pub(crate) fn global(&self) -> Global {
        self.global.and(self.command.global())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
