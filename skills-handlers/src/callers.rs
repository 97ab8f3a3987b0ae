//! What the callers of an MCP server leave behind: their long results, and the trace of their conversation.
//!
//! Each caller has a store, and all of them together have a limit: the caller who was away longest makes room. A caller
//! without long results takes no place.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::lock::lock;
use super::results::ResultStore;

/// The most callers whose results are kept.
const MOST_CALLERS: usize = 256;

/// The largest size of the results of one caller, in bytes.
const CALLER_LIMIT: u64 = 256 * 1024 * 1024;

/// The largest size of all results, in bytes.
const LIMIT: u64 = 1024 * 1024 * 1024;

/// How long the results of a caller are kept after the last call.
const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The stores of callers, by name.
#[derive(Debug, Default)]
pub(super) struct Callers(Mutex<HashMap<String, Caller>>);

#[derive(Debug)]
struct Caller {
    store: ResultStore,
    last_call: Instant,
    /// Calls that are running. Until they end, the caller keeps the place.
    running: usize,
}

/// The store of a caller during a call.
#[derive(Debug)]
pub(super) struct Visit<'c> {
    callers: &'c Callers,
    name: String,
    pub(super) store: ResultStore,
}

impl Callers {
    /// The store of this caller.
    pub(super) fn begin(&self, name: &str) -> Visit<'_> {
        let mut callers = lock(&self.0);
        let caller = callers.entry(name.to_owned()).or_insert_with(|| Caller {
            store: ResultStore::of_caller(CALLER_LIMIT),
            last_call: Instant::now(),
            running: 0,
        });
        caller.running += 1;
        Visit { callers: self, name: name.to_owned(), store: caller.store.clone() }
    }

    /// Ends a call, and removes the stores that are no longer kept.
    fn end(&self, name: &str, now: Instant) -> Vec<Caller> {
        let mut callers = lock(&self.0);
        if let Some(caller) = callers.get_mut(name) {
            caller.running -= 1;
            caller.last_call = now;
        }
        let mut removed: Vec<Caller> = Vec::new();
        loop {
            let bytes: u64 = callers.values().map(|caller| caller.store.bytes()).sum();
            // A call that runs without having left a result takes no place of others.
            let kept = callers.values().filter(|caller| caller.store.bytes() > 0).count();
            let is_full = kept > MOST_CALLERS || bytes > LIMIT;
            let idle = callers.iter().filter(|(_, caller)| caller.running == 0);
            let oldest = idle.min_by_key(|(_, caller)| (caller.store.bytes() > 0, caller.last_call));
            let gone = oldest.filter(|(_, caller)| {
                is_full || caller.store.bytes() == 0 || now.duration_since(caller.last_call) > LIFETIME
            });
            let Some(caller) = gone.map(|(name, _)| name.clone()).and_then(|name| callers.remove(&name))
            else {
                return removed;
            };
            removed.push(caller);
        }
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        let removed = self.callers.end(&self.name, Instant::now());
        // Deleting files may take long.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if removed.iter().any(|caller| caller.store.bytes() > 0) => {
                drop(runtime.spawn_blocking(|| drop(removed)));
            }
            _ => drop(removed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::fit;
    use super::*;

    fn leave(visit: &Visit<'_>, bytes: usize) -> String {
        fit("x".repeat(bytes), 1, &visit.store).unwrap().take().rest.unwrap().handle
    }

    fn is_kept(callers: &Callers, name: &str, handle: &str) -> bool {
        callers.begin(name).store.read(handle, 0, 1).is_ok()
    }

    fn count(callers: &Callers) -> usize {
        lock(&callers.0).len()
    }

    #[test]
    fn a_caller_finds_their_results_and_takes_no_place_without_any() {
        let callers = Callers::default();
        let handle = leave(&callers.begin("ada"), 10);
        for number in 0..2 * MOST_CALLERS {
            drop(callers.begin(&format!("user-{number}")));
        }
        assert_eq!(count(&callers), 1);
        assert!(is_kept(&callers, "ada", &handle) && !is_kept(&callers, "eve", &handle));
    }

    #[test]
    fn calls_that_run_without_a_result_take_no_place_of_others() {
        let callers = Callers::default();
        let handle = leave(&callers.begin("ada"), 10);
        let running: Vec<Visit<'_>> =
            (0..MOST_CALLERS).map(|number| callers.begin(&format!("user-{number}"))).collect();
        drop(callers.begin("another"));
        assert_eq!(count(&callers), running.len() + 1);
        assert!(is_kept(&callers, "ada", &handle));
    }

    #[test]
    fn the_caller_who_was_away_longest_makes_room() {
        let callers = Callers::default();
        let first = leave(&callers.begin("first"), 10);
        let second = leave(&callers.begin("second"), 10);
        // This one's call is still running.
        let running = callers.begin("running");
        let third = leave(&running, 10);
        for number in 0..MOST_CALLERS - 3 {
            leave(&callers.begin(&format!("user-{number}")), 10);
        }
        assert!(is_kept(&callers, "first", &first));
        leave(&callers.begin("another"), 10);
        assert_eq!(count(&callers), MOST_CALLERS);
        assert!(!is_kept(&callers, "second", &second) && is_kept(&callers, "first", &first));
        assert!(running.store.read(&third, 0, 1).is_ok());
    }

    #[test]
    fn a_day_after_the_last_call_nothing_is_kept() {
        let callers = Callers::default();
        let handle = leave(&callers.begin("ada"), 10);
        assert!(is_kept(&callers, "ada", &handle));
        let now = Instant::now();
        let bob = callers.begin("bob");
        leave(&bob, 10);
        assert!(callers.end("bob", now).is_empty());
        let removed = callers.end("nobody", now + LIFETIME + Duration::from_secs(1));
        assert_eq!((removed.len(), count(&callers)), (2, 0));
        std::mem::forget(bob);
    }
}
