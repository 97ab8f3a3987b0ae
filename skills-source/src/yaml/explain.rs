//! Turns the parser's refusals into findings that say what to write instead.
//!
//! The parser's own words and places are kept where they help; where it stops far from the cause
//! (an unclosed quote is noticed at the end of the file) the finding points at the cause. Here each phrase
//! meets its explanation; how the parser says it is known in `refusal`.

mod advice;
mod edit;
mod fields;
mod quotes;
mod values;
mod view;

use super::mask::Masked;
use super::refusal::{Phrase, Refusal};

use crate::source::Span;
use crate::subject::Subject;
pub(super) use edit::without_mark;
pub(super) use view::Problem;
use view::View;

/// Explains why the parser refused the YAML in `text[span]`.
pub(super) fn explain(
    text: &str,
    span: Span,
    masked: &Masked<'_>,
    subject: Subject,
    refusal: &Refusal,
) -> Problem {
    let yaml = masked.text();
    let at = refusal.at.unwrap_or(0).min(yaml.len());
    let began = refusal.began_at(yaml);
    let view = View { original: &text[span.clone()], yaml, base: span.start, subject };
    if let Some(opened) = view.quote_opened_above(at).or_else(|| view.quote_opened_above(began?)) {
        return view.unclosed_quote(opened);
    }
    let began = began.unwrap_or(at);
    let reason = refusal.reason();
    let explained = refusal.phrases().find_map(|phrase| problem(&view, phrase, at, began, reason));
    explained.unwrap_or_else(|| view.quote_it(at, reason))
}

/// What is wrong at `at`, in what began at `began`; `None` where the phrase says too little.
fn problem(view: &View<'_>, phrase: Phrase, at: usize, began: usize, reason: &str) -> Option<Problem> {
    Some(match phrase {
        Phrase::StrayColon => view.stray_colon(at),
        Phrase::SecondDocument => view.second_document(),
        Phrase::BadStart => view.bad_start(at),
        Phrase::OpenQuote => view.unclosed_quote(began),
        Phrase::BadEscape => view.bad_escape(at),
        Phrase::Brackets => view.brackets(began, at, reason),
        Phrase::Alias => view.quote_it(began, "a value that begins with `*` or `&` is an alias or an anchor"),
        Phrase::Tab if view.original[at..].starts_with('\t') => view.tab(at),
        Phrase::BlockHeader => {
            view.quote_it(began, "only indentation signs may follow `|` or `>` on their line")
        }
        Phrase::ListOnKeyLine => view.list_on_key_line(at),
        Phrase::NoColon => view.no_colon(began),
        Phrase::AfterValue => view.text_after_value(at),
        // A tab elsewhere; the limits end the reading before they are explained.
        Phrase::Tab | Phrase::TooDeep | Phrase::TooMuchRepetition => return None,
    })
}
