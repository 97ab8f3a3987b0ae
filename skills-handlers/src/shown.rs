//! Text of a model, as errors and logs quote it.

/// The most characters of a name or a path.
pub(super) const MOST_NAME: usize = 80;

/// A string from a model, to be shown back.
pub(super) fn shown(text: &str) -> String {
    let cut = cut(text, MOST_NAME);
    format!("{}{}", cut.escape_debug(), if cut.len() < text.len() { "…" } else { "" })
}

/// Text that is fit to be shown, if it isn't long.
pub(super) fn shortened(text: String, chars: usize) -> String {
    let cut = cut(&text, chars);
    if cut.len() == text.len() { text } else { format!("{cut}…") }
}

/// The beginning of a text.
pub(super) fn cut(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(at, _)| &text[..at])
}
