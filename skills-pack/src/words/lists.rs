//! Lists that the terms of every library are held against. They are made into tables of hashes when
//! the crate is compiled.

use super::{hash, short};

/// How many texts the background was counted in.
pub const BACKGROUND_TEXTS: u32 = 20_614;

/// In how many of the background's texts a term stands. The background is what people write to
/// assistants about anything; it keeps conversational words from looking rare in a small library.
pub fn background(term: u32) -> u32 {
    // The last bit of a term says that it is a pair.
    match find(&BACKGROUND, |entry| entry[0], term & !1) {
        Some(at) => BACKGROUND[at][1],
        None => 0,
    }
}

/// Whether a word, by its hash, says nothing.
pub(super) fn is_stop_word(word: u32) -> bool {
    find(&STOP_WORDS, |entry| *entry, word).is_some()
}

/// Whether a pair of Han or kana, by its hash, says nothing.
pub(super) fn is_stop_pair(pair: u32) -> bool {
    find(&STOP_PAIRS, |entry| *entry, pair).is_some()
}

/// The English word that a pair of Han, by its hash, is; `None` for most.
pub(super) fn english_of(pair: u32) -> Option<&'static str> {
    let [_, word] = ENGLISH[find(&ENGLISH, |entry| entry[0], pair)?];
    let start = (word >> 8) as usize;
    ENGLISH_TEXT.get(start..start + (word & 0xff) as usize)
}

const STOP_TEXT: &str = include_str!("stop.txt");
const STOP_PAIRS_TEXT: &str = include_str!("stop_pairs.txt");
const BACKGROUND_TEXT: &str = include_str!("background.tsv");
static ENGLISH_TEXT: &str = include_str!("english.tsv");

static STOP_WORDS: [u32; lines(STOP_TEXT)] = first_column(hashes(STOP_TEXT));
static STOP_PAIRS: [u32; lines(STOP_PAIRS_TEXT)] = first_column(hashes(STOP_PAIRS_TEXT));
static BACKGROUND: [[u32; 2]; lines(BACKGROUND_TEXT)] = hashes(BACKGROUND_TEXT);
static ENGLISH: [[u32; 2]; pairs(ENGLISH_TEXT)] = english(ENGLISH_TEXT);

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

/// Lines with something in them that is no comment.
const fn lines(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        let (word_end, line_end) = ends(bytes, at);
        if word_end > at && bytes[at] != b'#' {
            count += 1;
        }
        at = line_end + 1;
    }
    count
}

/// Of each line the hash of its word and the number after it, in the order of hashes.
const fn hashes<const N: usize>(text: &str) -> [[u32; 2]; N] {
    let bytes = text.as_bytes();
    let mut entries = [[0; 2]; N];
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        let (word_end, line_end) = ends(bytes, at);
        if word_end > at && bytes[at] != b'#' {
            let mut number = 0;
            let mut digit = word_end;
            while digit < line_end {
                if bytes[digit].is_ascii_digit() {
                    number = number * 10 + (bytes[digit] - b'0') as u32;
                }
                digit += 1;
            }
            // In a table of terms the last bit is 0.
            let mask = if number > 0 { !1 } else { !0 };
            insert(&mut entries, count, [hash_of(bytes, at, word_end) & mask, number]);
            count += 1;
        }
        at = line_end + 1;
    }
    entries
}

/// Puts an entry among this many that are in order.
const fn insert(entries: &mut [[u32; 2]], count: usize, entry: [u32; 2]) {
    let mut place = count;
    while place > 0 && entries[place - 1][0] > entry[0] {
        entries[place] = entries[place - 1];
        place -= 1;
    }
    entries[place] = entry;
}

/// The hash of the bytes from one place to another.
const fn hash_of(bytes: &[u8], start: usize, end: usize) -> u32 {
    let (_, from_start) = bytes.split_at(start);
    let (word, _) = from_start.split_at(end - start);
    short(hash(word))
}

/// How many pairs stand after the first words of the lines.
const fn pairs(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        let (mut place, line_end) = ends(bytes, at);
        while bytes[at] != b'#' && place < line_end {
            count += if bytes[place] == b'\t' || bytes[place] == b' ' { 1 } else { 0 };
            place += 1;
        }
        at = line_end + 1;
    }
    count
}

/// Of each pair its hash, and where its line's first word starts above how long it is, in the order of
/// hashes.
const fn english<const N: usize>(text: &str) -> [[u32; 2]; N] {
    let bytes = text.as_bytes();
    let mut entries = [[0; 2]; N];
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        let (word_end, line_end) = ends(bytes, at);
        let word = (at << 8 | (word_end - at)) as u32;
        let mut start = word_end + 1;
        while bytes[at] != b'#' && start < line_end {
            let mut end = start;
            while end < line_end && bytes[end] != b' ' {
                end += 1;
            }
            insert(&mut entries, count, [hash_of(bytes, start, end), word]);
            count += 1;
            start = end + 1;
        }
        at = line_end + 1;
    }
    entries
}

/// Where the word of the line that starts here ends, and the line.
const fn ends(bytes: &[u8], start: usize) -> (usize, usize) {
    let mut line_end = start;
    let mut word_end = start;
    while line_end < bytes.len() && bytes[line_end] != b'\n' {
        if word_end == line_end && bytes[line_end] != b'\t' && bytes[line_end] != b'\r' {
            word_end += 1;
        }
        line_end += 1;
    }
    (word_end, line_end)
}

const fn first_column<const N: usize>(entries: [[u32; 2]; N]) -> [u32; N] {
    let mut column = [0; N];
    let mut at = 0;
    while at < N {
        column[at] = entries[at][0];
        at += 1;
    }
    column
}
