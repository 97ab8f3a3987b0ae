//! The commands `export`, `install` and `uninstall`: write skills to where agents read them.
//!
//! The library decides what happens to each file; this module prints it.

use std::env;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skills::export::{ExportError, ExportReport, Exporter, Scope};

use crate::args::{Export, Global, How, Install, Place, ScopeName};
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};
use crate::served::Served;

pub(crate) fn export(global: &Global, args: &Export, form: Form) -> Result<Outcome, Failure> {
    write(global, &args.names, &args.dir, &args.how, form)
}

pub(crate) fn install(global: &Global, args: &Install, form: Form) -> Result<Outcome, Failure> {
    write(global, &args.names, &dir(&args.place)?, &args.how, form)
}

pub(crate) fn uninstall(args: &Install, form: Form) -> Result<Outcome, Failure> {
    let dir = dir(&args.place)?;
    let report = exporter(&args.names, &args.how).uninstall(&dir).map_err(failure)?;
    let nothing = "nothing there was written by this program";
    outcome(&report, &dir, &args.how, nothing, form)
}

fn write(global: &Global, names: &[String], dir: &Path, how: &How, form: Form) -> Result<Outcome, Failure> {
    let served = Served::open(global)?;
    let report = exporter(names, how).install(&served.registry(), dir).map_err(failure)?;
    outcome(&report, dir, how, "there are no skills to write", form)
}

fn exporter(names: &[String], how: &How) -> Exporter {
    Exporter::new("skills").dry_run(how.dry_run).force(how.force).only(names)
}

fn dir(place: &Place) -> Result<PathBuf, Failure> {
    match (&place.dir, place.agent, place.scope) {
        (Some(dir), ..) => Ok(dir.clone()),
        // Clap requires one of the two.
        (None, None, _) => {
            Err(Failure::other("USAGE", "the target is missing".to_owned(), "give --agent or --dir"))
        }
        (None, Some(agent), ScopeName::Project) => Ok(agent.dir(Scope::Project, Path::new(""))),
        (None, Some(agent), ScopeName::User) => {
            let home = env::home_dir().filter(|home| home.is_absolute()).ok_or_else(|| {
                Failure::other(
                    "NO_HOME",
                    "the user's home directory is not known".to_owned(),
                    "give the directory with --dir",
                )
            })?;
            Ok(agent.dir(Scope::User, &home))
        }
    }
}

fn failure(error: ExportError) -> Failure {
    match error {
        ExportError::Action(error) => Failure::Action(error),
        error => Failure::other("IO", error.to_string(), "check the directory and its permissions"),
    }
}

fn outcome(
    report: &ExportReport,
    dir: &Path,
    how: &How,
    nothing: &str,
    form: Form,
) -> Result<Outcome, Failure> {
    if form == Form::Json {
        let document: Value = serde_json::from_str(&report.json(dir, how.dry_run)).map_err(Failure::json)?;
        return Outcome::document(&document, Exit::Success);
    }
    output::tell(&report.kept_text(dir, how.dry_run));
    let text = report.text(dir, how.dry_run);
    Ok(Outcome::text(if text.is_empty() { nothing } else { &text }, Exit::Success))
}
