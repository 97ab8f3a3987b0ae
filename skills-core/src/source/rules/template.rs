//! What is left of the template that a skill was started from: L120.
//!
//! Only whole sentences of templates that are known are looked for: a skill may well speak of what is to
//! be replaced, or of what is still to do.

use crate::source::code::Code;
use crate::source::frontmatter::Frontmatter;
use crate::source::place::{Fault, Span};

/// Of the templates of `skills new`, of the repository `anthropics/skills`, and of its skill-creator.
const DESCRIPTIONS: &[&str] = &[
    "Replace this with what the skill does",
    "Replace with description of the skill and when Claude should use it",
    "TODO: Complete and informative explanation of what the skill does",
];

/// The same, of bodies.
const BODIES: &[&str] = &[
    "Replace this text with instructions for the model that does the task",
    "# Insert instructions below",
    "[TODO: 1-2 sentences explaining what this skill enables]",
];

/// Templates are short, and say at their head what is to be replaced.
const HEAD: usize = 4096;

pub(super) fn check_description(read: &Frontmatter, faults: &mut Vec<Fault>) {
    let Some(description) = &read.description else { return };
    let Some(part) = find(&description.value, DESCRIPTIONS) else { return };
    faults.push(fault(
        description.part(part),
        "the description is still that of a template",
        "write what the skill does and when to use it, in words that people use when they ask for it",
    ));
}

/// Judges the body, which stands at `body` in `text`.
pub(super) fn check_body(text: &str, body: Span, faults: &mut Vec<Fault>) {
    let end = (body.start..=body.end.min(body.start + HEAD)).rev().find(|at| text.is_char_boundary(*at));
    let Some(part) = find(&text[body.start..end.unwrap_or(body.start)], BODIES) else { return };
    faults.push(fault(
        body.start + part.start..body.start + part.end,
        "text of a template stands in the body",
        "replace it by what the model has to do",
    ));
}

fn find(text: &str, sentences: &[&str]) -> Option<Span> {
    // Every skill is looked through, and hardly any holds one: to look for the first letters alone is the fastest.
    sentences.iter().find_map(|sentence| {
        let first = sentence.chars().next()?;
        let mut places = text.match_indices(first).map(|(at, _)| at);
        places.find(|at| text[*at..].starts_with(sentence)).map(|at| at..at + sentence.len())
    })
}

fn fault(span: Span, message: &str, help: &str) -> Fault {
    Fault::new(Code::L120, span, message).label("left from the template").help(help)
}
