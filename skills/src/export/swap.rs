//! Puts a skill in place as a whole, and finishes what a run that was interrupted has left.
//!
//! A skill is written to a hidden directory beside its place. Then the one in its place gets a hidden name too, the
//! new one gets the place, and what others had put into the old one is moved over. Wherever that stops, the next run
//! goes on.

use super::ExportError;
use super::hidden::{NEW, OLD, hidden, is_running, parsed, temporary};
use super::record::{self, Record};
use super::tree::{Tree, is_plain};

/// Fills a new directory and puts it in the place of `name`, unless `is_as_planned` says right before that somebody
/// has changed what is there. Returns whether it is in place.
pub(super) fn put(
    tree: &Tree,
    name: &str,
    fill: impl FnOnce(&Tree) -> Result<(), ExportError>,
    is_as_planned: impl FnOnce() -> Result<bool, ExportError>,
) -> Result<bool, ExportError> {
    let (new, old) = (temporary(), hidden(&format!("{OLD}{name}")));
    let filled = tree.make_child(&new).and_then(|new| fill(&new)).and_then(|()| is_as_planned());
    if !matches!(filled, Ok(true)) {
        tree.remove_all(&new);
        return filled;
    }
    let is_there = tree.has(name);
    let swapped = if is_there { tree.rename(name, &old) } else { Ok(()) };
    let swapped = swapped.and_then(|()| {
        tree.rename(&new, name).inspect_err(|_| {
            // Back to what was there. If that fails too, the next run does it.
            let _ = if is_there { tree.rename(&old, name) } else { Ok(()) };
        })
    });
    if let Err(error) = swapped {
        tree.remove_all(&new);
        return Err(error);
    }
    if is_there {
        finish(tree, &old, name)?;
    }
    Ok(true)
}

/// Finishes what runs that were interrupted have left in a directory of skills.
pub(super) fn sweep(tree: &Tree) -> Result<(), ExportError> {
    for (name, is_dir) in tree.entries()? {
        match parsed(&name) {
            Some((process, _)) if is_running(process) => {}
            Some((_, NEW)) => tree.remove_all(&name),
            Some((_, end)) => {
                let Some(place) = end.strip_prefix(OLD).filter(|place| is_plain(place)) else { continue };
                if tree.has(place) {
                    finish(tree, &name, place)?;
                } else {
                    tree.rename(&name, place)?;
                }
            }
            None if is_dir => {
                let Some(skill) = tree.child(&name) else { continue };
                for (file, _) in skill.entries()? {
                    if parsed(&file).is_some_and(|(process, end)| end == NEW && !is_running(process)) {
                        skill.remove_all(&file);
                    }
                }
            }
            None => {}
        }
    }
    Ok(())
}

/// Moves what others had put into the old directory to the new one, and removes the rest of the old one.
fn finish(tree: &Tree, old: &str, name: &str) -> Result<(), ExportError> {
    if let (Some(from), Some(to)) = (tree.child(old), tree.child(name)) {
        let records = [&from, &to].map(|dir| Record::read(dir).unwrap_or_default());
        let is_replaced =
            |path: &str| path == record::FILE || records.iter().any(|record| record.files.contains_key(path));
        carry(&from, &to, "", &is_replaced)?;
    }
    tree.remove_empty(old);
    Ok(())
}

fn carry(
    from: &Tree,
    to: &Tree,
    above: &str,
    is_replaced: &impl Fn(&str) -> bool,
) -> Result<(), ExportError> {
    for (name, is_dir) in from.entries()? {
        let path = format!("{above}{name}");
        if is_dir {
            let (Some(inner), is_new) = (from.child(&name), !to.has(&name)) else { continue };
            if let Ok(target) = to.make_child(&name) {
                carry(&inner, &target, &format!("{path}/"), is_replaced)?;
            }
            // Windows removes no directory that is open.
            drop(inner);
            from.remove_empty(&name);
            // It may have had files of ours alone.
            if is_new {
                to.remove_empty(&name);
            }
        } else if is_replaced(&path) {
            from.remove(&name)?;
        } else if !to.has(&name) {
            from.rename_to(&name, to)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with the skill `note`, of one file.
    fn skills() -> (tempfile::TempDir, Tree) {
        let dir = tempfile::tempdir().unwrap();
        let tree = Tree::make(dir.path()).unwrap();
        tree.make_child("note").unwrap().write("a.md", b"old", false).unwrap();
        (dir, tree)
    }

    fn names(tree: &Tree) -> Vec<String> {
        tree.entries().unwrap().into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn what_somebody_changes_meanwhile_stays() {
        let (_dir, tree) = skills();
        let fill = |new: &Tree| {
            new.write("a.md", b"new", false)?;
            tree.make_child("note")?.write("a.md", b"edited", false)
        };
        let is_as_planned = || Ok(tree.make_child("note")?.read_file("a.md")? == b"old");
        assert!(!put(&tree, "note", fill, is_as_planned).unwrap());
        assert_eq!(tree.child("note").unwrap().read_file("a.md").unwrap(), b"edited");
        assert_eq!(names(&tree), ["note"], "nothing is left behind");
    }

    #[test]
    fn what_cannot_be_written_changes_nothing() {
        let (_dir, tree) = skills();
        // A file has the name of a directory.
        let fill = |new: &Tree| {
            new.write("a.md", b"new", false)?;
            new.write("a.md/b.md", b"new", false)
        };
        assert!(put(&tree, "note", fill, || Ok(true)).is_err());
        assert_eq!(tree.child("note").unwrap().read_file("a.md").unwrap(), b"old");
        assert_eq!(names(&tree), ["note"]);
    }
}
