//! Text of a model, as errors quote it.

/// A string from a model, to be shown back.
pub(super) fn shown(text: &str) -> String {
    let cut = text.char_indices().nth(80).map_or(text, |(at, _)| &text[..at]);
    format!("{}{}", cut.escape_debug(), if cut.len() < text.len() { "…" } else { "" })
}
