//! Digests of several parts. Each part is preceded by its length, so none can be mistaken for part of another.

use sha2::{Digest as _, Sha256};

#[derive(Default)]
pub(super) struct Digest(Sha256);

impl Digest {
    /// The digest of these parts.
    pub(super) fn of(parts: &[&str]) -> [u8; 32] {
        let mut digest = Self::default();
        for part in parts {
            digest.text(part);
        }
        digest.finish()
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.update(text);
    }

    /// Adds a number, such as that of the parts that follow.
    pub(super) fn number(&mut self, number: usize) {
        self.0.update((number as u64).to_le_bytes());
    }

    /// Adds a letter that says what follows.
    pub(super) fn kind(&mut self, kind: u8) {
        self.0.update([kind]);
    }

    pub(super) fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
