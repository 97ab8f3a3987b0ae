//! Finds names that two packs share, in constants.
//!
//! The names of a pack are sorted, so two packs are merged. A compiler limits how many calls and rounds of loops a
//! constant may take; two packs of 10,000 skills stay below that, since names are compared eight bytes at a time, and
//! by indices: a slice, or a number of bytes, takes several calls of the standard library.

use super::blocks::{Blocks, SLOT_BITS};
use super::layout::{command, header, skill};
use super::reader::{Pack, word};

/// Names that are in two packs.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Shared<'a> {
    /// The first of them, in bytes; a command's has no slash.
    pub first: &'a [u8],
    /// Whether the first is a command.
    pub is_command: bool,
    /// How many there are.
    pub count: usize,
}

impl<'a> Pack<'a> {
    /// The names of skills that two bundled packs share, else those of commands; `None` if they share none, or if
    /// one of them was made at run time.
    pub const fn shared(&self, other: &Pack<'a>) -> Option<Shared<'a>> {
        let skills = self.shared_in(other, false);
        let commands = self.shared_in(other, true);
        match (skills, commands) {
            (Some(mut skills), Some(commands)) => {
                skills.count += commands.count;
                Some(skills)
            }
            (Some(one), None) | (None, Some(one)) => Some(one),
            (None, None) => None,
        }
    }

    const fn shared_in(&self, other: &Pack<'a>, commands: bool) -> Option<Shared<'a>> {
        let (mine, others) = (self.count(commands), other.count(commands));
        if mine == 0 || others == 0 {
            return None;
        }
        let mut shared = Shared { first: &[], is_command: commands, count: 0 };
        let (mut at, mut other_at) = (0, 0);
        let (mut name, mut other_name) = (self.place_of(commands, 0), other.place_of(commands, 0));
        loop {
            let order = compare(&name, &other_name);
            if order == 0 {
                if shared.count == 0 {
                    shared.first = name.piece.split_at(name.end).0.split_at(name.start).1;
                }
                shared.count += 1;
            }
            if order <= 0 {
                at += 1;
                if at == mine {
                    break;
                }
                name = self.place_of(commands, at);
            }
            if order >= 0 {
                other_at += 1;
                if other_at == others {
                    break;
                }
                other_name = other.place_of(commands, other_at);
            }
        }
        if shared.count == 0 { None } else { Some(shared) }
    }

    const fn count(&self, commands: bool) -> usize {
        word(self.tables, if commands { header::COMMANDS } else { header::SKILLS }) as usize
    }

    /// Where the name of a skill or command is.
    const fn place_of(&self, commands: bool, index: usize) -> Place<'a> {
        let at = if commands {
            self.sections.commands as usize + index * command::WORDS + command::NAME
        } else {
            header::WORDS + index * skill::WORDS + skill::NAME
        };
        let (offset, len) = (number(self.tables, at), number(self.tables, at + 1));
        let Blocks::Static(pieces) = self.texts else { return Place { piece: &[], start: 0, end: 0 } };
        let mut slot = offset >> SLOT_BITS;
        // Of a piece that fills several slots, only the first holds it.
        while slot > 0 && pieces[slot].is_empty() {
            slot -= 1;
        }
        let start = offset - (slot << SLOT_BITS);
        Place { piece: pieces[slot].as_bytes(), start, end: start + len }
    }
}

/// A name in a piece of text. A slice of it would be made by calls.
struct Place<'a> {
    piece: &'a [u8],
    start: usize,
    end: usize,
}

/// A word of the tables, without a call.
const fn number(tables: &[u8], at: usize) -> usize {
    let at = at * 4;
    tables[at] as usize
        | (tables[at + 1] as usize) << 8
        | (tables[at + 2] as usize) << 16
        | (tables[at + 3] as usize) << 24
}

/// The order of two names, byte by byte: below 0, 0 or above 0.
const fn compare(a: &Place<'_>, b: &Place<'_>) -> i32 {
    let (mut at, mut other_at) = (a.start, b.start);
    while at + 8 <= a.end && other_at + 8 <= b.end {
        let (one, other) = (eight(a.piece, at), eight(b.piece, other_at));
        if one != other {
            return if one < other { -1 } else { 1 };
        }
        (at, other_at) = (at + 8, other_at + 8);
    }
    while at < a.end && other_at < b.end {
        let (one, other) = (a.piece[at], b.piece[other_at]);
        if one != other {
            return if one < other { -1 } else { 1 };
        }
        (at, other_at) = (at + 1, other_at + 1);
    }
    (at < a.end) as i32 - (other_at < b.end) as i32
}

/// Eight bytes as a number, the first one highest.
const fn eight(bytes: &[u8], at: usize) -> u64 {
    (bytes[at] as u64) << 56
        | (bytes[at + 1] as u64) << 48
        | (bytes[at + 2] as u64) << 40
        | (bytes[at + 3] as u64) << 32
        | (bytes[at + 4] as u64) << 24
        | (bytes[at + 5] as u64) << 16
        | (bytes[at + 6] as u64) << 8
        | bytes[at + 7] as u64
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn names_are_compared_as_bytes() {
        let names = ["", "a", "a-b", "ab", "abcdefgh", "abcdefgh-", "abcdefgi", "b", "é", "工具"];
        for one in names {
            for other in names {
                let expected = one.as_bytes().cmp(other.as_bytes()) as i32;
                // Names are inside of other text.
                let (before, after) = (format!("xy{one}z"), format!("{other}yz"));
                let a = Place { piece: before.as_bytes(), start: 2, end: 2 + one.len() };
                let b = Place { piece: after.as_bytes(), start: 0, end: other.len() };
                assert_eq!(compare(&a, &b), expected, "{one} {other}");
            }
        }
    }
}
