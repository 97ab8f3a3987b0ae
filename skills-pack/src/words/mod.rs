//! Turns text into terms: of skills when a pack is made, of queries when it is searched.
//!
//! Both go through [`scan`] and [`term`], so they cannot disagree. Nothing here takes anything from the
//! heap, and nothing knows skills or weights. A term is a hash of 32 bits: of 50,000 terms about one
//! pair shares a hash, and a word that no skill has is taken for another one once in 80,000 times.

mod fold;
mod fold_tables;
mod hash;
mod list_tables;
mod lists;
mod scan;
mod stem;
#[cfg(test)]
mod tables;

pub use fold::{folded, folded_hash};
pub use hash::{hash, neighbours, short};
pub use lists::{BACKGROUND_TEXTS, background};
pub use scan::{Kind, MAX_WORD, Word, scan};

/// A word as it is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term(pub u32);

impl Term {
    /// Whether it is a pair of Han, kana or Hangul that is no word of its own.
    pub fn is_pair(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The term of a word; `None` for one that says nothing, such as `the`. Of a pair that is a common word
/// it is that of the English one, so that a question finds what is described in the other language.
pub fn term(word: Word<'_>) -> Option<Term> {
    let Word { text, hash, kind, .. } = word;
    if kind == Kind::Pair {
        let pair = short(hash);
        let english = || lists::english_of(pair).map(|word| stemmed(word, self::hash(word.as_bytes())));
        return (!lists::is_stop_pair(pair)).then(|| english().unwrap_or(Term(pair | 1)));
    }
    (!lists::is_stop_word(short(hash))).then(|| stemmed(text, hash))
}

fn stemmed(text: &str, hash: u64) -> Term {
    Term(lists::first_form(own_stem(text, hash)))
}

/// The hash of a word's stem, whatever forms the word has beside it.
fn own_stem(text: &str, hash: u64) -> u32 {
    let is_stemmed = text.len() > 2 && text.len() < MAX_WORD && is_letters(text.as_bytes());
    (if is_stemmed { stem_hash(text) } else { short(hash) }) & !1
}

fn stem_hash(text: &str) -> u32 {
    let mut buffer = [0; MAX_WORD];
    let mut len = 0;
    for byte in text.bytes() {
        buffer[len] = byte;
        len += 1;
    }
    let len = stem::german_plural(&buffer, len);
    let len = stem::english(&mut buffer, len);
    short(hash(&buffer[..len]))
}

fn is_letters(bytes: &[u8]) -> bool {
    for byte in bytes {
        if *byte < b'a' || *byte > b'z' {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests;
