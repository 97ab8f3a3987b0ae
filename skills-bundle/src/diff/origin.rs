//! Where a skill comes from: what the entries of two locks say, a tag that moved, another owner.

use super::pair::Pair;
use super::{Change, Items, Kind};
use crate::lock::LockedSkill;

pub(super) fn find(pair: &Pair<'_>, items: &mut Items<'_, '_>) {
    match (pair.old, pair.new) {
        (None, Some(new)) => {
            let what =
                if new.locked.is_some() { "a new skill" } else { "a skill that the other side doesn't have" };
            items.skill(Kind::Source, Change::Added, what).new = new.locked.as_ref().map(source);
        }
        (Some(old), None) => {
            items.skill(Kind::Source, Change::Removed, "the skill is gone").old =
                old.locked.as_ref().map(source);
        }
        (Some(old), Some(new)) => {
            if old.dir != new.dir && old.locked.is_some() && new.locked.is_some() {
                let moved = items.skill(Kind::Source, Change::Renamed, "it is in another directory");
                moved.values(Some(old.dir.clone()), Some(new.dir.clone()));
            }
            if let (Some(old), Some(new)) = (&old.locked, &new.locked) {
                entries(old, new, items);
            }
        }
        (None, None) => {}
    }
}

fn source(locked: &LockedSkill) -> String {
    match &locked.commit {
        Some(commit) => format!("{} at {commit}", locked.source),
        None => locked.source.clone(),
    }
}

fn entries(old: &LockedSkill, new: &LockedSkill, items: &mut Items<'_, '_>) {
    let owners = (owner(old.url.as_deref()), owner(new.url.as_deref()));
    let of_owner =
        if owners.0 == owners.1 { "the repository" } else { "the repository has another host or owner" };
    let is_tag = new.reference.as_deref().is_some_and(|name| name.starts_with("refs/tags/"));
    let has_moved = is_tag && old.reference == new.reference && old.commit != new.commit;
    let commit = if has_moved { "the tag was moved, which a tag should never be" } else { "the commit" };
    let is_git = old.commit.is_some() || new.commit.is_some();
    let of_reference = if is_git { "the branch or tag" } else { "the version" };
    let artifacts = [old, new].map(|locked| locked.artifact.map(|digest| digest.to_string()));
    let of_tree = "the files are others although the commit is the same";
    for (what, before, after) in [
        ("the source as it was named", Some(&old.source), Some(&new.source)),
        (of_owner, old.url.as_ref(), new.url.as_ref()),
        ("the directory in the repository", old.path.as_ref(), new.path.as_ref()),
        (of_reference, old.reference.as_ref(), new.reference.as_ref()),
        (commit, old.commit.as_ref(), new.commit.as_ref()),
        ("the archive or file that was downloaded", artifacts[0].as_ref(), artifacts[1].as_ref()),
    ] {
        if before != after {
            let change = match (before, after) {
                (None, _) => Change::Added,
                (_, None) => Change::Removed,
                _ => Change::Changed,
            };
            items.skill(Kind::Source, change, what).values(before.cloned(), after.cloned());
        }
    }
    if old.commit.is_some() && old.commit == new.commit && old.path == new.path && old.digest != new.digest {
        let digests = (old.digest.to_string(), new.digest.to_string());
        items.skill(Kind::Source, Change::Changed, of_tree).values(Some(digests.0), Some(digests.1));
    }
    // What this version doesn't know may be a signer.
    for (key, value) in &new.unknown {
        let before = old.unknown.iter().find(|(known, _)| known == key).map(|(_, value)| value);
        if before != Some(value) {
            let change = if before.is_some() { Change::Changed } else { Change::Added };
            let item = items.skill(Kind::Source, change, format!("`{key}` in the lock"));
            item.values(before.cloned(), Some(value.clone()));
        }
    }
    for (key, value) in
        old.unknown.iter().filter(|(key, _)| new.unknown.iter().all(|(known, _)| known != key))
    {
        items.skill(Kind::Source, Change::Removed, format!("`{key}` in the lock")).old = Some(value.clone());
    }
}

/// All of a URL but the name of the repository.
fn owner(url: Option<&str>) -> &str {
    let url = url.unwrap_or_default().trim_end_matches('/');
    url.rsplit_once('/').map_or(url, |(owner, _)| owner)
}
