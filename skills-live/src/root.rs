//! One overlay root: its path, and how it is read.

use std::path::{Path, PathBuf};

use skills_source::code::{Code, Level};
use skills_source::root::label;
use skills_source::rules::Rules;
use skills_source::scan::ScanOptions;

/// The deepest level below a root that is scanned.
const MAX_DEPTH: u32 = skills_source::scan::MAX_LIVE_DEPTH;

/// The most skills of one root that are served.
pub(super) const MAX_SKILLS: usize = skills_source::scan::MAX_LIVE_SKILLS;

/// Rules that help authors but don't affect how a skill is served. `check` reports them.
const OF_AUTHORS: [Code; 5] = [Code::L104, Code::L106, Code::L115, Code::L118, Code::L120];

/// A directory on disk with skills at any depth, or with one skill at its top.
///
/// At most 16 levels are scanned and 10,000 skills served. A SKILL.md may have 1 MiB, its frontmatter 16 KiB,
/// and any other file 64 MiB. Beyond a limit there is a finding.
#[derive(Debug, Clone)]
pub struct Root {
    pub(super) path: PathBuf,
    pub(super) label: String,
    pub(super) lenient: bool,
    pub(super) commands_alone: bool,
    pub(super) without_search: bool,
    pub(super) scan: ScanOptions,
    pub(super) rules: Rules,
}

impl Root {
    /// The root at a path. Its label is the path, with `/`, unless set.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let label = label(&path);
        let mut scan = ScanOptions::default();
        scan.max_depth = Some(MAX_DEPTH);
        let mut rules = Rules::default();
        for code in OF_AUTHORS {
            // This only fails for rules whose level is fixed, and these are rules of style.
            let _ = rules.set_level(code, Level::Allow);
        }
        Self { path, label, lenient: false, commands_alone: false, without_search: false, scan, rules }
    }

    /// A root of slash commands only. In a root of skills, files named `NAME.command.yaml` outside of skills
    /// are slash commands too.
    pub fn commands(path: impl Into<PathBuf>) -> Self {
        Self { commands_alone: true, ..Self::new(path) }
    }

    /// Sets the label: the origin of its skills, shown to people.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Reads skills from other authors leniently: an invalid form of a name is only a warning, and a value
    /// with a stray `: ` is read as the text after the first colon. The limits of a skill are never read
    /// leniently: a skill whose two flags or allowed tools can't be read is left out.
    #[must_use]
    pub fn lenient(mut self, yes: bool) -> Self {
        self.lenient = yes;
        self
    }

    /// Sets whether the tables for search are made; they are unless set. Without them the root is read sooner, for a
    /// program that lists or loads and ends. A search still works: it compares letter by letter, with the ranking
    /// `reference`.
    #[must_use]
    pub fn searchable(mut self, yes: bool) -> Self {
        self.without_search = !yes;
        self
    }

    /// Follows symlinks out of the root to directories that are skills. Symlinks inside such a directory must
    /// stay in it.
    #[must_use]
    pub fn follow_links_out(mut self, yes: bool) -> Self {
        self.scan.follow_skills_out = yes;
        self
    }

    /// Ignores what matches a pattern; see [`ScanOptions::ignore`] for the syntax.
    #[must_use]
    pub fn ignore(mut self, pattern: impl Into<String>) -> Self {
        self.scan.ignore.push(pattern.into());
        self
    }

    /// Treats a SKILL.md inside a skill as another skill, not as a file of the outer one.
    #[must_use]
    pub fn nested(mut self, yes: bool) -> Self {
        self.scan.nested = yes;
        self
    }

    /// Allows all lower-case letters and digits in names, not only `a-z` and `0-9`.
    #[must_use]
    pub fn unicode_names(mut self, yes: bool) -> Self {
        self.rules.unicode_names = yes;
        self
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The rules for its skills.
    pub(super) fn rules(&self) -> Rules {
        if self.lenient { self.rules.clone().lenient_names() } else { self.rules.clone() }
    }

    /// Its path, as shown to people.
    pub(super) fn shown(&self) -> String {
        label(&self.path)
    }
}
