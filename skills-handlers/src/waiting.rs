//! The store of calls that wait to be confirmed, unless the host has one: in memory, a limited number for each user,
//! each for its lifetime.
//!
//! The calls of one user never displace those of another. However many calls wait, every operation is quick: a user's
//! oldest call and the one that expires next are always known, and expired calls are dropped as new ones come.

use std::collections::{BTreeMap, HashMap};
use std::future::ready;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use super::lock::lock;
use super::store::{Store, Storing};

/// How many calls of one user may wait at once; beyond that, the user's oldest call is dropped.
pub(super) const MAX_WAITING: usize = 100;

#[derive(Debug, Default)]
pub(super) struct Waiting {
    calls: HashMap<String, Call>,
    /// The keys of each user, in the order in which they were made.
    users: HashMap<Arc<str>, BTreeMap<u64, String>>,
    /// All keys, in the order in which they expire, then in that in which they were made.
    expiring: BTreeMap<(Instant, u64), String>,
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
        self.remove(&key);
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
            self.remove(&oldest);
        }
        self.expiring.insert((until, number), key.clone());
        self.calls.insert(key, Call { value, until, user, number });
    }

    fn get(&self, key: &str, now: Instant) -> Option<&[u8]> {
        self.calls.get(key).filter(|call| now < call.until).map(|call| call.value.as_slice())
    }

    /// Removes a call. Returns whether it was still waiting.
    fn take(&mut self, key: &str, now: Instant) -> bool {
        self.remove(key).is_some_and(|call| now < call.until)
    }

    fn drop_expired(&mut self, now: Instant) {
        while let Some(next) = self.expiring.first_entry().filter(|next| next.key().0 <= now) {
            let key = next.remove();
            self.remove(&key);
        }
    }

    fn remove(&mut self, key: &str) -> Option<Call> {
        let call = self.calls.remove(key)?;
        self.expiring.remove(&(call.until, call.number));
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
        assert_eq!(waiting.expiring.len(), MAX_WAITING + 1);
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
        assert!(waiting.users.is_empty() && waiting.calls.is_empty() && waiting.expiring.is_empty());
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
        assert_eq!((waiting.calls.len(), waiting.users.len(), waiting.expiring.len()), (1, 1, 1));
        assert!(waiting.take("new", later));
    }

    /// One with a short life isn't kept by those before it that live longer.
    #[test]
    fn calls_expire_in_the_order_of_their_lifetimes() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        for (key, seconds) in [("long", 300), ("short", 10), ("middle", 60), ("short again", 10)] {
            waiting.add(key.to_owned(), key.into(), "ada", now, now + Duration::from_secs(seconds));
        }
        let keys = |waiting: &Waiting| waiting.calls.len();
        add(&mut waiting, "new", "bob", now + Duration::from_secs(11));
        assert_eq!((keys(&waiting), waiting.users["ada"].len(), waiting.expiring.len()), (3, 2, 3));
        add(&mut waiting, "newer", "bob", now + Duration::from_secs(61));
        assert_eq!((keys(&waiting), waiting.users["ada"].len()), (3, 1));
        assert!(waiting.take("long", now + Duration::from_secs(61)));
    }

    /// A key that is put again has one value, and one place.
    #[test]
    fn a_key_is_there_once() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        add(&mut waiting, "key", "ada", now);
        waiting.add("key".to_owned(), b"other".into(), "bob", now, now + Duration::from_secs(10));
        assert_eq!((waiting.calls.len(), waiting.users.len(), waiting.expiring.len()), (1, 1, 1));
        assert_eq!(waiting.get("key", now), Some(b"other".as_slice()));
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
