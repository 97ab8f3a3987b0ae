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

use skills_pack::text::Hex;

use super::binding::TIMEOUT;
use super::digest::Digest;
use super::error::{CallError, ErrorCode};
use super::execute::beside;
use super::output::{Output, Piece, Rest};
use super::panics;
use super::random;
use super::results::{no_such_handle, past_the_end};

/// Keeps values for calls that wait to be confirmed, and for long results, where all processes of a service find
/// them: in Redis or in a database, for example. [`Handlers::store`](super::Handlers::store) takes one.
///
/// Keys are at most 100 ASCII letters, digits and `/`, and don't reveal tokens or handles. Values are at most 16 MiB: a
/// longer result is an error of its call. An operation that panics or takes longer than ten seconds fails. If one
/// fails, the call fails: nothing counts as confirmed by mistake. Its error is logged (`tracing`), and the model isn't
/// told it.
///
/// ```
/// use std::time::Duration;
///
/// use skills_handlers::{Store, Storing};
/// # struct Client;
/// # impl Client {
/// #     async fn set(&self, _: &str, _: Vec<u8>, _: Duration) -> Result<(), std::io::Error> { Ok(()) }
/// #     async fn get(&self, _: &str) -> Result<Option<Vec<u8>>, std::io::Error> { Ok(None) }
/// #     async fn delete(&self, _: &str) -> Result<u64, std::io::Error> { Ok(0) }
/// # }
///
/// /// A store in Redis, by the client that the program uses anyway.
/// struct Redis(Client);
///
/// impl Store for Redis {
///     fn put<'s>(&'s self, _owner: &'s str, key: &'s str, value: Vec<u8>, lifetime: Duration) -> Storing<'s, ()> {
///         Box::pin(async move { Ok(self.0.set(key, value, lifetime).await?) })
///     }
///
///     fn get<'s>(&'s self, key: &'s str) -> Storing<'s, Option<Vec<u8>>> {
///         Box::pin(async move { Ok(self.0.get(key).await?) })
///     }
///
///     fn remove<'s>(&'s self, key: &'s str) -> Storing<'s, bool> {
///         // Of several deletes of one key, one counts it.
///         Box::pin(async move { Ok(self.0.delete(key).await? > 0) })
///     }
/// }
///
/// # fn demo(registry: &skills::Registry<'_>) -> Result<(), skills_handlers::BindError> {
/// # let client = Client;
/// let handlers = skills_handlers::Handlers::new(registry).store(Redis(client));
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

/// The largest value that is stored, in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// How long a long result is kept.
const RESULTS_LAST: Duration = Duration::from_secs(24 * 60 * 60);

/// A store, with the names of keys and the time limit.
#[derive(Clone)]
pub(super) struct SharedStore(Arc<dyn Store>);

impl SharedStore {
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
        let value = [call.as_slice(), &Digest::of(&[user])].concat();
        in_time(|| self.0.put(user, &key, value, lifetime), CONFIRMATION_FAILED).await
    }

    /// Whether a token confirms this call, which it then does no more.
    pub(super) async fn redeem(&self, token: &str, call: &[u8; 32]) -> Result<bool, CallError> {
        self.spend(token, |kept| kept.get(..call.len()) == Some(call)).await
    }

    /// Whether a token waited for this user, which it then does no more.
    pub(super) async fn decline(&self, token: &str, user: &str) -> Result<bool, CallError> {
        self.spend(token, |kept| kept.get(32..) == Some(&Digest::of(&[user]))).await
    }

    async fn spend(&self, token: &str, is_meant: impl Fn(&[u8]) -> bool) -> Result<bool, CallError> {
        let key = key("confirmation", &[token]);
        let kept = in_time(|| self.0.get(&key), CONFIRMATION_FAILED).await?;
        if !kept.is_some_and(|kept| is_meant(&kept)) {
            return Ok(false);
        }
        in_time(|| self.0.remove(&key), CONFIRMATION_FAILED).await
    }

    /// The whole result if it has at most `limit` characters; else its beginning, with the whole stored.
    pub(super) async fn fit(&self, text: String, limit: usize, user: &str) -> Result<Output, CallError> {
        if text.len() > MOST_BYTES {
            let message = format!(
                "the call has run, but its result of {} bytes is more than can be stored",
                text.len()
            );
            let suggestion = "ask for less: narrow the request or set a limit";
            return Err(CallError::new(ErrorCode::Failed, message, suggestion));
        }
        let handle = random::hex::<16>().map_err(|_| failed(RESULT_NOT_STORED))?;
        let handle = format!("result-{handle}");
        let key = key("result", &[user, &handle]);
        // Counting the characters and items of a long text takes a while.
        let work = beside(TIMEOUT, move || cut(text, limit, handle)).await;
        match work.map_err(|_| failed(RESULT_NOT_STORED))? {
            (output, None) => Ok(output),
            (output, Some(whole)) => {
                in_time(|| self.0.put(user, &key, whole, RESULTS_LAST), RESULT_NOT_STORED).await?;
                Ok(output)
            }
        }
    }

    /// Reads on in a long result of this user.
    pub(super) async fn read(
        &self,
        handle: &str,
        offset: usize,
        limit: usize,
        user: &str,
    ) -> Result<Piece, CallError> {
        let handle = handle.trim().to_owned();
        let key = key("result", &[user, &handle]);
        let kept = in_time(|| self.0.get(&key), RESULT_NOT_READ).await?;
        let work = beside(TIMEOUT, move || piece(kept, handle, offset, limit)).await;
        work.map_err(|_| failed(RESULT_NOT_READ))?
    }
}

/// The beginning of a long text, and the whole to be stored.
fn cut(text: String, limit: usize, handle: String) -> (Output, Option<Vec<u8>>) {
    let Some((cut, _)) = text.char_indices().nth(limit) else { return (Output::new(text), None) };
    let rest = Rest::of(&text, handle, text.chars().count(), limit);
    let output = Output { text: text[..cut].to_owned(), rest: Some(rest) };
    (output, Some(text.into_bytes()))
}

/// A piece of a stored result.
fn piece(kept: Option<Vec<u8>>, handle: String, offset: usize, limit: usize) -> Result<Piece, CallError> {
    let text = kept.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(|| no_such_handle(&handle))?;
    let total_chars = text.chars().count();
    if offset > total_chars {
        return Err(past_the_end(offset, total_chars));
    }
    let next = offset.saturating_add(limit);
    Ok(Piece {
        handle,
        text: text.chars().skip(offset).take(limit).collect(),
        total_chars,
        next_offset: (next < total_chars).then_some(next),
    })
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

async fn in_time<'s, T: 's>(operation: impl FnOnce() -> Storing<'s, T>, said: Said) -> Result<T, CallError> {
    let (why, own_code) = match tokio::time::timeout(TIMEOUT, panics::catch_async(operation)).await {
        Ok(Ok(Ok(done))) => return Ok(done),
        Ok(Ok(Err(error))) => (error.to_string(), None),
        Ok(Err(panic)) => (format!("it panicked: {panic}"), Some("STORE_PANICKED")),
        Err(_) => (format!("it took longer than {TIMEOUT:?}"), None),
    };
    tracing::error!(why, "the store of confirmations and long results failed");
    Err(failed(said).coded(own_code).because("the store failed"))
}

fn failed((message, suggestion): Said) -> CallError {
    CallError::new(ErrorCode::Failed, message, suggestion)
}

/// A key for secrets, which it doesn't reveal.
fn key(kind: &str, parts: &[&str]) -> String {
    format!("{kind}/{}", Hex(&Digest::of(parts)))
}

impl fmt::Debug for SharedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}
