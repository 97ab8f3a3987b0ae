//! Eight threads that read, alone and while another one edits and refreshes: what a reader waits for.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bench_harness::failure::{Outcome, failure};
use bench_harness::tree::{self, Tree};
use skills::live::LiveRegistry;

use crate::material::open;

const READERS: usize = 8;
const LASTS: Duration = Duration::from_secs(5);

/// The table of it.
pub fn measure(tree: &Tree) -> Outcome<String> {
    let live = open(&tree.root);
    let names: Vec<String> =
        live.snapshot().registry().skills().iter().map(|entry| entry.skill.name().to_owned()).collect();
    let (alone, _) = read(&live, &names, |_| Ok(()))?;
    let mut tree = tree.clone();
    let mut number = 0;
    let (beside, refreshes) = read(&live, &names, |live| {
        number += 1;
        tree::edit(&mut tree, number)?;
        if live.refresh().changed.len() == 1 {
            Ok(())
        } else {
            Err(failure("a refresh did not see its edit"))
        }
    })?;
    let mut text = format!(
        "\n## {READERS} readers during refreshes\n\nEach takes a snapshot, finds a skill and loads its text, for {} s: alone, then \
         while another thread edits a skill and refreshes without a pause ({} refreshes, one takes {:.1} ms). A processor \
         is shared by several readers, so the slowest calls are those in which a reader had none.\n\n\
         | µs a call | median | of 1,000 the slowest |\n| --- | ---: | ---: |\n",
        LASTS.as_secs(),
        refreshes,
        LASTS.as_secs_f64() * 1e3 / f64::max(refreshes as f64, 1.0),
    );
    for (label, mut times) in [("alone", alone), ("beside refreshes", beside)] {
        times.sort_unstable();
        let at = |share: usize| {
            times.get(times.len() * share / 1_000).map_or(0.0, |time| time.as_secs_f64() * 1e6)
        };
        let _ = writeln!(text, "| {label} | {:.1} | {:.1} |", at(500), at(999));
    }
    Ok(text)
}

/// The time of each call of all readers, and how often `beside` ran.
fn read(
    live: &LiveRegistry,
    names: &[String],
    mut beside: impl FnMut(&LiveRegistry) -> Outcome<()>,
) -> Outcome<(Vec<Duration>, usize)> {
    let done = AtomicBool::new(false);
    let reader = |first: usize| {
        let mut times = Vec::new();
        for name in names.iter().cycle().skip(first * 97) {
            if done.load(Ordering::Relaxed) {
                break;
            }
            let started = Instant::now();
            let text = live.snapshot().registry().load(name).map(|loaded| loaded.text());
            times.push(started.elapsed());
            std::hint::black_box(text.ok());
        }
        times
    };
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS).map(|number| scope.spawn(move || reader(number))).collect();
        let (started, mut count) = (Instant::now(), 0);
        let mut outcome = Ok(());
        while started.elapsed() < LASTS && outcome.is_ok() {
            outcome = beside(live);
            count += 1;
            if count == 1 && started.elapsed() < Duration::from_millis(1) {
                thread::sleep(LASTS);
            }
        }
        done.store(true, Ordering::Relaxed);
        let times = readers.into_iter().map(|reader| reader.join().map_err(|_| failure("a reader stopped")));
        let times: Vec<Vec<Duration>> = times.collect::<Outcome<_>>()?;
        outcome.map(|()| (times.concat(), count))
    })
}
