//! Lists that the terms of every library are held against, as sorted tables of hashes.
//!
//! The lists are `stop.txt`, `stop_pairs.txt`, `background.tsv`, `chat.txt`, `forms.txt` and `english.tsv`. A test writes
//! `list_tables.rs` from them: to do that when the crate is compiled takes longer than all the rest of it.

use super::list_tables::{BACKGROUND, ENGLISH, ENGLISH_WORDS, FORMS, STOP_PAIRS, STOP_WORDS};

/// How many texts the background was counted in.
pub const BACKGROUND_TEXTS: u32 = 20_614;

/// In how many of the background's texts a term stands. The background is what people write to
/// assistants about anything; it keeps conversational words from looking rare in a small library. No pair is
/// in it.
pub fn background(term: u32) -> u32 {
    find(&BACKGROUND, |entry| entry.0, term).map_or(0, |at| BACKGROUND[at].1.into())
}

/// Whether a word, by its hash, says nothing.
pub(super) fn is_stop_word(word: u32) -> bool {
    find(&STOP_WORDS, |entry| *entry, word).is_some()
}

/// Whether a pair of Han or kana, by its hash, says nothing.
pub(super) fn is_stop_pair(pair: u32) -> bool {
    find(&STOP_PAIRS, |entry| *entry, pair).is_some()
}

/// The stem that stands for this one and others, such as that of `write` for `wrote`; itself for most.
pub(super) fn first_form(stem: u32) -> u32 {
    find(&FORMS, |entry| entry.0, stem).map_or(stem, |at| FORMS[at].1)
}

/// The English word that a pair of Han, by its hash, is; `None` for most.
pub(super) fn english_of(pair: u32) -> Option<&'static str> {
    let (_, start, len) = ENGLISH[find(&ENGLISH, |entry| entry.0, pair)?];
    let start = usize::from(start);
    ENGLISH_WORDS.get(start..start + usize::from(len))
}

fn find<T>(sorted: &[T], key: impl Fn(&T) -> u32, wanted: u32) -> Option<usize> {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = low.midpoint(high);
        let found = key(&sorted[middle]);
        if found == wanted {
            return Some(middle);
        }
        if found < wanted {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    None
}

#[cfg(test)]
mod tests;
