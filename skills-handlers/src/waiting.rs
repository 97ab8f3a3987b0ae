//! The calls that wait to be confirmed: a limited number for each user, each for its lifetime.
//!
//! The calls of one user never displace those of another. Every operation takes constant time: the oldest call is
//! always known, and expired calls are dropped as new ones come.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use tokio::time::Instant;

/// How many calls of one user may wait at once; beyond that, the user's oldest call is dropped.
pub(super) const MAX_WAITING: usize = 100;

/// The most entries of answered calls in the queue before they are removed.
const STALE: usize = 1_000;

#[derive(Debug, Default)]
pub(super) struct Waiting {
    calls: HashMap<String, Call>,
    /// The tokens of each user, in the order in which they were made.
    users: HashMap<Arc<str>, BTreeMap<u64, String>>,
    /// All tokens in the order in which they were made and expire, including those of some answered calls.
    queue: VecDeque<(Instant, String)>,
    made: u64,
}

#[derive(Debug)]
struct Call {
    digest: [u8; 32],
    until: Instant,
    user: Arc<str>,
    number: u64,
}

impl Waiting {
    /// Adds a call.
    pub(super) fn add(&mut self, token: String, digest: [u8; 32], user: &str, now: Instant, until: Instant) {
        self.drop_expired(now);
        let user = match self.users.get_key_value(user) {
            Some((user, _)) => Arc::clone(user),
            None => Arc::from(user),
        };
        let number = self.made;
        self.made += 1;
        let mine = self.users.entry(Arc::clone(&user)).or_default();
        mine.insert(number, token.clone());
        let oldest = if mine.len() > MAX_WAITING { mine.pop_first() } else { None };
        if let Some((_, oldest)) = oldest {
            self.calls.remove(&oldest);
        }
        self.queue.push_back((until, token.clone()));
        self.calls.insert(token, Call { digest, until, user, number });
        if self.queue.len() > 2 * self.calls.len() + STALE {
            let calls = &self.calls;
            self.queue.retain(|(_, token)| calls.contains_key(token));
        }
    }

    /// Removes a call if the token is for it. Returns whether it was still waiting.
    pub(super) fn take(&mut self, token: &str, digest: [u8; 32], now: Instant) -> bool {
        let is_this = self.calls.get(token).is_some_and(|call| call.digest == digest);
        is_this && self.remove(token).is_some_and(|call| now < call.until)
    }

    fn drop_expired(&mut self, now: Instant) {
        while self.queue.front().is_some_and(|(until, _)| *until <= now) {
            if let Some((_, token)) = self.queue.pop_front() {
                self.remove(&token);
            }
        }
    }

    fn remove(&mut self, token: &str) -> Option<Call> {
        let call = self.calls.remove(token)?;
        if let Some(mine) = self.users.get_mut(&call.user) {
            mine.remove(&call.number);
            if mine.is_empty() {
                self.users.remove(&call.user);
            }
        }
        Some(call)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const DIGEST: [u8; 32] = [7; 32];

    fn add(waiting: &mut Waiting, token: &str, user: &str, now: Instant) {
        waiting.add(token.to_owned(), DIGEST, user, now, now + Duration::from_secs(60));
    }

    #[test]
    fn one_user_takes_no_place_of_another() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        add(&mut waiting, "ada", "ada", now);
        for number in 0..10_000 {
            add(&mut waiting, &format!("eve-{number}"), "eve", now);
        }
        assert_eq!((waiting.calls.len(), waiting.users["eve"].len()), (MAX_WAITING + 1, MAX_WAITING));
        assert!(waiting.queue.len() < 2 * MAX_WAITING + STALE + 3);
        assert!(waiting.take("ada", DIGEST, now) && !waiting.take("ada", DIGEST, now));
        // Her own oldest call was dropped, and the newest one waits.
        assert!(!waiting.take("eve-9899", DIGEST, now) && waiting.take("eve-9900", DIGEST, now));
        assert!(!waiting.take("eve-9999", [8; 32], now) && waiting.take("eve-9999", DIGEST, now));
    }

    #[test]
    fn an_answered_call_makes_room() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        add(&mut waiting, "first", "ada", now);
        for number in 0..10 * MAX_WAITING {
            let token = number.to_string();
            add(&mut waiting, &token, "ada", now);
            assert!(waiting.take(&token, DIGEST, now));
        }
        assert!(waiting.take("first", DIGEST, now));
        assert!(waiting.users.is_empty() && waiting.calls.is_empty());
    }

    #[test]
    fn what_expired_is_dropped() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        for number in 0..1_000 {
            add(&mut waiting, &number.to_string(), &format!("user-{number}"), now);
        }
        let later = now + Duration::from_secs(60);
        assert!(!waiting.take("5", DIGEST, later));
        add(&mut waiting, "new", "ada", later);
        assert_eq!((waiting.calls.len(), waiting.users.len(), waiting.queue.len()), (1, 1, 1));
        assert!(waiting.take("new", DIGEST, later));
    }

    /// A hundred times as many users take about as long a call: the least of several tries, with a wide
    /// margin for a busy machine.
    #[test]
    fn the_time_of_a_call_does_not_grow() {
        let time = |users: usize| {
            let (mut waiting, now) = (Waiting::default(), Instant::now());
            for number in 0..users * MAX_WAITING {
                add(&mut waiting, &format!("old-{number}"), &format!("user-{}", number % users), now);
            }
            let tries = (0..5).map(|round| {
                let begun = std::time::Instant::now();
                for number in 0..2_000 {
                    add(&mut waiting, &format!("{round}-{number}"), "user-0", now);
                }
                begun.elapsed()
            });
            tries.min().unwrap_or_default()
        };
        let (few, many) = (time(10), time(1_000));
        assert!(many < 20 * few + Duration::from_millis(5), "{few:?} {many:?}");
    }
}
