//! Whether a value looks as if nobody had made it up, and whether it says that it is an example.

use super::forms::PLACEHOLDERS;

/// Whether letters of both cases or digits are mixed as no word is, and nothing says that it is an
/// example.
pub(super) fn looks_random(value: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| value.iter().any(is);
    has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && distinct(value) >= (value.len() / 3).clamp(8, 14)
        && value.iter().filter(|byte| matches!(byte, b'-' | b'_' | b'/')).count() <= value.len() / 8
        && !says_placeholder(value)
}

/// How many bytes there are that differ.
pub(super) fn distinct(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    for byte in value {
        seen[usize::from(*byte)] = true;
    }
    seen.iter().filter(|seen| **seen).count()
}

/// Whether a value says that it is an example.
pub(super) fn says_placeholder(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| lower.windows(word.len()).any(|part| part == word.as_bytes()))
}

/// Whether capital letters, small ones and digits change as often as they do by chance. Of words and years beside
/// each other they don't.
pub(super) fn is_mixed(value: &[u8]) -> bool {
    let kind = |byte: &u8| match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let changes = value.windows(2).filter(|two| kind(&two[0]) != kind(&two[1])).count();
    changes * 3 >= value.len()
}

/// Whether a short value is a password rather than a word: letters with a digit or another sign among them, or such
/// that nobody speaks.
pub(super) fn is_password(value: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| value.iter().any(is);
    let vowels = value.iter().filter(|byte| b"aeiouyAEIOUY".contains(byte)).count();
    let is_spoken = vowels * 6 >= value.len() && !is_mixed(value);
    value.len() >= 8
        && distinct(value) >= 6
        && has(u8::is_ascii_alphabetic)
        && (has(u8::is_ascii_digit) || !is_spoken)
        && !says_placeholder(value)
}
