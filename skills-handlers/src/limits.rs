//! How far a run of the loop may go.

use super::cancel::Cancel;
use super::model::Usage;
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
    /// How many tokens the model may use in all, in and out. Unlimited unless set.
    pub tokens: Option<u64>,
    /// What the model may cost in all. Unlimited unless set.
    pub cost: Option<Cost>,
    /// Stops the run from elsewhere.
    pub cancel: Option<Cancel>,
}

/// The most that a run may cost, and what tokens cost, in any one currency.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Cost {
    /// The most that a run may cost.
    pub most: f64,
    /// What a million tokens cost that the model is given.
    pub input: f64,
    /// What a million tokens cost that it writes.
    pub output: f64,
}

impl Cost {
    /// At most so much, where a million tokens cost so much in and so much out.
    pub fn new(most: f64, input: f64, output: f64) -> Self {
        Self { most, input, output }
    }

    /// What these tokens cost.
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

    /// Sets how many tokens the model may use in all. They are those that its provider reports; where it
    /// reports none, they are estimated. When they are used up, the calls of that turn still get their
    /// results, and the model is not asked again.
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

    /// Lets the run be stopped from elsewhere.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// Whether the run was stopped from elsewhere.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// Waits until the run is stopped from elsewhere: for ever, if nothing can.
    pub(super) async fn cancelled(&self) {
        match &self.cancel {
            Some(cancel) => cancel.cancelled().await,
            None => std::future::pending().await,
        }
    }
}
