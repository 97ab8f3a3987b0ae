//! A call that waits for the user's confirmation, as the host sees it.

use std::fmt;
use std::time::Duration;

/// A call that waits to be confirmed. The host shows it to the user and, after they confirm, makes the same
/// call again with [`Handlers::call_confirmed`](super::Handlers::call_confirmed).
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// The token for making the same call again. Not for the model.
    pub token: String,
    /// The skill.
    pub skill: String,
    /// The arguments, as the handler would receive them.
    pub arguments: String,
    /// What the handler would do, as its binding says. May be empty.
    pub reason: String,
    /// How long the token is valid.
    pub lifetime: Duration,
    /// In the loop, the id of the model's call that waits; empty elsewhere.
    pub call: String,
}

impl fmt::Debug for Pending {
    /// Leaves out the token, which confirms the call.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending")
            .field("skill", &self.skill)
            .field("arguments", &self.arguments)
            .field("reason", &self.reason)
            .field("lifetime", &self.lifetime)
            .finish_non_exhaustive()
    }
}
