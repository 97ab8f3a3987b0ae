//! The store of calls that wait to be confirmed, unless the host has one: in memory, a limited number for each user,
//! each for its lifetime.
//!
//! The calls of one user never displace those of another. Every operation takes constant time: the oldest call is
//! always known, and expired calls are dropped as new ones come.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::future::ready;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use super::lock::lock;
use super::store::{Store, Storing};

/// How many calls of one user may wait at once; beyond that, the user's oldest call is dropped.
pub(super) const MAX_WAITING: usize = 100;

/// The most entries of answered calls in the queue before they are removed.
const STALE: usize = 1_000;

#[derive(Debug, Default)]
pub(super) struct Waiting {
    calls: HashMap<String, Call>,
    /// The keys of each user, in the order in which they were made.
    users: HashMap<Arc<str>, BTreeMap<u64, String>>,
    /// All keys in the order in which they were made and expire, including those of some answered calls.
    queue: VecDeque<(Instant, String)>,
    made: u64,
}

#[derive(Debug)]
struct Call {
    value: Vec<u8>,
    until: Instant,
    user: Arc<str>,
    number: u64,
}

impl Waiting {
    fn add(&mut self, key: String, value: Vec<u8>, user: &str, now: Instant, until: Instant) {
        self.drop_expired(now);
        let user = match self.users.get_key_value(user) {
            Some((user, _)) => Arc::clone(user),
            None => Arc::from(user),
        };
        let number = self.made;
        self.made += 1;
        let mine = self.users.entry(Arc::clone(&user)).or_default();
        mine.insert(number, key.clone());
        let oldest = if mine.len() > MAX_WAITING { mine.pop_first() } else { None };
        if let Some((_, oldest)) = oldest {
            self.calls.remove(&oldest);
        }
        self.queue.push_back((until, key.clone()));
        self.calls.insert(key, Call { value, until, user, number });
        if self.queue.len() > 2 * self.calls.len() + STALE {
            let calls = &self.calls;
            self.queue.retain(|(_, key)| calls.contains_key(key));
        }
    }

    fn get(&self, key: &str, now: Instant) -> Option<&[u8]> {
        self.calls.get(key).filter(|call| now < call.until).map(|call| call.value.as_slice())
    }

    /// Removes a call. Returns whether it was still waiting.
    fn take(&mut self, key: &str, now: Instant) -> bool {
        self.remove(key).is_some_and(|call| now < call.until)
    }

    fn drop_expired(&mut self, now: Instant) {
        while self.queue.front().is_some_and(|(until, _)| *until <= now) {
            if let Some((_, key)) = self.queue.pop_front() {
                self.remove(&key);
            }
        }
    }

    fn remove(&mut self, key: &str) -> Option<Call> {
        let call = self.calls.remove(key)?;
        if let Some(mine) = self.users.get_mut(&call.user) {
            mine.remove(&call.number);
            if mine.is_empty() {
                self.users.remove(&call.user);
            }
        }
        Some(call)
    }
}

impl Store for Mutex<Waiting> {
    fn put<'s>(
        &'s self,
        owner: &'s str,
        key: &'s str,
        value: Vec<u8>,
        lifetime: Duration,
    ) -> Storing<'s, ()> {
        let now = Instant::now();
        // A lifetime beyond the clock's range is cut to a hundred years.
        let until = now.checked_add(lifetime).unwrap_or(now + FOR_EVER);
        lock(self).add(key.to_owned(), value, owner, now, until);
        Box::pin(ready(Ok(())))
    }

    fn get<'s>(&'s self, key: &'s str) -> Storing<'s, Option<Vec<u8>>> {
        Box::pin(ready(Ok(lock(self).get(key, Instant::now()).map(<[u8]>::to_vec))))
    }

    fn remove<'s>(&'s self, key: &'s str) -> Storing<'s, bool> {
        Box::pin(ready(Ok(lock(self).take(key, Instant::now()))))
    }
}

/// A hundred years.
const FOR_EVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

#[cfg(test)]
mod tests {
    use super::*;

    fn add(waiting: &mut Waiting, key: &str, user: &str, now: Instant) {
        waiting.add(key.to_owned(), key.into(), user, now, now + Duration::from_secs(60));
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
        assert!(waiting.take("ada", now) && !waiting.take("ada", now));
        // Her own oldest call was dropped, and the newest one waits.
        assert!(!waiting.take("eve-9899", now) && waiting.take("eve-9900", now));
        assert_eq!(waiting.get("eve-9999", now), Some(b"eve-9999".as_slice()));
        assert!(waiting.take("eve-9999", now) && waiting.get("eve-9999", now).is_none());
    }

    #[test]
    fn an_answered_call_makes_room() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        add(&mut waiting, "first", "ada", now);
        for number in 0..10 * MAX_WAITING {
            let token = number.to_string();
            add(&mut waiting, &token, "ada", now);
            assert!(waiting.take(&token, now));
        }
        assert!(waiting.take("first", now));
        assert!(waiting.users.is_empty() && waiting.calls.is_empty());
    }

    #[test]
    fn what_expired_is_dropped() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        for number in 0..1_000 {
            add(&mut waiting, &number.to_string(), &format!("user-{number}"), now);
        }
        let later = now + Duration::from_secs(60);
        assert!(waiting.get("5", later).is_none() && !waiting.take("5", later));
        add(&mut waiting, "new", "ada", later);
        assert_eq!((waiting.calls.len(), waiting.users.len(), waiting.queue.len()), (1, 1, 1));
        assert!(waiting.take("new", later));
    }

    /// If a call took longer the more calls wait, this would take hours.
    #[test]
    fn the_time_of_a_call_does_not_grow() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        for number in 0..200_000 {
            add(&mut waiting, &number.to_string(), &format!("user-{}", number % 100_000), now);
        }
        for number in 0..200_000 {
            add(&mut waiting, &format!("new-{number}"), "user-0", now);
            assert!(waiting.take(&format!("new-{number}"), now));
        }
        assert_eq!(waiting.calls.len(), 200_000);
    }
}
