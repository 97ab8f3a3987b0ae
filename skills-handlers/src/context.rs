//! The caller of a handler: the user, the directory, and values from the host.
//!
//! Handlers keep no state. Everything they know about the caller is in the context, and two calls only share
//! what the host put into both of their contexts.

use std::any::{Any, TypeId};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Notify;

use super::error::{CallError, ErrorCode};
use super::output::Output;
use super::random;
use super::results::ResultStore;

/// The caller, and what the host provides for it. Make one per conversation or one per call.
///
/// Cloning is cheap. A clone belongs to the same conversation: it has the same trace id and stored results.
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
    /// Whether the host set the trace and the store of results.
    has_trace: bool,
    has_results: bool,
    /// Whether nobody can read on in a long result, so that it is cut.
    cuts_results: bool,
    extensions: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    results: ResultStore,
}

/// Makes the calls that a handler requests. It is implemented by the bindings, which use contexts; a context
/// only uses this trait.
pub(super) trait Callee: Send + Sync {
    /// Makes a call as the user of the context.
    fn call<'c>(self: Arc<Self>, skill: &'c str, arguments: &'c str, context: &'c Context) -> Answer<'c>;
}

/// The future result of a call.
pub(super) type Answer<'c> = Pin<Box<dyn Future<Output = Result<Output, CallError>> + Send + 'c>>;

/// The call in which a handler runs.
struct Call {
    callee: Arc<dyn Callee>,
    depth: u32,
    cancelled: AtomicBool,
    /// Wakes the tasks that wait for `cancelled`.
    notify: Notify,
    /// How many blocking functions run in it and in the calls that it makes.
    blocking: AtomicUsize,
    /// The call that made this one; when it is cancelled, so is this.
    from: Option<Arc<Call>>,
}

/// A blocking function that runs, and the calls that it counts for.
pub(super) struct Blocking(Vec<Arc<Call>>);

impl Drop for Blocking {
    fn drop(&mut self) {
        for call in &self.0 {
            call.blocking.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

impl Call {
    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire) || self.from.as_ref().is_some_and(|from| from.is_cancelled())
    }

    /// Waits until this call, or one above it, is cancelled.
    async fn given_up(&self) {
        // Register before reading the flag, so that no notification is lost in between.
        let notified = self.notify.notified();
        if self.cancelled.load(Ordering::Acquire) {
            return;
        }
        match &self.from {
            Some(from) => tokio::select! {
                () = notified => {}
                () = Box::pin(from.given_up()) => {}
            },
            None => notified.await,
        }
    }
}

impl Context {
    /// A context for this user, without roles, in the directory `.`, with a new trace id.
    ///
    /// Confirmations are bound to the name, and the audit log records it. It may be empty if there is only
    /// one user.
    pub fn new(user: impl Into<String>) -> Self {
        let caller = Caller {
            user: user.into(),
            roles: BTreeSet::new(),
            working_dir: PathBuf::from("."),
            // Without random numbers calls still work; only their traces can't be distinguished.
            trace_id: random::hex::<16>().unwrap_or_else(|_| "0".repeat(32)),
            has_trace: false,
            has_results: false,
            cuts_results: false,
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

    /// Sets the directory that relative paths of handlers start from. It doesn't confine them: that is up to
    /// the handler.
    #[must_use]
    pub fn working_dir(self, dir: impl Into<PathBuf>) -> Self {
        self.change(|caller| caller.working_dir = dir.into())
    }

    /// Continues the trace of another system, or of an earlier part of the conversation.
    #[must_use]
    pub fn trace(self, id: impl Into<String>) -> Self {
        self.change(|caller| (caller.trace_id, caller.has_trace) = (id.into(), true))
    }

    /// Uses this store for long results, so that a context made for each call finds the results of earlier
    /// calls.
    #[must_use]
    pub fn results_in(self, store: &ResultStore) -> Self {
        self.change(|caller| (caller.results, caller.has_results) = (store.clone(), true))
    }

    /// Cuts long results, since nobody will read on.
    #[cfg(any(feature = "mcp", test))]
    #[must_use]
    pub(super) fn cut_results(self) -> Self {
        self.change(|caller| caller.cuts_results = true)
    }

    /// Provides a value for handlers; one per type.
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

    /// The directory that relative paths start from.
    pub fn dir(&self) -> &Path {
        &self.caller.working_dir
    }

    /// The id of the whole conversation, for logs: 32 hexadecimal digits unless the host set another.
    pub fn trace_id(&self) -> &str {
        &self.caller.trace_id
    }

    /// Whether the host set the trace.
    #[cfg(feature = "mcp")]
    pub(super) fn has_trace(&self) -> bool {
        self.caller.has_trace
    }

    /// Whether the host set the store for long results.
    #[cfg(feature = "mcp")]
    pub(super) fn has_results(&self) -> bool {
        self.caller.has_results
    }

    /// Whether the result of this call is cut where it is long. What a handler gets of another can be read on.
    pub(super) fn cuts_result(&self) -> bool {
        self.caller.cuts_results && self.depth() <= 1
    }

    /// The store for long results of this conversation.
    pub fn results(&self) -> &ResultStore {
        &self.caller.results
    }

    /// The value of this type that the host provided.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.caller.extensions.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// Whether this call, or one above it, was cancelled: its time is over, or its future was dropped.
    ///
    /// An async handler doesn't need to check: it is stopped at its next await, even if a blocking handler
    /// called it. A blocking handler can't be stopped, so a long one should check from time to time and
    /// return.
    pub fn is_cancelled(&self) -> bool {
        self.call.as_ref().is_some_and(|call| call.is_cancelled())
    }

    /// Calls another handler from a handler, as the same user and in the same trace.
    ///
    /// The call goes through all stages. If it requires a confirmation, which can't be given here, the error
    /// goes to the model.
    ///
    /// # Errors
    ///
    /// As for [`Handlers::call`](super::Handlers::call); [`TooDeep`](ErrorCode::TooDeep) if handlers call
    /// each other more deeply than allowed, and [`Timeout`](ErrorCode::Timeout) if this call was
    /// [cancelled](Self::is_cancelled), also while the other one runs, which is then stopped.
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

    /// As [`call`](Self::call), for blocking handlers. It blocks the thread until the answer is there or the
    /// time of this handler is over.
    ///
    /// # Errors
    ///
    /// As for [`call`](Self::call).
    ///
    /// # Panics
    ///
    /// Panics in an async function, where a thread must not be blocked.
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

    /// How many calls of handlers by handlers are above this one.
    pub(super) fn depth(&self) -> u32 {
        self.call.as_ref().map_or(0, |call| call.depth)
    }

    /// The context of a call that is made from this one. It calls other handlers through `callee`.
    pub(super) fn enter(&self, callee: Arc<dyn Callee>) -> Self {
        let call = Call {
            callee,
            depth: self.depth() + 1,
            cancelled: AtomicBool::new(false),
            notify: Notify::new(),
            blocking: AtomicUsize::new(0),
            from: self.call.clone(),
        };
        Self { caller: Arc::clone(&self.caller), call: Some(Arc::new(call)), step: self.step }
    }

    /// Counts a blocking function as running until the value is dropped.
    pub(super) fn blocks(&self) -> Blocking {
        let calls = std::iter::successors(self.call.as_ref(), |call| call.from.as_ref());
        let calls: Vec<Arc<Call>> = calls.cloned().collect();
        for call in &calls {
            call.blocking.fetch_add(1, Ordering::AcqRel);
        }
        Blocking(calls)
    }

    /// Whether a blocking function runs in this call or in one that it makes.
    pub(super) fn is_blocking(&self) -> bool {
        self.call.as_ref().is_some_and(|call| call.blocking.load(Ordering::Acquire) > 0)
    }

    pub(super) fn cancel(&self) {
        if let Some(call) = &self.call {
            call.cancelled.store(true, Ordering::Release);
            call.notify.notify_waiters();
        }
    }

    /// Waits until the current call is [cancelled](Self::is_cancelled). Never returns outside of a call.
    pub(super) async fn given_up(&self) {
        match &self.call {
            Some(call) => call.given_up().await,
            None => std::future::pending().await,
        }
    }
}

impl fmt::Debug for Context {
    /// Leaves out the host's values.
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
