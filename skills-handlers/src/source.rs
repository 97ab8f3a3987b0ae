//! Where a run gets its skills from: a registry, or a live one, with or without a session.

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

#[derive(Debug, Clone, Copy)]
enum Origin<'r> {
    Fixed(&'r Registry<'r>),
    #[cfg(feature = "live")]
    Live(&'r LiveRegistry),
}

impl<'r> From<&'r Registry<'r>> for Source<'r> {
    fn from(registry: &'r Registry<'r>) -> Self {
        Self { from: Origin::Fixed(registry), session: None }
    }
}

#[cfg(feature = "live")]
impl<'r> From<&'r LiveRegistry> for Source<'r> {
    fn from(live: &'r LiveRegistry) -> Self {
        Self { from: Origin::Live(live), session: None }
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
    pub(super) fn ask<T>(&self, mut ask: impl FnMut(&Registry<'_>) -> T) -> T {
        let mut of_session = |registry: &Registry<'_>| match &self.session {
            Some(session) => ask(&session.view(registry)),
            None => ask(registry),
        };
        match self.from {
            Origin::Fixed(registry) => of_session(registry),
            #[cfg(feature = "live")]
            Origin::Live(live) => {
                let answer = live.answer(|registry| Ok(of_session(registry)));
                answer.unwrap_or_else(|_| of_session(&live.snapshot().registry()))
            }
        }
    }

    /// Answers a call of `skills_tool`, whose name may include the action. `use_it` sees the reply.
    pub(super) fn call<T>(
        &mut self,
        name: &str,
        arguments: &str,
        mut use_it: impl FnMut(Reply<'_>) -> T,
    ) -> Option<T> {
        let wrapped;
        let json = if name == TOOL_NAME {
            arguments
        } else {
            wrapped = serde_json::json!({"tool_name": name, "tool_args": arguments}).to_string();
            &wrapped
        };
        let session = &mut self.session;
        let mut reply = |registry: &Registry<'_>| {
            let reply = match session {
                Some(session) => session.call(registry, json),
                None => registry.call(json),
            };
            let error = reply.outcome.as_ref().err().cloned();
            (use_it(reply), error)
        };
        match self.from {
            Origin::Fixed(registry) => Some(reply(registry).0),
            #[cfg(feature = "live")]
            Origin::Live(live) => {
                let mut last = None;
                // An error makes the registry look at the disk; the reply to the model is kept.
                let _ = live.answer(|registry| {
                    let (given, error) = reply(registry);
                    last = Some(given);
                    error.map_or(Ok(()), Err)
                });
                last
            }
        }
    }
}
