//! Refreshes when the file system reports a change. It is an ordinary refresh; an event only triggers it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecursiveMode, Watcher as _};

use super::changes::Changes;
use super::live::{LiveRegistry, WatchState};

/// How long it must be quiet before a refresh: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(100);

/// The longest delay of a refresh if it is never quiet.
const LONGEST: Duration = Duration::from_secs(2);

/// Watches the roots until it is dropped.
pub struct Watcher {
    notices: Sender<Notice>,
    state: Arc<WatchState>,
    thread: Option<thread::JoinHandle<()>>,
}

enum Notice {
    Changed,
    Stop,
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher").finish_non_exhaustive()
    }
}

/// The system refused to watch.
#[derive(Debug)]
pub struct WatchError {
    path: Option<PathBuf>,
    message: String,
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "`{}` cannot be watched: {}", path.display(), self.message),
            None => write!(f, "the disk cannot be watched: {}", self.message),
        }
    }
}

impl std::error::Error for WatchError {}

impl LiveRegistry {
    /// Refreshes when something below a root changes: 100 ms after the last event, but at least every 2 s
    /// during a burst. `on_change` is called with the changes, on a thread of its own. For a root that
    /// doesn't exist, the nearest existing directory above it is watched. Targets of symlinks outside a root
    /// aren't watched.
    ///
    /// # Errors
    ///
    /// If the system refuses, for example because it watches too much already.
    pub fn watch(
        self: &Arc<Self>,
        mut on_change: impl FnMut(Changes) + Send + 'static,
    ) -> Result<Watcher, WatchError> {
        let (notices, received) = mpsc::channel();
        let sender = notices.clone();
        let state = Arc::clone(&self.watch);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.map_or(true, |event| is_change(event.kind)) {
                state.changes.fetch_add(1, Ordering::AcqRel);
                // The receiver is gone while the watcher is being dropped.
                let _ = sender.send(Notice::Changed);
            }
        });
        let watcher = watcher.map_err(|error| WatchError { path: None, message: error.to_string() })?;
        let mut places = Places { watcher, watched: Vec::new() };
        places.follow(self)?;
        let state = Arc::clone(&self.watch);
        state.watchers.fetch_add(1, Ordering::AcqRel);
        // What changed before it was watched.
        state.changes.fetch_add(1, Ordering::AcqRel);
        let live = Arc::downgrade(self);
        let thread = thread::spawn(move || {
            while wait(&received) {
                let Some(live) = live.upgrade() else { return };
                // A root may have appeared or gone. If watching it fails, the next event tries again.
                let _ = places.follow(&live);
                let changes = live.refresh();
                if !changes.is_empty() {
                    on_change(changes);
                }
            }
        });
        Ok(Watcher { notices, state, thread: Some(thread) })
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.state.watchers.fetch_sub(1, Ordering::AcqRel);
        // If the receiver is gone, the thread has ended already.
        let _ = self.notices.send(Notice::Stop);
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != thread::current().id()
        {
            // If the host's function panicked, that was reported on the other thread.
            let _ = thread.join();
        }
    }
}

/// Whether an event may mean a change. Reading isn't one, and each refresh reads.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

/// Waits for a change and then until it is quiet. Returns `false` at the end.
fn wait(received: &Receiver<Notice>) -> bool {
    let Ok(Notice::Changed) = received.recv() else { return false };
    let first = Instant::now();
    loop {
        match received.recv_timeout(QUIET) {
            Ok(Notice::Changed) if first.elapsed() < LONGEST => {}
            Ok(Notice::Changed) | Err(RecvTimeoutError::Timeout) => return true,
            Ok(Notice::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

/// What is watched.
struct Places {
    watcher: notify::RecommendedWatcher,
    watched: Vec<(PathBuf, RecursiveMode)>,
}

impl Places {
    /// Watches the roots where they are now.
    fn follow(&mut self, live: &LiveRegistry) -> Result<(), WatchError> {
        let wanted: Vec<(PathBuf, RecursiveMode)> = live.roots().map(|root| place(root.path())).collect();
        let old = std::mem::take(&mut self.watched);
        for (path, _) in old.iter().filter(|place| !wanted.contains(place)) {
            // It may be gone, and then it isn't watched any more.
            let _ = self.watcher.unwatch(path);
        }
        for (path, mode) in wanted {
            // A directory that was deleted and created again must be watched again.
            let watching = self.watcher.watch(&path, mode);
            watching.map_err(|error| WatchError { path: Some(path.clone()), message: error.to_string() })?;
            self.watched.push((path, mode));
        }
        Ok(())
    }
}

/// What to watch for a root: all of it, or the nearest existing directory above it.
fn place(root: &Path) -> (PathBuf, RecursiveMode) {
    if root.is_dir() {
        return (root.to_owned(), RecursiveMode::Recursive);
    }
    let above = root.ancestors().skip(1).find(|dir| dir.is_dir());
    (above.unwrap_or(Path::new(".")).to_owned(), RecursiveMode::NonRecursive)
}

#[cfg(test)]
mod tests {
    use notify::event::{CreateKind, DataChange, Flag, ModifyKind};

    use super::*;

    #[test]
    fn reading_is_not_a_change() {
        for kind in [AccessKind::Any, AccessKind::Read, AccessKind::Open(AccessMode::Any)] {
            assert!(!is_change(EventKind::Access(kind)), "{kind:?}");
        }
        for kind in [
            EventKind::Any,
            EventKind::Other,
            EventKind::Access(AccessKind::Close(AccessMode::Write)),
            EventKind::Create(CreateKind::Any),
            EventKind::Modify(ModifyKind::Data(DataChange::Any)),
        ] {
            assert!(is_change(kind), "{kind:?}");
        }
        // Events were lost.
        assert!(is_change(notify::Event::new(EventKind::Other).set_flag(Flag::Rescan).kind));
    }
}
