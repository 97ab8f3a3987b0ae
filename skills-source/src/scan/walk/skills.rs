//! Which directories are skills, whose files are whose, and where one skill ends.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use skills_pack::hidden::{self, Hidden};

use super::{Dir, FileAt, Kind, ListedEntry, Owner, Trail, Walk, holds_skill_file};
use crate::code::Code;
use crate::document;
use crate::lfs;
use crate::rules::Rules;
use crate::scan::{FoundFile, FoundSkill, SKILL_FILE, Wanted, is_definition_name, read_file, report};
use crate::skill;

/// A longer `SKILL.md` at a root is no index.
const MAX_INDEX: u64 = 1024 * 1024;

/// Directories in which each `.md` is something by itself, as other programs have them.
const FLAT: [&str; 4] = ["commands", "agents", "prompts", "docs"];

/// Where the walk came to a skill, to go on there later.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Start {
    rel: String,
    /// The directory of the skill, with every link resolved.
    pub(crate) disk: PathBuf,
    depth: u32,
    trail: Vec<PathBuf>,
    within: PathBuf,
    /// The `SKILL.md` of the root, if it is an index.
    pub(crate) index: Option<FoundFile>,
}

impl Dir {
    pub(super) fn of_skill(start: &Start) -> Self {
        let trail = start.trail.iter().fold(Trail::default(), |trail, directory| trail.through(directory));
        Self {
            rel: start.rel.clone(),
            disk: start.disk.clone(),
            depth: start.depth,
            owner: Owner::Nobody,
            trail,
            within: Rc::from(start.within.as_path()),
        }
    }
}

impl Walk<'_> {
    /// Whose files these are, which a `SKILL.md` among them can change.
    pub(super) fn owner(&mut self, dir: &Dir, entries: &[ListedEntry]) -> Owner {
        let named: Vec<&ListedEntry> =
            entries.iter().filter(|entry| self.is_skill_name(&entry.name)).collect();
        if named.is_empty() {
            return dir.owner;
        }
        let (files, others): (Vec<&ListedEntry>, Vec<&ListedEntry>) =
            named.into_iter().partition(|entry| matches!(entry.kind, Kind::File(_)));
        let inside = matches!(dir.owner, Owner::Skill { .. });
        let exact = files.iter().find(|entry| entry.name == SKILL_FILE);
        if let Some(entry) = exact
            && let Some(index) = self.index(dir, entry)
        {
            self.scan.index = Some(index);
            return dir.owner;
        }
        let has_exact = exact.is_some();
        if !has_exact && self.is_flat(dir, entries) {
            return dir.owner;
        }
        let reports_misspelt = self.options.nested || !inside;
        if reports_misspelt {
            for entry in files.iter().filter(|entry| entry.name != SKILL_FILE) {
                let finding = report::misspelt(self.shown(&entry.rel), &entry.name, has_exact);
                self.scan.findings.push(finding);
            }
        }
        let hides = !self.options.nested && self.hides(dir.owner);
        if has_exact && !hides {
            return self.add_skill(dir, false);
        }
        if !files.is_empty() && reports_misspelt {
            return self.add_skill(dir, true);
        }
        let is_broken = |entry: &&ListedEntry| match entry.kind {
            Kind::Directory(..) => entry.name == SKILL_FILE,
            _ => true,
        };
        if !inside && others.iter().any(is_broken) { Owner::Broken } else { dir.owner }
    }

    fn add_skill(&mut self, dir: &Dir, misspelt: bool) -> Owner {
        let name = match dir.rel.rsplit('/').next() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => self.root_name(),
        };
        if !matches!(dir.owner, Owner::Skill { .. }) {
            self.check_name(Owner::Skill { index: 0, prefix: 0, misspelt }, &dir.rel);
        }
        self.homes.push(dir.disk.clone());
        let start = Start {
            rel: dir.rel.clone(),
            disk: dir.disk.clone(),
            depth: dir.depth,
            trail: dir.trail.directories(),
            within: dir.within.to_path_buf(),
            index: self.scan.index.clone(),
        };
        let (path, files) = (self.shown(&dir.rel), Vec::new());
        self.scan.skills.push(FoundSkill { path, dir_name: name, files, misspelt, start });
        let prefix = if dir.rel.is_empty() { 0 } else { dir.rel.len() + 1 };
        Owner::Skill { index: self.scan.skills.len() - 1, prefix, misspelt }
    }

    fn root_name(&self) -> String {
        self.root.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Reports a name with characters in which instructions can hide; a directory's once.
    pub(super) fn check_name(&mut self, owner: Owner, rel: &str) {
        if matches!(owner, Owner::Skill { .. }) && has_tags(rel) {
            self.report(Code::E015, rel, report::TAGS_IN_NAME);
        }
    }

    /// Whether a directory above skills, or a definition, is refused for such a name: a model reads the path of
    /// each skill in it.
    pub(super) fn refuses_name(&mut self, owner: Owner, rel: &str) -> bool {
        let refused = owner == Owner::Nobody && has_tags(rel);
        if refused {
            self.report(Code::E015, rel, report::TAGS_IN_NAME);
        }
        refused
    }

    /// The `SKILL.md` of the root, if it has no frontmatter: then it may be an index of the skills below.
    fn index(&self, dir: &Dir, entry: &ListedEntry) -> Option<FoundFile> {
        if !self.may_be_index || !dir.rel.is_empty() {
            return None;
        }
        let (disk, len) = match &entry.kind {
            Kind::File(FileAt::Listed(disk)) => (disk.clone(), std::fs::symlink_metadata(disk).ok()?.len()),
            Kind::File(FileAt::Linked(disk, metadata)) => (disk.clone(), metadata.len()),
            _ => return None,
        };
        let file = FoundFile { path: SKILL_FILE.to_owned(), disk, len, executable: false };
        let bytes = if len <= MAX_INDEX { read_file(&file).ok()? } else { return None };
        let fault = document::split(document::decode(&bytes).ok()?).err()?;
        if lfs::is_pointer(&bytes) {
            return None;
        }
        // One below other text is a frontmatter all the same.
        (fault.code == Code::E001 && fault.related.is_empty()).then_some(file)
    }

    /// Reports the index, if there is a skill below it.
    pub(super) fn report_index(&mut self) -> bool {
        let has_skill = self.scan.skills.iter().any(|skill| !skill.misspelt);
        if has_skill {
            self.report(Code::L131, SKILL_FILE, report::INDEX);
        }
        has_skill
    }

    /// Whether a directory holds files that are each something by themselves, of which one may be called
    /// `skill.md`: slash commands, prompts, agents, documents.
    fn is_flat(&self, dir: &Dir, entries: &[ListedEntry]) -> bool {
        let is_file = |entry: &&ListedEntry| matches!(entry.kind, Kind::File(_));
        let is_text = |entry: &ListedEntry| {
            let ends = entry.name.len() > 3 && entry.name.to_ascii_lowercase().ends_with(".md");
            ends && !self.is_skill_name(&entry.name)
        };
        let is_in_one = is_in_flat(&dir.rel) || is_in_flat(&self.root_name());
        let mut files = entries.iter().filter(is_file);
        let holds_another =
            |entry: &ListedEntry| is_definition_name(&entry.name) || is_in_one && is_text(entry);
        !matches!(dir.owner, Owner::Skill { .. }) && files.any(holds_another)
    }

    /// Whether a skill below a directory with this owner is a part of it. What only meant to be a skill, and what
    /// is refused, hides no skill. What else is in it is its own all the same, a command too.
    pub(super) fn hides(&mut self, owner: Owner) -> bool {
        match owner {
            Owner::Nobody | Owner::Broken | Owner::Skill { misspelt: true, .. } => false,
            Owner::Skill { index, .. } => match self.homes.get(index).cloned() {
                Some(home) => !self.is_refused(&home),
                None => true,
            },
        }
    }

    /// Whether the skill in a directory is refused whatever the settings are, but for a lenient reading.
    fn is_refused(&mut self, home: &Path) -> bool {
        if self.options.refused.iter().any(|refused| refused == home) {
            return true;
        }
        if self.wanted != Wanted::Everything {
            return false;
        }
        if let Some(refused) = self.refused.get(home) {
            return *refused;
        }
        let disk = home.join(SKILL_FILE);
        let refused = refuses(&disk);
        self.scan.judged.push(disk);
        self.refused.insert(home.to_owned(), refused);
        refused
    }

    /// Whether the walk of one skill has come, through links, to the directory of another.
    pub(super) fn is_other_skill(&self, dir: &Dir) -> bool {
        match dir.owner {
            Owner::Skill { index, .. } if !dir.trail.is_empty() => {
                self.homes.get(index).is_some_and(|home| !dir.disk.starts_with(home))
            }
            _ => false,
        }
    }

    /// Whether a link in a skill leads into another skill, or one outside of skills to a part of one.
    pub(super) fn leads_into_another(&mut self, dir: &Dir, in_skill: bool, end: &Path) -> bool {
        let Some(other) = self.skill_around(end) else { return false };
        match dir.owner {
            Owner::Skill { index, .. } => self.homes.get(index).is_some_and(|home| *home != other),
            _ if in_skill => dir.disk != other,
            // Of a whole skill and a link to it, one is refused by its name.
            _ => other != end,
        }
    }

    /// The directory of the skill that a path lies in, links resolved: the outermost that hides what is in it,
    /// unless nested ones count.
    fn skill_around(&mut self, end: &Path) -> Option<PathBuf> {
        let below = end.strip_prefix(&self.root).ok()?.to_owned();
        let mut directory = self.root.clone();
        let mut found = None;
        for part in std::iter::once(Path::new("")).chain(below.iter().map(Path::new)) {
            if !part.as_os_str().is_empty() {
                directory.push(part);
            }
            let is_index = self.scan.index.is_some() && directory == self.root;
            if !is_index && holds_skill_file(&directory) {
                let is_inner = self.options.nested || self.is_refused(&directory);
                found = Some(directory.clone());
                if !is_inner {
                    break;
                }
            }
        }
        found
    }
}

/// Whether a path lies in a directory in which each `.md` is something by itself: `commands`, `agents`, `prompts`,
/// `docs`.
pub fn is_in_flat(path: &str) -> bool {
    path.split('/').any(|part| FLAT.contains(&part))
}

/// Whether a `SKILL.md` has a fault that refuses it in every profile. One that is not on disk yet has none.
fn refuses(disk: &Path) -> bool {
    let mut rules = Rules::default();
    rules.unicode_names = true;
    let Ok(disk) = std::fs::canonicalize(disk) else { return false };
    let Ok(metadata) = std::fs::symlink_metadata(&disk) else { return false };
    if metadata.len() > rules.max_skill_bytes {
        return true;
    }
    let file = FoundFile { path: SKILL_FILE.to_owned(), disk, len: 0, executable: false };
    let Ok(bytes) = read_file(&file) else { return true };
    let (_, findings) = skill::read(SKILL_FILE, "", &bytes, &rules);
    findings.iter().any(|finding| !finding.code.has_settable_level())
}

/// Whether the last name of a path has Unicode tag characters.
fn has_tags(rel: &str) -> bool {
    let name = rel.rsplit('/').next().unwrap_or_default();
    !name.is_ascii() && hidden::find(name).any(|(.., hidden)| hidden == Hidden::Tag)
}
