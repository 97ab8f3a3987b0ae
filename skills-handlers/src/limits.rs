//! How far a run of the loop may go.

use super::router::Router;

/// Turns of the model unless set.
const TURNS: u32 = 5;

/// How often the same call is made unless set.
const SAME_CALL: u32 = 2;

/// How many calls of one turn are made unless set, and run at the same time.
const CALLS_A_TURN: usize = 16;

/// What a run may do.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Limits {
    /// How often the model is asked: 5 unless set.
    pub turns: u32,
    /// How often one call, with the same arguments, is made: twice unless set.
    pub same_call: u32,
    /// How many calls of one turn are made: 16 unless set.
    pub calls_a_turn: usize,
    /// Narrows the tools to what fits the user's last message. Without one, the model gets all of them.
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

    /// Sets how often one call, with the same arguments, is made.
    #[must_use]
    pub fn same_call(mut self, times: u32) -> Self {
        self.same_call = times;
        self
    }

    /// Sets how many calls of one turn are made.
    #[must_use]
    pub fn calls_a_turn(mut self, calls: usize) -> Self {
        self.calls_a_turn = calls;
        self
    }

    /// Narrows the tools to what fits the user's last message.
    #[must_use]
    pub fn route_by(mut self, router: Router) -> Self {
        self.router = Some(router);
        self
    }
}
