//! Your own edits beside the two sides: an update meets them, and keeps them.

use std::collections::BTreeSet;

use super::pair::Pair;
use super::{Change, Items, Kind, Skill};
use crate::lock::LockedFile;

pub(super) fn find(pair: &Pair<'_>, items: &mut Items<'_, '_>) {
    let (Some(old), Some(mine)) = (pair.old, pair.mine) else { return };
    // Where the other side changed nothing, edits meet nothing.
    if pair.new.is_some() && pair.files.iter().all(|file| !file.is_changed) {
        return;
    }
    let paths: BTreeSet<&str> =
        old.files.iter().chain(&mine.files).map(|file| file.line.path.as_str()).collect();
    for path in paths {
        let (before, edited) = (line(Some(old), path), line(Some(mine), path));
        if same(before, edited) {
            continue;
        }
        let theirs = line(pair.new, path);
        let change = match (before, edited) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ => Change::Changed,
        };
        let what = if same(edited, theirs) {
            "by you, and the other side has the same"
        } else if same(before, theirs) {
            "by you alone"
        } else {
            "by you, and in another way by the other side: a conflict"
        };
        items.file(Kind::Edits, change, path, 0, what);
    }
}

fn line<'s>(skill: Option<&'s Skill>, path: &str) -> Option<&'s LockedFile> {
    skill?.files.iter().map(|file| &file.line).find(|line| line.path == path)
}

fn same(one: Option<&LockedFile>, other: Option<&LockedFile>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            one.sha256 == other.sha256 && (cfg!(not(unix)) || one.executable == other.executable)
        }
        (one, other) => one.is_none() && other.is_none(),
    }
}
