//! What a refresh changed.

use super::snapshot::Snapshot;

/// What a refresh changed: the names of slash commands, with their slash, and of skills, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// Newly served.
    pub added: Vec<String>,
    /// Still served, but with other text or files, or from another root.
    pub changed: Vec<String>,
    /// No longer served.
    pub removed: Vec<String>,
}

impl Changes {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// The changes between two moments.
pub(super) fn between(before: &Snapshot, now: &Snapshot) -> Changes {
    let (before, now) = (before.identities(), now.identities());
    let mut changes = Changes::default();
    let (mut old, mut new) = (before.iter().peekable(), now.iter().peekable());
    loop {
        match (old.peek(), new.peek()) {
            (Some((a, one)), Some((b, other))) if a == b => {
                if one != other {
                    changes.changed.push(a.clone());
                }
                old.next();
                new.next();
            }
            (Some((a, _)), Some((b, _))) if a > b => changes.added.extend(take(&mut new)),
            (Some(_), _) => changes.removed.extend(take(&mut old)),
            (None, Some(_)) => changes.added.extend(take(&mut new)),
            (None, None) => break,
        }
    }
    changes
}

/// The next name.
fn take<'i, I: 'i>(names: &mut impl Iterator<Item = &'i (String, I)>) -> Option<String> {
    names.next().map(|(name, _)| name.clone())
}
