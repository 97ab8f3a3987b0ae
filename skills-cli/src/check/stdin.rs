//! `check -`: one file on stdin, as an editor has it, judged as if it were on disk.
//!
//! With `--stdin-path` the files and skills around that path are those on disk, and the findings are those of
//! `check PATH`. With `--fix` the text comes back on stdout, fixed.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use skills_bundle::compile::{self, Report, SkillDraft};
use skills_bundle::fix;
use skills_source::command::COMMAND_SUFFIX;
use skills_source::scan::{self, SKILL_FILE};

use super::asked::{Asked, directory_of_file, kind_of};
use super::{config, document, for_programs, is_for_programs, judge, tell, tell_summary, with_published};
use crate::args::{Check, Global};
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::lsp::place::Kind;
use crate::output::Outcome;

/// Whether stdin is to be checked.
pub(super) fn is_meant(args: &Check) -> Result<bool, Failure> {
    let is_meant = args.paths.iter().any(|path| path == Path::new("-"));
    match (is_meant, &args.stdin_path) {
        (true, _) if args.paths.len() > 1 => Err(Failure::usage(
            "`-` and other paths cannot be checked in one run".to_owned(),
            "check them one by one",
        )),
        (true, Some(path)) if !is_checked(path) => Err(Failure::usage(
            format!("`--stdin-path` is not the path of a skill or slash command: `{}`", path.display()),
            "give a path that ends in `SKILL.md` or `NAME.command.yaml`",
        )),
        (true, Some(path)) if kind_of(path) == Some(Kind::Command) && !directory_of_file(path).is_dir() => {
            let message = format!("there is no directory `{}`", directory_of_file(path).display());
            Err(Failure::usage(
                message,
                "a slash command is checked with its template, so its directory has to exist",
            ))
        }
        (true, _) if args.dry_run => Err(Failure::usage(
            "`--dry-run` has no use with `-`: nothing is written to disk".to_owned(),
            "leave it out; `--fix` prints the fixed text on stdout",
        )),
        (false, Some(_)) => Err(Failure::usage(
            "`--stdin-path` needs the path `-`".to_owned(),
            "write `skills check - --stdin-path …`",
        )),
        _ => Ok(is_meant),
    }
}

pub(super) fn run(global: &Global, args: &Check, form: Form) -> Result<Outcome, Failure> {
    if args.fix && (form == Form::Json || args.format.is_some_and(is_for_programs)) {
        let message = "`--fix` with `-` prints the text on stdout, where the findings would go too";
        return Err(Failure::usage(message.to_owned(), "use one of them at a time"));
    }
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text).map_err(|error| {
        let message = format!("stdin cannot be read: {}", scan::in_words(&error));
        Failure::other("IO", message, "check where stdin comes from")
    })?;
    let path = args.stdin_path.as_deref().unwrap_or(Path::new(SKILL_FILE));
    let shown = path.to_string_lossy().replace('\\', "/");
    let config = config(global, args, &[around(path)]);
    let fixed = if args.fix { fix::fix_text(&config, &shown, &text) } else { None };
    let text = fixed.map_or(text, |fixed| fixed.bytes);
    let report = report(global, args, path, &shown, text.clone());
    let exit = if report.denied() > 0 { Exit::Nothing } else { Exit::Success };
    tell(args, form, &report, &[]);
    tell_summary(global, &report, &[]);
    match (form, String::from_utf8(text)) {
        (Form::Json, _) => document(&report, None, None, exit),
        (_, Ok(text)) if args.fix => Ok(Outcome::rendered(text, exit)),
        _ => Ok(for_programs(args, &report, true, exit).unwrap_or_else(|| Outcome::silent(exit))),
    }
}

/// Judges the text with what is around its path on disk, if there is anything.
fn report(global: &Global, args: &Check, path: &Path, shown: &str, text: Vec<u8>) -> Report {
    let asked = Asked::file(path, &text);
    if args.stdin_path.is_some() && asked.roots().iter().all(|root| root.is_dir()) {
        let (config, _) = with_published(args, config(global, args, asked.roots()), asked.roots());
        return judge(&config.text(path, text), &asked).0;
    }
    let mut report = Report::default();
    let config = config(global, args, &[around(path)]);
    report.findings = compile::check_text(&config, &SkillDraft::new(shown, text));
    report.skills = 1;
    report
}

fn is_checked(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    kind_of(path).is_some_and(|kind| kind == Kind::Skill || name.len() > COMMAND_SUFFIX.len())
}

/// The directory that decides which settings are in force: the file's, or the nearest one above it that exists.
fn around(path: &Path) -> PathBuf {
    let above = directory_of_file(path).ancestors().find(|above| above.is_dir());
    above.unwrap_or(Path::new(".")).to_owned()
}
