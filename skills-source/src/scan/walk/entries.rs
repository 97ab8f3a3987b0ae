//! The entries of a directory: what is listed, what is left out, and what each one is.

use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use super::{Dir, FileAt, Kind, ListedEntry, Walk, holds_skill_file};
use crate::code::Code;
use crate::scan::list::Listed;
use crate::scan::{EVALS, LeftOutReason, MAX_ENTRIES_THROUGH_LINKS, links, report};

impl Walk<'_> {
    /// The entries of a directory by name; none where it cannot be listed or a limit is passed.
    pub(super) fn list(&mut self, dir: &Dir) -> Arc<[Listed]> {
        let is_linked = !dir.trail.is_empty();
        let left = self.options.max_entries.saturating_sub(self.seen);
        let left_through_links = MAX_ENTRIES_THROUGH_LINKS.saturating_sub(self.seen_through_links);
        let most = if is_linked { left.min(left_through_links) } else { left };
        // One more shows that a limit is passed.
        match (self.list)(&dir.disk, most.saturating_add(1)) {
            Ok(entries) => {
                self.seen += entries.len();
                self.seen_through_links += if is_linked { entries.len() } else { 0 };
                match self.passed_limit() {
                    // Which part of a listing comes first is the disk's choice: take all of it or none.
                    Some(message) => self.stop(&dir.rel, message),
                    None => return entries,
                }
            }
            // What will be in it is known.
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.will_be(&dir.disk) => {}
            Err(error) => {
                self.scan.is_partial = true;
                self.scan.findings.push(report::unreadable(self.shown(&dir.rel), "directory", &error));
            }
        }
        Arc::default()
    }

    /// The files that a directory will have, and the directories on the way to others.
    pub(super) fn unsaved(&self, dir: &Dir, listed: &[Listed]) -> Vec<ListedEntry> {
        let mut new: Vec<ListedEntry> = Vec::new();
        for disk in &self.options.unsaved {
            let Ok(below) = disk.strip_prefix(&dir.disk) else { continue };
            let mut names = below.iter();
            let Some(name) = names.next() else { continue };
            let is_new = listed.iter().all(|listed| listed.name != name);
            let Some(name) = name.to_str().filter(|name| is_new && new.iter().all(|new| new.name != *name))
            else {
                continue;
            };
            let rel = if dir.rel.is_empty() { name.to_owned() } else { format!("{}/{name}", dir.rel) };
            let is_file = names.next().is_none();
            let kind = if is_file {
                Kind::File(FileAt::Unsaved(disk.clone()))
            } else if self.leave_out.reason(name, &rel, false, || true).is_some() {
                continue;
            } else {
                Kind::Directory(dir.disk.join(name), dir.trail.clone(), Rc::clone(&dir.within))
            };
            new.push(ListedEntry { name: name.to_owned(), rel, kind });
        }
        new
    }

    /// Whether a directory will be made for a file that isn't saved yet.
    fn will_be(&self, directory: &Path) -> bool {
        self.options.unsaved.iter().any(|disk| disk.starts_with(directory))
    }

    /// Leaves out the tests of a skill, whose entries these are.
    pub(super) fn leave_out_evals(&mut self, entries: &mut Vec<ListedEntry>) {
        let is_evals = |entry: &ListedEntry| entry.name == EVALS && matches!(entry.kind, Kind::Directory(..));
        if let Some(at) = entries.iter().position(is_evals) {
            let rel = entries.remove(at).rel;
            self.leave_out(&rel, LeftOutReason::Evals);
        }
    }

    fn passed_limit(&self) -> Option<String> {
        if self.seen > self.options.max_entries {
            Some(format!("the root holds more than {} files and directories", self.options.max_entries))
        } else if self.seen_through_links > MAX_ENTRIES_THROUGH_LINKS {
            Some(format!("symlinks lead to more than {MAX_ENTRIES_THROUGH_LINKS} files and directories"))
        } else {
            None
        }
    }

    /// What an entry is, once links are followed; `None` for what is left out or cannot be looked at.
    pub(super) fn look_at(&mut self, dir: &Dir, in_skill: bool, listed: &Listed) -> Option<ListedEntry> {
        let name = listed.name.as_os_str();
        let lossy = name.to_string_lossy();
        let shown = shown_name(name);
        let rel = if dir.rel.is_empty() { shown } else { format!("{}/{shown}", dir.rel) };
        let disk = dir.disk.join(name);
        let kind = match listed.kind.map_or_else(|| kind_of(&disk), Ok) {
            Ok(kind) => kind,
            Err(error) => {
                self.scan.is_partial = true;
                self.scan.findings.push(report::unreadable(self.shown(&rel), "file", &error));
                return None;
            }
        };
        // A skill may be called `target` all the same, but nothing inside a skill is one.
        let bears_it_as_skill = || !in_skill && holds_skill_file(&disk);
        if let Some(reason) = self.leave_out.reason(&lossy, &rel, kind.is_file(), bears_it_as_skill) {
            self.leave_out(&rel, reason);
            return None;
        }
        let Some(name) = name.to_str() else {
            self.report(Code::E017, &rel, report::NOT_UTF8);
            return None;
        };
        let kind = if kind.is_symlink() {
            self.follow(dir, in_skill, &rel, &disk)
        } else if kind.is_dir() {
            Kind::Directory(disk, dir.trail.clone(), Rc::clone(&dir.within))
        } else if kind.is_file() {
            Kind::File(FileAt::Listed(disk))
        } else {
            Kind::Special(links::special_kind(kind))
        };
        Some(ListedEntry { name: name.to_owned(), rel, kind })
    }
}

/// A name as text: bytes that are not UTF-8 as `\xff`, so that one can tell which file it is.
fn shown_name(name: &OsStr) -> String {
    let mut shown = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        shown.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| shown.push_str(&format!("\\x{byte:02x}")));
    }
    shown
}

fn kind_of(path: &Path) -> std::io::Result<FileType> {
    fs::symlink_metadata(path).map(|metadata| metadata.file_type())
}
