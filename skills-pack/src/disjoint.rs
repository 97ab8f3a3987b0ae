//! Finds names that two packs share, in constants.
//!
//! The names of a pack are sorted, so two packs are merged. Names are compared eight bytes at a time: a compiler
//! limits how many steps a constant may take, and two packs of 10,000 skills stay below that.

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
        let (mut name, mut other_name) = (self.name_bytes(commands, 0), other.name_bytes(commands, 0));
        loop {
            let order = compare(name, other_name);
            if order == 0 {
                if shared.count == 0 {
                    shared.first = name;
                }
                shared.count += 1;
            }
            if order <= 0 {
                at += 1;
                if at == mine {
                    break;
                }
                name = self.name_bytes(commands, at);
            }
            if order >= 0 {
                other_at += 1;
                if other_at == others {
                    break;
                }
                other_name = other.name_bytes(commands, other_at);
            }
        }
        if shared.count == 0 { None } else { Some(shared) }
    }

    const fn count(&self, commands: bool) -> usize {
        word(self.tables, if commands { header::COMMANDS } else { header::SKILLS }) as usize
    }

    /// The name of a skill or command.
    const fn name_bytes(&self, commands: bool, index: usize) -> &'a [u8] {
        let at = if commands {
            self.sections.commands as usize + index * command::WORDS + command::NAME
        } else {
            header::WORDS + index * skill::WORDS + skill::NAME
        };
        let (offset, len) = (word(self.tables, at) as usize, word(self.tables, at + 1) as usize);
        let Blocks::Static(pieces) = self.texts else { return &[] };
        let mut slot = offset >> SLOT_BITS;
        // Of a piece that fills several slots, only the first holds it.
        while slot > 0 && pieces[slot].is_empty() {
            slot -= 1;
        }
        let (_, from) = pieces[slot].as_bytes().split_at(offset - (slot << SLOT_BITS));
        from.split_at(len).0
    }
}

/// The order of two names, byte by byte: below 0, 0 or above 0.
const fn compare(mut a: &[u8], mut b: &[u8]) -> i32 {
    while let (Some((one, rest)), Some((other, other_rest))) = (a.split_first_chunk(), b.split_first_chunk())
    {
        let (one, other) = (u64::from_be_bytes(*one), u64::from_be_bytes(*other));
        if one != other {
            return if one < other { -1 } else { 1 };
        }
        (a, b) = (rest, other_rest);
    }
    while let (Some((one, rest)), Some((other, other_rest))) = (a.split_first(), b.split_first()) {
        if *one != *other {
            return if *one < *other { -1 } else { 1 };
        }
        (a, b) = (rest, other_rest);
    }
    (a.len() > b.len()) as i32 - (a.len() < b.len()) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_as_bytes() {
        let names = ["", "a", "a-b", "ab", "abcdefgh", "abcdefgh-", "abcdefgi", "b", "é", "工具"];
        for one in names {
            for other in names {
                let expected = one.as_bytes().cmp(other.as_bytes()) as i32;
                assert_eq!(compare(one.as_bytes(), other.as_bytes()), expected, "{one} {other}");
            }
        }
    }
}
