//! `check --watch`: checks, and checks again whenever something is written that a check reads.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use same_file::Handle;
use skills_bundle::lock::LOCK_FILE;
use skills_bundle::render;
use skills_source::scan::{LeftOutReason, SKILL_FILE};

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

/// How the names of files end that are read beside skills too: commands, indexes and queries.
const BESIDE_SKILLS: [&str; 7] = ["md", "yaml", "yml", "json", "jsonl", "ndjson", "csv"];

/// Checks until somebody ends the program.
pub(super) fn run(global: &Global, args: &Check, form: Form) -> Result<Outcome, Failure> {
    refuse(args, form)?;
    let given = super::asked::Asked::new(&args.paths);
    let real = |root: &PathBuf| {
        root.canonicalize().map_err(|error| cannot_watch(root, &skills_source::scan::in_words(&error)))
    };
    let roots: Vec<PathBuf> = given.roots().iter().map(real).collect::<Result<_, _>>()?;
    let (sender, written) = mpsc::channel();
    let of_roots = roots.clone();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        if let Some(path) = written_path(event, &of_roots)
            && !is_own_output(&path)
        {
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

/// The path of something that was written and that a check may read. If the system lost count of what was written, it
/// is the first root.
fn written_path(event: notify::Result<Event>, roots: &[PathBuf]) -> Option<PathBuf> {
    let Some(event) = event.ok().filter(|event| !event.need_rescan()) else { return roots.first().cloned() };
    let is_change = matches!(
        event.kind,
        EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
    );
    let is_read = |path: &PathBuf| {
        let is_setting = path.file_name().is_some_and(|name| SETTINGS.iter().any(|known| name == *known));
        is_setting
            || roots.iter().any(|root| path.strip_prefix(root).is_ok_and(|below| is_looked_at(root, below)))
    };
    event.paths.into_iter().find(|path| is_change && is_read(path))
}

/// Whether a check looks at a path below a root: not at hidden names, and not at what tools make.
fn is_looked_at(root: &Path, below: &Path) -> bool {
    let mut path = root.to_owned();
    let mut names = below.iter().peekable();
    while let Some(name) = names.next() {
        path.push(name);
        let name = name.to_str().unwrap_or_default();
        if name.starts_with('.') {
            return false;
        }
        // The directory of a skill may have such a name, and a file too. What is gone may have been either.
        let next = names.peek();
        let is_directory = || next.is_some() || path.is_dir();
        let is_skill = || next.is_some_and(|next| *next == SKILL_FILE) || path.join(SKILL_FILE).exists();
        if LeftOutReason::GENERATED.contains(&name) && is_directory() && !is_skill() {
            return false;
        }
    }
    !is_nobodys(root, below)
}

/// Whether it is a plain file in no skill, of no kind that is read there. What is gone may have been anything.
fn is_nobodys(root: &Path, below: &Path) -> bool {
    let path = root.join(below);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is_skill = |directory: &Path| {
        [SKILL_FILE, "skill.md"].iter().any(|name| root.join(directory).join(name).symlink_metadata().is_ok())
    };
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
        && !BESIDE_SKILLS.contains(&ending.to_ascii_lowercase().as_str())
        && !below.ancestors().skip(1).any(is_skill)
}

/// Whether this program writes its findings there: each check would cause the next one.
fn is_own_output(path: &Path) -> bool {
    let is_plain = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    let Some(written) = is_plain.then(|| Handle::from_path(path).ok()).flatten() else { return false };
    [Handle::stdout(), Handle::stderr()].into_iter().flatten().any(|output| output == written)
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
    use notify::event::{AccessKind, CreateKind, Flag};

    use super::*;

    #[test]
    fn only_what_a_check_reads_is_waited_for() {
        let roots = [PathBuf::from("/w/skills"), PathBuf::from("/w/.claude/skills")];
        let read = |path: &str| {
            let event = Event::new(EventKind::Create(CreateKind::Any)).add_path(PathBuf::from(path));
            written_path(Ok(event), &roots).is_some()
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
        assert_eq!(written_path(Ok(opened), &roots), None, "each check reads");
    }

    #[test]
    fn when_events_were_lost_it_is_checked_again() {
        let roots = [PathBuf::from("/w/skills"), PathBuf::from("/w/.claude/skills")];
        let lost = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert_eq!(written_path(Ok(lost), &roots), Some(roots[0].clone()));
        assert_eq!(written_path(Err(notify::Error::generic("overflow")), &roots), Some(roots[0].clone()));
        assert_eq!(written_path(Ok(Event::new(EventKind::Other)), &roots), None);
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "tests make their own files")]
    fn what_tools_make_is_not_waited_for() {
        let dir = tempfile::tempdir().expect("a directory");
        let root = dir.path();
        for made in ["target", "venv/lib", "pdf/__pycache__", "group/target"] {
            std::fs::create_dir_all(root.join(made)).expect("made");
        }
        std::fs::write(root.join("group/target/SKILL.md"), "").expect("written");
        for below in
            ["target", "target/debug/a.d", "node_modules/x/index.js", "venv/lib", "pdf/__pycache__/a.pyc"]
        {
            assert!(!is_looked_at(root, Path::new(below)), "{below}");
        }
        // A skill may be called like that, a file too, and a root is looked at by any name.
        for below in ["group/target/guide.md", "venv/SKILL.md", "group/venv", "targets/a"] {
            assert!(is_looked_at(root, Path::new(below)), "{below}");
        }
        assert!(is_looked_at(&root.join("target"), Path::new("pdf/SKILL.md")));
        // A file is a skill's, or of a kind that is read beside skills.
        for file in
            ["w.log", "group/w.log", "group/target/w.log", "group/a.Json", "group/deploy.command.yaml"]
        {
            std::fs::write(root.join(file), "").expect("written");
        }
        for (below, is_read) in [
            ("w.log", false),
            ("group/w.log", false),
            ("group/target/w.log", true),
            ("group/a.Json", true),
            ("group/deploy.command.yaml", true),
            ("group/is-gone.log", true),
        ] {
            assert_eq!(is_looked_at(root, Path::new(below)), is_read, "{below}");
        }
    }
}
