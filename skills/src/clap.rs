//! Commands for a program's own skills: `mytool skills list`, `install` and more, in any program with clap.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! # /* Doc tests use clap under this crate's own name.
//! use clap::{Parser, Subcommand};
//! # */ use ::clap::{Parser, Subcommand};
//!
//! static SKILLS: skills::Bundle = skills::Bundle::EMPTY; // skills::bundle!()
//! static REGISTRY: skills::Registry = skills::Registry::new(&SKILLS);
//!
//! #[derive(Parser)]
//! struct Cli {
//!     #[command(subcommand)]
//!     command: Command,
//! }
//!
//! #[derive(Subcommand)]
//! enum Command {
//!     /// Shows the skills of this program, and installs them for agents
//!     #[command(subcommand)]
//!     Skills(skills::clap::Command),
//! }
//!
//! fn main() -> ExitCode {
//!     match Cli::parse().command {
//!         Command::Skills(command) => command.run(&REGISTRY),
//!     }
//! }
//! ```
//!
//! Names and options are those of the program `skills`. There is no `check`, since the build has done it. `install` also
//! updates, and removes skills that the program no longer has. [`stale`] tells at each start whether that is needed.
//!
//! Installed skills are the program's by its name, that of the running executable: only what a program with this name
//! has installed is updated and removed by it. This module reads the working directory and the home directory, and
//! writes to stdout and stderr.
//!
//! # Compared with `skill-embed-clap`
//!
//! [`skill-embed-clap`](https://docs.rs/skill-embed-clap) 0.1 is for the same purpose.
//!
//! | | this module | `skill-embed-clap` |
//! | --- | --- | --- |
//! | a broken skill | a compile error with file and line | an error when the skills are first used |
//! | commands | `list`, `search`, `show`, `read`, `install`, `uninstall`, `mcp` | `install`, `uninstall`, `list` |
//! | in clap | derive: a variant, under any name | builder: a subcommand, whose name and defaults can be set |
//! | `--agent` | several of seven at once, and `all` | several of six at once, `all`, and `detected`, the default |
//! | `--scope project` | the working directory | the root of the repository, found from the working directory |
//! | whose skills they are | the name of the executable | that name, or one that the program sets |
//! | a record of what was written | a hidden file beside the skill; `SKILL.md` stays as it is | four fields in `SKILL.md`, with version and time |
//! | an edited file | its whole skill stays | its whole skill stays, and the exit code says so |
//! | a skill that the program no longer has | removed by `install` | removed by `install` |
//! | execute bits | as in the program's repository | of files that begin with `#!`, or as the program says |
//! | a symlink on the way | never followed below the directory of skills, which may be one | followed inside the project |
//! | what is stale | [`stale`], for each start | `list` shows the state of each skill, and so does the library |
//! | output | stdout and stderr, as text or JSON | any writer, as text |
//! | without clap | [`export`](crate::export) as a library | a library, and a parser of its own |
//! | crates that a program links with it, clap included | about 50 | about 35 |

mod output;
mod stale;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ::clap::builder::{PossibleValuesParser, TypedValueParser};
use ::clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};
use skills_core::{ActionError, Audience, Registry, SEARCH_LIMIT, SearchOptions, Toolset};

use crate::export::{Agent, ExportError, ExportReport, Exporter, Scope, Target};
use output::{Answer, Failure};

pub use stale::{Stale, stale};

/// The commands.
#[derive(Debug, Clone, Subcommand)]
#[non_exhaustive]
pub enum Command {
    /// List all skills and slash commands
    List(List),
    /// Search the skills for a task, best match first
    Search(Search),
    /// Show a skill: its fields, instructions and files
    #[command(visible_alias = "load")]
    Show(Show),
    /// Show a file of a skill
    Read(Read),
    /// Write the skills to the directory where an agent reads them, or update them there
    Install(Place),
    /// Remove what install has written
    #[command(
        mut_arg("names", |arg| arg.help("Remove only these skills")),
        mut_arg("agent", |arg| arg.help(
            "The agent that no longer needs them; `agents` is the directory that most agents share, `all` what install \
             writes for all of them. May be given several times"
        )),
        mut_arg("dir", |arg| arg.help("Another directory, which install has written to")),
        mut_arg("scope", |arg| arg.help("Where they were installed")),
        mut_arg("force", |arg| arg.help("Remove even files that others changed or added"))
    )]
    Uninstall(Place),
    /// Serve the skills to an agent over the Model Context Protocol, on stdin and stdout
    #[cfg(feature = "mcp")]
    Mcp,
}

/// The arguments of `list`.
#[derive(Debug, Clone, Args)]
#[non_exhaustive]
pub struct List {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `search`.
#[derive(Debug, Clone, Args)]
#[non_exhaustive]
pub struct Search {
    /// A few words on the task
    #[arg(required = true, value_name = "QUERY")]
    pub query: Vec<String>,
    /// Show at most N matches
    #[arg(long, value_name = "N", default_value_t = SEARCH_LIMIT as u8, value_parser = ::clap::value_parser!(u8).range(1..=SEARCH_LIMIT as i64))]
    pub limit: u8,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `show`.
#[derive(Debug, Clone, Args)]
#[non_exhaustive]
pub struct Show {
    /// The skill's name, or a slash command's with its slash
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `read`.
#[derive(Debug, Clone, Args)]
#[non_exhaustive]
pub struct Read {
    /// The skill's name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The file's path in the skill's directory, with `/`
    #[arg(value_name = "PATH")]
    pub path: String,
    /// Start at this character, to read on after an answer that was cut off
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: usize,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `install` and `uninstall`.
#[derive(Debug, Clone, Args)]
#[non_exhaustive]
pub struct Place {
    /// Only these skills
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// The agent that should read them; `agents` is the directory that most agents share, `all` what is needed so that
    /// each agent finds them. May be given several times
    #[arg(long, value_name = "NAME", value_parser = agents(), required_unless_present = "dir")]
    pub agent: Vec<Target>,
    /// Another directory of skills
    #[arg(long, value_name = "DIR", conflicts_with = "agent")]
    pub dir: Option<PathBuf>,
    /// Where the agent should find them: in this directory's project, or everywhere for this user
    #[arg(long, value_enum, default_value_t = ScopeName::Project, conflicts_with = "dir")]
    pub scope: ScopeName,
    /// Only print what would be done
    #[arg(long)]
    pub dry_run: bool,
    /// Overwrite and remove even files that others changed or added
    #[arg(long)]
    pub force: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Who should find installed skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScopeName {
    /// The project in this directory
    Project,
    /// The user's home directory
    User,
}

fn agents() -> impl TypedValueParser<Value = Target> {
    let names = PossibleValuesParser::new(Target::names());
    names.try_map(|name| Target::parse(&name).ok_or("no such agent"))
}

impl Command {
    /// Runs a command with the skills of a registry: prints its answer on stdout, and errors on stderr.
    ///
    /// The exit code is 0 for success, 1 if something isn't found or nothing was done that was asked for, and 2 if the
    /// command can't run. The MCP server has
    /// the program's name and the version of this crate, since the program's isn't known here.
    pub fn run(self, registry: &Registry<'static>) -> ExitCode {
        // The user manages the skills and sees them all.
        let all = registry.clone().for_audience(Audience::Everyone);
        let done = match self {
            Self::List(args) => Answer::of(&with_tips(&all, args.json).list(), args.json),
            Self::Search(args) => search(&all, &args),
            Self::Show(args) => show(&all, &args),
            Self::Read(args) => read(&all, &args),
            Self::Install(args) => {
                change(&args, "there are no skills to write", |exporter, dir| exporter.install(&all, dir))
            }
            Self::Uninstall(args) => {
                change(&args, "nothing there was written by this program", Exporter::uninstall)
            }
            #[cfg(feature = "mcp")]
            Self::Mcp => return serve(registry),
        };
        output::print(done)
    }
}

fn search(registry: &Registry<'_>, args: &Search) -> Result<Answer, Failure> {
    let options = SearchOptions::new().limit(usize::from(args.limit));
    let found = with_tips(registry, args.json).search_with(&args.query.join(" "), options)?;
    let answer = Answer::of(&found, args.json)?;
    Ok(if found.results.is_empty() { answer.not_found() } else { answer })
}

fn show(registry: &Registry<'_>, args: &Show) -> Result<Answer, Failure> {
    if registry.names_command(&args.name) {
        return Answer::of(&registry.load_command(&args.name)?, args.json);
    }
    Answer::of(&with_tips(registry, args.json).load(&args.name)?, args.json)
}

/// The registry with tips for who reads the answer: for people they name commands, in a document a model's tools.
fn with_tips<'r>(registry: &Registry<'r>, as_json: bool) -> Registry<'r> {
    registry.clone().with_toolset(if as_json { Toolset::One } else { Toolset::Commands })
}

fn read(registry: &Registry<'_>, args: &Read) -> Result<Answer, Failure> {
    let content = registry.read_file(&args.name, &args.path, args.offset)?;
    let answer = Answer::of(&content, args.json)?;
    Ok(match content.next_offset {
        Some(next) if !args.json => answer.with_note(&format!("note: read on with --offset {next}\n")),
        None if !args.json && args.offset > 0 && args.offset >= content.total_chars => {
            answer.with_note(&format!(
                "note: nothing follows: --offset is {}, and the file has {} characters\n",
                args.offset, content.total_chars
            ))
        }
        _ => answer,
    })
}

/// Does something with each directory. `nothing` says that there was nothing to do.
fn change(
    args: &Place,
    nothing: &str,
    change: impl Fn(&Exporter, &Path) -> Result<ExportReport, ExportError>,
) -> Result<Answer, Failure> {
    let dirs = match &args.dir {
        Some(dir) => vec![dir.clone()],
        None => Target::dirs(&args.agent, |agent| agent_dir(agent, args.scope))?,
    };
    let exporter = stale::exporter().dry_run(args.dry_run).force(args.force).only(&args.names);
    let (mut texts, mut documents, mut notes, mut is_in_vain) = (Vec::new(), Vec::new(), String::new(), true);
    for dir in &dirs {
        let report = change(&exporter, dir)?;
        is_in_vain &= report.is_in_vain();
        if args.json {
            documents.push(report.json(dir, args.dry_run));
            continue;
        }
        notes.push_str(&report.kept_text(dir, args.dry_run));
        let text = report.text(dir, args.dry_run);
        let text = if text.is_empty() { nothing.to_owned() } else { text };
        texts.push(if dirs.len() > 1 { format!("{}:\n{text}", dir.display()) } else { text });
    }
    let answer = match documents.as_slice() {
        [] => Answer::text(&texts.join("\n\n")).with_note(&notes),
        [one] => Answer::json(one),
        several => {
            let several: Result<Vec<Value>, _> =
                several.iter().map(|one| serde_json::from_str(one)).collect();
            Answer::of_json(
                several.and_then(|several| serde_json::to_string_pretty(&json!({ "targets": several }))),
            )?
        }
    };
    Ok(if is_in_vain { answer.not_found() } else { answer })
}

fn agent_dir(agent: Agent, scope: ScopeName) -> Result<PathBuf, Failure> {
    if scope == ScopeName::Project {
        return Ok(agent.dir(Scope::Project, Path::new("")));
    }
    let unknown = || Failure::new("the user's home directory is not known", "give the directory with --dir");
    Ok(stale::user_dir(agent, &stale::home().ok_or_else(unknown)?))
}

#[cfg(feature = "mcp")]
fn serve(registry: &Registry<'static>) -> ExitCode {
    let server = crate::mcp::Server::new(registry.clone()).named(stale::program(), env!("CARGO_PKG_VERSION"));
    match server.serve_stdio() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let help = "it is meant to be started by an agent's host";
            output::print(Err(Failure::new(format!("the skills cannot be served: {error}"), help)))
        }
    }
}

impl From<ActionError> for Failure {
    fn from(error: ActionError) -> Self {
        let failure = Self::new(error.reason().to_string(), error.suggestion());
        match error {
            ActionError::Missing { .. } | ActionError::InvalidAction => failure,
            _ => failure.not_found(),
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Action(error) => error.into(),
            error => Self::new(error.to_string(), error.suggestion()),
        }
    }
}
