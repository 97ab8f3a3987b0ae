//! Finds the skills under a root: the only walk of the file system.
//!
//! The build and the overlays both call [`scan`], so that they see the same skills. It judges
//! only what a listing shows: names, kinds, symlinks, and how many there are; the only files that it
//! opens are the root's own `SKILL.md`, which may be an index, and one above another skill, which hides nothing
//! if it is refused. The content of a `SKILL.md` is for [`document`](crate::document) and the phases after it.
//!
//! This file is what callers see: the options, what comes back, and the doors. The walk itself is in
//! `walk`, which asks `links` where a link leads and `leave_out` what to skip, and takes the words
//! of its findings from `report`; `open` reads a file that was found.

use std::path::{Path, PathBuf};

use skills_pack::hidden::{self, Hidden};

use crate::code::Code;
use crate::finding::Finding;
use walk::How;

pub use list::{List, Listed, list};
pub use open::{find_file, in_words, read_file, real, try_file};
pub use walk::is_in_flat;

mod leave_out;
mod links;
mod list;
mod open;
mod report;
#[cfg(test)]
mod tests;
mod walk;

/// The name that makes a directory a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// The directory in a skill that has its tests, with their answers.
pub const EVALS: &str = "evals";

/// The end of the file name of a slash command's template.
pub const TEMPLATE_SUFFIX: &str = ".txt";

/// The deepest level below a root that is read at run time.
pub const MAX_LIVE_DEPTH: u32 = 16;

/// The most skills of a root that are served at run time.
pub const MAX_LIVE_SKILLS: usize = 10_000;

/// The most bytes of a file that is read at run time.
pub const MAX_LIVE_FILE: u64 = 64 * 1024 * 1024;

/// At most this many entries are seen through linked directories: a few links can fan out to any number.
pub const MAX_ENTRIES_THROUGH_LINKS: usize = 10_000;

/// At most this many linked directories lie on the way to a file. Linux opens no path with more.
pub const MAX_LINKS_IN_A_PATH: usize = 40;

/// How to walk.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ScanOptions {
    /// What to leave out, as patterns with `*`, `?`, `[a-z]` and, as a whole part of a path, `**`.
    ///
    /// A pattern without `/` is matched with names at any level, one with `/` with the path from the
    /// root. One that ends in `/` matches directories only, and that `/` does not count.
    pub ignore: Vec<String>,
    /// Whether the directory [`EVALS`] of a skill is one of files like any other, instead of being left out.
    pub keep_evals: bool,
    /// Whether a `SKILL.md` inside a skill makes another skill, instead of being a file of the outer.
    pub nested: bool,
    /// How many levels below the root are walked; `None` for all.
    pub max_depth: Option<u32>,
    /// How many files and directories are looked at before the walk gives up.
    pub max_entries: usize,
    /// Whether a link may lead out of the root to a directory that is a skill. What lies in that
    /// directory must then stay in it.
    pub follow_skills_out: bool,
    /// Directories of skills that are known to be refused, absolute and with every link resolved: none of them
    /// hides a skill below it. [`scan`] finds such directories by itself, [`scan_skills`] does not.
    pub refused: Vec<PathBuf>,
    /// Files that are found although they are not on disk yet, nor perhaps their directories: absolute, with every
    /// link above them resolved. They have no length.
    pub unsaved: Vec<PathBuf>,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self {
            ignore: Vec::new(),
            keep_evals: false,
            nested: false,
            max_depth: None,
            max_entries: 1_000_000,
            follow_skills_out: false,
            refused: Vec::new(),
            unsaved: Vec::new(),
        }
    }
}

/// What is under a root. Every list is sorted by path, byte by byte.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Scan {
    /// The skills, broken ones included.
    pub skills: Vec<FoundSkill>,
    /// What is wrong with names, kinds, links and numbers, by [`Finding::sort_key`].
    pub findings: Vec<Finding>,
    /// What is not walked and not shipped, on purpose.
    pub left_out: Vec<LeftOut>,
    /// Directories with files that belong to no skill, as shown. Only the topmost of a tree is
    /// named, and none for which a finding already says why it holds no skill.
    pub without_skill: Vec<String>,
    /// The directories that were listed, absolute and with every link resolved, in the order of the
    /// walk. Not to be shown.
    pub directories: Vec<PathBuf>,
    /// Directories of skills outside the root to which symlinks led, in the same form.
    pub outside: Vec<PathBuf>,
    /// The symlinks in the root, followed or not, and the target of each, in the same form; `None` where
    /// there is no target.
    pub links: Vec<(PathBuf, Option<PathBuf>)>,
    /// The `SKILL.md` of the root that is an index, or was looked at as one: what it says decides how the root
    /// is read.
    pub index: Option<FoundFile>,
    /// Each `SKILL.md` that was read since another skill is below it, which it does not hide if it is refused. In the form of [`Scan::directories`].
    pub judged: Vec<PathBuf>,
    /// The files of slash commands, which are outside of skills.
    pub commands: CommandFiles,
    /// Whether the walk ended early, or something could not be looked at: a later walk may find more though
    /// no directory of this one has changed.
    pub is_partial: bool,
}

/// The files of slash commands under a root. Their paths are those below the root; lists are sorted by
/// them, byte by byte.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CommandFiles {
    /// How the root is shown.
    pub label: String,
    /// The definitions: `NAME.command.yaml`, and what other letters or `.yml` keep from being one.
    pub definitions: Vec<FoundFile>,
    /// What a definition can name as its template: every plain `.txt` that is no skill's.
    pub templates: Vec<FoundFile>,
    /// What has a finding already, such as a link that leads out, as shown.
    pub(crate) refused: Vec<String>,
}

impl CommandFiles {
    /// The path below the root, as it is shown.
    pub fn shown(&self, path: &str) -> String {
        shown(&self.label, path)
    }
}

/// A directory that is a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundSkill {
    /// The directory as shown: the root's label and the path below it, with `/`.
    pub path: String,
    /// The directory's own name; of a root that is a skill, the name on disk behind any link.
    pub dir_name: String,
    /// Its files, `SKILL.md` included, sorted by path. Only that one after [`scan_skills`].
    pub files: Vec<FoundFile>,
    /// Whether there is no `SKILL.md`, only a file that has the name in other letters (E016).
    pub misspelt: bool,
    start: walk::Start,
}

impl FoundSkill {
    /// A directory that is not on disk, with these files.
    pub fn of_files(path: String, dir_name: &str, files: Vec<FoundFile>) -> Self {
        Self { path, dir_name: dir_name.to_owned(), files, misspelt: false, start: walk::Start::default() }
    }

    /// Its directory on disk: absolute, with every link resolved. Not to be shown. Empty if it is not on disk.
    pub fn home(&self) -> &Path {
        &self.start.disk
    }

    /// The `SKILL.md`, or the first file that has its name in other letters.
    pub fn skill_file(&self) -> Option<&FoundFile> {
        let wanted = |file: &&FoundFile| {
            if self.misspelt { is_skill_name(&file.path) } else { file.path == SKILL_FILE }
        };
        self.files.iter().find(wanted)
    }
}

/// A plain file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundFile {
    /// The path in the skill's directory, with `/`.
    pub path: String,
    /// Where it is opened: absolute, with every link resolved. Not to be shown.
    pub disk: PathBuf,
    /// Length in bytes at the time of the scan.
    pub len: u64,
    /// Whether any execute bit is set. Always false where the system has none.
    pub executable: bool,
}

impl FoundFile {
    /// A file of which only the name and the length are known: it is nowhere on disk.
    pub fn named(path: &str, len: u64) -> Self {
        Self { path: path.to_owned(), disk: PathBuf::new(), len, executable: false }
    }
}

/// A file or directory that is not walked and not shipped, on purpose. A directory is one of these,
/// whatever is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The file or directory as shown.
    pub path: String,
    /// Why.
    pub reason: LeftOutReason,
}

/// Why something is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LeftOutReason {
    /// Its name starts with `.`.
    Hidden,
    /// Tools make it: a directory `node_modules`, `target`, `__pycache__` or `venv`, or a `*.pyc`.
    Generated,
    /// It is a skill's directory [`EVALS`].
    Evals,
    /// The user's list names it.
    Ignored,
    /// A link to a directory that the walk is already in.
    Loop,
    /// A link to something that is left out by its name, or lies in what is.
    Link,
}

/// Finds the skills under `root`, which is shown as `label` (with `/`, and none at the end).
///
/// A root that cannot be listed gives one finding and no skill. Every other fault concerns one entry
/// alone, and the walk goes on; only past [`ScanOptions::max_entries`] and the limits on links it
/// ends early, with one finding.
pub fn scan(root: &Path, label: &str, options: &ScanOptions) -> Scan {
    sorted(walk::walk(root, How { label, options, wanted: Wanted::Everything, list: &list }))
}

/// Finds the skills under `root`, as [`scan`] does, and of each its `SKILL.md` alone: the walk ends there,
/// and [`files_of`] looks at the rest.
pub fn scan_skills(root: &Path, label: &str, options: &ScanOptions, list: &List<'_>) -> Scan {
    let mut scan = sorted(walk::walk(root, How { label, options, wanted: Wanted::SkillFiles, list }));
    let homes: Vec<String> = scan.skills.iter().map(|skill| skill.path.clone()).collect();
    let is_in_skill = |path: &str| {
        let above = |path: &str| path.rsplit_once('/').map(|(above, _)| above.to_owned());
        let first = above(path).filter(|_| !is_skill_name(path.rsplit('/').next().unwrap_or_default()));
        let mut directories = std::iter::successors(first, |path| above(path));
        directories.any(|directory| homes.binary_search(&directory).is_ok())
    };
    // With skills inside of skills the walk sees a part of their files.
    if options.nested || !options.refused.is_empty() {
        let is_on_file = |code| matches!(code, Code::E014 | Code::E015 | Code::E017 | Code::L125);
        scan.findings.retain(|finding| !(is_on_file(finding.code) && is_in_skill(&finding.path)));
    }
    scan
}

/// Finds the slash commands under `root`, as [`scan`] does, and no skill: a `SKILL.md` is a file like
/// any other here.
pub fn scan_commands(root: &Path, label: &str, options: &ScanOptions, list: &List<'_>) -> Scan {
    let mut scan = sorted(walk::walk(root, How { label, options, wanted: Wanted::Commands, list }));
    scan.without_skill.clear();
    scan
}

/// The files of one skill.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct SkillFiles {
    /// The files, sorted by path. One whose name holds Unicode tag characters is left out.
    pub files: Vec<FoundFile>,
    /// What is wrong with them, `SKILL.md` aside.
    pub findings: Vec<Finding>,
    /// The directories that were listed, as in [`Scan::directories`].
    pub directories: Vec<PathBuf>,
    /// The symlinks, as in [`Scan::links`].
    pub links: Vec<(PathBuf, Option<PathBuf>)>,
    /// Whether a later walk may find more though no directory has changed.
    pub is_partial: bool,
}

/// Looks at the files of a skill that [`scan_skills`] found under `root`, which is given with every link
/// resolved. A file that cannot be served is missing from the list, with a finding.
pub fn files_of(root: &Path, label: &str, options: &ScanOptions, skill: &FoundSkill) -> SkillFiles {
    let how = How { label, options, wanted: Wanted::Everything, list: &list };
    let scan = sorted(walk::walk_skill(root.to_owned(), how, skill));
    let mut findings = scan.findings;
    findings.retain(|finding| finding.path != skill.path && finding.code != Code::E016);
    let found = scan.skills.into_iter().find(|found| found.path == skill.path);
    let mut files = found.map(|found| found.files).unwrap_or_default();
    let has_tags = |path: &str| hidden::find(path).any(|(.., hidden)| hidden == Hidden::Tag);
    files.retain(|file| file.path.is_ascii() || !has_tags(&file.path));
    let (directories, links, is_partial) = (scan.directories, scan.links, scan.is_partial);
    SkillFiles { files, findings, directories, links, is_partial }
}

/// What a walk looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Skills with their files, and the commands outside of them.
    Everything,
    /// The same, but of a skill its `SKILL.md` alone.
    SkillFiles,
    /// Commands alone.
    Commands,
}

fn sorted(mut scan: Scan) -> Scan {
    for skill in &mut scan.skills {
        skill.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    }
    scan.skills.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    scan.findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    scan.left_out.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    for files in [&mut scan.commands.definitions, &mut scan.commands.templates] {
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    }
    // What is said of the whole root says nothing of a file in it.
    let below_root = scan.findings.iter().filter(|finding| finding.path != scan.commands.label);
    scan.commands.refused = below_root.map(|finding| finding.path.clone()).collect();
    drop_directories_of_commands(&mut scan);
    keep_topmost_without_skill(&mut scan);
    scan
}

/// The root with every link resolved.
///
/// # Errors
///
/// A finding where it is no directory, or cannot be looked at. `label` is how it is shown.
pub fn find_root(root: &Path, label: &str) -> Result<PathBuf, Box<Finding>> {
    report::check_root(root, label, Wanted::Everything)
}

/// A path below a root, as it is shown.
fn shown(label: &str, rel: &str) -> String {
    match (label, rel) {
        (label, "") => label.to_owned(),
        (label, rel) if label.is_empty() || label.ends_with('/') => format!("{label}{rel}"),
        (label, rel) => format!("{label}/{rel}"),
    }
}

/// Directories that hold a command, at any depth, or the templates of those above are no skills that
/// lack a SKILL.md.
fn drop_directories_of_commands(scan: &mut Scan) {
    let commands = &scan.commands;
    let directories = commands.definitions.iter().filter_map(|file| file.path.rsplit_once('/'));
    let mut holding: Vec<String> = directories.map(|(directory, _)| commands.shown(directory)).collect();
    holding.sort_unstable();
    let holds = |path: &str| holding.binary_search_by(|held| held.as_str().cmp(path)).is_ok();
    let holds_below = |path: &str| {
        let below = format!("{path}/");
        holding
            .get(holding.partition_point(|held| *held < below))
            .is_some_and(|held| held.starts_with(&below))
    };
    let lies_in_one = |path: &str| path.match_indices('/').any(|(at, _)| holds(&path[..at]));
    scan.without_skill.retain(|path| !holds(path) && !holds_below(path) && !lies_in_one(path));
}

/// Whether a name is that of a command's definition, in any letters and with either ending of YAML.
fn is_definition_name(name: &str) -> bool {
    let ends_in = |end: &str| {
        let tail = name.len().checked_sub(end.len()).and_then(|at| name.get(at..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    ends_in(".command.yaml") || ends_in(".command.yml")
}

/// Whether a name is `SKILL.md` in any letters.
fn is_skill_name(name: &str) -> bool {
    name.eq_ignore_ascii_case(SKILL_FILE)
}

/// Of the directories that hold files and are no skill, keeps those above no skill, once a tree.
fn keep_topmost_without_skill(scan: &mut Scan) {
    let skills = &scan.skills;
    let holds_skill = |path: &String| {
        let below = format!("{path}/");
        let next = skills.partition_point(|skill| skill.path < below);
        skills.get(next).is_some_and(|skill| skill.path.starts_with(&below))
    };
    scan.without_skill.retain(|path| !holds_skill(path));
    // Compared part by part, `a/b` comes right after `a`; byte by byte, `a-b` would come between.
    scan.without_skill.sort_unstable_by(|a, b| a.split('/').cmp(b.split('/')));
    scan.without_skill
        .dedup_by(|path, above| path.strip_prefix(above.as_str()).is_some_and(|rest| rest.starts_with('/')));
    scan.without_skill.sort_unstable();
}
