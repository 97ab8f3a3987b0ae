//! What a reviewer must see of skills that change, as plain data in the order in which it matters.
//!
//! [`diff`] compares two sides, each a list of skills with their files. Every kind of change has a section:
//! where a skill comes from, its frontmatter, its files, what can't be read, what nobody sees, what is run,
//! fetched or read, and the text itself last. Nothing here reads a disk, and nothing is called safe: a section
//! says what is there, and people judge. The renderers are siblings over the same data.

use skills_source::parallel;

use crate::lock::{LockedFile, LockedSkill};

mod archives;
mod binaries;
mod cost;
mod edits;
mod facts;
mod file_names;
mod files;
mod frontmatter;
mod inventory;
mod origin;
mod pair;
pub mod render;
mod text;

use pair::Pair;

pub use inventory::{Fields, Inventory, Sign, inventory};

/// A skill on one side.
#[derive(Debug, Clone, Default)]
#[allow(clippy::exhaustive_structs, reason = "callers make it")]
pub struct Skill {
    /// Its name, by which the two sides are matched.
    pub name: String,
    /// Its directory as it is shown.
    pub dir: String,
    /// Its entry, on a side that is a lock.
    pub locked: Option<LockedSkill>,
    /// Its files, by path.
    pub files: Vec<File>,
    /// What is in its directory and isn't a file: the path, and what it is in words.
    pub others: Vec<(String, String)>,
}

/// A file of a skill.
#[derive(Debug, Clone)]
#[allow(clippy::exhaustive_structs, reason = "callers make it")]
pub struct File {
    /// Its mode, size, digest and path.
    pub line: LockedFile,
    /// Its contents; none where they weren't available.
    pub bytes: Option<Vec<u8>>,
}

/// What is compared.
#[derive(Debug, Clone, Default)]
#[allow(clippy::exhaustive_structs, reason = "callers make it")]
pub struct Sides {
    /// What there was.
    pub old: Vec<Skill>,
    /// What there is.
    pub new: Vec<Skill>,
    /// What is on disk where neither side is: edits that an update would meet. Contents aren't needed.
    pub mine: Vec<Skill>,
}

/// The differences between two sides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// How many files changed whose old contents weren't available: they are compared by mode, size and digest,
    /// and shown whole.
    pub without_old_text: usize,
    /// How many skills were compared.
    pub skills: usize,
    /// The sections that have something to show, in the order of [`Kind`].
    pub sections: Vec<Section>,
}

impl Diff {
    /// Whether the two sides are the same.
    pub fn is_same(&self) -> bool {
        self.sections.is_empty()
    }

    /// The section of a kind, if it has something to show.
    pub fn section(&self, kind: Kind) -> Option<&Section> {
        self.sections.iter().find(|section| section.kind == kind)
    }
}

/// The differences of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The kind.
    pub kind: Kind,
    /// The differences, by skill and path.
    pub items: Vec<Item>,
    /// How many more there are.
    pub left_out: usize,
}

/// A kind of difference, in the order in which a reviewer should see them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Where a skill comes from: source, repository, commit; a tag that moved.
    Source,
    /// The frontmatter, field by field.
    Frontmatter,
    /// Files added, removed, renamed or with another mode; symlinks; skills inside of skills.
    Files,
    /// Files that can't be read as text, by type; what is in archives.
    Binaries,
    /// Text that nobody sees and a model reads.
    Hidden,
    /// What pushes text out of sight.
    Padding,
    /// Commands, and what looks like code in disguise.
    Commands,
    /// Hosts and URLs.
    Hosts,
    /// Packages that are installed.
    Packages,
    /// Reads of secrets and of the environment; mentions of files that instruct agents or set up programs.
    Access,
    /// Files that other programs run by themselves.
    AutoRun,
    /// Licence, size and tokens.
    Cost,
    /// Your edits, and which of them the other side changed too.
    Edits,
    /// Files that differ in their line ends alone.
    LineEnds,
    /// The text, as a unified diff.
    Text,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Self; 15] = [
        Self::Source,
        Self::Frontmatter,
        Self::Files,
        Self::Binaries,
        Self::Hidden,
        Self::Padding,
        Self::Commands,
        Self::Hosts,
        Self::Packages,
        Self::Access,
        Self::AutoRun,
        Self::Cost,
        Self::Edits,
        Self::LineEnds,
        Self::Text,
    ];

    /// Its stable name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Frontmatter => "frontmatter",
            Self::Files => "files",
            Self::Binaries => "binaries",
            Self::Hidden => "hidden",
            Self::Padding => "padding",
            Self::Commands => "commands",
            Self::Hosts => "hosts",
            Self::Packages => "packages",
            Self::Access => "access",
            Self::AutoRun => "auto_run",
            Self::Cost => "cost",
            Self::Edits => "edits",
            Self::LineEnds => "line_ends",
            Self::Text => "text",
        }
    }

    /// What it is, as a heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Source => "Where it comes from",
            Self::Frontmatter => "Frontmatter",
            Self::Files => "Files",
            Self::Binaries => "Not text",
            Self::Hidden => "Text that nobody sees",
            Self::Padding => "Text pushed out of sight",
            Self::Commands => "New commands",
            Self::Hosts => "New hosts and URLs",
            Self::Packages => "New packages",
            Self::Access => "Secrets, environment, instructions and settings",
            Self::AutoRun => "Files that run by themselves",
            Self::Cost => "Licence, size and tokens",
            Self::Edits => "Your edits",
            Self::LineEnds => "Line ends",
            Self::Text => "Text",
        }
    }
}

/// How something differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Change {
    /// Only the new side has it.
    Added,
    /// Only the old side has it.
    Removed,
    /// Both have it, and it differs.
    Changed,
    /// It has another path.
    Renamed,
}

impl Change {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
        }
    }
}

/// One difference. Its texts are as they are in the files, hidden characters too, but secrets are masked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item {
    /// The skill.
    pub skill: String,
    /// The skill's directory as it is shown.
    pub dir: String,
    /// The file in it; empty where the whole skill is meant.
    pub path: String,
    /// The line, from 1; of the new file unless it was removed. 0 where there is none.
    pub line: u32,
    /// How it differs.
    pub change: Change,
    /// What it is, in words.
    pub what: String,
    /// What there was, where that is short enough to be a value.
    pub old: Option<String>,
    /// What there is.
    pub new: Option<String>,
}

/// The most items of a section; more are counted.
const MAX_ITEMS: usize = 10_000;

/// Compares two sides.
pub fn diff(sides: &Sides) -> Diff {
    let pairs = pair::pairs(sides);
    let each = parallel::map(&pairs, of_pair);
    let mut diff = Diff { skills: pairs.len(), ..Diff::default() };
    diff.without_old_text = pairs.iter().map(Pair::without_old_text).sum();
    let mut items: Vec<(Kind, Item)> = each.into_iter().flatten().collect();
    // Stable: within a kind and a skill the order is that in which things were found.
    items.sort_by(|(kind, item), (other, than)| (kind, &item.dir).cmp(&(other, &than.dir)));
    for (kind, item) in items {
        match diff.sections.last_mut().filter(|section| section.kind == kind) {
            Some(section) if section.items.len() < MAX_ITEMS => section.items.push(item),
            Some(section) => section.left_out += 1,
            None => diff.sections.push(Section { kind, items: vec![item], left_out: 0 }),
        }
    }
    diff
}

fn of_pair(pair: &Pair<'_>) -> Vec<(Kind, Item)> {
    let mut items = Items { pair, found: Vec::new() };
    origin::find(pair, &mut items);
    frontmatter::find(pair, &mut items);
    files::find(pair, &mut items);
    binaries::find(pair, &mut items);
    facts::find(pair, &mut items);
    cost::find(pair, &mut items);
    edits::find(pair, &mut items);
    text::find(pair, &mut items);
    items.found
}

/// What was found of one skill.
struct Items<'p, 's> {
    pair: &'p Pair<'s>,
    found: Vec<(Kind, Item)>,
}

impl Items<'_, '_> {
    /// Adds a difference of the whole skill.
    fn skill(&mut self, kind: Kind, change: Change, what: impl Into<String>) -> &mut Item {
        self.file(kind, change, "", 0, what)
    }

    /// Adds a difference at a place in a file.
    fn file(
        &mut self,
        kind: Kind,
        change: Change,
        path: &str,
        line: u32,
        what: impl Into<String>,
    ) -> &mut Item {
        let (skill, dir) = (self.pair.name.to_owned(), self.pair.dir.to_owned());
        let item =
            Item { skill, dir, path: path.to_owned(), line, change, what: what.into(), old: None, new: None };
        self.found.push((kind, item));
        let last = self.found.len() - 1;
        &mut self.found[last].1
    }
}

/// A number of things in words: `1 byte`, `2 bytes`.
fn count(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

impl Item {
    /// With what there was and what there is.
    fn values(&mut self, old: Option<String>, new: Option<String>) {
        (self.old, self.new) = (old, new);
    }
}

#[cfg(test)]
mod tests;
