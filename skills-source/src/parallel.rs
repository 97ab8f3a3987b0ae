//! Runs one piece of work for many items on all processors.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Fewer items than this are not worth a thread.
const WORTH_A_THREAD: usize = 32;

/// How many portions a thread takes, one after the other: those that are slow, or have a slow processor,
/// then keep nobody waiting for long.
const PORTIONS: usize = 8;

/// How many threads so many items are worth.
fn threads_for(items: usize) -> usize {
    // Linux reads several files to answer, which takes longer than the work for a few items.
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    let worth = items / WORTH_A_THREAD;
    if worth < 2 {
        return worth;
    }
    let processors = PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get));
    worth.min(*processors)
}

/// The results of `work` for each item, in the items' order.
pub fn map<'i, T: Sync, R: Send>(items: &'i [T], work: impl Fn(&'i T) -> R + Sync) -> Vec<R> {
    let threads = threads_for(items.len());
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

/// The results of `work` for each of a few portions of the items, in order: one for each processor, if they are
/// worth a thread.
pub fn portions<'i, T: Sync, R: Send>(items: &'i [T], work: impl Fn(&'i [T]) -> R + Sync) -> Vec<R> {
    let threads = threads_for(items.len()).max(1);
    let mut portions = items.chunks(items.len().div_ceil(threads).max(1));
    let Some(first) = portions.next() else { return Vec::new() };
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = portions.map(|portion| scope.spawn(move || work(portion))).collect();
        let mut done = vec![work(first)];
        done.extend(
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))),
        );
        done
    })
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
    fn portions_are_in_order_and_hold_each_item_once() {
        for count in [0, 1, 31, 64, 65, 1000] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(portions(&items, <[usize]>::to_vec).concat(), items);
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
