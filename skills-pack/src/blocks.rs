//! The blocks of a pack: its text and its bytes, in pieces of about 1 MiB.
//!
//! A compiler handles one constant of many megabytes much worse than many constants of 1 MiB, so a block is
//! cut between two strings. An offset counts through all pieces, in slots of 1 MiB: the piece in slot `n` has
//! the offsets from `n << 20` on. A piece is longer than a slot only if a single string is; it then occupies
//! several slots, of which all but the first are empty.

use alloc::borrow::ToOwned;
use alloc::sync::Arc;
use core::borrow::Borrow;

/// The number of bits of an offset within a slot.
pub const SLOT_BITS: u32 = 20;

/// The pieces of a block, one per slot.
#[derive(Debug)]
pub enum Blocks<'a, T: ?Sized + ToOwned> {
    /// The pieces of a bundle. Each is an item of its own in the program, to which this points.
    Static(&'a [&'a &'a T]),
    /// The pieces of a pack that was made at run time.
    Owned(&'a [T::Owned]),
    /// The same, but several packs share them.
    Shared(&'a [Arc<T::Owned>]),
}

impl<T: ?Sized + ToOwned> Clone for Blocks<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized + ToOwned> Copy for Blocks<'_, T> {}

impl<'a, T: ?Sized + ToOwned> Blocks<'a, T> {
    /// The piece that has this offset, and the position in it.
    #[inline]
    pub fn find(self, offset: usize, is_empty: impl Fn(&T) -> bool) -> Option<(&'a T, usize)> {
        let mut slot = offset >> SLOT_BITS;
        loop {
            let piece = self.get(slot)?;
            if slot == 0 || !is_empty(piece) {
                return Some((piece, offset - (slot << SLOT_BITS)));
            }
            slot -= 1;
        }
    }

    #[inline]
    fn get(self, slot: usize) -> Option<&'a T> {
        match self {
            Self::Static(pieces) => pieces.get(slot).map(|piece| **piece),
            Self::Owned(pieces) => pieces.get(slot).map(Borrow::borrow),
            Self::Shared(pieces) => pieces.get(slot).map(|piece| (**piece).borrow()),
        }
    }
}

/// A block under construction.
#[derive(Debug)]
pub struct Growing {
    slots: alloc::vec::Vec<alloc::vec::Vec<u8>>,
    /// The slot in which the last piece begins.
    last: usize,
}

impl Default for Growing {
    fn default() -> Self {
        Self { slots: alloc::vec![alloc::vec::Vec::new()], last: 0 }
    }
}

impl Growing {
    /// Adds bytes that must stay together, and returns their offset.
    pub fn push(&mut self, bytes: &[u8]) -> u64 {
        let mut within = self.slots[self.last].len();
        if within > 0 && within + bytes.len() > 1 << SLOT_BITS {
            self.last += within.div_ceil(1 << SLOT_BITS);
            self.slots.resize_with(self.last + 1, Default::default);
            within = 0;
        }
        self.slots[self.last].extend_from_slice(bytes);
        ((self.last as u64) << SLOT_BITS) + within as u64
    }

    /// Adds the pieces of another block, and returns how far their offsets are moved.
    pub fn append(&mut self, other: Self) -> u64 {
        let within = self.slots[self.last].len();
        let first = if within > 0 { self.last + within.div_ceil(1 << SLOT_BITS) } else { self.last };
        self.slots.resize_with(first, Default::default);
        self.slots.extend(other.slots);
        self.last = first + other.last;
        (first as u64) << SLOT_BITS
    }

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        self.slots.iter().map(|piece| piece.len() as u64).sum()
    }

    /// Whether the block is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pieces, one per slot.
    pub fn into_slots(self) -> alloc::vec::Vec<alloc::vec::Vec<u8>> {
        self.slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appended_blocks_are_found() {
        for (first, second) in [(0, 10), (10, 0), (3, 7), (3_000_000, 5), (1 << SLOT_BITS, 9), (5, 2_000_000)]
        {
            let (mut one, mut other) = (Growing::default(), Growing::default());
            let start = one.push(&vec![1; first]);
            let next = other.push(&vec![2; second]);
            let next = one.append(other) + next;
            let last = one.push(&[3; 4]);
            let slots = one.into_slots();
            for (offset, len, fill) in [(start, first, 1), (next, second, 2), (last, 4, 3)] {
                let found = Blocks::<[u8]>::Owned(&slots).find(offset as usize, <[u8]>::is_empty);
                let (piece, at) = found.expect("it was pushed");
                assert!(
                    len == 0 || piece[at..at + len].iter().all(|byte| *byte == fill),
                    "{first}, {second}"
                );
            }
        }
    }

    #[test]
    fn pushed_bytes_are_found() {
        let mut growing = Growing::default();
        let lengths = [10, 700_000, 400_000, 3_000_000, 0, 5, 1 << SLOT_BITS, 7];
        let spans: Vec<(u64, usize, u8)> =
            (1..).zip(lengths).map(|(fill, len)| (growing.push(&vec![fill; len]), len, fill)).collect();
        let slots = growing.into_slots();
        for (offset, len, fill) in spans {
            let (piece, start) =
                Blocks::<[u8]>::Owned(&slots).find(offset as usize, <[u8]>::is_empty).expect("it was pushed");
            assert!(piece[start..start + len].iter().all(|byte| *byte == fill), "{fill}");
            // Part of a string can be found by its own offset too.
            if len > 2 {
                let middle = offset as usize + len / 2;
                let (piece, start) =
                    Blocks::<[u8]>::Owned(&slots).find(middle, <[u8]>::is_empty).expect("inside");
                assert_eq!(piece[start], fill);
            }
        }
        assert!(Blocks::<[u8]>::Owned(&slots).find(usize::MAX, <[u8]>::is_empty).is_none());
    }
}
