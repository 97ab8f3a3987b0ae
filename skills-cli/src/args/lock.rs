//! The arguments of the commands for skills that came from elsewhere.

use std::path::PathBuf;

use clap::Args;

use super::Global;

#[derive(Debug, Args)]
pub(crate) struct Lock {
    /// Compare the files of every locked skill with the lock
    #[arg(long, required_unless_present = "program", conflicts_with = "program")]
    pub(crate) check: bool,

    /// Print the lock that is in this program, without running it
    #[arg(long, value_name = "FILE")]
    pub(crate) program: Option<PathBuf>,

    #[command(flatten)]
    pub(super) global: Global,
}
