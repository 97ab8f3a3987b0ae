//! The walk itself, one directory at a time.
//!
//! It looks at all files of a skill, or at its `SKILL.md` alone, as a live root does until a skill is loaded.
//!
//! Directories wait in a list instead of on the call stack, and each is listed once, its entries in
//! the order of their names: depth costs no stack, and where a limit ends the walk it ends at the
//! same place on every system. Nothing here is sorted for the caller; [`scan`](super::scan) does.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::code::Code;
use crate::finding::Finding;

use super::leave_out::LeaveOut;
use super::links::Trail;
use super::list::{List, Listed};
use super::{
    FoundFile, FoundSkill, LeftOut, LeftOutReason, SKILL_FILE, Scan, ScanOptions, TEMPLATE_SUFFIX, Wanted,
    is_definition_name, is_skill_name, report, shown,
};

mod entries;
mod follow;
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
