//! Refreshing when the file system reports a change (feature `watch`). An event may be late on a busy
//! machine, so the tests wait long.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use skills::Registry;
use skills::live::{Changes, Freshness, LiveRegistry, Overlays, Root, Watcher};
use skills_tests::disk::{self, TempDir};

use super::{names, open, remove_all, write_skill};

const LONG: Duration = Duration::from_secs(60);

fn watch(dir: &TempDir) -> (Arc<LiveRegistry>, Watcher, Receiver<Changes>) {
    let live = Arc::new(open(dir));
    let (sender, changes) = mpsc::channel();
    let watcher = live.watch(move |changes| sender.send(changes).unwrap_or_default());
    (live, watcher.unwrap_or_else(|error| panic!("the disk cannot be watched: {error}")), changes)
}

/// Waits until these names are served.
fn wait_for(live: &LiveRegistry, changes: &Receiver<Changes>, expected: &[&str]) {
    let started = Instant::now();
    while names(live) != expected {
        let left = LONG.checked_sub(started.elapsed());
        let left =
            left.unwrap_or_else(|| panic!("{expected:?} were waited for, {:?} are served", names(live)));
        changes
            .recv_timeout(left)
            .unwrap_or_else(|_| panic!("{expected:?} were waited for, {:?} are served", names(live)));
    }
}

#[test]
fn changes_are_served() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let (live, watcher, changes) = watch(&dir);
    write_skill(&dir, "beta", "beta", "Two");
    wait_for(&live, &changes, &["alpha", "beta"]);
    // Deep down, in a directory that didn't exist before.
    write_skill(&dir, "group/sub/gamma", "gamma", "Three");
    wait_for(&live, &changes, &["alpha", "beta", "gamma"]);
    remove_all(&dir.path().join("skills/alpha"));
    wait_for(&live, &changes, &["beta", "gamma"]);
    write_skill(&dir, "beta", "other", "Two");
    wait_for(&live, &changes, &["gamma", "other"]);
    drop(watcher);
    assert!(changes.recv().is_err(), "nobody tells any more");
    write_skill(&dir, "late", "late", "Four");
    assert_eq!(names(&live), ["gamma", "other"]);
}

#[test]
fn a_root_that_comes_goes_and_comes_again_is_watched() {
    let dir = disk::temp();
    let (live, _watcher, changes) = watch(&dir);
    write_skill(&dir, "alpha", "alpha", "One");
    wait_for(&live, &changes, &["alpha"]);
    write_skill(&dir, "beta", "beta", "Two");
    wait_for(&live, &changes, &["alpha", "beta"]);
    remove_all(&dir.path().join("skills"));
    wait_for(&live, &changes, &[]);
    write_skill(&dir, "gamma", "gamma", "Three");
    wait_for(&live, &changes, &["gamma"]);
    write_skill(&dir, "delta", "delta", "Four");
    wait_for(&live, &changes, &["delta", "gamma"]);
}

/// The watcher doesn't see that another directory is in the root's place, since that happened above it. So only a look
/// at the disk finds the new one.
#[cfg(target_os = "linux")]
#[test]
fn a_list_looks_at_the_disk_only_after_an_event() {
    let around = disk::temp();
    let place = |at: usize| around.path().join(format!("place/{at}"));
    let served = around.path().join("served");
    for (at, name) in ["one", "two", "three"].into_iter().enumerate() {
        disk::write(&place(at), "skills/any/SKILL.md", disk::skill_md(name, "A skill"));
    }
    let put = |at: usize| super::rename(&place(at), &served);
    let take = |at: usize| super::rename(&served, &place(at));
    put(0);
    let root = Root::new(served.join("skills"));
    let overlays = Overlays::without_bundle().root(root).freshness(Freshness::Within(Duration::ZERO));
    let live = Arc::new(overlays.open());
    let listed = || {
        let list = |registry: &Registry<'_>| Ok(registry.list().skills[0].skill.name().to_owned());
        live.answer(list).expect("it is served")
    };
    // Without a watcher, each list looks.
    take(0);
    put(1);
    assert_eq!(listed(), "two");
    let watcher = live.watch(drop).unwrap_or_else(|error| panic!("the disk cannot be watched: {error}"));
    assert_eq!(listed(), "two", "what changed before is looked at");
    take(1);
    put(2);
    for _ in 0..3 {
        assert_eq!(listed(), "two", "there was no event");
    }
    disk::write(&place(1), "skills/any/noise.txt", "an event");
    let started = Instant::now();
    while listed() != "three" {
        assert!(started.elapsed() < LONG, "nobody looked after an event");
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(watcher);
    take(2);
    put(0);
    assert_eq!(listed(), "one", "without a watcher, each list looks again");
}

/// If it is never quiet, it still refreshes.
#[test]
fn noise_does_not_hide_a_change() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let (live, _watcher, changes) = watch(&dir);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                noise(dir.path());
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        write_skill(&dir, "beta", "beta", "Two");
        wait_for(&live, &changes, &["alpha", "beta"]);
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

fn noise(dir: &Path) {
    disk::write(dir, "skills/alpha/log.txt", "x");
}

#[test]
fn the_registry_need_not_outlive_its_watcher() {
    let dir = disk::temp();
    write_skill(&dir, "alpha", "alpha", "One");
    let (live, watcher, changes) = watch(&dir);
    drop(live);
    write_skill(&dir, "beta", "beta", "Two");
    // The thread ends at the next event, or with the watcher.
    let _ = changes.recv_timeout(Duration::from_millis(300));
    drop(watcher);
    assert!(changes.recv().is_err());
}
