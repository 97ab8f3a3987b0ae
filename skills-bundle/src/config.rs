//! What to compile, and how to judge it.

use std::path::{Path, PathBuf};

use skills_core::pack::writer::SearchIndex;
use skills_core::source::code::{Code, Level};
use skills_core::source::rules::Rules;
use skills_core::source::scan::ScanOptions;

/// What to compile, and how to judge it.
///
/// ```
/// use skills_bundle::Config;
///
/// let config = Config::new("skills").ignore("drafts").unicode_names(true);
/// ```
#[derive(Debug, Clone)]
pub struct Config {
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) base: Option<PathBuf>,
    pub(crate) package: Option<PathBuf>,
    pub(crate) paths_as_given: bool,
    pub(crate) scan: ScanOptions,
    pub(crate) search: SearchIndex,
    pub(crate) rules: Rules,
    pub(crate) unknown_rules: Vec<String>,
}

impl Config {
    /// Compiles the skills under `root`: a directory of skills, at any depth, or one skill itself.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            roots: vec![root.into()],
            base: None,
            package: None,
            paths_as_given: false,
            scan: ScanOptions::default(),
            search: SearchIndex::default(),
            rules: Rules::default(),
            unknown_rules: Vec::new(),
        }
    }

    /// Adds a root. For one name the earlier root wins, and the report says so.
    #[must_use]
    pub fn root(mut self, root: impl Into<PathBuf>) -> Self {
        self.roots.push(root.into());
        self
    }

    /// The directory that relative roots are relative to, instead of the working directory.
    #[must_use]
    pub fn base(mut self, base: impl Into<PathBuf>) -> Self {
        self.base = Some(base.into());
        self
    }

    /// The package that is built: a root outside it is reported (L116).
    #[must_use]
    pub fn package(mut self, package: impl Into<PathBuf>) -> Self {
        self.package = Some(package.into());
        self
    }

    /// Shows every skill under its root as the root was given, absolute or not, instead of keeping
    /// what is above the root out of the pack. For packs that stay on this machine.
    #[must_use]
    pub fn paths_as_given(mut self, yes: bool) -> Self {
        self.paths_as_given = yes;
        self
    }

    /// Leaves out what matches a pattern; see [`ScanOptions::ignore`] for its form.
    #[must_use]
    pub fn ignore(mut self, pattern: impl Into<String>) -> Self {
        self.scan.ignore.push(pattern.into());
        self
    }

    /// Makes a SKILL.md inside a skill another skill, instead of a file of the outer one.
    #[must_use]
    pub fn nested(mut self, yes: bool) -> Self {
        self.scan.nested = yes;
        self
    }

    /// How much is made for search and put into the program: everything unless set.
    ///
    /// What is left out costs nothing, neither in the build nor in the program; `docs/search.md` has the
    /// numbers.
    #[must_use]
    pub fn search(mut self, index: SearchIndex) -> Self {
        self.search = index;
        self
    }

    /// Allows every lower-case letter and digit in names, not only `a-z` and `0-9`.
    #[must_use]
    pub fn unicode_names(mut self, yes: bool) -> Self {
        self.rules.unicode_names = yes;
        self
    }

    /// The most bytes of a SKILL.md; 1 MiB unless set.
    #[must_use]
    pub fn max_skill_bytes(mut self, bytes: u64) -> Self {
        self.rules.max_skill_bytes = bytes;
        self
    }

    /// The most bytes of a frontmatter; 16 KiB unless set.
    #[must_use]
    pub fn max_frontmatter_bytes(mut self, bytes: usize) -> Self {
        self.rules.max_frontmatter_bytes = bytes;
        self
    }

    /// Reports this rule as an error. `rule` is a code, such as `L103`, or a name.
    #[must_use]
    pub fn deny(self, rule: &str) -> Self {
        self.level(rule, Level::Deny)
    }

    /// Reports this rule as a warning. `rule` is a code, such as `L103`, or a name.
    #[must_use]
    pub fn warn(self, rule: &str) -> Self {
        self.level(rule, Level::Warn)
    }

    /// Does not report this rule. `rule` is a code, such as `L103`, or a name.
    #[must_use]
    pub fn allow(self, rule: &str) -> Self {
        self.level(rule, Level::Allow)
    }

    /// A rule that does not exist, or whose level is fixed, is kept to be reported with the findings.
    fn level(mut self, rule: &str, level: Level) -> Self {
        match Code::parse(rule).map(|code| self.rules.set_level(code, level)) {
            Some(Ok(())) => {}
            Some(Err(error)) => self.unknown_rules.push(error.to_string()),
            None => self.unknown_rules.push(format!("there is no rule `{rule}`")),
        }
        self
    }

    /// Where a root is on disk.
    pub(crate) fn on_disk(&self, root: &Path) -> PathBuf {
        match &self.base {
            Some(base) => base.join(root),
            None => root.to_owned(),
        }
    }
}
