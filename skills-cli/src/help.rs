//! The commands `completions` and `man`: what a shell and a reader of manuals show about this program.
//!
//! Both are written from the arguments in [`args`](crate::args), so they are never out of date.

use clap::{Command, CommandFactory as _};
use serde_json::json;
use skills_pack::nearest;
use skills_pack::text::{Quoted, did_you_mean};

use crate::args::{Cli, Completions, Man};
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::Outcome;

pub(crate) fn completions(args: &Completions, form: Form) -> Result<Outcome, Failure> {
    let mut command = Cli::command();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "skills", &mut script);
    document("script", &script, form)
}

pub(crate) fn man(args: &Man, form: Form) -> Result<Outcome, Failure> {
    let mut program = Cli::command();
    // Gives each command its full name.
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| unknown(&program, name))?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(|error| {
        Failure::other("INTERNAL", format!("the page cannot be written: {error}"), "please report this")
    })?;
    document("page", &page, form)
}

fn document(key: &str, text: &[u8], form: Form) -> Result<Outcome, Failure> {
    let text = String::from_utf8_lossy(text).into_owned();
    match form {
        Form::Text => Ok(Outcome::rendered(text, Exit::Success)),
        Form::Json => Outcome::document(&json!({ key: text }), Exit::Success),
    }
}

fn unknown(program: &Command, name: &str) -> Failure {
    let known = program.get_subcommands().map(Command::get_name);
    let help = match nearest::closest(name, known).first() {
        Some(near) => did_you_mean(Quoted(near)),
        None => "`skills --help` lists the commands".to_owned(),
    };
    Failure::other("UNKNOWN_COMMAND", format!("there is no command `{name}`"), help)
}
