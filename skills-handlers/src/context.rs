//! What differs from user to user and from call to call: who asks, where, and with what at hand.
//!
//! Handlers keep no state. All that one knows of its caller it finds here, and two calls share only
//! what the host put into both of their contexts.

use std::any::{Any, TypeId};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use super::error::{CallError, ErrorCode};
use super::random;
use super::results::{Output, ResultStore};

/// Who calls, and what the host gives them: made once a conversation, or once a call.
///
/// A clone is cheap and is the same conversation: it has the same trace id and the same stored results.
///
/// ```
/// use skills_handlers::Context;
///
/// struct Database(&'static str);
///
/// let context = Context::new("ada").role("editor").working_dir("/srv/ada").with(Database("ada.db"));
/// assert!(context.has_role("editor"));
/// assert_eq!(context.get::<Database>().map(|database| database.0), Some("ada.db"));
/// assert_eq!(context.trace_id().len(), 32);
/// ```
#[derive(Clone)]
pub struct Context {
    caller: Arc<Caller>,
    call: Option<Arc<Call>>,
    /// The turn of the model that a call is made in, from 1; 0 outside of the loop.
    step: usize,
}

#[derive(Clone)]
struct Caller {
    user: String,
    roles: BTreeSet<String>,
    working_dir: PathBuf,
    trace_id: String,
    extensions: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    results: ResultStore,
}

/// Answers the calls that a handler makes. The bindings are one: they know contexts, and contexts know only this.
pub(super) trait Callee: Send + Sync {
    /// Makes a call as the user of the context.
    fn call<'c>(self: Arc<Self>, skill: &'c str, arguments: &'c str, context: &'c Context) -> Answer<'c>;
}

/// The result of a call, once it is there.
pub(super) type Answer<'c> = Pin<Box<dyn Future<Output = Result<Output, CallError>> + Send + 'c>>;

/// The call that a handler is in.
struct Call {
    callee: Arc<dyn Callee>,
    depth: u32,
    cancelled: AtomicBool,
    /// Wakes what waits for `cancelled`.
    told: Notify,
    /// The call that this one is made from: what ends with it is given up too.
    from: Option<Arc<Call>>,
}

impl Call {
    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire) || self.from.as_ref().is_some_and(|from| from.is_cancelled())
    }

    /// Waits until this call is given up, or one that it is made from.
    async fn given_up(&self) {
        // Asked for before the flag is read, so that no notice falls between the two.
        let told = self.told.notified();
        if self.cancelled.load(Ordering::Acquire) {
            return;
        }
        match &self.from {
            Some(from) => tokio::select! {
                () = told => {}
                () = Box::pin(from.given_up()) => {}
            },
            None => told.await,
        }
    }
}

impl Context {
    /// A context for this user, without roles, in the directory `.`, with a new trace id.
    ///
    /// The name is what confirmations are bound to and what the audit log says; it may be empty where
    /// there is only one user.
    pub fn new(user: impl Into<String>) -> Self {
        let caller = Caller {
            user: user.into(),
            roles: BTreeSet::new(),
            working_dir: PathBuf::from("."),
            // Where there are no random numbers, calls still work; only their traces are not told apart.
            trace_id: random::hex::<16>().unwrap_or_else(|_| "0".repeat(32)),
            extensions: HashMap::new(),
            results: ResultStore::new(),
        };
        Self { caller: Arc::new(caller), call: None, step: 0 }
    }

    /// Gives the user a role.
    #[must_use]
    pub fn role(self, role: impl Into<String>) -> Self {
        self.change(|caller| {
            caller.roles.insert(role.into());
        })
    }

    /// Sets the directory that handlers begin relative paths from. It keeps nobody inside of it: that is
    /// for the handler.
    #[must_use]
    pub fn working_dir(self, dir: impl Into<PathBuf>) -> Self {
        self.change(|caller| caller.working_dir = dir.into())
    }

    /// Goes on with the trace of another system, or of an earlier part of the conversation.
    #[must_use]
    pub fn trace(self, id: impl Into<String>) -> Self {
        self.change(|caller| caller.trace_id = id.into())
    }

    /// Keeps long results in this store, so that a context made for each call finds those of the calls
    /// before it.
    #[must_use]
    pub fn results_in(self, store: &ResultStore) -> Self {
        self.change(|caller| caller.results = store.clone())
    }

    /// Puts a value at hand for handlers, one of each type.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.change(|caller| {
            caller.extensions.insert(TypeId::of::<T>(), Arc::new(value));
        })
    }

    fn change(mut self, change: impl FnOnce(&mut Caller)) -> Self {
        change(Arc::make_mut(&mut self.caller));
        self
    }

    /// The user's name.
    pub fn user(&self) -> &str {
        &self.caller.user
    }

    /// Whether the user has this role.
    pub fn has_role(&self, role: &str) -> bool {
        self.caller.roles.contains(role)
    }

    /// The user's roles, by name.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        self.caller.roles.iter().map(String::as_str)
    }

    /// The directory that relative paths begin from.
    pub fn dir(&self) -> &Path {
        &self.caller.working_dir
    }

    /// The one id of the whole conversation, for logs: 32 hexadecimal digits unless the host set another.
    pub fn trace_id(&self) -> &str {
        &self.caller.trace_id
    }

    /// Where long results of this conversation are kept.
    pub fn results(&self) -> &ResultStore {
        &self.caller.results
    }

    /// What the host put at hand of this type.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.caller.extensions.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// Whether the call was given up: its time is over, or nobody waits for it any more; or that of a call
    /// that it is made from.
    ///
    /// An async handler need not ask, it is stopped where it awaits, also one that a blocking handler called.
    /// A blocking one cannot be stopped, so a long one asks now and then and returns.
    pub fn is_cancelled(&self) -> bool {
        self.call.as_ref().is_some_and(|call| call.is_cancelled())
    }

    /// Calls another handler from within one, as the same user and in the same trace.
    ///
    /// It goes through every stage of a call, so it may ask for a confirmation, which cannot be given
    /// here: the error then goes to the model.
    ///
    /// # Errors
    ///
    /// As [`Handlers::call`](super::Handlers::call); [`TooDeep`](ErrorCode::TooDeep) past the depth that is
    /// allowed, and [`Timeout`](ErrorCode::Timeout) once this call was [given up](Self::is_cancelled), also
    /// while the other one runs, which is stopped then.
    pub async fn call(&self, skill: &str, arguments: &str) -> Result<Output, CallError> {
        match &self.call {
            Some(call) => Arc::clone(&call.callee).call(skill, arguments, self).await,
            None => Err(CallError::new(
                ErrorCode::Failed,
                "this context belongs to no call yet",
                "call the handlers directly",
            )),
        }
    }

    /// As [`call`](Self::call), for blocking handlers. It keeps their thread until the answer is there, or
    /// their own time is over.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    ///
    /// # Panics
    ///
    /// In an async function, where a thread must not be kept.
    pub fn call_blocking(&self, skill: &str, arguments: &str) -> Result<Output, CallError> {
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => runtime.block_on(self.call(skill, arguments)),
            Err(error) => Err(CallError::new(ErrorCode::Failed, error.to_string(), "")),
        }
    }

    /// The turn of the model that a call is made in, from 1; 0 outside of the loop.
    pub(super) fn step(&self) -> usize {
        self.step
    }

    /// The same context, in a turn of the model.
    pub(super) fn in_step(&self, step: usize) -> Self {
        Self { step, ..self.clone() }
    }

    /// How many calls of handlers by handlers there are above this one.
    pub(super) fn depth(&self) -> u32 {
        self.call.as_ref().map_or(0, |call| call.depth)
    }

    /// The context of a call that is made from this one, and that calls others through `callee`.
    pub(super) fn enter(&self, callee: Arc<dyn Callee>) -> Self {
        let call = Call {
            callee,
            depth: self.depth() + 1,
            cancelled: AtomicBool::new(false),
            told: Notify::new(),
            from: self.call.clone(),
        };
        Self { caller: Arc::clone(&self.caller), call: Some(Arc::new(call)), step: self.step }
    }

    pub(super) fn cancel(&self) {
        if let Some(call) = &self.call {
            call.cancelled.store(true, Ordering::Release);
            call.told.notify_waiters();
        }
    }

    /// Waits until the call that a handler is in was [given up](Self::is_cancelled): for ever, outside of
    /// calls.
    pub(super) async fn given_up(&self) {
        match &self.call {
            Some(call) => call.given_up().await,
            None => std::future::pending().await,
        }
    }
}

impl fmt::Debug for Context {
    /// Without what the host put at hand.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("user", &self.user())
            .field("roles", &self.caller.roles)
            .field("dir", &self.dir())
            .field("trace_id", &self.trace_id())
            .field("depth", &self.depth())
            .finish_non_exhaustive()
    }
}
