//! Folds what is not ASCII: compatibility forms, letters with their marks apart, capitals.
//!
//! It is NFKC but for compatibility forms that become several characters, such as ligatures, and for
//! what lies outside the basic plane: those stay as they are, in skills and queries alike. The crate
//! `unicode-normalization` does all of it, but it makes a program 110 kB larger, and a build script that is
//! not optimised reads Chinese, Korean or French with it up to twice as slowly. A test takes the tables
//! from it.

use super::fold_tables::{ALONE, COMPOSED, MARKED};
use super::hash::{FNV_START, fnv, short};

/// Calls `each` with the folded characters of a run of what is not ASCII, until it returns `false`.
///
/// `before` is the letter that stands before it: where the run begins with a mark of that letter, the
/// first character comes with `true` and replaces it.
pub(super) fn each_folded(before: Option<char>, run: &str, each: &mut dyn FnMut(char, bool) -> bool) {
    let mut held = before;
    let mut is_new = false;
    for c in run.chars() {
        let c = alone(c);
        if let Some(composed) = held.and_then(|base| composed(base, c)) {
            if !is_new {
                // It takes the place of what stood before the run.
                let mut first = true;
                for c in composed.to_lowercase() {
                    if !each(c, first) {
                        return;
                    }
                    first = false;
                }
                held = None;
                continue;
            }
            held = Some(composed);
            continue;
        }
        if is_new && !held.is_none_or(|base| give(base, each)) {
            return;
        }
        (held, is_new) = (Some(c), true);
    }
    if is_new && let Some(base) = held {
        give(base, each);
    }
}

fn give(c: char, each: &mut dyn FnMut(char, bool) -> bool) -> bool {
    c.to_lowercase().all(|c| each(c, false))
}

/// What a compatibility form becomes.
fn alone(c: char) -> char {
    let code = c as u32;
    // The common ones have none, and are told at once.
    if matches!(code, 0x4e00..=0x9fff | 0xac00..=0xd7a3 | 0x3041..=0x3096 | 0x30a1..=0x30fa | 0x2012..=0x201f)
    {
        return c;
    }
    let at = ALONE.partition_point(|(first, _, _)| u32::from(*first) <= code);
    let Some((first, to, count)) = at.checked_sub(1).map(|at| ALONE[at]) else { return c };
    let offset = code - u32::from(first);
    let folded = if offset < u32::from(count) { char::from_u32(u32::from(to) + offset) } else { None };
    folded.unwrap_or(c)
}

/// The letter that a letter and a mark are.
fn composed(base: char, mark: char) -> Option<char> {
    let (base, mark) = (base as u32, mark as u32);
    // A syllable of Hangul from its parts.
    if let (0x1100..=0x1112, 0x1161..=0x1175) = (base, mark) {
        return char::from_u32(0xac00 + ((base - 0x1100) * 21 + mark - 0x1161) * 28);
    }
    if let (0xac00..=0xd7a3, 0x11a8..=0x11c2) = (base, mark)
        && (base - 0xac00).is_multiple_of(28)
    {
        return char::from_u32(base + mark - 0x11a7);
    }
    let wanted = (base, mark);
    let found =
        COMPOSED.binary_search_by(|(base, mark, _)| (u32::from(*base), u32::from(*mark)).cmp(&wanted));
    found.ok().and_then(|at| char::from_u32(u32::from(COMPOSED[at].2)))
}

/// How the letters with marks of a word are written without them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// The letter alone: `Kundigung` for `Kündigung`.
    Plain,
    /// As German and the Nordic languages do it where a keyboard has no such letter: `Kuendigung`.
    Long,
}

/// Writes a word in lower case without marks into `buffer`, and returns its length. It is never longer than the
/// word, which `buffer` must have room for.
pub(super) fn unmarked(word: &str, spelling: Spelling, buffer: &mut [u8]) -> usize {
    let mut len = 0;
    let mut push = |byte: u8| {
        buffer[len] = byte;
        len += 1;
    };
    for c in word.chars() {
        if let Some(letters) = letters(c, spelling) {
            letters.bytes().for_each(&mut push);
        } else {
            let mut utf8 = [0; 4];
            without_marks(c).encode_utf8(&mut utf8).bytes().for_each(&mut push);
        }
    }
    len
}

/// The letters of ASCII for one that has no mark that could be left out, or that has another spelling.
fn letters(c: char, spelling: Spelling) -> Option<&'static str> {
    Some(match (c, spelling) {
        ('ä', Spelling::Long) | ('æ', _) => "ae",
        ('å', Spelling::Long) => "aa",
        ('ö' | 'ø', Spelling::Long) | ('œ', _) => "oe",
        ('ü', Spelling::Long) => "ue",
        ('ø', Spelling::Plain) => "o",
        ('ß', _) => "ss",
        ('þ', _) => "th",
        ('ð' | 'đ', _) => "d",
        ('ł', _) => "l",
        ('ħ', _) => "h",
        ('ŧ', _) => "t",
        ('ı', _) => "i",
        _ => return None,
    })
}

/// A letter of Latin or Greek without its marks, and `е` for `ё`. Other letters of Cyrillic with a mark, such as
/// `й`, are letters of their own that nobody writes without it.
fn without_marks(c: char) -> char {
    let Ok(code) = u16::try_from(u32::from(c)) else { return c };
    let found = MARKED.binary_search_by(|(marked, _)| marked.cmp(&code));
    found.ok().and_then(|at| char::from_u32(MARKED[at].1.into())).unwrap_or(c)
}

/// A name or trigger in the form in which a query is compared with all of it: in lower case, with `-`
/// for each run of blanks, `-` and `_`, and none at its ends.
pub fn folded(text: &str) -> impl Iterator<Item = char> {
    let is_gap = |c: char| c.is_whitespace() || c == '-' || c == '_';
    let mut chars = text.trim_matches(is_gap).chars().flat_map(char::to_lowercase).peekable();
    core::iter::from_fn(move || {
        let c = chars.next()?;
        if !is_gap(c) {
            return Some(c);
        }
        while chars.next_if(|next| is_gap(*next)).is_some() {}
        Some('-')
    })
}

/// The hash of that form.
pub fn folded_hash(text: &str) -> u32 {
    let mut state = FNV_START;
    let mut buffer = [0; 4];
    for c in folded(text) {
        for byte in c.encode_utf8(&mut buffer).bytes() {
            state = fnv(state, byte);
        }
    }
    short(state)
}

#[cfg(test)]
mod tests;
