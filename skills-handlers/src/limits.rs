//! The limits of a run of the loop.

use super::router::Router;

/// The default number of turns of the model.
const TURNS: u32 = 5;

/// The default number of times that the same call is made.
const SAME_CALL: u32 = 2;

/// The default number of calls that are made in one turn, concurrently.
const CALLS_A_TURN: usize = 16;

/// The limits of a run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Limits {
    /// How often the model is asked; 5 by default.
    pub turns: u32,
    /// How often a call with the same arguments is made; 2 by default.
    pub same_call: u32,
    /// How many calls are made in one turn; 16 by default.
    pub calls_a_turn: usize,
    /// Restricts the tools to those that fit the user's last message. Without a router, the model gets all
    /// tools.
    pub router: Option<Router>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { turns: TURNS, same_call: SAME_CALL, calls_a_turn: CALLS_A_TURN, router: None }
    }
}

impl Limits {
    /// Sets how often the model is asked.
    #[must_use]
    pub fn turns(mut self, turns: u32) -> Self {
        self.turns = turns;
        self
    }

    /// Sets how often a call with the same arguments is made.
    #[must_use]
    pub fn same_call(mut self, times: u32) -> Self {
        self.same_call = times;
        self
    }

    /// Sets how many calls are made in one turn.
    #[must_use]
    pub fn calls_a_turn(mut self, calls: usize) -> Self {
        self.calls_a_turn = calls;
        self
    }

    /// Restricts the tools to those that fit the user's last message.
    #[must_use]
    pub fn route_by(mut self, router: Router) -> Self {
        self.router = Some(router);
        self
    }
}
