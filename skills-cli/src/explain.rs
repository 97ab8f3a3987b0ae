//! The command `explain`: what a rule finds, why, and a bad and a good example.

use serde_json::{Value, json};
use skills_bundle::explain;
use skills_source::code::RULES;

use crate::args::Explain;
use crate::failure::Failure;
use crate::form::{Exit, Form};
use crate::output::Outcome;

pub(crate) fn run(args: &Explain, form: Form) -> Result<Outcome, Failure> {
    match (args.rule, form) {
        (Some(code), Form::Text) => Ok(Outcome::text(&explain::rule(code.rule()), Exit::Success)),
        (Some(code), Form::Json) => Outcome::document(&explain::rule_json(code.rule()), Exit::Success),
        (None, Form::Text) => Ok(Outcome::text(&explain::list(), Exit::Success)),
        (None, Form::Json) => {
            let rules: Vec<Value> = RULES.iter().map(explain::rule_json).collect();
            Outcome::document(&json!({ "rules": rules }), Exit::Success)
        }
    }
}
