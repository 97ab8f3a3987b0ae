//! Where a run gets its skills from: a registry, or a live one, with or without a session.

#[cfg(feature = "live")]
use std::sync::Arc;

#[cfg(feature = "live")]
use skills::live::LiveRegistry;
use skills::tools::TOOL_NAME;
use skills::{Registry, Reply, Session};

/// The skills of a run.
///
/// ```
/// use skills::{Registry, Session};
/// use skills_handlers::Source;
///
/// let registry = Registry::empty();
/// let mut session = Session::new();
/// // With a session, instructions that are still in the conversation aren't sent again.
/// let source = Source::from(&registry).session(&mut session);
/// ```
#[derive(Debug)]
pub struct Source<'r> {
    from: Origin<'r>,
    session: Option<&'r mut Session>,
}

#[derive(Debug, Clone)]
enum Origin<'r> {
    Fixed(&'r Registry<'r>),
    #[cfg(feature = "live")]
    Live(Arc<LiveRegistry>),
}

impl<'r> From<&'r Registry<'r>> for Source<'r> {
    fn from(registry: &'r Registry<'r>) -> Self {
        Self { from: Origin::Fixed(registry), session: None }
    }
}

#[cfg(feature = "live")]
impl From<&Arc<LiveRegistry>> for Source<'_> {
    fn from(live: &Arc<LiveRegistry>) -> Self {
        Self { from: Origin::Live(Arc::clone(live)), session: None }
    }
}

impl<'r> Source<'r> {
    /// Keeps in this session what the model loads, and hides what the session hides.
    #[must_use]
    pub fn session(mut self, session: &'r mut Session) -> Self {
        self.session = Some(session);
        self
    }

    /// Asks the registry as it is shown to the model now. A live one may ask twice.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        mut ask: impl FnMut(&Registry<'_>) -> T + Send + 'static,
    ) -> T {
        match &self.from {
            Origin::Fixed(registry) => view(registry, self.session.as_deref(), &mut ask),
            #[cfg(feature = "live")]
            Origin::Live(live) => {
                let (live, session) = (Arc::clone(live), self.session.as_deref().cloned());
                off_the_async_threads(move || {
                    let answer = live.answer(|registry| Ok(view(registry, session.as_ref(), &mut ask)));
                    let again = |_| view(&live.snapshot().registry(), session.as_ref(), &mut ask);
                    answer.unwrap_or_else(again)
                })
                .await
            }
        }
    }

    /// Answers a call of `skills_tool`, whose name may include the action. `use_it` sees the reply; if a live registry
    /// looks at the disk and asks again, the last one counts.
    pub(super) async fn call<T: Send + 'static>(
        &mut self,
        name: &str,
        arguments: &str,
        mut use_it: impl FnMut(Reply<'_>) -> T + Send + 'static,
    ) -> Option<T> {
        let json = if name == TOOL_NAME {
            arguments.to_owned()
        } else {
            serde_json::json!({"tool_name": name, "tool_args": arguments}).to_string()
        };
        let mut reply = move |registry: &Registry<'_>, session: Option<&mut Session>| {
            let reply = match session {
                Some(session) => session.call(registry, &json),
                None => registry.call(&json),
            };
            let error = reply.outcome.as_ref().err().cloned();
            (use_it(reply), error)
        };
        match &self.from {
            Origin::Fixed(registry) => Some(reply(registry, self.session.as_deref_mut()).0),
            #[cfg(feature = "live")]
            Origin::Live(live) => {
                let live = Arc::clone(live);
                let mut session = self.session.as_deref().cloned();
                let (last, session) = off_the_async_threads(move || {
                    let mut last = None;
                    // An error makes the registry look at the disk; the reply to the model is kept.
                    let _ = live.answer(|registry| {
                        let (given, error) = reply(registry, session.as_mut());
                        last = Some(given);
                        error.map_or(Ok(()), Err)
                    });
                    (last, session)
                })
                .await;
                if let (Some(ours), Some(changed)) = (&mut self.session, session) {
                    **ours = changed;
                }
                last
            }
        }
    }
}

/// Asks a registry as it is shown in a session.
fn view<T>(
    registry: &Registry<'_>,
    session: Option<&Session>,
    ask: &mut impl FnMut(&Registry<'_>) -> T,
) -> T {
    match session {
        Some(session) => ask(&session.view(registry)),
        None => ask(registry),
    }
}

/// Runs work that looks at the disk, and may therefore take long.
#[cfg(feature = "live")]
async fn off_the_async_threads<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down, and drops this future too.
            Err(_) => std::future::pending().await,
        },
    }
}

#[cfg(all(test, feature = "live"))]
mod tests {
    use std::thread::{ThreadId, current};

    use skills::live::{Overlays, Root};

    use super::*;

    /// The threads on which a source is asked, and answers a call.
    async fn threads(mut source: Source<'_>) -> [Option<ThreadId>; 2] {
        let asked = source.ask(|_| current().id()).await;
        let called = source.call(TOOL_NAME, r#"{"action": "list"}"#, |_| current().id()).await;
        [Some(asked), called]
    }

    #[tokio::test]
    async fn a_live_registry_is_asked_off_the_async_threads() {
        let dir = tempfile::tempdir().expect("a directory");
        let live = Arc::new(Overlays::without_bundle().root(Root::new(dir.path())).open());
        let mut session = Session::new();
        for source in [Source::from(&live), Source::from(&live).session(&mut session)] {
            let [asked, called] = threads(source).await;
            assert!(asked != Some(current().id()) && called.is_some_and(|called| called != current().id()));
        }
        // One that is in the program answers at once.
        assert_eq!(threads(Source::from(&Registry::empty())).await, [Some(current().id()); 2]);
    }

    #[tokio::test]
    #[allow(clippy::panic, reason = "the test is about it")]
    async fn a_panic_is_that_of_the_asker() {
        let dir = tempfile::tempdir().expect("a directory");
        let live = Arc::new(Overlays::without_bundle().root(Root::new(dir.path())).open());
        let panics =
            tokio::spawn(async move { Source::from(&live).ask(|_| -> u8 { panic!("a fault") }).await });
        assert!(panics.await.is_err_and(|error| error.is_panic()));
    }
}
