//! The program `skills`: lists, searches, loads, reads and checks Agent Skills on the command line.
//!
//! It has built-in skills, compiled in by this package's build script, and serves them together with the
//! given roots. This file parses the arguments and runs one command; [`output`] prints its answer. The rules,
//! the actions and the renderers are in the libraries: no command checks skills or formats their text.

mod add;
mod again;
mod args;
mod ask;
mod check;
mod diff;
mod explain;
mod export;
mod failure;
mod form;
mod help;
mod import;
mod lock;
mod log;
mod lsp;
mod mcp;
mod new;
mod outdated;
mod output;
mod program;
mod remove;
mod report;
mod review;
mod served;
mod sources;
mod test;
mod update;
mod usage;
mod waiting;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Command, Global};
use crate::failure::Failure;
use crate::output::Outcome;

/// The built-in skills.
static STOCK: skills::Bundle = skills::bundle!();

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().collect();
    let (form, outcome) = match Cli::try_parse_from(&arguments) {
        Ok(cli) => {
            let global = cli.global();
            output::set_manner(global.color(), global.quiet);
            (global.form(), run(cli, &global))
        }
        Err(error) => {
            let form = args::form_asked_for(&arguments);
            output::set_manner(args::color_asked_for(&arguments), false);
            (form, output::of_clap(&error, form))
        }
    };
    output::show(form, outcome)
}

fn run(cli: Cli, global: &Global) -> Result<Outcome, Failure> {
    let form = global.form();
    match cli.command {
        Command::List(args) if args.installed => export::installed(form),
        Command::List(_) => ask::list(global, form),
        Command::Search(args) => ask::search(global, &args, form),
        Command::Load(args) => ask::load(global, &args, form),
        Command::Prompt(args) => ask::prompt(global, &args, form),
        Command::Read(args) => ask::read(global, &args, form),
        Command::Call(args) => ask::call(global, &args, form),
        Command::Schema(args) => ask::schema(global, &args),
        Command::Check(args) => check::run(global, &args, form),
        Command::Test(args) => test::run(global, &args, form),
        Command::Why(args) => test::why(global, &args, form),
        Command::Explain(args) => explain::run(&args, form),
        Command::New(args) => new::run(&args, form),
        Command::Lock(args) => lock::run(&args, form),
        Command::Diff(args) => diff::run(&args, form),
        Command::Review(args) => review::run(&args, form),
        Command::Report(args) => report::run(global, &args, form),
        Command::Add(args) => add::add(&args, form),
        Command::Remove(args) => remove::run(&args, form),
        Command::Update(args) => update::run(&args, form),
        Command::Outdated(args) => outdated::run(&args, form),
        Command::Mcp(args) => mcp::run(global, &args),
        Command::Lsp(_) => lsp::run(),
        Command::Export(args) => export::export(global, &args, form),
        Command::Install(args) => export::install(global, &args, form),
        Command::Uninstall(args) => export::uninstall(&args, form),
        Command::Completions(args) => help::completions(&args, form),
        Command::Man(args) => help::man(&args, form),
    }
}
