//! The arguments of the commands that deliver skills to agents: `mcp`, `export`, `install`, `uninstall`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use skills::export::Agent;

use super::{Global, Tools};

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Serve over HTTP at ADDRESS, `IP:PORT` or a port of this machine only, instead of stdin and stdout
    ///
    /// Port 0 picks a free port. The address for clients is printed on stderr. There is no encryption and no
    /// password: an address other than one of this machine admits everyone who can reach it.
    #[cfg_attr(
        not(feature = "mcp-http"),
        doc = "",
        doc = "This program was built without it: the feature `mcp-http`."
    )]
    #[arg(long, value_name = "ADDRESS", value_parser = crate::mcp::address)]
    pub(crate) http: Option<crate::mcp::Address>,

    /// One tool per action, or one tool with an action
    #[arg(long, value_name = "NUMBER", value_enum, default_value_t = Tools::Four)]
    pub(crate) tools: Tools,

    /// Also send every answer as data, with a schema: many hosts then show a model the data, which is longer
    #[arg(long)]
    pub(crate) structured: bool,

    #[command(flatten)]
    pub(super) global: Global,
}

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
    /// The agent that should read them; `agents` is the directory that most agents share
    #[arg(long, value_name = "NAME", value_parser = agents(), required_unless_present = "dir")]
    pub(crate) agent: Option<Agent>,

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
}

fn agents() -> impl TypedValueParser<Value = Agent> {
    let names = PossibleValuesParser::new(Agent::all().map(Agent::name));
    names.try_map(|name| Agent::parse(&name).ok_or("no such agent"))
}
