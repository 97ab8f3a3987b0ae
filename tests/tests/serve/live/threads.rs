//! A registry shared by threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use skills::live::Overlays;
use skills_tests::SKILLS;
use skills_tests::disk;

use super::{root, summary, write_skill};

const READERS: usize = 8;
const REFRESHES: usize = 1_000;

/// Two skills always have the same version in the root, so they must in every answer too.
#[test]
fn every_answer_is_of_one_whole_version() {
    let dir = disk::temp();
    let write = |version: usize| {
        for name in ["one", "two"] {
            write_skill(&dir, name, name, &format!("Version {version}"));
        }
        // A skill that exists in every other version.
        if version.is_multiple_of(2) {
            write_skill(&dir, "even", "even", &format!("Version {version}"));
        } else {
            super::remove_all(&dir.path().join("skills/even"));
        }
    };
    write(0);
    let live = Overlays::over(&SKILLS).root(root(&dir)).open();
    let (done, answers) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..READERS {
            scope.spawn(|| {
                let mut last = 0;
                while !done.load(Ordering::Relaxed) {
                    let snapshot = live.snapshot();
                    let registry = snapshot.registry();
                    let body =
                        |name: &str| registry.load(name).map(|loaded| loaded.instructions.into_owned());
                    let (one, two, even) = (body("one"), body("two"), body("even").ok());
                    let one = one.expect("it is always there");
                    assert_eq!(Some(&one), two.as_ref().ok());
                    let version: usize = one.trim_start_matches("Version ").parse().expect("a number");
                    assert_eq!(even, version.is_multiple_of(2).then_some(one), "half of a change");
                    assert!(version >= last, "{version} after {last}");
                    last = version;
                    assert_eq!(registry.list().skills.len(), registry.skills().len());
                    answers.fetch_add(1, Ordering::Relaxed);
                    thread::yield_now();
                }
            });
        }
        for version in 1..=REFRESHES {
            write(version);
            let expected = if version.is_multiple_of(2) { "+even ~one ~two" } else { "~one ~two -even" };
            assert_eq!(summary(&live.refresh()), expected);
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(answers.load(Ordering::Relaxed) >= READERS, "every reader was answered");
}

/// Concurrent refreshes: exactly one of them reports each change.
#[test]
fn a_change_is_reported_once() {
    let dir = disk::temp();
    write_skill(&dir, "one", "one", "0");
    let live = Overlays::without_bundle().root(root(&dir)).open();
    for version in 1..=50 {
        write_skill(&dir, "one", "one", &version.to_string());
        let reported: Vec<bool> = thread::scope(|scope| {
            let refreshing: Vec<_> = (0..4).map(|_| scope.spawn(|| !live.refresh().is_empty())).collect();
            refreshing.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert_eq!(reported.iter().filter(|was_reported| **was_reported).count(), 1);
    }
}
