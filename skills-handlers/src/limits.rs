//! The limits of a run of the loop.

use super::cancel::Cancel;
use super::model::Usage;
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
    /// How many tokens the model may use in all, in and out. Unlimited unless set.
    pub tokens: Option<u64>,
    /// What the model may cost in all. Unlimited unless set.
    pub cost: Option<Cost>,
    /// Stops the run from outside.
    pub cancel: Option<Cancel>,
}

/// The most that a run may cost, and the price of tokens, in the same currency.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Cost {
    /// The most that a run may cost.
    pub most: f64,
    /// The price of a million input tokens.
    pub input: f64,
    /// The price of a million output tokens.
    pub output: f64,
}

impl Cost {
    /// A maximum, and the prices of a million input and output tokens.
    pub fn new(most: f64, input: f64, output: f64) -> Self {
        Self { most, input, output }
    }

    /// The cost of these tokens.
    #[allow(clippy::cast_precision_loss, reason = "nobody pays for 2^52 tokens")]
    pub fn of(&self, usage: Usage) -> f64 {
        (usage.input as f64 * self.input + usage.output as f64 * self.output) / 1e6
    }

    /// Whether these tokens cost as much as a run may. A price that isn't a number allows nothing.
    pub(super) fn is_used(&self, usage: Usage) -> bool {
        let left = self.most - self.of(usage);
        left.is_nan() || left <= 0.0
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            turns: TURNS,
            same_call: SAME_CALL,
            calls_a_turn: CALLS_A_TURN,
            router: None,
            tokens: None,
            cost: None,
            cancel: None,
        }
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

    /// Sets how many tokens the model may use in all. If the provider reports no tokens, they are
    /// estimated. When they are used up, the calls of that turn still get their results, but the model isn't asked
    /// again.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = Some(tokens);
        self
    }

    /// Sets what the model may cost in all, in the same way.
    #[must_use]
    pub fn cost(mut self, cost: Cost) -> Self {
        self.cost = Some(cost);
        self
    }

    /// Lets this [`Cancel`] stop the run.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// Whether the run was stopped from outside.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// Waits until the run is stopped from outside; forever without a `Cancel`.
    pub(super) async fn cancelled(&self) {
        match &self.cancel {
            Some(cancel) => cancel.cancelled().await,
            None => std::future::pending().await,
        }
    }
}
