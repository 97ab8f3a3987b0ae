//! Shows what a command answers: the only file that writes to stdout and stderr.
//!
//! A result goes to stdout, whole, as text or as one JSON document; findings and errors go to stderr,
//! but with `--json` an error is the document. What a skill or an argument holds never acts on the
//! terminal. A reader that went away is no error.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;

use clap::error::ErrorKind;
use serde::Serialize;
use serde_json::json;
use skills_bundle::render::{self, Color};
use skills_bundle::{Finding, Level};
use skills_source::scan;

use crate::failure::Failure;

/// How a result is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// There is an answer.
    Success = 0,
    /// Findings at deny, no match, or not found.
    Nothing = 1,
    /// Wrong usage, or what could not run.
    CouldNotRun = 2,
}

/// What a command answers.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// For stdout, safe to print, with its line feed.
    stdout: String,
    exit: Exit,
}

impl Outcome {
    /// A text for people.
    pub(crate) fn text(text: &str, exit: Exit) -> Self {
        let mut stdout = visible(text);
        stdout.push('\n');
        Self { stdout, exit }
    }

    /// Lines for people or other programs, which have their line feeds.
    pub(crate) fn lines(text: &str, exit: Exit) -> Self {
        Self { stdout: visible(text), exit }
    }

    /// A document for programs, indented.
    pub(crate) fn document(document: &impl Serialize, exit: Exit) -> Result<Self, Failure> {
        let json = serde_json::to_string_pretty(document).map_err(Failure::json)?;
        let mut stdout = String::with_capacity(json.len() + 1);
        for c in json.chars() {
            // Outside its strings JSON has none of these but line feeds, and those in strings are escaped.
            if acts_on_terminal(c) && c != '\n' {
                stdout.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
            } else {
                stdout.push(c);
            }
        }
        stdout.push('\n');
        Ok(Self { stdout, exit })
    }

    /// What a renderer made, which is safe to print and has its line feeds.
    pub(crate) fn rendered(stdout: String, exit: Exit) -> Self {
        Self { stdout, exit }
    }

    /// Nothing on stdout.
    pub(crate) fn silent(exit: Exit) -> Self {
        Self { stdout: String::new(), exit }
    }
}

/// Shows an outcome, and gives the exit code.
pub(crate) fn show(form: Form, outcome: Result<Outcome, Failure>) -> ExitCode {
    let exit = outcome.and_then(|outcome| print(&outcome)).unwrap_or_else(|failure| report(form, &failure));
    ExitCode::from(exit as u8)
}

/// What clap has to say: help and the version, which were asked for, or what is wrong with the arguments.
pub(crate) fn of_clap(error: &clap::Error, form: Form) -> Result<Outcome, Failure> {
    let key = match error.kind() {
        ErrorKind::DisplayHelp => "help",
        ErrorKind::DisplayVersion => "version",
        _ => return Err(usage(error)),
    };
    let text = error.render();
    match form {
        Form::Json => Outcome::document(&json!({ key: text.to_string().trim_end() }), Exit::Success),
        // Nothing in it comes from outside, so its colours may stay.
        Form::Text if is_colored(&io::stdout()) => {
            Ok(Outcome { stdout: closed(&text.ansi().to_string()), exit: Exit::Success })
        }
        Form::Text => Ok(Outcome { stdout: closed(&text.to_string()), exit: Exit::Success }),
    }
}

/// Writes text that is safe to print to stderr. If no one can read it there, no one can be told.
pub(crate) fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Shows findings on stderr, and a blank line after them.
pub(crate) fn tell_findings(findings: &[Finding]) {
    if !findings.is_empty() {
        let color = if is_colored(&io::stderr()) { Color::Always } else { Color::Never };
        let (shown, rest) = capped(findings);
        tell(&format!("{}\n", render::full(&shown, color)));
        tell(&rest);
    }
}

/// How many findings of one run are shown to people.
const MAX_SHOWN: usize = 1_000;

/// The findings that are shown, errors before warnings where there are too many, and a line that counts the
/// others.
pub(crate) fn capped(findings: &[Finding]) -> (Cow<'_, [Finding]>, String) {
    if findings.len() <= MAX_SHOWN {
        return (findings.into(), String::new());
    }
    let of =
        |is_error: bool| findings.iter().filter(move |finding| (finding.level == Level::Deny) == is_error);
    let mut shown: Vec<Finding> = of(true).chain(of(false)).take(MAX_SHOWN).cloned().collect();
    shown.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    let rest = findings.len() - MAX_SHOWN;
    (shown.into(), format!("… {rest} more findings: they are shown once there are fewer\n"))
}

/// Shows an error on stderr, where there is a result beside it.
pub(crate) fn tell_failure(failure: &Failure) {
    let (message, help) = failure.words();
    tell(&format!("skills: {}\nhelp: {}\n", render::escape(&message), render::escape(&help)));
}

fn print(outcome: &Outcome) -> Result<Exit, Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(outcome.stdout.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(outcome.exit),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Success),
        Err(error) => {
            let why = match error.kind() {
                io::ErrorKind::StorageFull => "no space is left",
                _ => scan::in_words(&error),
            };
            let help = "look at where stdout leads";
            Err(Failure::other("IO", format!("the result cannot be written: {why}"), help))
        }
    }
}

fn report(form: Form, failure: &Failure) -> Exit {
    // A document that cannot be written goes the way of all others that nobody can be told of.
    if form == Form::Json
        && let Ok(document) = Outcome::document(&failure.document(), failure.exit())
        && let Ok(exit) = print(&document)
    {
        return exit;
    }
    if let Failure::Usage { text, .. } = failure {
        tell(&closed(&visible(text)));
    } else {
        tell_failure(failure);
    }
    failure.exit()
}

/// Clap's text, which is laid out for people, and its parts.
fn usage(error: &clap::Error) -> Failure {
    let text = error.render().to_string().replace("For more information, try '--help'.", HELP);
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let paragraphs = || text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let starting = |word: &str| paragraphs().find(|part| part.starts_with(word));
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let suggestion = starting("Usage:").unwrap_or_default();
        return Failure::Usage {
            text: text.to_owned(),
            message: "a command is missing".to_owned(),
            suggestion,
        };
    }
    let tip = starting("tip:").map(|tip| tip.trim_start_matches("tip: ").to_owned());
    Failure::Usage {
        text: format!("skills: {text}"),
        message: paragraphs().next().unwrap_or_default(),
        suggestion: tip
            .or_else(|| starting("Usage:"))
            .unwrap_or_else(|| HELP.trim_start_matches("help: ").to_owned()),
    }
}

const HELP: &str = "help: try `--help`";

/// `text` with one line feed at its end.
fn closed(text: &str) -> String {
    format!("{}\n", text.trim_end())
}

/// `text` with what acts on a terminal as escapes, but for tabs and the ends of lines.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 1);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let stays = matches!(c, '\n' | '\t') || c == '\r' && chars.peek() == Some(&'\n');
        if acts_on_terminal(c) && !stays { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// Fewer than [`render::escape`] hides: a skill's text is to be copied as it is, and marks that only
/// cannot be seen belong to many languages.
fn acts_on_terminal(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[allow(clippy::disallowed_methods, reason = "whether to use colour is the one thing the environment says")]
fn is_colored(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
