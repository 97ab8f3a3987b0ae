//! The arguments of the commands that describe the program to other programs: `completions`, `man`.

use clap::Args;
use clap_complete::Shell;

use super::Global;

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: Shell,

    #[command(flatten)]
    pub(super) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// A command; the whole program unless given
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,

    #[command(flatten)]
    pub(super) global: Global,
}
