//! Runs one piece of work for many items on all processors.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Fewer items than this are not worth a thread.
const WORTH_A_THREAD: usize = 32;

/// How many portions a thread takes, one after the other: those that are slow, or have a slow processor,
/// then keep nobody waiting for long.
const PORTIONS: usize = 8;

/// The results of `work` for each item, in the items' order.
pub fn map<'i, T: Sync, R: Send>(items: &'i [T], work: impl Fn(&'i T) -> R + Sync) -> Vec<R> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = processors.min(items.len() / WORTH_A_THREAD);
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let portions: Vec<&'i [T]> = items.chunks(items.len().div_ceil(threads * PORTIONS)).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done: Vec<(usize, Vec<R>)> = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(portion) = portions.get(at) else { return done };
            done.push((at, portion.iter().map(&work).collect()));
        }
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut done = take();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        for count in [0, 1, 31, 64, 1000] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(map(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn uneven_work_keeps_the_order_too() {
        let items: Vec<u64> = (0..500).collect();
        let slow = |item: &u64| {
            if item.is_multiple_of(97) {
                thread::sleep(std::time::Duration::from_millis(2));
            }
            item + 1
        };
        assert_eq!(map(&items, slow), (1..501).collect::<Vec<_>>());
    }

    #[test]
    #[should_panic(expected = "item 301")]
    fn a_panic_is_passed_on() {
        let items: Vec<u32> = (0..500).collect();
        map(&items, |item| assert!(*item != 301, "item {item}"));
    }
}
