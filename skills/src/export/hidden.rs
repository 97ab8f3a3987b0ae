//! The hidden names of what is only there for a moment. Each has the number of its process, so that two runs don't
//! disturb each other.

use std::sync::atomic::{AtomicU32, Ordering};

const START: &str = ".skills-export-";
/// The end of what is being written.
pub(super) const NEW: &str = "tmp";

/// How the end of what was in a place begins; the name of the place follows.
pub(super) const OLD: &str = "old.";

/// The directory for the new version of a skill that stays. It is hidden, so that no agent reads it.
pub(super) fn beside(name: &str) -> String {
    format!(".{name}.new")
}

/// Whether a directory is one for a new version.
pub(super) fn is_beside(name: &str) -> bool {
    name.starts_with('.') && name.strip_suffix(".new").is_some()
}

/// A hidden name that nobody else uses, for something that is being written.
pub(super) fn temporary() -> String {
    hidden(NEW)
}

/// A hidden name with this end that nobody else uses.
pub(super) fn hidden(end: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{START}{}-{number}.{end}", std::process::id())
}

/// Whether a name is one of these hidden ones.
pub(super) fn is_temporary(name: &str) -> bool {
    parsed(name).is_some()
}

/// The process of a hidden name, and its end.
pub(super) fn parsed(name: &str) -> Option<(u32, &str)> {
    let (numbers, end) = name.strip_prefix(START)?.split_once('.')?;
    let process = numbers.split_once('-')?.0.parse().ok()?;
    Some((process, end))
}

/// Whether a process may still be at work.
#[cfg(unix)]
pub(super) fn is_running(process: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    // A process of another user can't be asked, but is there.
    process.is_some_and(|process| test_kill_process(process) != Err(rustix::io::Errno::SRCH))
}

/// This system doesn't say: what an interrupted run has left stays.
#[cfg(not(unix))]
pub(super) fn is_running(_: u32) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_name_has_its_process() {
        let process = std::process::id();
        assert_eq!(parsed(&temporary()), Some((process, "tmp")));
        assert_eq!(parsed(&hidden("old.a.b")), Some((process, "old.a.b")));
        for name in ["note", ".skills-export.json", ".skills-export-x-1.tmp", ".skills-export-1.tmp"] {
            assert!(!is_temporary(name), "{name}");
        }
        assert!(is_running(process));
    }
}
