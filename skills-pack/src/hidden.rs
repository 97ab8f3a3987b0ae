//! Characters that nobody sees and that a model reads all the same.
//!
//! What spelling needs is not hidden: joiners in emoji and between letters of scripts that use them, the ends of
//! words in scripts without blanks, marks
//! beside right-to-left text, the style of a character that has styles. So a character is judged by its
//! neighbours.

use core::fmt::{self, Display, Write as _};

mod tables;

use tables::{HAN, JOINING, PICTURES, RIGHT_TO_LEFT, WITH_STYLES, WITHOUT_BLANKS, has};

/// What a hidden character is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hidden {
    /// A Unicode tag character: any ASCII text can be written in them without being seen.
    Tag,
    /// It overrides the direction in which text is read.
    Override,
    /// It has no appearance.
    Invisible,
    /// A soft hyphen: invisible, but for the end of a line.
    SoftHyphen,
}

impl Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tag => "Unicode tag",
            Self::Override => "direction-override",
            Self::Invisible | Self::SoftHyphen => "invisible",
        })
    }
}

/// The hidden characters of a text, each with its place in bytes.
pub fn find(text: &str) -> impl Iterator<Item = (usize, char, Hidden)> + '_ {
    let mut at = 0;
    core::iter::from_fn(move || {
        while let Some(next) = next_candidate(text.as_bytes(), at) {
            let Some(c) = text[next..].chars().next() else { break };
            at = next + c.len_utf8();
            if let Some(hidden) = judge(text, next, c) {
                return Some((next, c, hidden));
            }
        }
        at = text.len();
        None
    })
}

/// What a character is if its neighbours do not make it spelling; `None` for one that is always seen.
pub fn kind(c: char) -> Option<Hidden> {
    match c {
        '\u{ad}' => Some(Hidden::SoftHyphen),
        '\u{e0000}'..='\u{e007f}' => Some(Hidden::Tag),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Hidden::Override),
        '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2060}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0100}'..='\u{e01ef}' => Some(Hidden::Invisible),
        _ => None,
    }
}

/// A name with escapes, such as `\u{200b}`, for control characters and what is hidden in it, so that it can
/// be seen and asked for.
///
/// A backslash stays as it is, unless it would begin an escape: then it is one itself, `\u{5c}`, so that no two
/// names read alike. [`unescaped`] gives the name back.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'t>(pub &'t str);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text) = *self;
        let mut hidden = find(text).map(|(at, ..)| at).peekable();
        if hidden.peek().is_none() && !text.contains(|c: char| c.is_control() || c == '\\') {
            return f.write_str(text);
        }
        let is_escape =
            |at: usize| unicode_escape(&text[at..]).is_some() || byte_escape(&text[at..]).is_some();
        for (at, c) in text.char_indices() {
            if hidden.next_if_eq(&at).is_some() || c.is_control() || c == '\\' && is_escape(at) {
                write!(f, "{}", c.escape_unicode())?;
            } else {
                f.write_char(c)?;
            }
        }
        Ok(())
    }
}

/// A name as [`Shown`] writes it.
pub fn shown(name: &str) -> alloc::borrow::Cow<'_, str> {
    let is_plain = find(name).next().is_none() && !name.contains(|c: char| c.is_control() || c == '\\');
    if is_plain { name.into() } else { alloc::string::ToString::to_string(&Shown(name)).into() }
}

/// A name that was shown with escapes, `\u{200b}` or `\xff`, without them. `None` where it has none, or they
/// are no text.
pub fn unescaped(shown: &str) -> Option<alloc::string::String> {
    if !shown.contains('\\') {
        return None;
    }
    let mut bytes = alloc::vec::Vec::with_capacity(shown.len());
    let mut rest = shown;
    let mut is_changed = false;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        if let Some((c, after)) = unicode_escape(rest) {
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            (rest, is_changed) = (after, true);
        } else if let Some((byte, after)) = byte_escape(rest) {
            bytes.push(byte);
            (rest, is_changed) = (after, true);
        } else {
            bytes.push(b'\\');
            rest = &rest[1..];
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    alloc::string::String::from_utf8(bytes).ok().filter(|_| is_changed)
}

fn unicode_escape(text: &str) -> Option<(char, &str)> {
    let (digits, after) = text.strip_prefix("\\u{")?.split_once('}')?;
    let is_short = (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_short)?;
    Some((char::from_u32(number)?, after))
}

fn byte_escape(text: &str) -> Option<(u8, &str)> {
    let digits = text.strip_prefix("\\x")?.get(..2)?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some((u8::from_str_radix(digits, 16).ok().filter(|_| is_hex)?, &text[4..]))
}

/// How many bytes are looked at in one step where all are ASCII.
const WORD: usize = 8;

/// The next place, from `at` on, where a character begins that may be hidden. Most text is ASCII.
fn next_candidate(bytes: &[u8], mut at: usize) -> Option<usize> {
    const HIGHEST_BITS: u64 = u64::from_ne_bytes([0x80; WORD]);
    while at < bytes.len() {
        if let Some(word) = bytes.get(at..at + WORD)
            && let Ok(word) = <[u8; WORD]>::try_from(word)
            && u64::from_ne_bytes(word) & HIGHEST_BITS == 0
        {
            at += WORD;
            continue;
        }
        let byte = bytes[at];
        if matches!(byte, 0xc2 | 0xcd | 0xd8 | 0xe1 | 0xe2 | 0xe3 | 0xef | 0xf3) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Whether the character `c` at `at` is hidden there.
fn judge(text: &str, at: usize, c: char) -> Option<Hidden> {
    let hidden = kind(c)?;
    let is_spelling = match c {
        '\u{e0000}'..='\u{e007f}' => is_in_a_flag(text, at),
        '\u{200b}' => is_word_break(text, at, c),
        '\u{200c}' | '\u{200d}' => is_joiner(text, at, c),
        '\u{200e}' | '\u{200f}' | '\u{61c}' => is_beside_right_to_left(text, at, c),
        '\u{fe0e}' | '\u{fe0f}' if before(text, at).is_some_and(|c| has(WITH_STYLES, c)) => true,
        '\u{fe00}'..='\u{fe02}' | '\u{e0100}'..='\u{e01ef}' => before(text, at).is_some_and(|c| has(HAN, c)),
        '\u{180b}'..='\u{180d}' => before(text, at).is_some_and(is_mongolian),
        '\u{180e}' => is_in_mongolian(text, at, c),
        _ => false,
    };
    (!is_spelling).then_some(hidden)
}

fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

fn after(text: &str, at: usize, c: char) -> Option<char> {
    text[at + c.len_utf8()..].chars().next()
}

/// The flags that are spelt with tags: of England, Scotland and Wales. Nothing else is.
const FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// Whether a tag character belongs to one of [`FLAGS`] after a black flag.
fn is_in_a_flag(text: &str, at: usize) -> bool {
    let is_tag = |c: char| kind(c) == Some(Hidden::Tag);
    // A flag has six tags.
    let tags: usize = text[..at].chars().rev().take(6).take_while(|c| is_tag(*c)).map(char::len_utf8).sum();
    let start = at - tags;
    let len = text[start..].chars().take(7).take_while(|c| is_tag(*c)).map(char::len_utf8).sum::<usize>();
    before(text, start) == Some('\u{1f3f4}') && FLAGS.contains(&&text[start..start + len])
}

/// Whether a joiner or non-joiner joins two pictures, or shapes a letter of a script that is written so.
fn is_joiner(text: &str, at: usize, c: char) -> bool {
    let next = after(text, at, c);
    let is_style = |c: &char| matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
    let picture = text[..at].chars().rev().take(3).find(|c| !is_style(c));
    if c == '\u{200d}' && picture.is_some_and(|c| has(PICTURES, c)) {
        return next.is_some_and(|c| has(PICTURES, c));
    }
    // It shapes the last letter of a word too, as in an abbreviation.
    let is_after_letter =
        before(text, at).is_some_and(|c| has(JOINING, c)) && next.is_none_or(|c| kind(c).is_none());
    // It keeps an ending apart from a word or number of another script, as Persian has it.
    let is_before_ending = c == '\u{200c}'
        && before(text, at).is_some_and(|c| c.is_alphanumeric() || matches!(c, '»' | ')' | '"' | '”'))
        && next.is_some_and(|c| has(JOINING, c) && c.is_alphabetic());
    is_after_letter || is_before_ending
}

/// Whether a zero-width space ends a word in a script that writes no blank there.
fn is_word_break(text: &str, at: usize, c: char) -> bool {
    let (before, after) = (before(text, at), after(text, at, c));
    let is_seen = |c: Option<char>| c.is_none_or(|c| kind(c).is_none());
    let is_written_so = |c: Option<char>| c.is_some_and(|c| has(WITHOUT_BLANKS, c));
    is_seen(before) && is_seen(after) && (is_written_so(before) || is_written_so(after))
}

/// How many characters of its line are looked at on each side of a mark.
const NEAR: usize = 16;

/// Whether a mark stands beside text that is written from right to left, with no more than a word or some
/// punctuation between them.
fn is_beside_right_to_left(text: &str, at: usize, c: char) -> bool {
    let is_letter = |c: char| has(RIGHT_TO_LEFT, c) && c.is_alphanumeric();
    let is_in_line = |c: &char| !matches!(c, '\n' | '\r');
    let (left, right) = (&text[..at], &text[at + c.len_utf8()..]);
    let is_second = before(text, at).is_some_and(|c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}'));
    !is_second
        && (left.chars().rev().take_while(is_in_line).take(NEAR).any(is_letter)
            || right.chars().take_while(is_in_line).take(NEAR).any(is_letter))
}

fn is_mongolian(c: char) -> bool {
    matches!(c, '\u{1820}'..='\u{18aa}')
}

/// Whether the vowel separator stands between Mongolian letters, the first maybe with its variant.
fn is_in_mongolian(text: &str, at: usize, c: char) -> bool {
    let is_variant = |c: &char| matches!(c, '\u{180b}'..='\u{180d}');
    let letter = text[..at].chars().rev().take(2).find(|c| !is_variant(c));
    letter.is_some_and(is_mongolian) && after(text, at, c).is_some_and(is_mongolian)
}

#[cfg(test)]
mod tests;
