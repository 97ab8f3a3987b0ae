//! What the commands that bring skills to agents take: `mcp`, `export`, `install`, `uninstall`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use skills::export::Agent;

use super::Global;

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Serve over HTTP at ADDRESS, `IP:PORT` or a port of this machine alone, instead of stdin and stdout
    ///
    /// Port 0 takes a free one. Where clients connect is told on stderr. There is no encryption and no
    /// password: any other address than one of this machine lets in whoever reaches it.
    #[cfg_attr(
        not(feature = "mcp-http"),
        doc = "",
        doc = "This program was built without it: the feature `mcp-http`."
    )]
    #[arg(long, value_name = "ADDRESS", value_parser = crate::mcp::address)]
    pub(crate) http: Option<crate::mcp::Address>,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The folder to write to; it is made if need be
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

/// What `install` and `uninstall` take alike.
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

/// Where skills are written.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The agent that shall read them; `agents` is the folder that most of them share
    #[arg(long, value_name = "NAME", value_parser = agents(), required_unless_present = "dir")]
    pub(crate) agent: Option<Agent>,

    /// Any other folder of skills
    #[arg(long, value_name = "DIR", conflicts_with = "agent")]
    pub(crate) dir: Option<PathBuf>,

    /// For whom the agent shall find them: in this folder's project, or everywhere for this user
    #[arg(long, value_enum, default_value_t = ScopeName::Project, conflicts_with = "dir")]
    pub(crate) scope: ScopeName,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ScopeName {
    /// The project in this folder
    Project,
    /// The user's home
    User,
}

/// How skills are written.
#[derive(Debug, Args)]
pub(crate) struct How {
    /// Only say what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Overwrite and take away even what somebody has changed or put there
    #[arg(long)]
    pub(crate) force: bool,
}

fn agents() -> impl TypedValueParser<Value = Agent> {
    let names = PossibleValuesParser::new(Agent::all().map(Agent::name));
    names.try_map(|name| Agent::parse(&name).ok_or("no such agent"))
}
