//! The walk itself, one directory at a time.
//!
//! It looks at all files of a skill, or at its `SKILL.md` alone, as a live root does until a skill is loaded.
//!
//! Directories wait in a list instead of on the call stack, and each is listed once, its entries in
//! the order of their names: depth costs no stack, and where a limit ends the walk it ends at the
//! same place on every system. Nothing here is sorted for the caller; [`scan`](super::scan) does.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::code::Code;
use crate::finding::Finding;

use super::leave_out::LeaveOut;
use super::links::{self, Target, Trail};
use super::list::{List, Listed};
use super::{
    EVALS, FoundFile, FoundSkill, LeftOut, LeftOutReason, MAX_ENTRIES_THROUGH_LINKS, MAX_LINKS_IN_A_PATH,
    SKILL_FILE, Scan, ScanOptions, TEMPLATE_SUFFIX, Wanted, is_definition_name, is_skill_name, report, shown,
};

mod skills;

pub(super) use skills::Start;
pub use skills::is_in_flat;

/// How to walk a root.
#[derive(Clone, Copy)]
pub(super) struct How<'h> {
    pub(super) label: &'h str,
    pub(super) options: &'h ScanOptions,
    pub(super) wanted: Wanted,
    pub(super) list: &'h List<'h>,
}

/// Walks a root. The lists of the result are in the order of the walk.
pub(super) fn walk(root: &Path, how: How<'_>) -> Scan {
    let mut walk = Walk::new(how);
    let real = match report::check_root(root, how.label, how.wanted) {
        Ok(real) => real,
        Err(finding) => {
            walk.scan.findings.push(*finding);
            return walk.scan;
        }
    };
    walk.run(Dir::root(real.clone()));
    if walk.scan.index.is_none() || walk.report_index() {
        return walk.scan;
    }
    // An index of nothing is a skill that lacks its frontmatter.
    let mut walk = Walk { may_be_index: false, ..Walk::new(how) };
    walk.run(Dir::root(real));
    walk.scan
}

/// Walks the directory of one skill of a root, which is given with every link resolved.
pub(super) fn walk_skill(root: PathBuf, how: How<'_>, skill: &FoundSkill) -> Scan {
    let mut walk = Walk { may_be_index: false, root, ..Walk::new(how) };
    walk.scan.index.clone_from(&skill.start.index);
    // Whoever asks for its files serves it.
    walk.refused.insert(skill.start.disk.clone(), false);
    walk.todo.push(Dir::of_skill(&skill.start));
    walk.go_on();
    walk.scan
}

struct Walk<'o> {
    label: &'o str,
    options: &'o ScanOptions,
    wanted: Wanted,
    list: &'o List<'o>,
    leave_out: LeaveOut,
    /// The root with every link resolved.
    root: PathBuf,
    todo: Vec<Dir>,
    scan: Scan,
    seen: usize,
    seen_through_links: usize,
    stopped: bool,
    /// Whether a `SKILL.md` without frontmatter at the root may be an index.
    may_be_index: bool,
    /// The directories of the skills, as [`Dir::disk`].
    homes: Vec<PathBuf>,
    /// Whether the skill in a directory is refused, where that was asked.
    refused: BTreeMap<PathBuf, bool>,
}

/// A directory to be walked.
struct Dir {
    /// The path below the root, links by their own names, with `/`; empty for the root.
    rel: String,
    /// Absolute, with every link resolved.
    disk: PathBuf,
    depth: u32,
    owner: Owner,
    trail: Trail,
    /// The directory that links here must not lead out of: the root, or a skill outside it.
    within: Rc<Path>,
}

impl Dir {
    fn root(disk: PathBuf) -> Self {
        let within = Rc::from(disk.as_path());
        Self { rel: String::new(), disk, depth: 0, owner: Owner::Nobody, trail: Trail::default(), within }
    }
}

/// Whose files the files in a directory are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    /// Nobody's, and a finding on the `SKILL.md` says why.
    Broken,
    /// Those of a skill: its place in the list, and the length of the path before its files' paths.
    Skill {
        index: usize,
        prefix: usize,
        misspelt: bool,
    },
}

/// One entry of a listing that is not left out.
struct ListedEntry {
    name: String,
    rel: String,
    kind: Kind,
}

enum Kind {
    /// A plain file, with what is needed to learn its length.
    File(FileAt),
    Directory(PathBuf, Trail, Rc<Path>),
    /// A pipe, a device or the like, in words.
    Special(&'static str),
    /// Already reported, or a loop.
    Refused,
}

enum FileAt {
    Listed(PathBuf),
    Linked(PathBuf, Metadata),
    /// It is not on disk yet.
    Unsaved(PathBuf),
}

impl<'o> Walk<'o> {
    fn new(how: How<'o>) -> Self {
        let How { label, options, wanted, list } = how;
        let mut scan = Scan::default();
        label.clone_into(&mut scan.commands.label);
        let leave_out = LeaveOut::new(&options.ignore, |pattern, why| {
            scan.findings.push(report::bad_pattern(label, pattern, why));
        });
        Self {
            label,
            options,
            wanted,
            list,
            leave_out,
            root: PathBuf::new(),
            todo: Vec::new(),
            scan,
            seen: 0,
            seen_through_links: 0,
            stopped: false,
            may_be_index: true,
            homes: Vec::new(),
            refused: BTreeMap::new(),
        }
    }

    fn run(&mut self, root: Dir) {
        self.root.clone_from(&root.disk);
        self.todo.push(root);
        self.go_on();
    }

    fn go_on(&mut self) {
        while !self.stopped
            && let Some(dir) = self.todo.pop()
        {
            self.visit(&dir);
            self.scan.directories.push(dir.disk);
        }
    }

    fn visit(&mut self, dir: &Dir) {
        let listed = self.list(dir);
        let unsaved = self.unsaved(dir, &listed);
        let has_name = |listed: &Listed| listed.name.to_str().is_some_and(|name| self.is_skill_name(name));
        let (named, others): (Vec<&Listed>, Vec<&Listed>) =
            listed.iter().partition(|listed| has_name(listed));
        if named.iter().any(|listed| listed.name == SKILL_FILE) && self.is_other_skill(dir) {
            self.report(Code::L125, &dir.rel, report::INTO_ANOTHER_SKILL);
            return;
        }
        let has_skill_name = !named.is_empty() || unsaved.iter().any(|entry| self.is_skill_name(&entry.name));
        let in_skill = has_skill_name || matches!(dir.owner, Owner::Skill { .. });
        let mut entries = Vec::with_capacity(listed.len() + unsaved.len());
        entries.extend(unsaved);
        entries.extend(named.into_iter().filter_map(|listed| self.look_at(dir, in_skill, listed)));
        let is_refused = self.options.refused.contains(&dir.disk);
        let ends_here = self.wanted == Wanted::SkillFiles && !self.options.nested && !is_refused;
        let stops_here = ends_here && self.has_skill_file(&entries);
        // Nothing else in it decides whether it is a skill.
        let owner = stops_here.then(|| self.owner(dir, &entries));
        if !matches!(owner, Some(Owner::Skill { misspelt: false, .. })) {
            entries.extend(others.into_iter().filter_map(|listed| self.look_at(dir, in_skill, listed)));
            entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        }
        let owner = owner.unwrap_or_else(|| self.owner(dir, &entries));
        if owner != dir.owner && matches!(owner, Owner::Skill { .. }) && !self.options.keep_evals {
            self.leave_out_evals(&mut entries);
        }
        self.take(dir, owner, entries);
    }

    /// Takes the entries of a directory: its files, and the directories in it for later.
    fn take(&mut self, dir: &Dir, owner: Owner, entries: Vec<ListedEntry>) {
        let mut holds_files = false;
        // The last directory pushed is the next one walked: backwards here is forwards there.
        for ListedEntry { name, rel, kind } in entries.into_iter().rev() {
            match kind {
                Kind::File(_) if is_definition_name(&name) && self.refuses_name(owner, &rel) => {}
                Kind::File(at) => {
                    holds_files = true;
                    self.check_name(owner, &rel);
                    self.take_file(owner, &rel, at);
                }
                Kind::Directory(..) if name == SKILL_FILE && self.wanted != Wanted::Commands => {
                    self.report(Code::E017, &rel, report::SKILL_FILE_IS_DIRECTORY);
                }
                Kind::Directory(..) if self.refuses_name(owner, &rel) => {}
                Kind::Directory(disk, trail, within) => {
                    self.check_name(owner, &rel);
                    self.go_deeper(Dir { rel, disk, depth: dir.depth + 1, owner, trail, within });
                }
                Kind::Special(what)
                    if owner != Owner::Nobody || self.is_skill_name(&name) || is_definition_name(&name) =>
                {
                    self.scan.findings.push(report::special(self.shown(&rel), what));
                }
                Kind::Special(_) if name.ends_with(TEMPLATE_SUFFIX) => {
                    // It matters to a command that names it alone, and then it is refused by its kind.
                    let disk = dir.disk.join(&name);
                    self.scan.commands.templates.push(FoundFile {
                        path: rel,
                        disk,
                        len: 0,
                        executable: false,
                    });
                }
                Kind::Special(_) | Kind::Refused => {}
            }
        }
        if holds_files && owner == Owner::Nobody && !dir.rel.is_empty() {
            let shown = self.shown(&dir.rel);
            self.scan.without_skill.push(shown);
        }
    }

    /// The entries of a directory by name; none where it cannot be listed or a limit is passed.
    fn list(&mut self, dir: &Dir) -> Arc<[Listed]> {
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
    fn unsaved(&self, dir: &Dir, listed: &[Listed]) -> Vec<ListedEntry> {
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
    fn leave_out_evals(&mut self, entries: &mut Vec<ListedEntry>) {
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
    fn look_at(&mut self, dir: &Dir, in_skill: bool, listed: &Listed) -> Option<ListedEntry> {
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

    fn follow(&mut self, dir: &Dir, in_skill: bool, rel: &str, link: &Path) -> Kind {
        let may_leave = self.options.follow_skills_out && dir.owner == Owner::Nobody;
        let end = fs::canonicalize(link);
        self.scan.links.push((link.to_owned(), end.as_ref().ok().cloned()));
        let target = links::follow(end, &dir.within, may_leave);
        if let Target::File(end, _) | Target::Directory(end) = &target
            && self.is_left_out(end, matches!(target, Target::File(..)))
        {
            self.leave_out(rel, LeftOutReason::Link);
            return Kind::Refused;
        }
        if let Target::File(end, _) | Target::Directory(end) = &target
            && self.leads_into_another(dir, in_skill, end)
        {
            self.report(Code::L125, rel, report::INTO_ANOTHER_SKILL);
            return Kind::Refused;
        }
        match target {
            Target::SkillOutside(disk) => {
                let within = Rc::from(disk.as_path());
                self.scan.outside.push(disk.clone());
                Kind::Directory(disk, dir.trail.through(&dir.disk), within)
            }
            Target::File(disk, metadata) => Kind::File(FileAt::Linked(disk, metadata)),
            Target::Special(what) => Kind::Special(what),
            Target::Directory(disk) if dir.trail.would_loop(&dir.disk, &disk) => {
                self.leave_out(rel, LeftOutReason::Loop);
                Kind::Refused
            }
            Target::Directory(_) if dir.trail.len() >= MAX_LINKS_IN_A_PATH => {
                self.stop(rel, format!("more than {MAX_LINKS_IN_A_PATH} symlinks are on the way here"));
                Kind::Refused
            }
            Target::Directory(disk) => {
                Kind::Directory(disk, dir.trail.through(&dir.disk), Rc::clone(&dir.within))
            }
            Target::Refused(why) => {
                self.scan.findings.push(report::refused_link(self.shown(rel), link, self.label, &why));
                Kind::Refused
            }
        }
    }

    /// Whether the end of a link, or a directory on the way to it, is left out by its name.
    fn is_left_out(&self, end: &Path, is_file: bool) -> bool {
        let Ok(below) = end.strip_prefix(&self.root) else { return false };
        let mut disk = self.root.clone();
        let mut rel = String::new();
        let mut parts = below.components().peekable();
        while let Some(part) = parts.next() {
            let name = part.as_os_str().to_string_lossy();
            disk.push(part);
            if !rel.is_empty() {
                rel.push('/');
            }
            rel.push_str(&name);
            let is_file = is_file && parts.peek().is_none();
            let is_evals = name == EVALS && !is_file && !self.options.keep_evals;
            if is_evals && disk.parent().is_some_and(holds_skill_file) {
                return true;
            }
            if self.leave_out.reason(&name, &rel, is_file, || holds_skill_file(&disk)).is_some() {
                return true;
            }
        }
        false
    }

    fn take_file(&mut self, owner: Owner, rel: &str, at: FileAt) {
        let (is_definition, is_template) = (is_definition_name(rel), rel.ends_with(TEMPLATE_SUFFIX));
        match owner {
            // The others are looked at when the skill is loaded.
            Owner::Skill { prefix, .. }
                if self.wanted == Wanted::SkillFiles && !is_skill_name(&rel[prefix..]) =>
            {
                return;
            }
            Owner::Skill { .. } => {}
            Owner::Nobody if is_definition || is_template => {}
            Owner::Nobody | Owner::Broken => return,
        }
        let (disk, metadata) = match at {
            FileAt::Listed(disk) => {
                let metadata = fs::symlink_metadata(&disk).map(Some);
                (disk, metadata)
            }
            FileAt::Linked(disk, metadata) => (disk, Ok(Some(metadata))),
            FileAt::Unsaved(disk) => (disk, Ok(None)),
        };
        match metadata {
            Ok(metadata) => {
                let (files, prefix) = match owner {
                    Owner::Skill { index, prefix, .. } => (&mut self.scan.skills[index].files, prefix),
                    _ if is_definition => (&mut self.scan.commands.definitions, 0),
                    _ => (&mut self.scan.commands.templates, 0),
                };
                files.push(FoundFile {
                    path: rel[prefix..].to_owned(),
                    disk,
                    len: metadata.as_ref().map_or(0, Metadata::len),
                    executable: metadata.as_ref().is_some_and(is_executable),
                });
            }
            // A text that no one may ever ask for is missed when a command names it.
            Err(_) if owner == Owner::Nobody && is_template => {}
            Err(error) => {
                self.scan.findings.push(report::unreadable(self.shown(rel), "file", &error));
            }
        }
    }

    fn go_deeper(&mut self, dir: Dir) {
        match self.options.max_depth {
            Some(most) if dir.depth > most => {
                self.scan.findings.push(report::too_deep(self.shown(&dir.rel), most));
            }
            _ => self.todo.push(dir),
        }
    }

    fn leave_out(&mut self, rel: &str, reason: LeftOutReason) {
        let path = self.shown(rel);
        self.scan.left_out.push(LeftOut { path, reason });
    }

    /// Ends the walk; the first call says why.
    fn stop(&mut self, rel: &str, message: String) {
        if !self.stopped {
            self.stopped = true;
            self.scan.is_partial = true;
            self.scan.findings.push(report::stopped(self.shown(rel), message));
        }
    }

    fn report(&mut self, code: Code, rel: &str, (message, help): (&str, &str)) {
        let path = self.shown(rel);
        self.scan.findings.push(Finding::on_path(code, path, message.to_owned(), help.to_owned()));
    }

    fn shown(&self, rel: &str) -> String {
        shown(self.label, rel)
    }

    /// Whether a name is one of a skill file, and skills are looked for.
    fn is_skill_name(&self, name: &str) -> bool {
        self.wanted != Wanted::Commands && is_skill_name(name)
    }

    /// Whether a plain file among these is named `SKILL.md`.
    fn has_skill_file(&self, entries: &[ListedEntry]) -> bool {
        let is_one = |entry: &ListedEntry| entry.name == SKILL_FILE && matches!(entry.kind, Kind::File(_));
        self.wanted != Wanted::Commands && entries.iter().any(is_one)
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

fn holds_skill_file(directory: &Path) -> bool {
    fs::symlink_metadata(directory.join(SKILL_FILE)).is_ok()
}

#[cfg(unix)]
pub(super) fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
pub(super) fn is_executable(_: &Metadata) -> bool {
    false
}
