//! The normalised form of names, and the result of a look-up.

use alloc::string::String;

use super::layout::name::DIRECTORY;

/// The result of a look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Named {
    /// The skill's index in its pack.
    pub index: usize,
    /// Whether this is the skill's own name, not only its directory's.
    pub is_own: bool,
}

impl Named {
    /// Decodes a word of the tables or of the perfect hash.
    pub const fn of(word: u32) -> Self {
        Self { index: (word & !DIRECTORY) as usize, is_own: word & DIRECTORY == 0 }
    }
}

/// Calls `use_it` with the normalised form of `query`: trimmed, without one pair of surrounding `**` or
/// backticks, in lower case, with each run of white space as one `-`.
///
/// Nothing is allocated if `query` is already normalised or has at most 128 characters, all ASCII.
pub fn with_normalised<R>(query: &str, use_it: impl FnOnce(&str) -> R) -> R {
    let bare = unwrap(query.trim()).trim();
    let is_kept =
        |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && !char::from(byte).is_whitespace();
    if bare.bytes().all(is_kept) {
        return use_it(bare);
    }
    let mut buffer = [0; 128];
    match fold_ascii(bare, &mut buffer) {
        Some(folded) => use_it(folded),
        None => use_it(&fold(bare)),
    }
}

fn unwrap(text: &str) -> &str {
    for wrap in ["**", "`"] {
        if let Some(inner) = text.strip_prefix(wrap).and_then(|rest| rest.strip_suffix(wrap)) {
            return inner;
        }
    }
    text
}

fn fold_ascii<'b>(text: &str, buffer: &'b mut [u8; 128]) -> Option<&'b str> {
    if !text.is_ascii() || text.len() > buffer.len() {
        return None;
    }
    let mut len = 0;
    let mut in_blanks = false;
    for byte in text.bytes() {
        let blank = char::from(byte).is_whitespace();
        if !(blank && in_blanks) {
            buffer[len] = if blank { b'-' } else { byte.to_ascii_lowercase() };
            len += 1;
        }
        in_blanks = blank;
    }
    core::str::from_utf8(&buffer[..len]).ok()
}

fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push('-');
        }
        folded.push_str(&word.to_lowercase());
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normalised() {
        for (query, name) in [
            ("pdf", "pdf"),
            ("  PDF \t Forms\n", "pdf-forms"),
            ("**pdf**", "pdf"),
            ("`Pdf Forms`", "pdf-forms"),
            ("** a  b **", "a-b"),
            ("`**a**`", "**a**"),
            ("ÉMILE  Zola", "émile-zola"),
            ("pdf\u{b}\u{c}forms", "pdf-forms"),
            ("pdf\u{a0}\u{2003}forms\u{3000}", "pdf-forms"),
            ("\u{b}pdf", "pdf"),
            ("", ""),
            ("`", "`"),
            ("../x", "../x"),
        ] {
            with_normalised(query, |found| assert_eq!(found, name, "{query:?}"));
        }
        let long = "A b ".repeat(1000);
        with_normalised(&long, |found| assert_eq!(found.len(), 3999));
    }
}
