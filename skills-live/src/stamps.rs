//! Finds out what has changed below a root since it was scanned.
//!
//! A directory's stamp changes when an entry is added, removed or renamed. A file's stamp changes when it is
//! written, even in place, with the same length, or with an older time stamp (the change time itself can't be
//! set). So a look takes the stamp of each directory and each SKILL.md once. What has another stamp, or had one
//! so recent that the clock may not have ticked, is compared: a directory with its entries, a SKILL.md, by the
//! caller, with its text.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::guard::Stamp;
use skills_source::parallel;
use skills_source::scan::{self, Listed};

/// Symlinks and their targets. A change along the way to a target may leave no trace in the directory of the
/// symlink.
pub(super) type Links = Vec<(PathBuf, Option<PathBuf>)>;

/// The state of a root when it was scanned.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    root: PathBuf,
    real: Option<PathBuf>,
    seen: Vec<Seen>,
    links: Links,
    /// Whether there is something whose changes have no stamp.
    is_partial: bool,
}

/// A file or directory.
#[derive(Debug)]
pub(super) struct Seen {
    path: PathBuf,
    /// `None` where there was none.
    stamp: Option<Stamp>,
    /// Whether an equal stamp proves that nothing has changed.
    is_settled: bool,
    kind: Kind,
}

/// What was seen, so what a change of it means.
#[derive(Debug)]
pub(super) enum Kind {
    /// A directory with these entries.
    Directory(Arc<[Listed]>),
    /// The directory of a skill, with these entries: only those with the name of a skill file count.
    Home(Arc<[Listed]>),
    /// The SKILL.md of the skill with this path.
    SkillFile(String),
    /// Something that decides how the whole root is read.
    Other,
}

/// What has changed since the scan.
#[derive(Debug)]
pub(super) enum Look {
    /// Nothing.
    Same,
    /// At most the text of the SKILL.md of these skills; the other stamps are noted.
    Skills(Vec<String>),
    /// Anything.
    Everything,
}

/// What is known of one file or directory.
enum Verdict {
    Same,
    /// It says the same under a new stamp.
    Restamped(Stamp),
    Read,
    Changed,
}

impl Seen {
    /// What was seen after `before`. `stamp` is that of the opened file, if it was opened.
    pub(super) fn of(path: PathBuf, stamp: Option<Stamp>, kind: Kind, before: SystemTime) -> Self {
        let stamp = stamp.or_else(|| Stamp::of(&path).ok());
        let is_settled = stamp.is_none_or(|stamp| stamp.is_settled(before));
        Self { path, stamp, is_settled, kind }
    }

    fn look(&self) -> Verdict {
        let now = Stamp::of(&self.path).ok();
        if now == self.stamp && self.is_settled {
            return Verdict::Same;
        }
        let (counts, listed): (fn(&Listed) -> bool, _) = match &self.kind {
            Kind::SkillFile(_) => return Verdict::Read,
            Kind::Other => return Verdict::Changed,
            Kind::Directory(listed) => (|_| true, listed),
            Kind::Home(listed) => (Listed::has_skill_name, listed),
        };
        let same = |new: &Arc<[Listed]>| {
            new.iter().filter(|entry| counts(entry)).eq(listed.iter().filter(|entry| counts(entry)))
        };
        // Another directory in its place is another one, whatever is in it: files are read through the one that
        // is held open.
        match (now, self.stamp) {
            (Some(now), Some(then)) if now.is_of_same(&then) => {
                let is_same = scan::list(&self.path, usize::MAX).is_ok_and(|new| same(&new));
                if is_same { Verdict::Restamped(now) } else { Verdict::Changed }
            }
            _ => Verdict::Changed,
        }
    }
}

impl Stamps {
    /// For a root that doesn't exist.
    pub(super) fn missing(root: &Path) -> Self {
        Self { root: root.to_owned(), ..Self::default() }
    }

    /// For a root that was scanned. `is_partial` says whether the scan met something whose changes have no
    /// stamp, such as a directory that it may not list.
    pub(super) fn of(root: &Path, real: PathBuf, seen: Vec<Seen>, links: Links, is_partial: bool) -> Self {
        Self { root: root.to_owned(), real: Some(real), seen, links, is_partial }
    }

    /// What has changed.
    pub(super) fn look(&mut self) -> Look {
        if self.is_partial || real(&self.root) != self.real {
            return Look::Everything;
        }
        let before = SystemTime::now();
        let links = parallel::map(&self.links, |(link, end)| real(link) == *end);
        let verdicts = parallel::map(&self.seen, Seen::look);
        if links.contains(&false) || verdicts.iter().any(|verdict| matches!(verdict, Verdict::Changed)) {
            return Look::Everything;
        }
        let mut skills = Vec::new();
        for (seen, verdict) in self.seen.iter_mut().zip(verdicts) {
            match (verdict, &seen.kind) {
                (Verdict::Restamped(stamp), _) => {
                    seen.is_settled = stamp.is_settled(before);
                    seen.stamp = Some(stamp);
                }
                (Verdict::Read, Kind::SkillFile(skill)) => skills.push(skill.clone()),
                _ => {}
            }
        }
        if skills.is_empty() { Look::Same } else { Look::Skills(skills) }
    }

    /// Notes that these SKILL.md files were read again: the path of the skill, its stamp, and whether that is
    /// settled.
    pub(super) fn note(&mut self, read: &[(String, Stamp, bool)]) {
        for seen in &mut self.seen {
            let Kind::SkillFile(skill) = &seen.kind else { continue };
            if let Some((_, stamp, is_settled)) = read.iter().find(|(read, ..)| read == skill) {
                (seen.stamp, seen.is_settled) = (Some(*stamp), *is_settled);
            }
        }
    }

    /// The entries of the directories whose stamps prove that they still have them.
    pub(super) fn lists(&self) -> impl Iterator<Item = (PathBuf, Arc<[Listed]>)> {
        let same = parallel::map(&self.seen, |seen| match &seen.kind {
            Kind::Directory(listed) | Kind::Home(listed)
                if seen.is_settled && Stamp::of(&seen.path).ok() == seen.stamp =>
            {
                Some((seen.path.clone(), Arc::clone(listed)))
            }
            _ => None,
        });
        same.into_iter().flatten()
    }
}

/// Whether a path doesn't exist, not even as a broken symlink.
#[allow(clippy::disallowed_methods, reason = "whether the root exists")]
pub(super) fn is_missing(root: &Path) -> bool {
    std::fs::symlink_metadata(root).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// A path with all symlinks resolved; `None` if it doesn't exist.
#[allow(clippy::disallowed_methods, reason = "the real path of a root or of a symlink's target")]
pub(super) fn real(root: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(root).ok()
}
