//! Decides what to do with a file, and with a skill, from what is on disk and what was written before. Does no I/O.

use sha2::{Digest as _, Sha256};

use super::What;

/// The content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) sha256: [u8; 32],
    /// The digest of the text with line feeds alone at the ends of lines; of another file, the digest of its bytes.
    pub(super) text: [u8; 32],
    pub(super) executable: bool,
}

impl Sum {
    pub(super) fn of(bytes: &[u8], executable: bool) -> Self {
        let sha256 = Sha256::digest(bytes).into();
        let is_text = bytes.contains(&b'\r') && !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
        let text = if is_text { Sha256::digest(with_line_feeds(bytes)).into() } else { sha256 };
        Self { sha256, text, executable }
    }

    /// What a record keeps of it.
    pub(super) fn digests(&self) -> Vec<[u8; 32]> {
        if self.text == self.sha256 { vec![self.sha256] } else { vec![self.sha256, self.text] }
    }

    /// Whether it is one of these, apart from the ends of lines: tools change those by themselves.
    fn is_one_of(&self, digests: &[[u8; 32]]) -> bool {
        digests.contains(&self.sha256) || digests.contains(&self.text)
    }
}

fn with_line_feeds(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            text.push(*byte);
        }
    }
    text
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    File(Sum),
    /// A symlink, a directory, or anything else that isn't a plain file.
    Obstacle,
}

/// What to do with a file that should be as `wanted`. `written` has the digests of what was written there
/// before.
pub(super) fn write(wanted: Sum, found: Found, written: &[[u8; 32]], force: bool) -> What {
    match found {
        Found::Nothing => What::Created,
        Found::Obstacle => What::KeptObstacle,
        Found::File(sum) if sum.text == wanted.text => {
            // A system without execute bits lacks none.
            let is_same = !cfg!(unix) || sum.executable == wanted.executable;
            if is_same { What::Unchanged } else { What::Updated }
        }
        Found::File(sum) if force || sum.is_one_of(written) => What::Updated,
        Found::File(_) if written.is_empty() => What::KeptForeign,
        Found::File(_) => What::KeptChanged,
    }
}

/// What to do with a file that was written before and should be removed; `None` if it no longer exists.
pub(super) fn remove(found: Found, written: &[[u8; 32]], force: bool) -> Option<What> {
    match found {
        Found::Nothing => None,
        Found::Obstacle => Some(What::KeptObstacle),
        Found::File(sum) if force || sum.is_one_of(written) => Some(What::Removed),
        Found::File(_) => Some(What::KeptChanged),
    }
}

/// A skill isn't updated in part: if one of its files stays, so do those that would be changed. Returns whether that
/// is so.
pub(super) fn keep_together<'a>(all: impl IntoIterator<Item = &'a mut What>) -> bool {
    let mut all: Vec<&mut What> = all.into_iter().collect();
    if !all.iter().any(|what| what.is_kept()) {
        return false;
    }
    for what in &mut all {
        if matches!(**what, What::Created | What::Updated | What::Removed) {
            **what = What::KeptTogether;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_lines_are_no_change() {
        let (unix, windows) = (Sum::of(b"a\nb\n", false), Sum::of(b"a\r\nb\r\n", false));
        for (wanted, found) in [(unix, windows), (windows, unix)] {
            assert_eq!(write(wanted, Found::File(found), &[], false), What::Unchanged);
            let other = Sum::of(b"c\n", false);
            assert_eq!(write(other, Found::File(found), &wanted.digests(), false), What::Updated);
            assert_eq!(remove(Found::File(found), &wanted.digests(), false), Some(What::Removed));
        }
        // Elsewhere a carriage return is content.
        for (one, other) in [(&b"a\rb"[..], &b"ab"[..]), (b"\0\r\n", b"\0\n"), (b"\xff\r\n", b"\xff\n")] {
            let found = Found::File(Sum::of(other, false));
            assert_eq!(write(Sum::of(one, false), found, &[], false), What::KeptForeign);
        }
    }

    #[test]
    fn a_file_that_stays_keeps_the_others() {
        let mut all = [What::Created, What::Unchanged, What::Updated, What::KeptChanged, What::Removed];
        assert!(keep_together(&mut all));
        let together = What::KeptTogether;
        assert_eq!(all, [together, What::Unchanged, together, What::KeptChanged, together]);
        let mut all = [What::Created, What::Unchanged];
        assert!(!keep_together(&mut all));
        assert_eq!(all, [What::Created, What::Unchanged]);
    }
}
