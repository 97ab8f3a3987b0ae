//! Cuts a text into words.

use super::fold::{Spelling, each_folded, unmarked};
use super::hash::{FNV_START, fnv, hash};

/// What kind of word it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A run of letters and digits.
    Plain,
    /// The parts of a compound such as `e-mail`, without what joins them.
    Joined,
    /// The word before it as it is spelled, or in another spelling: that word is without its accents.
    Variant,
    /// Two neighbours of a run of Han, kana or Hangul, or all of a run of one.
    Pair,
}

impl Kind {
    /// Whether it is a word of the text, with neighbours: not one that was said already.
    pub fn is_new(self) -> bool {
        matches!(self, Self::Plain | Self::Pair)
    }
}

/// A word of a text.
#[derive(Debug, Clone, Copy)]
pub struct Word<'w> {
    /// In lower case; the beginning of one that is longer than [`MAX_WORD`].
    pub text: &'w str,
    /// Of the whole word.
    pub hash: u64,
    /// What kind of word it is.
    pub kind: Kind,
    /// Whether it is joined to the word before it.
    pub continues: bool,
}

/// The most bytes of a word that are kept.
pub const MAX_WORD: usize = 64;
/// Calls `each` with every word of a text, in order, until it returns `false`. A compound comes after
/// its parts, and a word as it is spelled after the same word without accents.
#[allow(clippy::comparison_chain, reason = "in the order of how often it holds")]
pub fn scan(text: &str, each: &mut dyn FnMut(Word<'_>) -> bool) {
    let bytes = text.as_bytes();
    let mut scanner = Scanner::new(each);
    let mut at = 0;
    while at < bytes.len() && !scanner.stopped {
        let class = CLASS[bytes[at] as usize];
        if class > NOT_ASCII {
            if scanner.han.is_some() {
                scanner.end();
            }
            // A run of letters at once.
            let mut class = class;
            while class > NOT_ASCII {
                scanner.push(class);
                at += 1;
                if at == bytes.len() {
                    break;
                }
                class = CLASS[bytes[at] as usize];
            }
        } else if class == NOT_ASCII {
            at = scanner.not_ascii(text, at);
        } else {
            at += scanner.between(&bytes[at..]);
        }
    }
    if !scanner.stopped {
        scanner.end();
    }
}

/// The most bytes of a compound without what joins it.
const MAX_JOINED: usize = 24;

/// What a byte is: a letter or digit in lower case, or one of these.
const OTHER: u8 = 0;
const JOINER: u8 = 1;
const NOT_ASCII: u8 = 2;

static CLASS: [u8; 256] = {
    let mut class = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        let is = byte as u8;
        class[byte] = match is {
            b'a'..=b'z' | b'0'..=b'9' => is,
            b'A'..=b'Z' => is.to_ascii_lowercase(),
            b'-' | b'_' | b'.' | b'/' | b'+' | b'\'' => JOINER,
            0x80.. => NOT_ASCII,
            _ => OTHER,
        };
        byte += 1;
    }
    class
};

struct Scanner<'e> {
    each: &'e mut dyn FnMut(Word<'_>) -> bool,
    stopped: bool,
    /// The word so far.
    buffer: [u8; MAX_WORD],
    len: usize,
    hash: u64,
    /// The compound so far.
    joined: [u8; MAX_JOINED],
    joined_len: usize,
    parts: u32,
    /// The last character of a run of Han, and whether it is the first too.
    han: Option<(char, bool)>,
}

impl<'e> Scanner<'e> {
    fn new(each: &'e mut dyn FnMut(Word<'_>) -> bool) -> Self {
        Self {
            each,
            stopped: false,
            buffer: [0; MAX_WORD],
            len: 0,
            hash: FNV_START,
            joined: [0; MAX_JOINED],
            joined_len: 0,
            parts: 0,
            han: None,
        }
    }

    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "build scripts are not optimised, and this runs for every letter"
    )]
    fn push(&mut self, byte: u8) {
        self.hash = fnv(self.hash, byte);
        if self.len < MAX_WORD {
            self.buffer[self.len] = byte;
        }
        self.len += 1;
    }

    /// What stands between words; returns how many bytes of `rest` it took.
    fn between(&mut self, rest: &[u8]) -> usize {
        if self.len == 0 {
            if self.han.is_some() {
                self.end();
            }
            if rest.starts_with(b".") && is_word(&rest[1..], b"net") {
                self.emit_as(".net", Kind::Plain);
                return 4;
            }
            return 1;
        }
        let next = rest.get(1).map_or(OTHER, |byte| CLASS[*byte as usize]);
        match rest[0] {
            b'+' if self.is_one(b'c') && rest.starts_with(b"++") => self.special("c++", 2),
            b'#' if self.is_one(b'c') && next <= NOT_ASCII => self.special("c#", 1),
            b'#' if self.is_one(b'f') && next <= NOT_ASCII => self.special("f#", 1),
            b'\'' if is_word(&rest[1..], b"s") => {
                self.end();
                2
            }
            byte if CLASS[byte as usize] == JOINER && next > JOINER => {
                self.end_part();
                1
            }
            _ => {
                self.end();
                1
            }
        }
    }

    fn is_one(&self, letter: u8) -> bool {
        self.len == 1 && self.parts == 0 && self.buffer[0] == letter
    }

    fn special(&mut self, word: &str, taken: usize) -> usize {
        self.len = 0;
        self.hash = FNV_START;
        self.emit_as(word, Kind::Plain);
        taken
    }

    /// A run of what is not ASCII; returns where it ends.
    fn not_ascii(&mut self, text: &str, start: usize) -> usize {
        let bytes = text.as_bytes();
        let mut end = start;
        while end < bytes.len() && bytes[end] >= 0x80 {
            end += 1;
        }
        // A mark belongs to the letter before it.
        let base = if self.len > 0 && self.len <= MAX_WORD { self.buffer[self.len - 1] } else { 0 };
        let before = if base.is_ascii_alphanumeric() { Some(char::from(base)) } else { None };
        each_folded(before, &text[start..end], &mut |c, replaces| {
            if replaces {
                self.pop();
            }
            self.character(c);
            !self.stopped
        });
        end
    }

    /// A folded character. One that has become a sign of ASCII ends the word, as any other sign.
    fn character(&mut self, c: char) {
        if is_han(c) {
            if self.len > 0 || self.parts > 0 {
                self.end();
            }
            if let Some((before, _)) = self.han {
                self.pair(&[before, c]);
            }
            self.han = Some((c, self.han.is_none()));
        } else if c.is_alphanumeric() {
            if self.han.is_some() {
                self.end();
            }
            let mut buffer = [0; 4];
            for byte in c.encode_utf8(&mut buffer).bytes() {
                self.push(byte);
            }
        } else if self.len > 0 || self.parts > 0 || self.han.is_some() {
            self.end();
        }
    }

    /// Takes back the last ASCII letter.
    fn pop(&mut self) {
        self.len -= 1;
        self.hash = hash(&self.buffer[..self.len]);
    }

    /// Ends a word that is a part of a compound, or may be all of it.
    fn end_part(&mut self) {
        let (len, kept) = (self.len, self.len.min(MAX_WORD));
        if len > 0 {
            let hash = self.hash;
            self.len = 0;
            self.hash = FNV_START;
            let mut buffer = self.buffer;
            let continues = self.parts > 0;
            let mut len = len;
            if len > MAX_WORD || is_ascii(&buffer[..len]) {
                self.emit(Word { text: valid(&buffer[..kept]), hash, kind: Kind::Plain, continues });
            } else {
                len = self.marked(&mut buffer, len, hash, continues);
            }
            self.parts += 1;
            let end = self.joined_len.saturating_add(len);
            if end <= MAX_JOINED {
                self.joined[self.joined_len..end].copy_from_slice(&buffer[..len]);
            }
            self.joined_len = end;
        }
    }

    /// A word that may have letters with marks: it comes without them, then as it is, then in its other spelling.
    /// Leaves it without them, and returns its length.
    fn marked(&mut self, word: &mut [u8; MAX_WORD], len: usize, hash: u64, continues: bool) -> usize {
        let (given, mut plain, mut long) = (*word, [0; MAX_WORD], [0; MAX_WORD]);
        let text = valid(&given[..len]);
        let plain_len = unmarked(text, Spelling::Plain, &mut plain);
        let long_len = unmarked(text, Spelling::Long, &mut long);
        let (plain_text, long_text) = (valid(&plain[..plain_len]), valid(&long[..long_len]));
        let hash_of = |text: &str| super::hash::hash(text.as_bytes());
        self.emit(Word { text: plain_text, hash: hash_of(plain_text), kind: Kind::Plain, continues });
        if plain_text != text {
            self.emit(Word { text, hash, kind: Kind::Variant, continues: true });
        }
        if long_text != plain_text {
            let hash = hash_of(long_text);
            self.emit(Word { text: long_text, hash, kind: Kind::Variant, continues: true });
        }
        *word = plain;
        plain_len
    }

    /// Ends whatever has begun.
    fn end(&mut self) {
        self.end_part();
        if self.parts > 1 && self.joined_len <= MAX_JOINED {
            let (joined, len) = (self.joined, self.joined_len);
            let joined = &joined[..len];
            self.emit_as(valid(joined), Kind::Joined);
        }
        self.parts = 0;
        self.joined_len = 0;
        if let Some((c, true)) = self.han {
            self.pair(&[c]);
        }
        self.han = None;
    }

    fn pair(&mut self, chars: &[char]) {
        let mut buffer = [0; 8];
        let mut len = 0;
        for c in chars {
            len += c.encode_utf8(&mut buffer[len..]).len();
        }
        self.emit_as(valid(&buffer[..len]), Kind::Pair);
    }

    fn emit_as(&mut self, text: &str, kind: Kind) {
        self.emit(Word { text, hash: hash(text.as_bytes()), kind, continues: false });
    }

    fn emit(&mut self, word: Word<'_>) {
        if !self.stopped {
            self.stopped = !(self.each)(word);
        }
    }
}

/// Whether this stands at the start, and a word ends there.
fn is_word(rest: &[u8], word: &[u8]) -> bool {
    let ends = rest.get(word.len()).is_none_or(|byte| CLASS[*byte as usize] < NOT_ASCII);
    ends && rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word)
}

/// The whole characters at the start.
pub(super) fn valid(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// Whether words of it are not kept apart by blanks.
fn is_han(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{3131}'..='\u{318e}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

fn is_ascii(bytes: &[u8]) -> bool {
    for byte in bytes {
        if *byte >= 0x80 {
            return false;
        }
    }
    true
}
