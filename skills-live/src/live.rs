//! A registry with overlays, shared between threads.
//!
//! It answers from the current snapshot, and looks at the disk as [`Freshness`] says: at one skill when that is
//! loaded, at all roots when skills are listed. One thread looks; others answer from the snapshot meanwhile.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;

use super::changes::{self, Changes};
use super::freshness::Freshness;
use super::layer::{Layer, Looked};
use super::overlays::Overlays;
use super::root::Root;
use super::sealed::Sealed;
use super::snapshot::Snapshot;
use skills_core::{ActionError, Look, OwnedReply, Registry};

/// The bundle and its overlays, shared between threads.
///
/// Reading never waits: [`snapshot`](Self::snapshot) returns what is served now, and
/// [`refresh`](Self::refresh) replaces it. [`answer`](Self::answer), [`call`](Self::call) and the others look at
/// the disk first, as [`Freshness`] says.
#[derive(Debug)]
pub struct LiveRegistry {
    overlays: Overlays,
    current: ArcSwap<Snapshot>,
    layers: Mutex<Vec<Layer>>,
    opened: Instant,
    /// When the last look at all roots began and when something wasn't found, in microseconds since `opened`.
    looked: AtomicU64,
    missed: AtomicU64,
    /// How many watchers there are, and whether one has seen a change.
    pub(super) watch: Arc<WatchState>,
}

/// What watchers have seen.
#[derive(Debug, Default)]
pub(super) struct WatchState {
    pub(super) watchers: AtomicUsize,
    pub(super) changes: AtomicU64,
}

/// The shortest time between two looks at the disk because of something that wasn't found.
const BETWEEN_MISSES: Duration = Duration::from_millis(100);

/// Nothing was missed yet.
const NEVER: u64 = u64::MAX;

impl Overlays {
    /// Reads the roots. This doesn't fail: a missing root is empty until it appears, and
    /// [`Snapshot::findings`] and [`Snapshot::diagnostics`] report what is broken.
    pub fn open(self) -> LiveRegistry {
        let sealed = Arc::new(Sealed::of(self.bundles().filter(|_| self.is_sealed())));
        let layers = self.roots().cloned().map(|root| Layer::open(root, Arc::clone(&sealed)));
        let layers: Vec<Layer> = layers.collect();
        LiveRegistry::new(self, layers)
    }
}

/// What is served of these layers, one for each root.
fn served(overlays: &Overlays, layers: &[Layer]) -> Snapshot {
    let packed = layers.iter().map(|layer| Arc::clone(&layer.packed)).collect();
    Snapshot::new(overlays.clone(), packed)
}

impl LiveRegistry {
    fn new(overlays: Overlays, layers: Vec<Layer>) -> Self {
        let snapshot = served(&overlays, &layers);
        Self {
            overlays,
            current: ArcSwap::from_pointee(snapshot),
            layers: Mutex::new(layers),
            opened: Instant::now(),
            looked: AtomicU64::new(0),
            missed: AtomicU64::new(NEVER),
            watch: Arc::default(),
        }
    }

    /// Returns what is served now. Never waits, and doesn't look at the disk.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Calls `ask` with the current registry, fresh as [`Freshness`] says. If a skill that it asks for has
    /// changed, or something isn't found or listed that may be on disk by now, looks at the disk and calls `ask`
    /// once more.
    ///
    /// # Errors
    ///
    /// The error of `ask`.
    pub fn answer<T>(
        &self,
        mut ask: impl FnMut(&Registry<'_>) -> Result<T, ActionError>,
    ) -> Result<T, ActionError> {
        let freshness = self.overlays.freshness;
        if freshness == Freshness::EachCall {
            self.refresh();
        }
        let snapshot = self.snapshot();
        let look = Look::default();
        let answer = match freshness {
            Freshness::Within(_) => ask(&snapshot.registry().with_look(&look)),
            Freshness::EachCall | Freshness::ByHand => ask(&snapshot.registry()),
        };
        if look.saw_change() {
            self.refresh();
            return ask(&self.snapshot().registry());
        }
        // What a session remembers is answered once: asked again, it would answer that it has been sent.
        if look.was_remembered() {
            return answer;
        }
        let due_after = |age| {
            if look.saw_command() { Some(Duration::ZERO) } else { look.saw_list().then_some(age) }
        };
        if let Freshness::Within(age) = freshness
            && due_after(age).is_some_and(|age| self.is_due(age))
        {
            if look.saw_command() { drop(self.refresh()) } else { self.try_refresh() }
        } else if freshness != Freshness::ByHand
            && matches!(&answer, Err(error) if error.is_not_found())
            && self.may_look_for_a_miss()
        {
            self.refresh();
        } else {
            return answer;
        }
        let now = self.snapshot();
        if Arc::ptr_eq(&snapshot, &now) { answer } else { ask(&now.registry()) }
    }

    /// Answers a raw tool call, as [`Registry::call`] does, fresh as [`Freshness`] says.
    pub fn call(&self, json: &str) -> OwnedReply {
        self.reply(|registry| registry.call(json).into())
    }

    /// Answers a call of a tool by name, as [`Registry::call_tool`] does, fresh as [`Freshness`] says.
    pub fn call_tool(&self, tool: &str, arguments: &str) -> Option<OwnedReply> {
        self.reply_if(|registry| registry.call_tool(tool, arguments).map(Into::into))
    }

    /// As [`call`](Self::call), with a call that `ask` makes, for example in a session. `ask` may be called
    /// twice.
    pub fn reply(&self, mut ask: impl FnMut(&Registry<'_>) -> OwnedReply) -> OwnedReply {
        let reply = self.reply_if(|registry| Some(ask(registry)));
        // It is always given: `ask` gives one.
        reply.unwrap_or_else(|| OwnedReply::of_error(ActionError::internal("no answer".to_owned())))
    }

    /// As [`reply`](Self::reply), for an `ask` that may have no answer, such as
    /// [`Session::call_tool`](skills_core::Session::call_tool).
    pub fn reply_if(&self, mut ask: impl FnMut(&Registry<'_>) -> Option<OwnedReply>) -> Option<OwnedReply> {
        let mut last = None;
        let answer = self.answer(|registry| {
            last = None;
            let reply = ask(registry);
            match reply.as_ref().and_then(|reply| reply.error.clone()) {
                Some(error) => {
                    last = reply;
                    Err(error)
                }
                None => Ok(reply),
            }
        });
        answer.unwrap_or(last)
    }

    /// Checks the roots, reads what has changed, and serves it from now on. If nothing has changed, no file
    /// is opened. A skill that an edit broke keeps its last good version, marked stale.
    ///
    /// Readers don't wait for a refresh; concurrent refreshes run one after another.
    pub fn refresh(&self) -> Changes {
        // A panic in another thread leaves each layer intact, since a layer is replaced in one step.
        self.refresh_locked(&mut self.layers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// As [`refresh`](Self::refresh), unless another thread is looking.
    fn try_refresh(&self) {
        match self.layers.try_lock() {
            Ok(mut layers) => drop(self.refresh_locked(&mut layers)),
            Err(TryLockError::Poisoned(poisoned)) => drop(self.refresh_locked(&mut poisoned.into_inner())),
            Err(TryLockError::WouldBlock) => {}
        }
    }

    fn refresh_locked(&self, layers: &mut [Layer]) -> Changes {
        self.watch.changes.store(0, Ordering::Release);
        self.looked.store(self.now(), Ordering::Relaxed);
        let looks: Vec<Looked> = layers.iter_mut().map(Layer::refresh).collect();
        if looks.iter().all(|look| *look == Looked::Same) {
            return Changes::default();
        }
        let before = self.snapshot();
        let now = Arc::new(served(&self.overlays, layers));
        self.current.store(Arc::clone(&now));
        if looks.contains(&Looked::Changed) { changes::between(&before, &now) } else { Changes::default() }
    }

    /// Whether the last look at all roots is too old. With a watcher, only a change that it has seen counts.
    fn is_due(&self, age: Duration) -> bool {
        if self.watch.watchers.load(Ordering::Acquire) > 0 {
            return self.watch.changes.load(Ordering::Acquire) > 0;
        }
        let age = u64::try_from(age.as_micros()).unwrap_or(u64::MAX);
        self.now().saturating_sub(self.looked.load(Ordering::Relaxed)) >= age
    }

    /// Whether something that isn't found may cause a look at the disk now. Each yes is noted.
    fn may_look_for_a_miss(&self) -> bool {
        let (now, between) = (self.now(), BETWEEN_MISSES.as_micros() as u64);
        let is_due = |last: u64| last == NEVER || now.saturating_sub(last) >= between;
        let noted = self
            .missed
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| is_due(last).then_some(now));
        noted.is_ok()
    }

    /// Microseconds since it was opened.
    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(u64::MAX - 1)
    }

    /// The roots in order of precedence, without the bundle.
    pub fn roots(&self) -> impl Iterator<Item = &Root> {
        self.overlays.roots()
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and writes what it reads"
)]
mod tests {
    use std::fs;
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    /// While one thread looks at the disk, it holds the lock of the layers.
    #[test]
    fn one_looks_and_the_others_answer() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            fs::create_dir_all(dir.path().join(name)).unwrap();
            let text = format!("---\nname: {name}\ndescription: A skill\n---\n");
            fs::write(dir.path().join(name).join("SKILL.md"), text).unwrap();
        };
        write("one");
        let overlays = Overlays::without_bundle().root(Root::new(dir.path()));
        let live = overlays.freshness(Freshness::Within(Duration::ZERO)).open();
        let names = || {
            let list = |registry: &Registry<'_>| Ok(registry.list().skills.len());
            live.answer(list).unwrap()
        };
        assert_eq!(names(), 1);
        write("two");
        let looking = live.layers.lock().unwrap();
        thread::scope(|scope| {
            let (sender, answers) = mpsc::channel();
            for _ in 0..4 {
                let sender = sender.clone();
                scope.spawn(move || sender.send(names()).unwrap());
            }
            // Had they waited, none would come.
            let answered = (0..4).map(|_| answers.recv_timeout(Duration::from_secs(60)));
            let answered: Vec<usize> = answered.flatten().collect();
            drop(looking);
            assert_eq!(answered, [1; 4]);
        });
        assert_eq!(names(), 2);
    }
}
