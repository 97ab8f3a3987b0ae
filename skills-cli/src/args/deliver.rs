//! The arguments of the commands that write skills for agents: `export`, `install`, `uninstall`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use skills::export::Target;

use super::Global;

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The directory to write to; created if necessary
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,

    /// Only these skills
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) how: How,

    #[command(flatten)]
    pub(super) global: Global,
}

/// The arguments that `install` and `uninstall` share.
#[derive(Debug, Args)]
pub(crate) struct Install {
    /// Only these skills
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) how: How,

    #[command(flatten)]
    pub(super) global: Global,
}

/// The target directory.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The agent that should read them; `agents` is the directory that most agents share, `all` what is needed so that
    /// each agent finds them. May be given several times
    #[arg(long, value_name = "NAME", value_parser = agents())]
    pub(crate) agent: Vec<Target>,

    /// Another directory of skills
    #[arg(long, value_name = "DIR", conflicts_with = "agent")]
    pub(crate) dir: Option<PathBuf>,

    /// Where the agent should find them: in this directory's project, or everywhere for this user
    #[arg(long, value_enum, default_value_t = ScopeName::Project, conflicts_with = "dir")]
    pub(crate) scope: ScopeName,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ScopeName {
    /// The project in this directory
    Project,
    /// The user's home directory
    User,
}

/// How skills are written.
#[derive(Debug, Args)]
pub(crate) struct How {
    /// Only print what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Overwrite and remove even files that others changed or added
    #[arg(long)]
    pub(crate) force: bool,

    /// Write the new version of a skill that somebody has changed beside it, to the hidden directory .NAME.new
    #[arg(long)]
    pub(crate) write_new: bool,
}

fn agents() -> impl TypedValueParser<Value = Target> {
    let names = PossibleValuesParser::new(Target::names());
    names.try_map(|name| Target::parse(&name).ok_or("no such agent"))
}
