//! A table from hashes to numbers.

/// From hashes to numbers, with open addressing.
///
/// A `HashMap` with a hasher that only mixes takes three times as long in a build script, which is not
/// optimised: to read a megabyte of bodies took 30 ms in place of 21.
#[derive(Debug, Clone)]
pub(super) struct Table {
    slots: Vec<(u64, u32)>,
    len: usize,
}

impl Table {
    pub(super) const ABSENT: u32 = u32::MAX;

    pub(super) fn new() -> Self {
        Self { slots: vec![(0, Self::ABSENT); 1024], len: 0 }
    }

    pub(super) fn get(&self, key: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        loop {
            let (found, value) = self.slots[at];
            if value == Self::ABSENT || found == key {
                return value;
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a key that is not there.
    pub(super) fn insert(&mut self, key: u64, value: u32) {
        if self.len * 2 >= self.slots.len() {
            let larger = vec![(0, Self::ABSENT); self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, larger);
            for (key, value) in old {
                if value != Self::ABSENT {
                    self.place(key, value);
                }
            }
        }
        self.place(key, value);
        self.len += 1;
    }

    fn place(&mut self, key: u64, value: u32) {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].1 != Self::ABSENT {
            at = (at + 1) & mask;
        }
        self.slots[at] = (key, value);
    }
}
