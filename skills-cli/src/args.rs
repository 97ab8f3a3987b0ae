//! The command-line arguments and their help texts, which are only here.
//!
//! Global options may come before or after the command's name, and both count. That is why they aren't
//! `global` arguments of clap, which would keep the roots of one place and forget the others.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, Args, Parser, Subcommand};

use crate::form::Form;

mod ask;
mod check;
mod deliver;

pub(crate) use ask::{Call, List, Load, Prompt, Read, Schema, Search, Tools};
pub(crate) use check::{Check, Explain, Format, Lsp, New};
pub(crate) use deliver::{Export, How, Install, Mcp, Place, ScopeName};

/// Finds, opens, checks and starts Agent Skills: the ones built into this program, and those in your
/// directories
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
Exit status: 0 success; 1 errors found, no match or not found; 2 wrong usage or could not run."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Global {
    /// Also serve the skills under DIR, above the built-in ones
    ///
    /// DIR is a directory with skills and slash commands at any depth, or one skill. It is a path, not a URL;
    /// your shell expands `~`. May be given several times: if two skills have the same name, the one under
    /// the earlier DIR is served. Broken skills are reported and left out. check, new and uninstall serve
    /// nothing and ignore this option.
    #[arg(long, value_name = "DIR", help_heading = "Options of every command")]
    pub(crate) root: Vec<PathBuf>,

    /// Leave out the built-in skills
    #[arg(long, help_heading = "Options of every command")]
    pub(crate) no_bundle: bool,

    /// Print one JSON document on stdout with nothing shortened, also for errors
    #[arg(long, help_heading = "Options of every command")]
    json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List all skills and slash commands
    #[command(after_help = "\
Examples:
  skills list
  skills --root skills --no-bundle list")]
    List(List),

    /// Search the skills for a task, best match first
    #[command(after_help = "\
Examples:
  skills search commit message
  skills search --limit 3 --json rust
  skills search --explain how do I write a skill")]
    Search(Search),

    /// Show a skill: its fields, instructions and files; or a slash command's definition
    #[command(after_help = "\
Examples:
  skills load write-skill
  skills --root skills load my-skill
  skills load write-skill a skill that reads logs
  skills load write-skill --json
  skills load /fix-skills

Arguments are put into the instructions where they have a place for them, or follow them.")]
    Load(Load),

    /// Print the catalogue of the skills for a system prompt, as a model sees it
    #[command(after_help = "\
Examples:
  skills prompt
  skills prompt --format xml --budget 4000 --shorten
  skills --root skills prompt --format json

In a prompt template (--template FILE), {{available_skills}} is replaced by the catalogue.")]
    Prompt(Prompt),

    /// Show a file of a skill
    #[command(after_help = "\
Examples:
  skills read write-skill references/frontmatter.md
  skills read write-skill SKILL.md --offset 1000

A binary file is described; --json gives its bytes in base64.")]
    Read(Read),

    /// Answer one raw tool call, in the form in which models make them
    #[command(after_help = "\
Examples:
  skills call '{\"action\": \"search\", \"query\": \"commit message\"}'
  echo '{\"action\": \"load\", \"skill_name\": \"write-skill\"}' | skills call -

Skills that a model may not call are hidden here, and only here.")]
    Call(Call),

    /// Print the definition of the tool, or of four tools, for a model's API
    #[command(after_help = "\
Examples:
  skills schema
  skills schema --for anthropic
  skills schema --for openai --tools four --strict

One tool is printed as it is; four as what a request has as its tools.")]
    Schema(Schema),

    /// Check skills and slash commands, and explain what is wrong with them
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills check skills
  skills check skills/my-skill/SKILL.md
  skills check skills --deny name-not-directory --allow L108
  skills check skills --profile standard
  skills check skills --format sarif > skills.sarif
  skills check skills --fix --dry-run
  skills check skills --json
  skills check - --stdin-path skills/my-skill/SKILL.md < draft.md

Exit status: 0 no errors; 1 errors, or no skill found; 2 a path that could not be read.
Where levels for one rule disagree, --deny wins over --warn, and --warn over --allow.
Rules that begin with E always deny.
What the Cargo.toml nearest to the first PATH sets in [package.metadata.skills] or
[workspace.metadata.skills] is obeyed; these options come on top."
    )]
    Check(Check),

    /// Explain a rule, or list them all
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills explain
  skills explain L103
  skills explain dead-link --json"
    )]
    Explain(Explain),

    /// Start a new skill from a template
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills new my-skill
  skills new commit-style --dir .agents/skills"
    )]
    New(New),

    /// Serve the skills to an agent over the Model Context Protocol
    #[command(after_help = "\
Examples:
  skills mcp
  skills mcp --root skills

An agent's host starts this and talks to it on stdin and stdout; docs/mcp.md has the configurations,
host by host. A DIR that is not there yet is served when it appears. Over HTTP (--http) it serves where
it was built with the feature mcp-http: cargo install --path skills-cli --features mcp-http --locked")]
    Mcp(Mcp),

    /// Serve an editor, or an agent that edits skills, over the Language Server Protocol
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills lsp

An editor starts this and talks to it on stdin and stdout: findings as you type, quick fixes, completion.
docs/editors.md has the configurations, editor by editor."
    )]
    Lsp(Lsp),

    /// Write the skills to a directory, with all their files
    #[command(after_help = "\
Examples:
  skills export out
  skills export out commit-message --dry-run

Files that are up to date stay, and so do files that somebody has changed.")]
    Export(Export),

    /// Write the skills to the directory where an agent reads them
    #[command(after_help = "\
Examples:
  skills install --agent claude-code
  skills install write-skill --agent agents --scope user
  skills install --dir ~/.config/my-agent/skills --dry-run

A later version updates what this one wrote; what somebody has changed is left alone.")]
    Install(Install),

    /// Remove what install or export has written
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills uninstall --agent claude-code
  skills uninstall write-skill --dir out

Files that were changed since are left alone."
    )]
    Uninstall(Install),
}

impl Cli {
    /// The options of every command, from before and after the command's name.
    pub(crate) fn global(&self) -> Global {
        let after = self.command.global();
        Global {
            root: self.global.root.iter().chain(&after.root).cloned().collect(),
            no_bundle: self.global.no_bundle || after.no_bundle,
            json: self.global.json || after.json,
        }
    }
}

impl Global {
    pub(crate) fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::Text }
    }
}

impl Command {
    fn global(&self) -> &Global {
        match self {
            Self::List(args) => &args.global,
            Self::Search(args) => &args.global,
            Self::Load(args) => &args.global,
            Self::Prompt(args) => &args.global,
            Self::Read(args) => &args.global,
            Self::Call(args) => &args.global,
            Self::Schema(args) => &args.global,
            Self::Check(args) => &args.global,
            Self::Explain(args) => &args.global,
            Self::New(args) => &args.global,
            Self::Mcp(args) => &args.global,
            Self::Lsp(args) => &args.global,
            Self::Export(args) => &args.global,
            Self::Install(args) | Self::Uninstall(args) => &args.global,
        }
    }
}

/// For commands that serve nothing: they accept these options silently, since a user's alias may pass them,
/// and hide them from the help.
fn hide_what_is_served(arg: Arg) -> Arg {
    let serves = arg.get_id() == "root" || arg.get_id() == "no_bundle";
    if serves { arg.hide(true) } else { arg }
}

/// The output format for an error in the arguments.
pub(crate) fn form_asked_for(arguments: &[OsString]) -> Form {
    let mut options = arguments.iter().take_while(|argument| *argument != "--");
    if options.any(|argument| argument == "--json") { Form::Json } else { Form::Text }
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
