//! A small generator of pseudo-random numbers with a fixed seed.
//!
//! This is `SplitMix64`: equal seeds give equal trees on every machine and with every version of
//! every crate, which a library does not promise. It is not for anything but test data.

/// The state of one sequence.
#[derive(Debug, Clone)]
pub struct Prng(u64);

impl Prng {
    /// Starts the sequence that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound`, `bound` left out. A `bound` of 0 gives 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.bits()) * (bound as u128);
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// One of `items`; common ones stand in front: the first tenth is drawn about a third of the time.
    pub fn skewed<'a>(&mut self, items: &[&'a str]) -> &'a str {
        let bound = self.below(items.len()) + 1;
        let at = self.below(bound);
        items.get(at).copied().unwrap_or_default()
    }

    /// One of `items`, each as likely as the next.
    pub fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        let at = self.below(items.len());
        items.get(at).copied().unwrap_or_default()
    }

    /// Puts `items` into an order that has no system.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }

    /// `count` bytes that no compressor makes smaller.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count + 8);
        while bytes.len() < count {
            bytes.extend_from_slice(&self.bits().to_le_bytes());
        }
        bytes.truncate(count);
        bytes
    }
}
