//! Writes first cases for skills that have none, in the form that most programs read.
//!
//! The queries come from the skill's frontmatter and from its nearest neighbours, so that the file shows what cases
//! look like. They prove little until a person has replaced them by what users say. No file is overwritten.

#![allow(clippy::disallowed_methods, reason = "this is the command that writes files")]

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;
use skills::triggers::Cases;
use skills::{Audience, Registry, Skill};
use skills_bundle::{Code, Config, compile, render};
use skills_source::scan::{self, FoundSkill};

use super::{no_skills, tell_problem, written_document};
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};
use crate::served::Served;

const FILE: &str = "evals/triggers.json";
/// How many queries should find the skill, and how many another one.
const OWN: usize = 4;
const OTHERS: usize = 2;
/// The most words of a query that is cut out of a description.
const WORDS: usize = 10;

pub(super) fn run(
    served: &Served,
    roots: &[PathBuf],
    skills: Vec<(FoundSkill, PathBuf)>,
    cases: Cases,
    form: Form,
) -> Result<Outcome, Failure> {
    let registry = served.registry().for_audience(Audience::Model);
    let (mut written, mut left, mut drafts, mut refused) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let all = served.registry().skills();
    let drafted: Vec<String> = roots.iter().flat_map(|root| drafted(root)).collect();
    if skills.is_empty() {
        return Err(no_skills(roots));
    }
    for problem in cases.problems() {
        tell_problem(problem);
    }
    let has_problems = !cases.problems().is_empty();
    let lacking = cases.judge(&registry).without_cases;
    for (found, directory) in skills {
        let Some(entry) = all.iter().find(|entry| entry.skill.path() == found.path) else {
            refused.push(found.path);
            continue;
        };
        if registry.get(entry.skill.name()).is_none() {
            // No query of a model finds it.
            continue;
        }
        let path = format!("{}/{FILE}", found.path);
        if drafted.iter().any(|path| is_in(path, &found.path)) {
            drafts.push(found.path);
            continue;
        }
        let rows = rows(&registry, &entry.skill);
        if lacking.iter().any(|name| name == entry.skill.name())
            && !rows.is_empty()
            && write(&directory, &rows)?
        {
            written.push(path);
        } else {
            left.push(found.path);
        }
    }
    for draft in &drafts {
        let help = "describe it first: queries are made of its words";
        output::tell(&render::escape(&format!("note: `{draft}` still has the text of its template; {help}")));
        output::tell("\n");
    }
    for skill in &refused {
        output::tell(&render::escape(&format!("note: `{skill}` isn't served: `skills check` says why")));
        output::tell("\n");
    }
    left.extend(drafts.iter().chain(&refused).cloned());
    let is_explained = !drafts.is_empty() || !refused.is_empty() || has_problems;
    let exit = if written.is_empty() && is_explained { Exit::Nothing } else { Exit::Success };
    match form {
        Form::Json => Outcome::document(&written_document(&written, &left), exit),
        Form::Text if written.is_empty() && is_explained => Ok(Outcome::silent(exit)),
        Form::Text if written.is_empty() => {
            Ok(Outcome::text("Nothing to do: every skill that a model may call has queries.", exit))
        }
        Form::Text => {
            let mut text: String = written.iter().map(|path| format!("created {path}\n")).collect();
            text.push_str(
                "\nThese queries are in the words of the skills themselves, so they prove little. Replace them by what \
                 users say,\nthen run `skills test`.",
            );
            Ok(Outcome::text(&text, exit))
        }
    }
}

/// The SKILL.md files that still have the text of a template.
fn drafted(root: &Path) -> Vec<String> {
    let findings = compile::check(&Config::new(root).paths_as_given(true)).findings.into_iter();
    findings.filter(|finding| finding.code == Code::L120).map(|finding| finding.path).collect()
}

/// Whether a path is that of a file in this directory.
fn is_in(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

/// The rows of a new file, as JSON.
fn rows(registry: &Registry<'_>, skill: &Skill<'_>) -> Vec<String> {
    let text = |text: &str| Value::from(text).to_string();
    let mut own: Vec<String> = skill.triggers().map(str::to_owned).collect();
    own.extend(phrases(skill.description()));
    own.truncate(OWN);
    let mut rows: Vec<String> = own
        .iter()
        .map(|query| format!("{{ \"query\": {}, \"should_trigger\": true }}", text(query)))
        .collect();
    let near = registry.search(skill.description()).map(|found| found.results).unwrap_or_default();
    let others = near.iter().map(|hit| hit.entry.skill).filter(|other| other.name() != skill.name());
    for other in others.take(OTHERS) {
        let phrase = other.triggers().next().map(str::to_owned);
        let Some(query) = phrase.or_else(|| phrases(other.description()).next()) else { continue };
        rows.push(format!(
            "{{ \"query\": {}, \"should_trigger\": false, \"owner\": {} }}",
            text(&query),
            text(other.name())
        ));
    }
    rows
}

/// The parts of a description that could be said by a user: its clauses.
fn phrases(description: &str) -> impl Iterator<Item = String> {
    let clauses = description.split(['.', ',', ';', ':', '(', ')']);
    clauses.filter_map(|clause| {
        let words: Vec<&str> = clause.split_whitespace().take(WORDS).collect();
        (words.len() > 1).then(|| words.join(" "))
    })
}

/// Writes the file into a skill's directory; `false` if it is there already.
fn write(directory: &Path, rows: &[String]) -> Result<bool, Failure> {
    let file = directory.join(FILE);
    let failure = |error: &std::io::Error| {
        let message = format!("`{}` cannot be created: {}", file.display(), scan::in_words(error));
        Failure::other("IO", message, "make the skill's directory writable")
    };
    if let Some(above) = file.parent() {
        fs::create_dir_all(above).map_err(|error| failure(&error))?;
    }
    let mut new = match File::create_new(&file) {
        Ok(new) => new,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
        Err(error) => return Err(failure(&error)),
    };
    let text = format!("[\n  {}\n]\n", rows.join(",\n  "));
    new.write_all(text.as_bytes()).map_err(|error| failure(&error))?;
    Ok(true)
}
