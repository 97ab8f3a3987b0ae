//! Where calls that wait to be confirmed, and long results, are kept if several processes serve one user.
//!
//! Without a store of the host's, calls wait in memory ([`waiting`](super::waiting)), and long results are in files
//! of this process ([`results`](super::results)).

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use skills_pack::text::Hex;

use super::binding::TIMEOUT;
use super::error::{CallError, ErrorCode};
use super::random;
use super::results::{self, Output, Piece, no_such_handle, past_the_end};

/// Keeps values for calls that wait to be confirmed, and for long results, where all processes of a service find
/// them: in Redis or in a database, for example. [`Handlers::store`](super::Handlers::store) takes one.
///
/// Keys are at most 100 ASCII letters, digits and `/`, and don't reveal tokens or handles. An operation that takes
/// longer than ten seconds fails. If one fails, the call fails: nothing counts as confirmed by mistake. Its error is
/// logged (`tracing`), and the model isn't told it.
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Mutex;
/// use std::time::{Duration, Instant};
///
/// use skills_handlers::{Store, Storing};
///
/// /// A store that several sets of handlers of one process share. A real one also drops what has expired, and the
/// /// oldest values of an owner who has many.
/// #[derive(Default)]
/// struct Memory(Mutex<HashMap<String, (Vec<u8>, Instant)>>);
///
/// impl Store for Memory {
///     fn put<'s>(&'s self, _owner: &'s str, key: &'s str, value: Vec<u8>, lifetime: Duration) -> Storing<'s, ()> {
///         self.0.lock().unwrap().insert(key.to_owned(), (value, Instant::now() + lifetime));
///         Box::pin(std::future::ready(Ok(())))
///     }
///
///     fn get<'s>(&'s self, key: &'s str) -> Storing<'s, Option<Vec<u8>>> {
///         let all = self.0.lock().unwrap();
///         let value = all.get(key).filter(|(_, until)| Instant::now() < *until).map(|(value, _)| value.clone());
///         Box::pin(std::future::ready(Ok(value)))
///     }
///
///     fn remove<'s>(&'s self, key: &'s str) -> Storing<'s, bool> {
///         let removed = self.0.lock().unwrap().remove(key).is_some();
///         Box::pin(std::future::ready(Ok(removed)))
///     }
/// }
///
/// # fn demo(registry: &skills::Registry<'_>) -> Result<(), skills_handlers::BindError> {
/// let handlers = skills_handlers::Handlers::new(registry).store(Memory::default());
/// # Ok(())
/// # }
/// # assert!(demo(&skills::Registry::empty()).is_ok());
/// ```
pub trait Store: Send + Sync + 'static {
    /// Keeps a value of this user under a new key, for this long. A store should bound what it keeps of one
    /// `owner`, by dropping that owner's oldest values.
    fn put<'s>(&'s self, owner: &'s str, key: &'s str, value: Vec<u8>, lifetime: Duration)
    -> Storing<'s, ()>;

    /// The value under a key, unless it expired.
    fn get<'s>(&'s self, key: &'s str) -> Storing<'s, Option<Vec<u8>>>;

    /// Removes a key, and returns whether it was there. If several callers remove one key at the same time, only one
    /// of them gets `true`: a confirmation serves one call.
    fn remove<'s>(&'s self, key: &'s str) -> Storing<'s, bool>;
}

/// The future of an operation of a [`Store`].
pub type Storing<'s, T> = Pin<Box<dyn Future<Output = Result<T, Box<dyn Error + Send + Sync>>> + Send + 's>>;

/// How long a long result is kept.
const RESULTS_LAST: Duration = Duration::from_secs(24 * 60 * 60);

/// A store, with the names of keys and the time limit.
#[derive(Clone)]
pub(super) struct Shelf(Arc<dyn Store>);

impl Shelf {
    pub(super) fn new(store: impl Store) -> Self {
        Self(Arc::new(store))
    }

    /// Keeps what a token confirms.
    pub(super) async fn wait(
        &self,
        token: &str,
        call: &[u8; 32],
        user: &str,
        lifetime: Duration,
    ) -> Result<(), CallError> {
        let key = key("confirmation", &[token]);
        in_time(self.0.put(user, &key, call.to_vec(), lifetime), CONFIRMATION_FAILED).await
    }

    /// Whether a token confirms this call, which it then does no more.
    pub(super) async fn redeem(&self, token: &str, call: &[u8; 32]) -> Result<bool, CallError> {
        let key = key("confirmation", &[token]);
        let kept = in_time(self.0.get(&key), CONFIRMATION_FAILED).await?;
        if kept.as_deref() != Some(call.as_slice()) {
            return Ok(false);
        }
        in_time(self.0.remove(&key), CONFIRMATION_FAILED).await
    }

    /// The whole result if it has at most `limit` characters; else its beginning, with the whole stored.
    pub(super) async fn fit(&self, text: String, limit: usize, user: &str) -> Result<Output, CallError> {
        let Some((cut, _)) = text.char_indices().nth(limit) else { return Ok(Output::new(text)) };
        let handle = random::hex::<16>().map_err(|_| failed(RESULT_NOT_STORED))?;
        let rest = results::rest(&text, format!("result-{handle}"), text.chars().count(), limit);
        let begun = text[..cut].to_owned();
        let key = key("result", &[user, &rest.handle]);
        in_time(self.0.put(user, &key, text.into_bytes(), RESULTS_LAST), RESULT_NOT_STORED).await?;
        Ok(Output { text: begun, rest: Some(rest) })
    }

    /// Reads on in a long result of this user.
    pub(super) async fn read(
        &self,
        handle: &str,
        offset: usize,
        limit: usize,
        user: &str,
    ) -> Result<Piece, CallError> {
        let handle = handle.trim();
        let kept = in_time(self.0.get(&key("result", &[user, handle])), RESULT_NOT_READ).await?;
        let text =
            kept.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(|| no_such_handle(handle))?;
        let total_chars = text.chars().count();
        if offset > total_chars {
            return Err(past_the_end(offset, total_chars));
        }
        let next = offset.saturating_add(limit);
        Ok(Piece {
            handle: handle.to_owned(),
            text: text.chars().skip(offset).take(limit).collect(),
            total_chars,
            next_offset: (next < total_chars).then_some(next),
        })
    }
}

/// An error's message and suggestion.
type Said = (&'static str, &'static str);

const CONFIRMATION_FAILED: Said =
    ("the call was not run, since its confirmation cannot be kept or looked up", "try again later");
const RESULT_NOT_STORED: Said = (
    "the call has run, but its result is too long to be shown whole and cannot be stored",
    "ask for less, so that the result does not have to be stored",
);
const RESULT_NOT_READ: Said = ("the result cannot be read", "try again later, or make the call again");

async fn in_time<T>(operation: Storing<'_, T>, said: Said) -> Result<T, CallError> {
    let why = match tokio::time::timeout(TIMEOUT, operation).await {
        Ok(Ok(done)) => return Ok(done),
        Ok(Err(error)) => error.to_string(),
        Err(_) => format!("it took longer than {TIMEOUT:?}"),
    };
    tracing::error!(why, "the store of confirmations and long results failed");
    Err(failed(said).because("the store failed"))
}

fn failed((message, suggestion): Said) -> CallError {
    CallError::new(ErrorCode::Failed, message, suggestion)
}

/// A key for secrets, which it doesn't reveal. Each part is preceded by its length.
fn key(kind: &str, parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    format!("{kind}/{}", Hex(&hasher.finalize()))
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}
