//! The command `check`: findings on stderr and, for programs, one document on stdout.
//!
//! All paths are one run. What is no skill and what is left out is told too, and to have found no
//! skill at all is no success.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::json;
use skills_bundle::compile::{self, Report};
use skills_bundle::{Config, render};
use skills_core::source::scan::{LeftOutReason, SKILL_FILE};

use crate::args::Check;
use crate::failure::Failure;
use crate::output::{self, Exit, Form, Outcome};
use crate::served::split_unreadable;

pub(crate) fn run(args: &Check, form: Form) -> Result<Outcome, Failure> {
    let roots = roots(&args.paths);
    let mut report = compile::check(&config(args, &roots));
    // Of two paths one may lie in the other.
    report.findings.dedup();
    let labels: Vec<String> = roots.iter().map(|root| compile::label(root)).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let (unreadable, findings) = split_unreadable(report.findings.drain(..), &labels);
    report.findings = findings;
    output::tell_findings(&report.findings);
    output::tell(&notes(&report));
    if let Some(failure) = Failure::unreadable(&unreadable) {
        return Err(failure);
    }
    if report.skills == 0 {
        let places = labels.iter().map(|label| format!("`{label}`")).collect::<Vec<_>>().join(", ");
        output::tell(&format!(
            "skills: there is no skill in {}\nhelp: a skill is a directory with a file {SKILL_FILE}; `skills new` \
             makes one\n",
            render::escape(&places)
        ));
    }
    output::tell(&format!("{}\n", render::summary(report.skills, &report.findings)));
    let exit = if report.denied() > 0 || report.skills == 0 { Exit::Nothing } else { Exit::Success };
    match form {
        Form::Text => Ok(Outcome::silent(exit)),
        Form::Json => Outcome::document(
            &json!({
                "skills": report.skills,
                "denied": report.denied(),
                "warned": report.warned(),
                "findings": report.findings.iter().map(render::finding_json).collect::<Vec<_>>(),
            }),
            exit,
        ),
    }
}

/// The directories to check: of a SKILL.md its own, and none twice.
fn roots(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = Vec::with_capacity(paths.len());
    let mut seen = Vec::with_capacity(paths.len());
    for path in paths {
        let root = directory_of(path);
        let real = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        if !seen.contains(&real) {
            seen.push(real);
            roots.push(root.to_owned());
        }
    }
    roots
}

fn directory_of(path: &Path) -> &Path {
    let is_skill_file = path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(SKILL_FILE));
    match path.parent() {
        Some(parent) if is_skill_file && path.is_file() => {
            if parent.as_os_str() == OsStr::new("") {
                Path::new(".")
            } else {
                parent
            }
        }
        _ => path,
    }
}

fn config(args: &Check, roots: &[PathBuf]) -> Config {
    let mut roots = roots.iter();
    let first = roots.next().cloned().unwrap_or_default();
    let config = roots.fold(Config::new(first).paths_as_given(true), Config::root);
    let config = args.allow.iter().fold(config, |config, rule| config.allow(rule.as_str()));
    let config = args.warn.iter().fold(config, |config, rule| config.warn(rule.as_str()));
    args.deny.iter().fold(config, |config, rule| config.deny(rule.as_str()))
}

/// A line for each thing that is not checked.
fn notes(report: &Report) -> String {
    let mut notes: Vec<String> = Vec::new();
    for path in &report.without_skill {
        notes.push(format!("`{path}` is not a skill: it has no {SKILL_FILE}"));
    }
    for shadowed in &report.shadowed {
        let (path, by) = (&shadowed.path, &shadowed.by);
        notes.push(format!("`{path}` has the name of `{by}`, which hides it where both are served"));
    }
    let mut counts: BTreeMap<LeftOutReason, usize> = BTreeMap::new();
    for left_out in &report.left_out {
        *counts.entry(left_out.reason).or_default() += 1;
    }
    let linked = report.left_out.iter().filter(|left_out| left_out.reason == LeftOutReason::Link);
    notes.extend(linked.map(compile::linked_to_left_out));
    counts.remove(&LeftOutReason::Link);
    for (reason, count) in counts {
        notes.push(format!("left out: {}", left_out(reason, count)));
    }
    notes.iter().map(|note| format!("note: {}\n", render::escape(note))).collect()
}

fn left_out(reason: LeftOutReason, count: usize) -> String {
    let (one, many) = match reason {
        LeftOutReason::Hidden => ("name that begins with `.`", "names that begin with `.`"),
        LeftOutReason::Generated => {
            ("file or directory that tools make", "files and directories that tools make")
        }
        LeftOutReason::Loop => {
            ("link that leads back to where it is", "links that lead back to where they are")
        }
        _ => ("ignored name", "ignored names"),
    };
    format!("{count} {}", if count == 1 { one } else { many })
}
