//! A program that counts words, and brings a skill that says to agents how to use it.
//!
//! `cli-with-skills skills install --agent claude-code` installs it. After an update of the program, the program
//! itself notices that the installed skill is older.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "it is a program")]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

static SKILLS: skills::Bundle = skills::include_skills!("skills");
static REGISTRY: skills::Registry<'static> = skills::Registry::new(&SKILLS);

/// Counts words
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count the words of a file
    Count {
        /// A text file
        file: PathBuf,
    },
    /// Show the skills of this program, and install them for agents
    #[command(subcommand)]
    Skills(skills::clap::Command),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Skills(command) => command.run(&REGISTRY),
        Command::Count { file } => {
            for stale in skills::clap::stale(&REGISTRY) {
                eprintln!("note: {stale}");
            }
            match std::fs::read_to_string(&file) {
                Ok(text) => {
                    println!("{}", text.split_whitespace().count());
                    ExitCode::SUCCESS
                }
                Err(error) => {
                    eprintln!("cli-with-skills: `{}` cannot be read: {error}", file.display());
                    ExitCode::from(2)
                }
            }
        }
    }
}
