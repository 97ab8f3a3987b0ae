//! The commands `test` and `why`: which skill the words of a user find.
//!
//! The library reads and judges cases. Here files are found (`find`), results are compared with an earlier run
//! (`baseline`), and formats for other programs are written (`junit`, `github`). `init` writes first cases, and
//! `failing` makes findings of cases that fail.

mod baseline;
pub(crate) mod failing;
pub(crate) mod find;
mod github;
mod init;
mod junit;

use std::path::{Path, PathBuf};

use serde_json::json;
use skills::Audience;
use skills::triggers::{self, CaseFile, Cases, Form as CaseForm, Problem, Report};
use skills_bundle::{Config, render};

use crate::args::{Global, Test, TestFormat, Why};
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};
use crate::served::Served;
use crate::test::baseline::Baseline;
use crate::test::find::Found;

pub(crate) fn run(global: &Global, args: &Test, form: Form) -> Result<Outcome, Failure> {
    if form == Form::Json && args.format != TestFormat::Text {
        let message = "`--format` and `--json` both write to stdout".to_owned();
        return Err(Failure::usage(message, "use one of them at a time"));
    }
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let roots = roots(global, args);
    // As `check` does, so that both speak of the same skills.
    let is_nested = |root: &PathBuf| Config::new(root).cargo_settings(root).is_nested();
    let nested = global.nested || roots.iter().any(is_nested);
    let mut global = global.only(roots.clone());
    global.nested = nested;
    let served = Served::open(&global)?;
    let skills: Vec<Vec<_>> = roots.iter().map(|root| find::skills(root, nested)).collect();
    let files = if args.cases.is_empty() {
        roots.iter().zip(&skills).flat_map(|(root, skills)| find::in_root(root, skills)).collect()
    } else {
        let skills = skills.concat();
        args.cases.iter().map(|file| Found::named(file, &skills)).collect::<Vec<_>>()
    };
    let (cases, notes) = read(&served, files, !args.cases.is_empty());
    if args.init {
        return init::run(&served, &roots, skills.concat(), cases, form);
    }
    let has_cases = !cases.is_empty();
    if !has_cases && args.cases.is_empty() && skills.iter().all(Vec::is_empty) {
        return Err(no_skills(&roots));
    }
    let report = cases.judge(&served.registry());
    tell(&report, &notes, has_cases, &args.cases, &args.paths);
    let complaints =
        baseline::complaints(&report, args.min_rank1, baseline.as_ref().zip(Some(args.max_drop)));
    for complaint in &complaints {
        output::tell(&format!("skills: {complaint}\n"));
    }
    let tolerates = baseline.is_some();
    let failed = !report.problems.is_empty() || report.failed() > 0 && !tolerates;
    let exit = if failed || !has_cases || !complaints.is_empty() { Exit::Nothing } else { Exit::Success };
    match (form, args.format) {
        (Form::Json, _) => Outcome::document(&report, exit),
        (_, TestFormat::Text) if !has_cases => Ok(Outcome::silent(exit)),
        (_, TestFormat::Text) => Ok(Outcome::text(&report.to_string(), exit)),
        (_, TestFormat::Github) => Ok(Outcome::rendered(github::annotations(&report, tolerates), exit)),
        (_, TestFormat::Junit) => Ok(Outcome::rendered(junit::document(&report, tolerates)?, exit)),
    }
}

pub(crate) fn why(global: &Global, args: &Why, form: Form) -> Result<Outcome, Failure> {
    // The skills of a root compete with each other, as in `test`.
    let served = Served::open(&if global.root.is_empty() {
        global.clone()
    } else {
        global.only(global.root.clone())
    })?;
    let query = args.query.join(" ");
    let judged =
        triggers::why(&served.registry(), &args.name, &query).map_err(|error| served.failure(error))?;
    let exit = if judged.passed { Exit::Success } else { Exit::Nothing };
    match form {
        Form::Text => Ok(Outcome::text(&judged.to_string(), exit)),
        Form::Json => Outcome::document(&judged, exit),
    }
}

/// The directories whose skills are tested.
fn roots(global: &Global, args: &Test) -> Vec<PathBuf> {
    match (args.paths.as_slice(), global.root.as_slice()) {
        ([], []) => vec![PathBuf::from("skills")],
        ([], roots) => roots.to_vec(),
        (paths, _) => paths.to_vec(),
    }
}

/// Reads the files of cases, and notes what else is where cases are looked for.
fn read(served: &Served, files: Vec<Found>, are_named: bool) -> (Cases, Vec<String>) {
    let mut cases = Cases::new();
    let mut notes = Vec::new();
    let registry = served.registry().for_audience(Audience::Everyone);
    let known: Vec<String> = registry.skills().iter().map(|entry| entry.skill.path().to_owned()).collect();
    for file in files {
        let bytes = match find::content(&file.disk) {
            Ok(bytes) => bytes,
            Err(_) if file.is_by_chance => continue,
            Err((message, help)) => {
                cases.report(Problem::new(file.path, 1, message, help));
                continue;
            }
        };
        let case_file = CaseFile { path: &file.path, bytes: &bytes };
        if file.is_by_chance && !case_file.is_meant() {
            // Tests of anything may be there, so nothing is said of a file without queries.
            let mut tried = Cases::new();
            tried.read(&registry, &case_file);
            if tried.is_empty() {
                continue;
            }
        }
        if let Some(skill) = file.skill()
            && !known.iter().any(|known| known == skill)
        {
            let message = format!("the queries of `{skill}` can't be judged: it isn't served");
            cases.report(Problem::new(file.path, 1, message, "`skills check` says why"));
            continue;
        }
        match cases.read(&registry, &case_file) {
            CaseForm::Cases => {}
            _ if are_named => {
                let help = "write an array of {\"query\": \"…\", \"should_trigger\": true}";
                let (line, message) = why_unread(&file.path, &bytes);
                cases.report(Problem::new(file.path, line, message, help));
            }
            CaseForm::Unknown if !file.is_by_chance => {
                let (line, message) = why_unread(&file.path, &bytes);
                notes.push(format!("`{}:{line}`: {message}", file.path));
            }
            _ => {}
        }
    }
    (cases, notes)
}

/// Prints what isn't about a query.
fn tell(report: &Report, notes: &[String], has_cases: bool, named: &[PathBuf], paths: &[PathBuf]) {
    for problem in &report.problems {
        tell_problem(problem);
    }
    for note in notes {
        output::tell(&format!("note: {}\n", render::escape(note)));
    }
    if report.skills == 1 {
        output::tell(
            "note: there is only one skill, so any of its words finds it: test it among its neighbours\n",
        );
    }
    if !has_cases && named.is_empty() && report.problems.is_empty() {
        let paths: String = paths.iter().map(|path| format!("{} ", path.display())).collect();
        let help = format!("`skills test {paths}--init` writes some to start with");
        output::tell(&format!("skills: there are no queries to test\nhelp: {}\n", render::escape(&help)));
    }
}

/// Where and why a file has no queries that are read: mostly it isn't what its name says.
fn why_unread(path: &str, bytes: &[u8]) -> (usize, String) {
    let is_json = Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let error = is_json
        .then(|| {
            serde_json::from_slice::<serde_json::Value>(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
                .err()
        })
        .flatten();
    match error {
        Some(error) => (error.line().max(1), format!("it isn't JSON: {error}")),
        None => (1, "this file has no queries in a form that is read".to_owned()),
    }
}

fn tell_problem(problem: &Problem) {
    let Problem { place, message, help, .. } = problem;
    output::tell(&format!("{}\n", render::escape(&format!("{place}: error: {message}"))));
    output::tell(&format!("help: {}\n", render::escape(help)));
}

fn no_skills(roots: &[PathBuf]) -> Failure {
    let roots: Vec<String> = roots.iter().map(|root| format!("`{}`", root.display())).collect();
    let message = format!("there are no skills in {}", roots.join(", "));
    Failure::not_found("NO_SKILLS", message, "give a directory with skills; `skills new` makes one")
}

/// The document of `--init`.
fn written_document(written: &[String], left: &[String]) -> serde_json::Value {
    json!({ "written": written, "left": left })
}
