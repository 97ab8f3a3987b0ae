//! The body's length: L106.

use crate::code::Code;
use crate::fault::Fault;
use crate::source::{Span, lines};

/// The most lines, as the standard recommends.
const MAX_LINES: usize = 500;

/// The most tokens, as the standard recommends.
const MAX_TOKENS: usize = 5000;

/// What a token is taken for. English has about four letters a token, Chinese a character of three
/// bytes; models differ by more than this is off.
const BYTES_A_TOKEN: usize = 4;

/// Judges the body, which is at `body` in `text`.
pub(super) fn check(text: &str, body: Span, faults: &mut Vec<Fault>) {
    let part = &text[body.clone()];
    let tokens = part.len() / BYTES_A_TOKEN;
    let line_past_the_limit = line_start(part, MAX_LINES);
    let (at, message) = match line_past_the_limit {
        Some(at) => {
            let count = lines(part).count() + 1;
            (at, format!("the body is longer than {MAX_LINES} lines: it has {count}, about {tokens} tokens"))
        }
        None if tokens > MAX_TOKENS => {
            let at = (0..=MAX_TOKENS * BYTES_A_TOKEN).rev().find(|&at| part.is_char_boundary(at));
            (
                at.unwrap_or(0),
                format!("the body is longer than about {MAX_TOKENS} tokens: it has about {tokens}"),
            )
        }
        None => return,
    };
    let at = body.start + at;
    let end = text[at..body.end].find(['\n', '\r']).map_or(body.end, |len| at + len);
    faults.push(
        Fault::new(Code::L106, at..end, message)
            .label("past the limit from here on")
            .help("move details into files beside SKILL.md, and say in the body when to read which"),
    );
}

/// Where a line starts, counted from 0.
fn line_start(text: &str, line: usize) -> Option<usize> {
    // Most bodies are short, and all of them are asked: `find` for one character is the fastest.
    if !text.contains('\r') {
        return text.match_indices('\n').nth(line - 1).map(|(at, _)| at + 1);
    }
    lines(text).nth(line - 1).map(|line| line.next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> Option<(Span, String)> {
        let mut faults = Vec::new();
        check(body, 0..body.len(), &mut faults);
        faults.pop().map(|fault| (fault.span, fault.message))
    }

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        for end in ["\n", "\r", "\r\n"] {
            let body = vec!["x"; 500].join(end);
            assert_eq!(found(&body), None);
            let longer = format!("{body}{end}y");
            let message = "the body is longer than 500 lines: it has 501, about ";
            assert!(found(&longer).is_some_and(|(span, text)| {
                span == (longer.len() - 1..longer.len()) && text.starts_with(message)
            }));
        }
    }

    #[test]
    fn tokens_are_estimated() {
        assert_eq!(found(&"x".repeat(20_003)), None);
        assert!(found(&"é".repeat(10_002)).is_some_and(|(span, _)| span == (20_000..20_004)));
    }
}
