//! A call that waits for the user's yes, as the host sees it.

use std::fmt;
use std::time::Duration;

/// A call that waits to be confirmed. The host shows it to the user and, with their yes, makes the same
/// call again by [`Handlers::call_confirmed`](super::Handlers::call_confirmed).
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// What the same call is made with again. Not for the model.
    pub token: String,
    /// The skill.
    pub skill: String,
    /// The arguments, as the handler would get them.
    pub arguments: String,
    /// What the handler would do, in the words of its binding. May be empty.
    pub reason: String,
    /// How long the token serves.
    pub lifetime: Duration,
    /// In the loop, the id of the model's call that waits; empty elsewhere.
    pub call: String,
}

impl fmt::Debug for Pending {
    /// Without the token, which is as good as a yes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending")
            .field("skill", &self.skill)
            .field("arguments", &self.arguments)
            .field("reason", &self.reason)
            .field("lifetime", &self.lifetime)
            .finish_non_exhaustive()
    }
}
