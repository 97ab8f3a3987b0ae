//! Decides how a string can be written in Rust source as a raw string literal.
//!
//! The compiler takes a raw literal as it is; a string that `include_str!` brings in it escapes and reads
//! again, which for many megabytes takes longer than all the rest. What a literal holds
//! is seen by the compiler and by Clippy, so a string with a character that either takes
//! exception to is left to `include_str!`.

/// Characters that may not be in source text: a CR alone is an error and one before LF is lost,
/// what turns the direction of writing is an error by default, and Clippy refuses what cannot be seen and
/// minds letters put together from parts.
const NOT_IN_SOURCE: [char; 22] = [
    '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}',
    '\u{2069}', '\u{200b}', '\u{2060}', '\u{ad}', '\u{feff}', '\u{300}', '\u{301}', '\u{302}', '\u{303}',
    '\u{308}', '\u{30a}', '\u{30c}', '\u{323}', '\u{327}',
];

/// A literal has at most this many `#`.
const MAX_HASHES: usize = 255;

/// What comes before and after `text` in a raw literal, if it can be one.
pub(crate) fn quotes(text: &str) -> Option<(String, String)> {
    if text.contains('\r') || holds_what_is_not_in_source(text) {
        return None;
    }
    let hashes = "#".repeat(hashes(text));
    (hashes.len() <= MAX_HASHES).then(|| (format!("r{hashes}\""), format!("\"{hashes}")))
}

/// Whether `text` has one of [`NOT_IN_SOURCE`].
///
/// Build scripts run without optimisation. These searches are compiled into the standard library, with it;
/// a look at each character would take a hundred times as long. Of a string with few characters that
/// are not ASCII, only the parts that have them are searched.
fn holds_what_is_not_in_source(text: &str) -> bool {
    let len = text.len();
    match len - text.chars().count() {
        0 => false,
        others if len > 256 && others < len / 16 => {
            let middle = (len / 2..len).find(|&at| text.is_char_boundary(at)).unwrap_or(len);
            let (before, after) = text.split_at(middle);
            holds_what_is_not_in_source(before) || holds_what_is_not_in_source(after)
        }
        _ => NOT_IN_SOURCE.iter().any(|&c| text.contains(c)),
    }
}

/// The text in a literal that was made with [`quotes`].
pub(crate) fn unquote(literal: &str) -> Option<&str> {
    let start = literal.strip_prefix('r')?.find('"')?;
    let hashes = literal.get(1..=start)?;
    let is_quote = hashes.bytes().all(|byte| byte == b'#');
    let inner = literal[start + 2..].strip_suffix(hashes)?.strip_suffix('"')?;
    is_quote.then_some(inner)
}

/// As few `#` as there can be: none without a quote, else one more than follow any quote.
fn hashes(text: &str) -> usize {
    if !text.contains('"') {
        return 0;
    }
    let Some(last) = text.rfind('#') else { return 1 };
    let mut most = 0;
    // How many `#` have followed a quote, counted with the one that ends each part.
    let mut run = 0;
    for part in text[..last].split('#') {
        run = match part {
            "" if run > 0 => run + 1,
            part => usize::from(part.ends_with('"')),
        };
        most = most.max(run);
    }
    most + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_has_no_more_hashes_than_it_needs() {
        for (text, hashes) in [
            ("", 0),
            ("# a ## b", 0),
            ("say \"a\"", 1),
            ("\"# b", 2),
            ("\"a# \"## b", 3),
            ("\"##", 3),
            ("#\"", 1),
        ] {
            let (before, after) = quotes(text).expect("it can be a literal");
            assert_eq!(before.len(), hashes + 2, "{text:?}");
            let literal = format!("{before}{text}{after}");
            let parsed: proc_macro2::Literal = literal.parse().expect("it is one literal");
            assert_eq!(parsed.to_string(), literal);
            assert_eq!(unquote(&literal), Some(text));
        }
        assert!(quotes(&format!("\"{}", "#".repeat(255))).is_none());
    }

    #[test]
    fn what_source_may_not_hold_is_no_literal() {
        for text in ["a\r\nb", "a\rb", "a\u{202e}b", "a\u{200b}b", "e\u{301}"] {
            assert!(quotes(text).is_none(), "{text:?}");
            for len in [1, 255, 1_000, 5_000] {
                let long = "x".repeat(len);
                assert!(quotes(&format!("{long}{text}{long}")).is_none(), "{len}: {text:?}");
            }
        }
        for text in ["é 漢字 — “a” 😀", "\0\u{1b}\\n"] {
            assert!(quotes(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_literal_is_not_unquoted() {
        for text in ["", "\"", "text", "r", "r\"", "r##\"#", "ra\"a\"", "é\""] {
            assert_eq!(unquote(text), None, "{text:?}");
        }
    }
}
