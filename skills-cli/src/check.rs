//! The command `check`: prints findings on stderr or, in formats for programs, on stdout.
//!
//! All paths are checked in one run. Directories that aren't skills and ignored files are reported too
//! (`notes`), and finding no skill at all is a failure. `asked` finds the root of a file; `fixing` applies fixes before the
//! check; `published` asks Cargo what a package would lack; `watch` checks again and again.

mod asked;
mod fixing;
mod notes;
pub(crate) mod published;
mod stdin;
mod watch;

use std::path::{Path, PathBuf};

use serde_json::json;
use skills_bundle::compile::{self, Report};
use skills_bundle::{Code, Config, Finding, render};
use skills_source::rules::Rules;
use skills_source::scan::{FoundSkill, SKILL_FILE};
use skills_source::skill::SkillText;

use crate::args::{Check, Format, Global};
use crate::check::asked::Asked;
use crate::check::fixing::Fixing;
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};
use crate::test::failing::Files;
use crate::waiting::Waiting;

pub(crate) fn run(global: &Global, args: &Check, form: Form) -> Result<Outcome, Failure> {
    if args.watch {
        return watch::run(global, args, form);
    }
    once(global, args, form)
}

fn once(global: &Global, args: &Check, form: Form) -> Result<Outcome, Failure> {
    refuse_two_forms(args, form)?;
    if stdin::is_meant(args)? {
        return stdin::run(global, args, form);
    }
    let asked = Asked::new(&args.paths);
    let roots = asked.roots();
    // Only what was asked for is written.
    let fixing =
        args.fix.then(|| Fixing::run(&config(global, args, &directories(&args.paths)), args.dry_run));
    let (config, mut notes) = with_published(args, config(global, args, roots), roots);
    let waiting = Waiting::on("checking skills");
    let (report, mistaken) = judge(&config, &asked);
    drop(waiting);
    notes.extend(mistaken);
    let labels: Vec<String> = roots.iter().map(|root| compile::label(root)).collect();
    let unreadable = unreadable(&report, &labels);
    let failure = Failure::unreadable(&unreadable);
    if form == Form::Json
        && unreadable.len() == roots.len()
        && let Some(failure) = failure
    {
        return Err(failure);
    }
    tell(args, form, &report, &unreadable);
    if let Some(fixing) = &fixing {
        output::tell(&fixing.refused());
    }
    if !global.quiet {
        output::tell(&notes::notes(&report, notes));
        output::tell(&fixing.as_ref().map(Fixing::summary).unwrap_or_default());
    }
    let is_empty = report.skills == 0 && report.commands == 0 && failure.is_none();
    match (is_empty, args.allow_empty) {
        (true, false) => output::tell(&format!(
            "skills: {}\nhelp: {}\n",
            no_skill(&labels),
            how_to_find(&compile::in_hidden_directories(&config, &report))
        )),
        (true, true) if !global.quiet => output::tell(&format!("note: {}\n", no_skill(&labels))),
        _ => {}
    }
    let exit = match &failure {
        Some(failure) => failure.exit(),
        None if report.denied() > 0 || (is_empty && !args.allow_empty) => Exit::Nothing,
        None => Exit::Success,
    };
    if let Some(failure) = &failure {
        output::tell_failure(failure);
    }
    if unreadable.len() < roots.len() {
        tell_summary(global, &report, &unreadable);
    }
    if form == Form::Json {
        return document(&report, fixing.as_ref(), failure.as_ref(), exit);
    }
    let outcome = for_programs(args, &report, failure.is_none(), exit);
    let outcome = outcome
        .or_else(|| fixing.filter(|_| args.dry_run).map(|fixing| Outcome::lines(&fixing.diff(), exit)));
    Ok(outcome.unwrap_or_else(|| Outcome::silent(exit)))
}

/// Checks what was asked for, and asks what the queries that are beside the skills find; and notes on queries that have
/// mistakes.
fn judge(config: &Config, asked: &Asked) -> (Report, Vec<String>) {
    let mut mistaken = Vec::new();
    let is_wanted = |dir: &FoundSkill| asked.wants_skill(&dir.path);
    let mut report = compile::check_with(config, |skills, rules| {
        queries_of(asked.roots(), skills, rules, &mut mistaken, is_wanted)
    });
    asked.narrow(&mut report);
    (report, mistaken)
}

/// What the queries beside these skills don't find (L130). Notes on queries that have mistakes go to `mistaken`.
pub(crate) fn queries(
    roots: &[PathBuf],
    skills: &[(&FoundSkill, &SkillText)],
    rules: &Rules,
    mistaken: &mut Vec<String>,
) -> Vec<Finding> {
    queries_of(roots, skills, rules, mistaken, |_| true)
}

/// The same of the skills that are wanted, among all.
fn queries_of(
    roots: &[PathBuf],
    skills: &[(&FoundSkill, &SkillText)],
    rules: &Rules,
    mistaken: &mut Vec<String>,
    is_wanted: impl Fn(&FoundSkill) -> bool,
) -> Vec<Finding> {
    if !rules.is_on(Code::L130) {
        return Vec::new();
    }
    let shown: Vec<(String, &Path)> =
        roots.iter().map(|root| (compile::label(root), root.as_path())).collect();
    let is_wanted = |name: &str| skills.iter().any(|(dir, text)| text.name == name && is_wanted(dir));
    let queries = Files::around(&shown, skills).judge(skills, rules, is_wanted);
    let note = |file| {
        format!("`{file}` has mistakes, so some of its queries aren't judged: `skills test` shows them")
    };
    mistaken.extend(queries.mistaken.iter().map(note));
    queries.of_skills.into_values().flat_map(|of_skill| of_skill.failing).collect()
}

/// With what is known of the packages that the roots are in, unless nobody wants to know; and notes on what isn't.
fn with_published(args: &Check, config: Config, roots: &[PathBuf]) -> (Config, Vec<String>) {
    if args.allow.contains(&Code::L128) {
        return (config, Vec::new());
    }
    published(config, roots)
}

/// With what is known of the packages that the roots are in, and notes on what isn't.
pub(crate) fn published(config: Config, roots: &[PathBuf]) -> (Config, Vec<String>) {
    let (known, notes) = published::ask(roots);
    (known.into_iter().fold(config, Config::published), notes)
}

/// Counts what was checked; a root that can't be read was reported as a failure.
fn tell_summary(global: &Global, report: &Report, unreadable: &[Finding]) {
    if !global.quiet {
        let findings = judged(report, unreadable);
        output::tell(&format!("{}\n", render::summary(report.skills, report.commands, &findings)));
    }
}

fn judged(report: &Report, unreadable: &[Finding]) -> Vec<Finding> {
    report.findings.iter().filter(|finding| !unreadable.contains(finding)).cloned().collect()
}

/// The findings in a format for programs, if one was asked for. `could_run` is false if a root couldn't be read.
fn for_programs(args: &Check, report: &Report, could_run: bool, exit: Exit) -> Option<Outcome> {
    let rendered = match args.format? {
        Format::JsonLines => render::json_lines(&report.findings),
        Format::Github => render::github(&report.findings),
        Format::Sarif => render::sarif(&report.findings, could_run) + "\n",
        Format::Full | Format::Concise => return None,
    };
    Some(Outcome::rendered(rendered, exit))
}

/// Refuses two formats that would both go to stdout.
fn refuse_two_forms(args: &Check, form: Form) -> Result<(), Failure> {
    let format = args.format.filter(|format| form == Form::Json || is_for_programs(*format));
    let other = match (form, args.dry_run) {
        (Form::Json, _) => "--json",
        (_, true) => "--dry-run",
        _ => return Ok(()),
    };
    if format.is_none() {
        return Ok(());
    }
    let message = format!("`--format` and `{other}` both write to stdout");
    Err(Failure::usage(message, "use one of them at a time"))
}

fn is_for_programs(format: Format) -> bool {
    matches!(format, Format::JsonLines | Format::Github | Format::Sarif)
}

/// Prints findings for people; a root that can't be read is reported as a failure instead.
fn tell(args: &Check, form: Form, report: &Report, unreadable: &[Finding]) {
    let findings = judged(report, unreadable);
    match args.format {
        Some(Format::Concise) => {
            let (shown, rest) = output::capped(&findings);
            output::tell(&render::concise(&shown));
            output::tell(&rest);
        }
        Some(format) if form == Form::Text && is_for_programs(format) => {}
        _ => output::tell_findings(&findings),
    }
}

/// The findings on roots that can't be read at all.
pub(crate) fn unreadable(report: &Report, labels: &[String]) -> Vec<Finding> {
    let is_root = |finding: &&Finding| finding.code == Code::E017 && labels.contains(&finding.path);
    report.findings.iter().filter(is_root).cloned().collect()
}

pub(crate) fn no_skill(labels: &[String]) -> String {
    let places = labels.iter().map(|label| format!("`{label}`")).collect::<Vec<_>>().join(", ");
    format!("there are no skills in {}", render::escape(&places))
}

/// What to do where there is no skill: skills may be in directories that are left out.
pub(crate) fn how_to_find(hidden: &[String]) -> String {
    if hidden.is_empty() {
        return format!("a skill is a directory with a file {SKILL_FILE}; `skills new` makes one");
    }
    let places = hidden.iter().map(|place| format!("`{place}`")).collect::<Vec<_>>().join(", ");
    let places = render::escape(&places);
    format!("names that begin with `.` are left out, and there are skills in {places}: give that directory")
}

fn document(
    report: &Report,
    fixing: Option<&Fixing>,
    failure: Option<&Failure>,
    exit: Exit,
) -> Result<Outcome, Failure> {
    let mut document = json!({
        "skills": report.skills,
        "denied": report.denied(),
        "warned": report.warned(),
        "findings": report.findings.iter().map(render::finding_json).collect::<Vec<_>>(),
    });
    if let Some(fixing) = fixing {
        document["fixes"] = fixing.document();
    }
    if let Some(failure) = failure {
        document["error"] = failure.document()["error"].take();
    }
    Outcome::document(&document, exit)
}

/// The directories that were given, and those of the files.
fn directories(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().map(|path| directory_of(path).to_owned()).collect()
}

/// The directory to check: of a SKILL.md or a command's definition, the one that it is in.
pub(crate) fn directory_of(path: &Path) -> &Path {
    if asked::kind_of(path).is_some() && path.is_file() { asked::directory_of_file(path) } else { path }
}

/// How roots are checked, with nothing set but by a Cargo.toml.
pub(crate) fn plain_config(global: &Global, roots: &[PathBuf]) -> Config {
    let mut roots = roots.iter();
    let first = roots.next().cloned().unwrap_or_default();
    let config = Config::new(&first).paths_as_given(true).cargo_settings(first);
    let config = roots.fold(config, Config::root);
    let config = if global.nested { config.nested(true) } else { config };
    config.within_live_limits(true)
}

fn config(global: &Global, args: &Check, roots: &[PathBuf]) -> Config {
    let config = plain_config(global, roots);
    let config = args.profile.iter().fold(config, |config, profile| config.profile(*profile));
    let config = args.allow.iter().fold(config, |config, rule| config.allow(rule.as_str()));
    let config = args.warn.iter().fold(config, |config, rule| config.warn(rule.as_str()));
    args.deny.iter().fold(config, |config, rule| config.deny(rule.as_str()))
}
