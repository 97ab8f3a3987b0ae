//! Matches the skills of two sides, and their files, also those that were renamed.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use skills_pack::bad_bytes;
use skills_source::document;
use skills_source::scan::SKILL_FILE;

use super::{File, Sides, Skill, file_names};
use crate::lock::{LockedFile, same_but_for_line_ends};
use crate::rules::masked_in_place;

/// A skill on both sides, or on one.
#[derive(Debug)]
pub(super) struct Pair<'s> {
    pub(super) name: &'s str,
    pub(super) dir: &'s str,
    pub(super) old: Option<&'s Skill>,
    pub(super) new: Option<&'s Skill>,
    pub(super) mine: Option<&'s Skill>,
    pub(super) files: Vec<FilePair<'s>>,
}

/// A file on both sides, or on one.
#[derive(Debug)]
pub(super) struct FilePair<'s> {
    pub(super) old: Option<Seen<'s>>,
    pub(super) new: Option<Seen<'s>>,
    /// The contents differ.
    pub(super) is_changed: bool,
    /// They do, but only in their line ends.
    pub(super) only_line_ends: bool,
}

/// A file as a reviewer can look at it.
#[derive(Debug)]
pub(super) struct Seen<'s> {
    pub(super) line: &'s LockedFile,
    pub(super) content: Content<'s>,
}

#[derive(Debug)]
pub(super) enum Content<'s> {
    Text {
        text: Cow<'s, str>,
        /// The same, byte for byte, with its secrets masked; none if it has no secrets.
        masked: Option<String>,
    },
    Binary(&'s [u8]),
    /// The contents weren't available.
    Unknown,
}

impl<'s> Seen<'s> {
    /// A file of a skill as it is, compared with nothing.
    pub(super) fn of(file: &'s File) -> Self {
        let content = file.bytes.as_deref().map_or(Content::Unknown, |bytes| content(&file.line.path, bytes));
        Self { line: &file.line, content }
    }

    /// The text as it is, to look through: what is like a secret may be what somebody hides.
    pub(super) fn text(&self) -> Option<&str> {
        if let Content::Text { text, .. } = &self.content { Some(text) } else { None }
    }

    /// The text as it may be shown, byte for byte as long.
    pub(super) fn shown(&self) -> Option<&str> {
        if let Content::Text { masked: Some(masked), .. } = &self.content {
            Some(masked)
        } else {
            self.text()
        }
    }
}

impl<'s> FilePair<'s> {
    /// The path, of the new side if it has the file.
    pub(super) fn path(&self) -> &'s str {
        self.new.as_ref().or(self.old.as_ref()).map_or("", |seen| &seen.line.path)
    }

    /// Whether a reviewer has to look at the contents of the new side.
    pub(super) fn is_news(&self) -> bool {
        self.is_changed && !self.only_line_ends
    }

    /// Whether both sides have the file, under different paths.
    pub(super) fn has_new_path(&self) -> bool {
        let paths = |(old, new): (&Seen<'_>, &Seen<'_>)| old.line.path != new.line.path;
        self.old.as_ref().zip(self.new.as_ref()).is_some_and(paths)
    }
}

impl Pair<'_> {
    /// The text of a SKILL.md as it may be shown, old and new.
    pub(super) fn skill_files(&self) -> (Option<&str>, Option<&str>) {
        let is_it = |seen: &&Seen<'_>| seen.line.path == SKILL_FILE;
        let old = self.files.iter().filter_map(|file| file.old.as_ref()).find(is_it);
        let new = self.files.iter().filter_map(|file| file.new.as_ref()).find(is_it);
        (old.and_then(Seen::shown), new.and_then(Seen::shown))
    }

    pub(super) fn without_old_text(&self) -> usize {
        let is_unknown = |file: &&FilePair<'_>| {
            file.is_news() && file.old.as_ref().is_some_and(|old| matches!(old.content, Content::Unknown))
        };
        self.files.iter().filter(is_unknown).count()
    }
}

/// The skills of both sides by name; those of one name by directory, else by how much of its end is the same.
pub(super) fn pairs(sides: &Sides) -> Vec<Pair<'_>> {
    let mut left: Vec<Option<&Skill>> = sides.old.iter().map(Some).collect();
    let mut found: Vec<Option<&Skill>> = vec![None; sides.new.len()];
    // The only one on both sides is the same skill, whatever its directory is called.
    let is_only = sides.old.len() == 1 && sides.new.len() == 1;
    for (new_at, old_at) in if is_only { vec![(0, 0)] } else { candidates(sides) } {
        if found[new_at].is_none() {
            found[new_at] = left[old_at].take();
        }
    }
    let both = sides.new.iter().zip(found).map(|(new, old)| pair(sides, old, Some(new)));
    let gone = left.into_iter().flatten().map(|old| pair(sides, Some(old), None));
    let mut pairs: Vec<Pair<'_>> = both.chain(gone).collect();
    pairs.sort_by(|a, b| a.dir.cmp(b.dir));
    pairs
}

/// The most pairs of skills of one name that are weighed; others are shown as gone and as new.
const MAX_LIKE: usize = 1_000_000;

/// What may be the same skill, by its places among the new and the old, the likeliest first: those in the same
/// directory, then those of which the most last parts of the directory are the same.
fn candidates(sides: &Sides) -> Vec<(usize, usize)> {
    let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, old) in sides.old.iter().enumerate() {
        named.entry(&old.name).or_default().push(at);
    }
    let mut candidates = Vec::new();
    for (new_at, new) in sides.new.iter().enumerate() {
        for old_at in named.get(new.name.as_str()).into_iter().flatten() {
            let old = &sides.old[*old_at];
            let likeness = if old.dir == new.dir { usize::MAX } else { same_end(&old.dir, &new.dir) };
            if likeness == usize::MAX || candidates.len() < MAX_LIKE {
                candidates.push((Reverse(likeness), new_at, *old_at));
            }
        }
    }
    candidates.sort_unstable();
    candidates.into_iter().map(|(_, new_at, old_at)| (new_at, old_at)).collect()
}

/// How many parts of two directories are the same, from the end.
fn same_end(one: &str, other: &str) -> usize {
    one.rsplit('/').zip(other.rsplit('/')).take_while(|(one, other)| one == other).count()
}

fn pair<'s>(sides: &'s Sides, old: Option<&'s Skill>, new: Option<&'s Skill>) -> Pair<'s> {
    let shown = new.or(old);
    let name = shown.map_or("", |skill| &skill.name);
    let dir = shown.map_or("", |skill| &skill.dir);
    let mine = old.and_then(|old| sides.mine.iter().find(|mine| mine.dir == old.dir));
    let files = files(old.map_or(&[], |skill| &skill.files), new.map_or(&[], |skill| &skill.files));
    Pair { name, dir, old, new, mine, files }
}

fn files<'s>(old: &'s [File], new: &'s [File]) -> Vec<FilePair<'s>> {
    let mut left: BTreeMap<&str, &File> = old.iter().map(|file| (file.line.path.as_str(), file)).collect();
    let (mut matched, mut added) = (Vec::new(), Vec::new());
    for file in new {
        match left.remove(file.line.path.as_str()) {
            Some(old) => matched.push((Some(old), Some(file))),
            None => added.push(file),
        }
    }
    // Hostile sides could have so many that comparing each with each would take too long.
    let may_be_edited = added.len() * left.len() <= MAX_CANDIDATES;
    for file in added {
        let from = renamed(file, &left, may_be_edited);
        let old = from.and_then(|path| left.remove(path));
        matched.push((old, Some(file)));
    }
    matched.extend(left.into_values().map(|old| (Some(old), None)));
    let mut pairs: Vec<FilePair<'s>> = matched.into_iter().map(|(old, new)| file_pair(old, new)).collect();
    pairs.sort_by(|a, b| a.path().cmp(b.path()));
    pairs
}

fn file_pair<'s>(old: Option<&'s File>, new: Option<&'s File>) -> FilePair<'s> {
    let is_changed = match (old, new) {
        (Some(old), Some(new)) => old.line.sha256 != new.line.sha256,
        _ => true,
    };
    let only_line_ends = match (old, new) {
        (Some(old), Some(new)) if is_changed => {
            let differs = |line: &LockedFile, other: &File| {
                other.bytes.as_deref().is_some_and(|bytes| same_but_for_line_ends(line, bytes))
            };
            differs(&old.line, new) || differs(&new.line, old)
        }
        _ => false,
    };
    // What is the same is the same on both sides, also where only one side has the bytes.
    let known = |file: &'s File, other: Option<&'s File>| {
        let bytes = file.bytes.as_deref().or_else(|| other.filter(|_| !is_changed)?.bytes.as_deref());
        Seen {
            line: &file.line,
            content: bytes.map_or(Content::Unknown, |bytes| content(&file.line.path, bytes)),
        }
    };
    FilePair {
        old: old.map(|file| known(file, new)),
        new: new.map(|file| known(file, old)),
        is_changed,
        only_line_ends,
    }
}

/// Text where a program or a model would take it for text: one bad byte, or a NUL in a script, hides nothing.
fn content<'s>(path: &str, bytes: &'s [u8]) -> Content<'s> {
    let is_script = bytes.starts_with(b"#!") || file_names::is_named_as_text(path);
    if bytes.contains(&0) && !is_script {
        return Content::Binary(bytes);
    }
    let text = match document::decode(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if is_script => String::from_utf8_lossy(bytes),
        Err(_) => match bad_bytes::replaced(bytes) {
            Some((text, _)) => Cow::Owned(text),
            None => return Content::Binary(bytes),
        },
    };
    let masked = Some(masked_in_place(&text)).filter(|masked| *masked != *text);
    Content::Text { text, masked }
}

/// The most pairs of files that are looked at for one that was renamed and edited, and the longest of these.
const MAX_CANDIDATES: usize = 2_000;
const MAX_EDITED: usize = 256 * 1024;

/// The file that a new one was before: one with the same bytes, else a text that has most of its lines.
fn renamed<'s>(new: &File, left: &BTreeMap<&'s str, &'s File>, may_be_edited: bool) -> Option<&'s str> {
    if new.line.size == 0 {
        return None;
    }
    let same = left.iter().find(|(_, old)| old.line.sha256 == new.line.sha256);
    if let Some((path, _)) = same {
        return Some(path);
    }
    let is_short = |bytes: &&[u8]| bytes.len() <= MAX_EDITED && !bytes.contains(&0);
    let bytes = new.bytes.as_deref().filter(|bytes| may_be_edited && is_short(bytes))?;
    let alike = left.iter().filter_map(|(path, old)| {
        let share = shared(old.bytes.as_deref().filter(is_short)?, bytes);
        (share >= 60).then_some((share, *path))
    });
    alike.max_by_key(|(share, _)| *share).map(|(_, path)| path)
}

/// How much of the longer of two texts is in lines that both have, in per cent.
fn shared(one: &[u8], other: &[u8]) -> usize {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    for line in one.split(|byte| *byte == b'\n') {
        *counts.entry(line).or_default() += 1;
    }
    let mut both = 0;
    for line in other.split(|byte| *byte == b'\n') {
        if let Some(count) = counts.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            both += line.len() + 1;
        }
    }
    both * 100 / (one.len().max(other.len()) + 1)
}
