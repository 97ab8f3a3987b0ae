//! `check --watch`: checks, and checks again whenever something is written that a check reads.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use skills_bundle::lock::LOCK_FILE;
use skills_bundle::render;

use super::is_for_programs;
use crate::args::{Check, Global};
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::{self, Outcome};

/// How long it must be quiet before the next check: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(100);

/// The longest delay of a check if it is never quiet.
const LONGEST: Duration = Duration::from_secs(2);

/// The files beside the roots that decide what a check finds.
const SETTINGS: [&str; 4] = ["Cargo.toml", LOCK_FILE, ".gitignore", ".gitattributes"];

/// Checks until somebody ends the program.
pub(super) fn run(global: &Global, args: &Check, form: Form) -> Result<Outcome, Failure> {
    refuse(args, form)?;
    let given = super::roots(&args.paths);
    let real = |root: &PathBuf| root.canonicalize().map_err(|error| cannot_watch(root, &error));
    let roots: Vec<PathBuf> = given.iter().map(real).collect::<Result<_, _>>()?;
    let (sender, written) = mpsc::channel();
    let of_roots = roots.clone();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        if let Some(path) = event.ok().and_then(|event| written_path(event, &of_roots)) {
            // Nobody receives it while the program ends.
            let _ = sender.send(path);
        }
    });
    let mut watcher = watcher.map_err(|error| cannot_watch(&roots[0], &error))?;
    for root in &roots {
        watch(&mut watcher, root).map_err(|error| cannot_watch(root, &error))?;
    }
    loop {
        // Everything that people read of it is printed by it.
        super::once(global, args, form)?;
        output::note("note: watching for changes; Ctrl-C ends it\n");
        let Some(path) = wait(&written) else { return Ok(Outcome::silent(Exit::Success)) };
        output::note(&format!("\nnote: `{}` has changed\n", render::escape(&shown(&path))));
        for root in &roots {
            // One that was removed may have been made again; while it is gone, the directory above it is watched.
            let _ = watch(&mut watcher, root);
        }
    }
}

/// Refuses what prints one document, and what is read only once.
fn refuse(args: &Check, form: Form) -> Result<(), Failure> {
    let other = match args.format {
        _ if args.paths.iter().any(|path| path == Path::new("-")) => "-",
        _ if form == Form::Json => "--json",
        Some(format) if is_for_programs(format) => "--format",
        _ => return Ok(()),
    };
    let message = format!("`--watch` cannot be used with `{other}`");
    Err(Failure::usage(message, "watch directories, and print findings for people, `full` or `concise`"))
}

fn cannot_watch(root: &Path, error: &impl std::fmt::Display) -> Failure {
    let message = format!("`{}` cannot be watched: {error}", root.display());
    Failure::other("IO", message, "give a directory that exists, or check it without --watch")
}

/// Watches a root, the directory above it, and those from which its settings come.
fn watch(watcher: &mut RecommendedWatcher, root: &Path) -> notify::Result<()> {
    for (number, above) in root.ancestors().skip(1).enumerate() {
        if number == 0 || SETTINGS.iter().any(|name| above.join(name).is_file()) {
            watcher.watch(above, RecursiveMode::NonRecursive)?;
        }
    }
    watcher.watch(root, RecursiveMode::Recursive)
}

/// The path of something that was written and that a check may read.
fn written_path(event: Event, roots: &[PathBuf]) -> Option<PathBuf> {
    let is_change = matches!(
        event.kind,
        EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
    );
    let is_read = |path: &PathBuf| {
        let is_setting = path.file_name().is_some_and(|name| SETTINGS.iter().any(|known| name == *known));
        is_setting || roots.iter().any(|root| path.strip_prefix(root).is_ok_and(is_looked_at))
    };
    event.paths.into_iter().find(|path| is_change && is_read(path))
}

/// Whether a check looks at a path below a root: not at hidden names.
fn is_looked_at(below: &Path) -> bool {
    let is_hidden = |name: &str| name.starts_with('.');
    !below.components().any(|part| part.as_os_str().to_str().is_some_and(is_hidden))
}

/// Waits until something was written, and then until it is quiet. `None` if nothing is watched any more.
fn wait(written: &Receiver<PathBuf>) -> Option<PathBuf> {
    let path = written.recv().ok()?;
    let first = Instant::now();
    loop {
        match written.recv_timeout(QUIET) {
            Ok(_) if first.elapsed() < LONGEST => {}
            Ok(_) | Err(RecvTimeoutError::Timeout) => return Some(path),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// A path from the working directory, if it is below it.
fn shown(path: &Path) -> String {
    let working = env::current_dir().and_then(|working| working.canonicalize()).unwrap_or_default();
    path.strip_prefix(working).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, CreateKind};

    use super::*;

    #[test]
    fn only_what_a_check_reads_is_waited_for() {
        let roots = [PathBuf::from("/w/skills"), PathBuf::from("/w/.claude/skills")];
        let read = |path: &str| {
            let event = Event::new(EventKind::Create(CreateKind::Any)).add_path(PathBuf::from(path));
            written_path(event, &roots).is_some()
        };
        for path in [
            "/w/skills",
            "/w/skills/pdf/SKILL.md",
            "/w/.claude/skills/x.md",
            "/w/Cargo.toml",
            "/skill-sources.lock",
        ] {
            assert!(read(path), "{path}");
        }
        for path in ["/w", "/w/README.md", "/w/skills/.git/index", "/w/skills2/a"] {
            assert!(!read(path), "{path}");
        }
        let opened =
            Event::new(EventKind::Access(AccessKind::Any)).add_path(PathBuf::from("/w/skills/pdf/SKILL.md"));
        assert_eq!(written_path(opened, &roots), None, "each check reads");
    }
}
