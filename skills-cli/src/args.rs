//! The command-line arguments and their help texts, which are only here.
//!
//! Global options may come before or after the command's name, and both count. That is why they aren't
//! `global` arguments of clap, which would keep the roots of one place and forget the others.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, Args, Parser, Subcommand, ValueEnum};

use crate::form::Form;

mod ask;
mod check;
mod deliver;
mod help;
mod lock;
mod mcp;
mod test;

pub(crate) use ask::{Call, List, Load, Prompt, Read, Schema, Search, Tools};
pub(crate) use check::{Check, Explain, Format, New};
pub(crate) use deliver::{Export, How, Install, Place, ScopeName};
pub(crate) use help::{Completions, Man};
pub(crate) use lock::{Add, Lock, Outdated, Remove, Update};
pub(crate) use mcp::Mcp;
#[cfg(feature = "mcp-http")]
pub(crate) use mcp::{Log, Net};
pub(crate) use test::{Test, TestFormat, Why};

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
#[allow(clippy::struct_excessive_bools, reason = "they are switches of the command line")]
pub(crate) struct Global {
    /// Also serve the skills under DIR, above the built-in ones
    ///
    /// DIR is a directory with skills and slash commands at any depth, or one skill. It is a path, not a URL;
    /// your shell expands `~`. May be given several times: if two skills have the same name, the one under
    /// the earlier DIR is served. Broken skills are reported and left out. Without it, the directories in the
    /// environment variable `SKILLS_ROOT` are served, separated as in PATH. check, new and uninstall serve
    /// nothing and ignore this option.
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

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List all skills and slash commands
    #[command(
        visible_alias = "ls",
        after_help = "\
Examples:
  skills list
  skills --root skills --no-bundle list"
    )]
    List(List),

    /// Search the skills for a task, best match first
    #[command(after_help = "\
Examples:
  skills search commit message
  skills search --limit 3 --json rust
  skills search --explain how do I write a skill")]
    Search(Search),

    /// Show a skill: its fields, instructions and files; or a slash command's definition
    #[command(
        visible_alias = "show",
        after_help = "\
Examples:
  skills load write-skill
  skills --root skills load my-skill
  skills load write-skill a skill that reads logs
  skills load write-skill --json
  skills load /fix-skills

Arguments are put into the instructions where they have a place for them, or follow them."
    )]
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
        visible_aliases = ["validate", "lint"],
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

Exit status: 0 no errors; 1 errors, or no skill found; 2 a path that could not be read.
Where levels for one rule disagree, --deny wins over --warn, and --warn over --allow.
Rules that begin with E always deny, except E024.
What the Cargo.toml nearest to the first PATH sets in [package.metadata.skills] or
[workspace.metadata.skills] is obeyed; these options come on top."
    )]
    Check(Check),

    /// Test which skill the words of a user find, among all skills of a directory
    ///
    /// Words, not a model: a failure means that the description lacks the user's words, or that another skill has
    /// them. A pass proves nothing about a model.
    ///
    /// Queries are read from the directory `evals` in a skill, and from `evals`, `evals/cases` and `tests` beside
    /// skills: JSON, lines of JSON, CSV or YAML, in any form in use. The usual one is an array of
    /// `{"query": "…", "should_trigger": true}`, with `top_k` or `owner` if you like. A query that should find its
    /// skill passes if the skill is among the first 3, or `top_k`. One that shouldn't passes if the skill isn't first
    /// and, if there is an owner, that one is found above it.
    #[command(after_help = "\
Examples:
  skills test skills --init
  skills test skills --cases queries.json
  skills test skills --min-rank1 90
  skills test skills --json > baseline.json
  skills test skills --baseline baseline.json --max-drop 5
  skills test skills --format github

Exit status: 0 every query passed; 1 one failed, a file of queries is wrong, or there are none;
2 wrong usage or could not run. With --baseline, queries may fail as long as the shares don't drop.")]
    Test(Test),

    /// Explain why a skill is found by a query, or isn't
    #[command(after_help = "\
Examples:
  skills why write-skill my skill is never picked
  skills why commit-message split this diff --json

Exit status: 0 if the skill is among the first 3, else 1.")]
    Why(Why),

    /// Explain a rule, or list them all
    #[command(
        mut_args(hide_how_skills_are_read),
        after_help = "\
Examples:
  skills explain
  skills explain L103
  skills explain dead-link --json"
    )]
    Explain(Explain),

    /// Start a new skill from a template
    #[command(
        visible_alias = "init",
        mut_args(hide_how_skills_are_read),
        after_help = "\
Examples:
  skills new my-skill
  skills new commit-style --dir .agents/skills"
    )]
    New(New),

    /// Take skills from a git repository or a directory, and lock them
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills add acme/skills pdf
  skills add acme/skills@pdf#v1.2.0
  skills add https://git.example.org/acme/skills.git#main --all
  skills add ../skills pdf --allow-outside --dir .agents/skills

What is taken is shown first, and checked by every rule. Without a terminal it is written only with --yes.
Of a repository one commit is read, that of the default branch unless you name another: in a work tree,
changes that are not committed are not taken. The system's git fetches, over https or ssh alone. Nothing of
a repository is run. A directory that exists is taken before OWNER/REPO; write github:OWNER/REPO to be sure.
Exit status: 0 done; 1 nothing was written; 2 wrong usage, or the skill was refused."
    )]
    Add(Add),

    /// Bring locked skills to what their sources have now; what you edited is kept
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills update
  skills update pdf --dry-run
  skills update pdf --from ../skills --allow-outside

A file that only the source changed is replaced. One that you edited is kept and named, also where the source
changed it; --write-new puts the source's beside it. Nothing is merged inside a file. Skills that are locked
to a commit stay. A path in a lock is not followed: name it with --from.
Exit status: 0 done, or nothing to do; 1 nothing was written, or a skill could not be updated; 2 wrong usage or
could not run."
    )]
    Update(Update),

    /// Show which locked skills have changed where they come from
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills outdated
  skills outdated pdf --json

Each repository is asked once, by the system's git. A tag that moved, a repository that was redirected, a
branch or tag that is gone and a skill that is gone are told apart. Nothing is written.
Exit status: 0 all are up to date or locked to a commit; 1 any is not, or was not looked at; 2 a repository
cannot be read."
    )]
    Outdated(Outdated),

    /// Remove locked skills
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills remove pdf
  skills remove skills/pdf --dry-run

A skill that you have changed is not removed. Without a terminal it is done only with --yes."
    )]
    Remove(Remove),

    /// Compare skills that came from elsewhere with skill-sources.lock
    #[command(
        mut_args(hide_what_is_served),
        after_help = "\
Examples:
  skills lock --check
  skills lock --check --json
  skills lock --program target/release/my-tool

The lock is beside the Cargo.toml of the workspace or, without one, in this directory. Nothing is
written, and no network is used.
Exit status: 0 all skills are as locked; 1 a skill differs, or no lock in the program;
2 no lock, or one that cannot be read."
    )]
    Lock(Lock),

    /// Serve the skills to an agent over the Model Context Protocol
    #[command(after_help = "\
Examples:
  skills mcp
  skills mcp --root skills

Over HTTP, for many clients:
  skills mcp --http 8080
  skills mcp --http 0.0.0.0:8080 --token-file tokens --allow-host skills.example.com --log json

An agent's host starts this and talks to it on stdin and stdout; docs/mcp.md has the configurations,
host by host. A DIR that is not there yet is served when it appears. Over HTTP (--http) it serves where
it was built with the feature mcp-http: cargo install --path skills-cli --features mcp-http --locked")]
    Mcp(Mcp),

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
        mut_args(hide_how_skills_are_read),
        after_help = "\
Examples:
  skills uninstall --agent claude-code
  skills uninstall write-skill --dir out

Files that were changed since are left alone."
    )]
    Uninstall(Install),

    /// Print a script with which a shell completes commands and options
    #[command(
        mut_args(hide_how_skills_are_read),
        after_help = "\
Examples:
  skills completions bash > skills.bash
  skills completions fish > skills.fish

Put it where your shell looks, or have it read when the shell starts: for bash,
  source <(skills completions bash)"
    )]
    Completions(Completions),

    /// Print the manual page of the program, or of one command
    #[command(
        mut_args(hide_how_skills_are_read),
        after_help = "\
Examples:
  skills man > skills.1
  skills man check > skills-check.1"
    )]
    Man(Man),
}

impl Cli {
    /// The options of every command, from before and after the command's name.
    pub(crate) fn global(&self) -> Global {
        let (before, after) = (&self.global, self.command.global());
        let mut root: Vec<PathBuf> = before.root.iter().chain(&after.root).cloned().collect();
        if root.is_empty() {
            root = roots_of_environment();
        }
        Global {
            root,
            lenient: before.lenient || after.lenient,
            nested: before.nested || after.nested,
            no_bundle: before.no_bundle || after.no_bundle,
            json: before.json || after.json,
            color: after.color.or(before.color),
            quiet: before.quiet || after.quiet,
        }
    }
}

/// The roots in `SKILLS_ROOT`; an empty entry is none.
#[allow(clippy::disallowed_methods, reason = "it stands for an argument")]
fn roots_of_environment() -> Vec<PathBuf> {
    let Some(list) = env::var_os("SKILLS_ROOT") else { return Vec::new() };
    env::split_paths(&list).filter(|root| !root.as_os_str().is_empty()).collect()
}

impl Global {
    pub(crate) fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::Text }
    }

    /// When to use colours.
    pub(crate) fn color(&self) -> When {
        self.color.unwrap_or_default()
    }

    /// The same with these roots alone.
    pub(crate) fn only(&self, roots: Vec<PathBuf>) -> Self {
        Self { root: roots, no_bundle: true, ..self.clone() }
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
            Self::Test(args) => &args.global,
            Self::Why(args) => &args.global,
            Self::Explain(args) => &args.global,
            Self::New(args) => &args.global,
            Self::Lock(args) => &args.global,
            Self::Add(args) => &args.global,
            Self::Remove(args) => &args.global,
            Self::Update(args) => &args.global,
            Self::Outdated(args) => &args.global,
            Self::Mcp(args) => &args.global,
            Self::Export(args) => &args.global,
            Self::Install(args) | Self::Uninstall(args) => &args.global,
            Self::Completions(args) => &args.global,
            Self::Man(args) => &args.global,
        }
    }
}

/// For commands that serve nothing: they accept these options silently, since a user's alias may pass them,
/// and hide them from the help.
fn hide_what_is_served(arg: Arg) -> Arg {
    let serves = ["root", "no_bundle", "lenient"].iter().any(|id| arg.get_id() == id);
    if serves { arg.hide(true) } else { arg }
}

/// For commands that read no skills either.
fn hide_how_skills_are_read(arg: Arg) -> Arg {
    if arg.get_id() == "nested" { arg.hide(true) } else { hide_what_is_served(arg) }
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

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
