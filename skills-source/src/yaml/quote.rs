//! Values in quotes: how to write one, and what one means that is only half in quotes.
//!
//! Only texts are looked at. Where a value stands, and whether the parser refused it, is known in
//! `explain`.

/// `key: "value"` on one line; the key `-` makes an item of a list.
pub(crate) fn line(key: &str, value: &str) -> String {
    let parts: Vec<&str> = value.split(['\n', '\r']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let joined = parts.join(" ");
    let outer_stripped =
        || ['"', '\''].iter().find_map(|&quote| joined.strip_prefix(quote)?.strip_suffix(quote));
    let bare = meaning(&joined).or_else(outer_stripped).unwrap_or(&joined);
    let key = if key == "-" { "-".to_owned() } else { format!("{key}:") };
    format!("{key} {}", text(bare))
}

/// The text in quotes: in single ones where it holds signs that mean something in double ones.
pub(super) fn text(text: &str) -> String {
    if text.contains(['"', '\\']) { format!("'{}'", text.replace('\'', "''")) } else { format!("\"{text}\"") }
}

/// What a trimmed value on one line means that the parser refused for its quotes; `None` where it can
/// be read in two ways.
///
/// In `"a "b" c"` the outer quotes were meant to hold all of it, in `"a" b "c"` they belong to words:
/// the quotes inside tell, by whether they open or close something.
pub(super) fn meaning(value: &str) -> Option<&str> {
    let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return Some(value) };
    let Some(inner) = value[1..].strip_suffix(quote) else { return Some(value) };
    let (Some(first), Some(last)) = (inner.find(quote), inner.rfind(quote)) else { return Some(inner) };
    match (side(inner, first), side(inner, last)) {
        (Side::Opens, Side::Closes) => Some(inner),
        (Side::Closes, Side::Opens) => Some(value),
        _ => None,
    }
}

/// Whether a text after an opening quote holds the closing one.
pub(super) fn closes(text: &str, quote: char) -> bool {
    let escape = if quote == '"' { "\\\"" } else { "''" };
    text.replace("\\\\", "").replace(escape, "").contains(quote)
}

/// Whether a backslash in a text begins nothing that double quotes know, wherever it stands.
pub(super) fn holds_only_bad_escapes(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        rest = &rest[at + 1..];
        if rest.starts_with(|c: char| "0abt\tnvfre \"/\\N_LPxuU".contains(c)) || rest.is_empty() {
            return false;
        }
    }
    true
}

/// Whether ` #` makes a comment of the end of a text, or of a line in it.
pub(super) fn holds_comment(text: &str) -> bool {
    text.match_indices('#').any(|(at, _)| at == 0 || text[..at].ends_with(char::is_whitespace))
}

#[derive(PartialEq)]
enum Side {
    Opens,
    Closes,
    Unclear,
}

fn side(text: &str, at: usize) -> Side {
    let is_edge = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || c.is_ascii_punctuation());
    let (before, after) = (text[..at].chars().next_back(), text[at + 1..].chars().next());
    match (is_edge(before), is_edge(after)) {
        (true, false) => Side::Opens,
        (false, true) => Side::Closes,
        _ => Side::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_quotes_hold_all_or_belong_to_words() {
        assert_eq!(meaning("plain"), Some("plain"));
        assert_eq!(meaning("\"Plans\" a bed"), Some("\"Plans\" a bed"));
        assert_eq!(meaning("\"Fill\" forms and \"sign\""), Some("\"Fill\" forms and \"sign\""));
        assert_eq!(meaning("\"the \"good\" one\""), Some("the \"good\" one"));
        assert_eq!(meaning("\"\"good\" ones\""), Some("\"good\" ones"));
        assert_eq!(meaning("'it's'"), None);
        assert_eq!(meaning("\""), Some("\""));
        assert_eq!(meaning("\"\"\""), None);
    }

    #[test]
    fn a_line_keeps_quotes_that_belong_to_words() {
        assert_eq!(
            line("description", " \"Fill\" forms and \"sign\""),
            "description: '\"Fill\" forms and \"sign\"'"
        );
        assert_eq!(line("-", "it's\n  here"), "- \"it's here\"");
        assert_eq!(line("a", "'it's'"), "a: \"it's\"");
    }

    #[test]
    fn escapes_and_comments_are_told() {
        assert!(holds_only_bad_escapes(r"\d+\.\d") && !holds_only_bad_escapes(r"C:\new\d"));
        assert!(!holds_only_bad_escapes(r"end\"));
        assert!(holds_comment("a #b") && holds_comment("a\n# b") && !holds_comment("a#b c#"));
    }
}
