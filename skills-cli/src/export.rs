//! The commands `export`, `install` and `uninstall`: write skills to where agents read them.
//!
//! The library decides what happens to each file; this module prints it.

use std::env;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skills::export::{Change, ExportError, ExportReport, Exporter, Scope, What};
use skills_bundle::render;

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
    let counts = [What::Created, What::Updated, What::Removed, What::Unchanged];
    let kept = report.changes.iter().filter(|change| change.what.is_kept()).count();
    if form == Form::Json {
        let changes: Vec<Value> = report
            .changes
            .iter()
            .map(|change| json!({"skill": change.skill, "path": change.path, "change": change.what.as_str()}))
            .collect();
        let mut document =
            json!({"dir": dir.to_string_lossy(), "dry_run": how.dry_run, "changes": changes, "kept": kept});
        for what in counts {
            document[what.as_str()] = report.count(what).into();
        }
        return Outcome::document(&document, Exit::Success);
    }
    let mut text = String::new();
    for change in report.changes.iter().filter(|change| change.what != What::Unchanged) {
        let path = shown(dir, change);
        match why_kept(change.what) {
            Some(why) => {
                let kept = if how.dry_run { "would keep" } else { "kept" };
                output::tell(&format!("{kept}: {} {why}\n", render::escape(&path)));
            }
            None => text.push_str(&format!("{} {}\n", done(change.what, how), render::escape(&path))),
        }
    }
    if report.changes.is_empty() {
        return Ok(Outcome::text(nothing, Exit::Success));
    }
    let mut sums: Vec<String> = counts
        .iter()
        .map(|what| (report.count(*what), *what))
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| match what {
            What::Unchanged => format!("{count} unchanged"),
            what if how.dry_run => format!("{} {count}", done(what, how)),
            what => format!("{count} {}", done(what, how)),
        })
        .collect();
    if kept > 0 {
        sums.push(if how.dry_run { format!("would keep {kept}") } else { format!("{kept} kept") });
    }
    let only = if how.dry_run { "dry run, nothing is changed: " } else { "" };
    text.push_str(&format!("{only}{}", sums.join(", ")));
    Ok(Outcome::text(&text, Exit::Success))
}

/// What was done to a file, or would be done.
fn done(what: What, how: &How) -> &'static str {
    match what {
        What::Created if how.dry_run => "would create",
        What::Updated if how.dry_run => "would update",
        What::Removed if how.dry_run => "would remove",
        what => what.as_str(),
    }
}

fn shown(dir: &Path, change: &Change) -> String {
    let path = change.path.split('/').filter(|part| !part.is_empty());
    path.fold(dir.join(&change.skill), |path, part| path.join(part)).to_string_lossy().into_owned()
}

fn why_kept(what: What) -> Option<&'static str> {
    match what {
        What::KeptChanged => Some("was changed since it was written (--force overrides)"),
        What::KeptForeign => Some("was not written by this program (--force overrides)"),
        What::KeptObstacle => {
            Some("is a symlink or not a plain file, or its name is not valid here: move it away")
        }
        _ => None,
    }
}
