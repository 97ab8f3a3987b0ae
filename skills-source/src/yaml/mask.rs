//! Hides a fault from the parser without moving anything, so that the rest can be read.
//!
//! A stray `: ` is replaced by another byte and put back in the value that was read; an entry that
//! cannot be read is filled up, and its value counts as unreadable. Lengths and line ends never
//! change, so every position stays true.

use std::borrow::Cow;
use std::ops::Range;

use super::lines::{entry_at, line_at};

/// What to hide, as byte offsets into the YAML text.
pub(super) enum Mask {
    /// The colons with a blank after them in the text of a value.
    Colons(Range<usize>),
    /// A value that cannot be read: everything from here to there.
    Value(Range<usize>),
    /// Lines that are no entry at all.
    Lines(Range<usize>),
    /// Nothing can be hidden; reading ends here.
    Nothing,
}

impl Mask {
    /// Hides the entry that holds this place, else its line.
    pub(super) fn entry_or_line(yaml: &str, at: usize) -> Self {
        match entry_at(yaml, at) {
            Some(entry) => Self::Value(entry.value),
            None if yaml.is_empty() => Self::Nothing,
            None => Self::Lines(line_at(yaml, at)),
        }
    }
}

/// The YAML text with faults hidden.
pub(super) struct Masked<'t> {
    text: Cow<'t, str>,
    /// Stands for a colon; a byte that the text does not hold.
    stand_in: Option<u8>,
    has_stand_ins: bool,
    hidden: Vec<Range<usize>>,
}

impl<'t> Masked<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let stand_in = b";^=_+QXZJKV".iter().copied().find(|byte| !text.as_bytes().contains(byte));
        Self { text: Cow::Borrowed(text), stand_in, has_stand_ins: false, hidden: Vec::new() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the value at this offset was hidden.
    pub(super) fn hides(&self, offset: usize) -> bool {
        self.hidden.iter().any(|range| range.contains(&offset))
    }

    /// The colons put back into a value.
    pub(super) fn unmask(&self, text: &str) -> String {
        match self.stand_in {
            Some(byte) if self.has_stand_ins => text.replace(char::from(byte), ":"),
            _ => text.to_owned(),
        }
    }

    /// Hides one more fault; `false` if that is not possible or would change nothing.
    pub(super) fn apply(&mut self, mask: Mask) -> bool {
        let mut bytes = self.text.as_bytes().to_vec();
        match (mask, self.stand_in) {
            (Mask::Colons(range), Some(stand_in)) => {
                let end = range.end.min(bytes.len());
                for at in range.start..end {
                    let ends_here = matches!(bytes.get(at + 1), None | Some(b' ' | b'\t' | b'\n' | b'\r'));
                    if bytes[at] == b':' && ends_here {
                        bytes[at] = stand_in;
                        self.has_stand_ins = true;
                    }
                }
            }
            (Mask::Value(range), _) if !self.hides(range.start) => {
                fill(&mut bytes, range.clone(), b'x', b' ');
                self.hidden.push(range);
            }
            (Mask::Lines(range), _) => fill(&mut bytes, range, b' ', b' '),
            _ => return false,
        }
        match String::from_utf8(bytes) {
            Ok(text) if text != *self.text => {
                self.text = Cow::Owned(text);
                true
            }
            _ => false,
        }
    }
}

/// Fills the first line of `range` with `first` and the others with `rest`. Line ends stay, and so do
/// blanks at the start, since a colon is nothing without one; where it has none, it gets one.
fn fill(bytes: &mut [u8], range: Range<usize>, first: u8, rest: u8) {
    let blanks =
        bytes.get(range.clone()).unwrap_or_default().iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let mut start = range.start + blanks.count();
    if let [.., b':', next] = bytes.get_mut(..=start).unwrap_or_default()
        && !matches!(next, b'\n' | b'\r')
    {
        *next = b' ';
        start += 1;
        // All of the character, so that what follows begins with one.
        while let Some(next) = bytes.get_mut(start).filter(|next| **next & 0xc0 == 0x80) {
            *next = b' ';
            start += 1;
        }
    }
    let mut byte = first;
    for slot in bytes.get_mut(start..range.end).unwrap_or_default() {
        match slot {
            b'\n' | b'\r' => byte = rest,
            slot => *slot = byte,
        }
    }
}
