//! Prints the answer of a command. No other file writes to stdout or stderr.
//!
//! A result goes to stdout as a whole, as text or as one JSON document. Findings and errors go to stderr, but
//! with `--json` an error is the document. Control characters from skills and arguments are escaped. A closed
//! pipe isn't an error.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::error::ErrorKind;
use serde::Serialize;
use serde_json::json;
use skills_bundle::render::{self, Color};
use skills_bundle::{Finding, Level};
use skills_pack::text::{visible, visible_json};
use skills_source::scan;

use crate::args::When;
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::usage;

/// How people want to see it: whether with colours, and whether without notes. The arguments say so once.
static MANNER: OnceLock<(When, bool)> = OnceLock::new();

/// Sets how everything is printed. Call it once, before anything is.
pub(crate) fn set_manner(color: When, is_quiet: bool) {
    // The first call counts.
    let _ = MANNER.set((color, is_quiet));
}

/// Whether only results, findings and errors are printed.
pub(crate) fn is_quiet() -> bool {
    MANNER.get().is_some_and(|(_, is_quiet)| *is_quiet)
}

/// The answer of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The text for stdout, safe to print, with a final line feed.
    stdout: String,
    exit: Exit,
}

impl Outcome {
    /// Text for people.
    pub(crate) fn text(text: &str, exit: Exit) -> Self {
        let mut stdout = visible(text);
        stdout.push('\n');
        Self { stdout, exit }
    }

    /// Lines for people or other programs, including line feeds.
    pub(crate) fn lines(text: &str, exit: Exit) -> Self {
        Self { stdout: visible(text), exit }
    }

    /// An indented document for programs.
    pub(crate) fn document(document: &impl Serialize, exit: Exit) -> Result<Self, Failure> {
        let json = serde_json::to_string_pretty(document).map_err(Failure::json)?;
        let mut stdout = visible_json(&json);
        stdout.push('\n');
        Ok(Self { stdout, exit })
    }

    /// The output of a renderer, which is safe to print and ends in a line feed.
    pub(crate) fn rendered(stdout: String, exit: Exit) -> Self {
        Self { stdout, exit }
    }

    /// Nothing on stdout.
    pub(crate) fn silent(exit: Exit) -> Self {
        Self { stdout: String::new(), exit }
    }
}

/// Prints an outcome, and returns the exit code.
pub(crate) fn show(form: Form, outcome: Result<Outcome, Failure>) -> ExitCode {
    let exit = outcome.and_then(|outcome| print(&outcome)).unwrap_or_else(|failure| report(form, &failure));
    ExitCode::from(exit as u8)
}

/// Clap's output: help and the version, which were requested, or an error in the arguments.
pub(crate) fn of_clap(error: &clap::Error, form: Form) -> Result<Outcome, Failure> {
    let key = match error.kind() {
        ErrorKind::DisplayHelp => "help",
        ErrorKind::DisplayVersion => "version",
        _ => return Err(usage::failure(error)),
    };
    let text = error.render();
    match form {
        Form::Json => Outcome::document(&json!({ key: text.to_string().trim_end() }), Exit::Success),
        // This text is our own, so its colours can stay.
        Form::Text if is_colored(&io::stdout()) => {
            Ok(Outcome { stdout: closed(&text.ansi().to_string()), exit: Exit::Success })
        }
        Form::Text => Ok(Outcome { stdout: closed(&text.to_string()), exit: Exit::Success }),
    }
}

/// Writes text that is safe to print to stderr. If that fails, there is nobody to report it to.
pub(crate) fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes notes like [`tell`], unless people want none.
pub(crate) fn note(text: &str) {
    if !is_quiet() {
        tell(text);
    }
}

/// Where a log is written.
pub(crate) fn log() -> impl io::Write {
    io::stderr()
}

/// Prints findings on stderr, followed by a blank line.
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

/// Prints an error on stderr, in addition to a result.
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
            let (why, help) = (scan::in_words(&error), "check where stdout points");
            Err(Failure::other("IO", format!("the result cannot be written: {why}"), help))
        }
    }
}

fn report(form: Form, failure: &Failure) -> Exit {
    // If the document can't be written, print the error on stderr.
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

/// `text` with one line feed at its end.
fn closed(text: &str) -> String {
    format!("{}\n", text.trim_end())
}

#[allow(clippy::disallowed_methods, reason = "colour depends on the environment, as in other programs")]
fn is_colored(stream: &impl IsTerminal) -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    match MANNER.get().map_or_else(When::default, |(color, _)| *color) {
        When::Always => true,
        When::Never => false,
        When::Auto if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) => false,
        When::Auto => is_set("CLICOLOR_FORCE") || stream.is_terminal(),
    }
}
