//! What is left of the template that a skill was started from: L120.
//!
//! Only whole sentences of templates that are known are looked for: a skill may well speak of what is to
//! be replaced, or of what is still to do.

use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::Frontmatter;
use crate::source::Span;

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
    let Some(part) = find(&description.value, DESCRIPTIONS, |_| true) else { return };
    faults.push(fault(
        description.part(part),
        "the description is still that of a template",
        "write what the skill does and when to use it, in words that people use when they ask for it",
    ));
}

/// Judges the body, which is at `body` in `text`.
pub(super) fn check_body(text: &str, body: Span, faults: &mut Vec<Fault>) {
    let end = (body.start..=body.end.min(body.start + HEAD)).rev().find(|at| text.is_char_boundary(*at));
    let head = &text[body.start..end.unwrap_or(body.start)];
    let Some(part) = find(head, BODIES, |part| !is_quoted(head, part)) else { return };
    faults.push(fault(
        body.start + part.start..body.start + part.end,
        "the body has text of a template",
        "replace it by what the model has to do",
    ));
}

/// The first place of a sentence that is meant.
fn find(text: &str, sentences: &[&str], is_meant: impl Fn(&Span) -> bool) -> Option<Span> {
    // Every skill is looked through, and hardly any holds one: to look for the first letters alone is the fastest.
    sentences.iter().find_map(|sentence| {
        let places = text.match_indices(sentence.chars().next()?);
        let mut parts =
            places.filter(|(at, _)| text[*at..].starts_with(sentence)).map(|(at, _)| at..at + sentence.len());
        parts.find(&is_meant)
    })
}

/// Whether a skill shows a template here instead of being one: in a block of code, or a heading as a
/// part of a line.
fn is_quoted(text: &str, part: &Span) -> bool {
    let (before, after) = (&text[..part.start], &text[part.end..]);
    let is_fence = |line: &&str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
    let fences = before.lines().filter(is_fence).count();
    let is_line = (before.is_empty() || before.ends_with(['\n', '\r']))
        && after.lines().next().is_none_or(|rest| rest.trim().is_empty());
    fences % 2 == 1 || (text[part.clone()].starts_with('#') && !is_line)
}

fn fault(span: Span, message: &str, help: &str) -> Fault {
    Fault::new(Code::L120, span, message).label("left from the template").help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> bool {
        let mut faults = Vec::new();
        check_body(body, 0..body.len(), &mut faults);
        !faults.is_empty()
    }

    #[test]
    fn each_sentence_is_found_where_it_is_meant() {
        for sentence in BODIES {
            assert!(found(sentence) && found(&format!("# A\n\n{sentence}\n\nB\n")), "{sentence}");
            assert!(!found(&format!("```\n{sentence}\n```\n")), "{sentence}");
            assert!(found(&format!("```\n{sentence}\n```\n\n{sentence}\n")), "{sentence}");
            assert!(!found(&format!("{}{sentence}", "x".repeat(HEAD))), "{sentence}");
        }
        assert!(!found("## Insert instructions below\n") && !found("# Insert instructions below the date\n"));
        for sentence in DESCRIPTIONS {
            assert_eq!(find(&format!("x {sentence} y"), DESCRIPTIONS, |_| true), Some(2..2 + sentence.len()));
        }
    }
}
