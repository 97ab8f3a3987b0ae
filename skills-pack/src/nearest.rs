//! Finds the known words that are closest to an unknown one.
//!
//! The lists are short, so the plain algorithm is fast enough.

use crate::text::{Quoted, did_you_mean};
use alloc::string::String;
use alloc::vec::Vec;

/// The closest of `known` to `word`, nearest first, at most three. Case doesn't matter.
///
/// A word is close if at most a third of the characters of the longer word (at least one) would have to
/// change, or if one word begins with the other. Ties keep the order of `known`.
///
/// ```
/// let known = ["pdf-forms", "pdf-merge", "csv"];
/// assert_eq!(skills_pack::nearest::closest("pdf-form", known), ["pdf-forms"]);
/// ```
pub fn closest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<&'k str> {
    let word = letters(word);
    if word.is_empty() || word.len() > MAX_LETTERS {
        return Vec::new();
    }
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|candidate| {
            let letters = letters(candidate);
            if letters.len() > MAX_LETTERS {
                return None;
            }
            let allowed = (word.len().max(letters.len()) / 3).max(1);
            let begins = word.len().min(letters.len()) >= 3
                && (word.starts_with(&letters) || letters.starts_with(&word));
            if !begins && word.len().abs_diff(letters.len()) > allowed {
                return None;
            }
            let distance = distance(&word, &letters);
            (begins || distance <= allowed).then_some((distance, candidate))
        })
        .collect();
    found.sort_by_key(|&(distance, _)| distance);
    found.into_iter().map(|(_, candidate)| candidate).take(3).collect()
}

/// The question whether one of the closest of `known` was meant; `None` if none is close.
///
/// ```
/// let asked = skills_pack::nearest::question("pdf-form", ["pdf-forms", "csv"]);
/// assert_eq!(asked.as_deref(), Some("did you mean `pdf-forms`?"));
/// ```
pub fn question<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<String> {
    closest(word, known).first().map(|near| did_you_mean(Quoted(near)))
}

/// How many typing mistakes lie between two words: a letter too many, too few or wrong, or two neighbours
/// swapped. `usize::MAX` for words that are too long to compare.
pub fn slips(a: &str, b: &str) -> usize {
    let (a, b) = (letters(a), letters(b));
    if a.len().max(b.len()) > MAX_LETTERS { usize::MAX } else { distance(&a, &b) }
}

/// Longer words aren't typing mistakes, and hostile input must not take long.
const MAX_LETTERS: usize = 256;

fn letters(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).take(MAX_LETTERS + 1).collect()
}

/// The number of insertions, deletions, changes and swaps of neighbours that turn `a` into `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, to) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(from != to)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = core::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_nearest_first() {
        let known = ["pdf-merge", "pdf-forms", "csv", "description"];
        assert_eq!(closest("pdf-form", known), ["pdf-forms"]);
        assert_eq!(closest("pdf", known), ["pdf-merge", "pdf-forms"]);
        assert_eq!(closest("Descriptoin", known), ["description"]);
        assert_eq!(closest("zzz", known), [""; 0]);
        assert_eq!(closest(&"x".repeat(1_000_000), known), [""; 0]);
    }
}
