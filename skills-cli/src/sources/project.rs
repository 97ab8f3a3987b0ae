//! The lock and the skills of a project, while a command changes them.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::{Component, Path, PathBuf};

use serde_json::json;
use skills_bundle::lock::{self, LOCK_FILE, Lock};
use skills_bundle::{Finding, render};
use skills_source::scan::in_words;

use super::change::{self, Change};
use super::guard::Guard;
use super::trust::Trust;
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};

/// A project that nobody else writes in.
#[derive(Debug)]
pub(crate) struct Project {
    /// The directory of the lock, with every link resolved.
    pub(crate) directory: PathBuf,
    pub(crate) lock: Lock,
    /// From where skills may be fetched.
    pub(crate) trust: Trust,
    _guard: Guard,
}

/// One line of a plan.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) name: String,
    pub(crate) dir: String,
    pub(crate) action: &'static str,
    pub(crate) why: String,
}

/// Whether a plan is carried out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Consent {
    pub(crate) yes: bool,
    pub(crate) dry_run: bool,
    /// Whether any difference is a failure.
    pub(crate) locked: bool,
}

impl Project {
    /// Waits for other writers, finishes what a stopped command left, and reads the lock.
    pub(crate) fn open(form: Form) -> Result<Self, Failure> {
        let place = lock::find(Path::new("."));
        if let Some(finding) = place.findings.first() {
            // A setting that isn't understood may be one that forbids something.
            if form == Form::Text {
                output::tell_findings(&place.findings);
            }
            let message = format!("a setting for skills is wrong: {finding}");
            return Err(Failure::other("SETTINGS", message, finding.help.clone()));
        }
        let failed = |error: io::Error| io_failure("the project cannot be changed", &error);
        let directory = place.directory.canonicalize().map_err(failed)?;
        let guard = Guard::take(&directory).map_err(failed)?;
        let finished = change::recover(&directory).map_err(|error| {
            let help = "finish it by hand: the file `.skills-journal.json` beside the lock says what was to be moved";
            let why = why(&error);
            Failure::other("INTERRUPTED", format!("an earlier command was stopped, and cannot be finished: {why}"), help)
        })?;
        if !finished.is_empty() {
            let dirs = finished.join(", ");
            output::tell(&format!(
                "note: a command that was stopped is now finished: {}\n",
                render::escape(&dirs)
            ));
        }
        change::clean(&directory);
        // It may be there only now.
        let place = lock::find(Path::new("."));
        let lock = match &place.file {
            Some(file) => Lock::open(file, &place.shown).map_err(|findings| unreadable(&findings, form))?,
            None => Lock::default(),
        };
        Ok(Self { directory, lock, trust: Trust::of(&place), _guard: guard })
    }

    /// The locked skill with this name or directory.
    ///
    /// # Errors
    ///
    /// If there is none, or more than one.
    pub(crate) fn locked(&self, name: &str) -> Result<usize, Failure> {
        let mut found = self.lock.skills.iter().enumerate();
        let mut found = found.by_ref().filter(|(_, skill)| skill.dir == name || skill.name == name);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Ok(at),
            (None, _) if self.lock.skills.is_empty() => {
                let message = format!("no skill is locked, so none is named `{name}`");
                Err(Failure::other("SKILL_NOT_FOUND", message, "`skills add` locks what it copies"))
            }
            (None, _) => {
                let message = format!("no locked skill is named `{name}`");
                Err(Failure::other("SKILL_NOT_FOUND", message, format!("`{LOCK_FILE}` has the names")))
            }
            (Some(_), Some(_)) => {
                let message = format!("several locked skills are named `{name}`");
                let help = "give the directory of the one that you mean";
                Err(Failure::other("SEVERAL_SKILLS", message, help))
            }
        }
    }

    /// The locked skills with these names or directories; all of them without names.
    ///
    /// # Errors
    ///
    /// As [`locked`](Self::locked).
    pub(crate) fn chosen(&self, names: &[String]) -> Result<Vec<usize>, Failure> {
        if names.is_empty() {
            return Ok((0..self.lock.skills.len()).collect());
        }
        let mut chosen = Vec::with_capacity(names.len());
        for name in names {
            let at = self.locked(name)?;
            if !chosen.contains(&at) {
                chosen.push(at);
            }
        }
        Ok(chosen)
    }

    /// Begins a change of it.
    pub(crate) fn change(&self) -> Result<Change, Failure> {
        Change::begin(&self.directory).map_err(|error| io_failure("nothing was changed", &error))
    }

    /// A path of the command line relative to the lock, with `/`; `None` if it is outside, or the lock's own
    /// directory.
    pub(crate) fn inside(&self, path: &Path) -> Option<String> {
        let below = absolute(path).ok()?.strip_prefix(&self.directory).ok()?.to_owned();
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        parts.map(|parts| parts.join("/")).filter(|dir| !dir.is_empty())
    }

    /// A path as seen from the lock, beginning with `.`; `None` where no relative path leads there.
    pub(crate) fn seen_from_lock(&self, path: &Path) -> Option<String> {
        let ups = self.directory.ancestors().position(|above| path.starts_with(above))?;
        let below = path.strip_prefix(self.directory.ancestors().nth(ups)?).ok()?;
        let first = if ups == 0 { "." } else { ".." };
        let parts = std::iter::once(first).chain(std::iter::repeat_n("..", ups.saturating_sub(1)));
        let below: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        Some(parts.chain(below?).collect::<Vec<_>>().join("/"))
    }
}

/// Shows a plan, asks, and carries it out.
pub(crate) fn carry_out(
    plan: &[Planned],
    consent: Consent,
    form: Form,
    apply: impl FnOnce() -> io::Result<()>,
) -> Result<Outcome, Failure> {
    carry_out_but(plan, &[], consent, form, apply)
}

/// The same, where `left` can't be done: that is a failure, whatever is written.
pub(crate) fn carry_out_but(
    plan: &[Planned],
    left: &[Planned],
    consent: Consent,
    form: Form,
    apply: impl FnOnce() -> io::Result<()>,
) -> Result<Outcome, Failure> {
    let may_write = !plan.is_empty() && !consent.dry_run && !consent.locked;
    let is_wanted = may_write && (consent.yes || asked(form)?);
    if is_wanted {
        apply().map_err(|error| io_failure("nothing was changed", &error))?;
    }
    let is_fine = is_wanted || plan.is_empty() || (consent.dry_run && !consent.locked);
    let exit = if is_fine && left.is_empty() { Exit::Success } else { Exit::Nothing };
    if form == Form::Json {
        let line = |line: &Planned| json!({"name": line.name, "dir": line.dir, "action": line.action, "why": line.why});
        let planned: Vec<_> = plan.iter().map(line).collect();
        let mut document = json!({ "planned": planned, "written": is_wanted });
        if !left.is_empty() {
            document["left"] = left.iter().map(line).collect();
        }
        return Outcome::document(&document, exit);
    }
    if is_wanted {
        let done = plan.iter().map(|line| format!("{}: {}\n", line.dir, line.action));
        return Ok(Outcome::lines(&done.collect::<String>(), exit));
    }
    let advice = match (plan.is_empty(), consent.locked, consent.dry_run) {
        (true, ..) if !left.is_empty() => "",
        (true, ..) => ": there is nothing to do",
        (_, true, _) => ": --locked permits no change",
        (_, _, true) => "",
        _ => "; --yes writes without asking",
    };
    output::tell(&format!("note: nothing was written{advice}\n"));
    Ok(Outcome::silent(exit))
}

/// Asks on a terminal; elsewhere the answer is no.
fn asked(form: Form) -> Result<bool, Failure> {
    if form == Form::Json || !io::stdin().is_terminal() {
        return Ok(false);
    }
    output::tell("Write this? [y/N] ");
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(|error| io_failure("there is no answer", &error))?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// A path with every link above it resolved, also of what isn't there yet.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let mut real = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(real.pop()),
            Component::CurDir => {}
            other => real.push(other),
        }
        real = real.canonicalize().unwrap_or(real);
    }
    Ok(real)
}

/// The failure for a lock that can't be read; people see its lines too.
pub(crate) fn unreadable(findings: &[Finding], form: Form) -> Failure {
    if form == Form::Text {
        output::tell_findings(findings);
    }
    let (why, help) = findings.first().map_or(("", ""), |finding| (&finding.message, &finding.help));
    let place =
        findings.first().map(|finding| format!("{}:{}", finding.path, finding.line)).unwrap_or_default();
    Failure::other("LOCK_UNREADABLE", format!("the lock cannot be read: {place}: {why}"), help)
}

pub(crate) fn io_failure(what: &str, error: &io::Error) -> Failure {
    Failure::other("IO", format!("{what}: {}", why(error)), "look at the disk and its permissions")
}

fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull => "no space is left".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        // These are in words of ours.
        io::ErrorKind::AlreadyExists | io::ErrorKind::InvalidData if error.raw_os_error().is_none() => {
            error.to_string()
        }
        _ => in_words(error).to_owned(),
    }
}
