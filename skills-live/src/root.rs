//! One root of overlays: where it is, and how it is read.

use std::path::{Path, PathBuf};

use skills_source::code::{Code, Level};
use skills_source::root::label;
use skills_source::rules::Rules;
use skills_source::scan::ScanOptions;

/// Levels below a root that are walked.
const MAX_DEPTH: u32 = 16;

/// Skills of one root that are served.
pub(super) const MAX_SKILLS: usize = 10_000;

/// Rules that tell an author something, and nothing of how a skill is served. A check reports them.
const OF_AUTHORS: [Code; 5] = [Code::L104, Code::L106, Code::L115, Code::L118, Code::L120];

/// A directory of skills, at any depth, or one skill itself, that is read from disk.
///
/// At most 16 levels are walked and 10,000 skills served; a SKILL.md has at most 1 MiB, a frontmatter
/// 16 KiB, and any other file that is read 64 MiB. Past a limit there is a finding.
#[derive(Debug, Clone)]
pub struct Root {
    pub(super) path: PathBuf,
    pub(super) label: String,
    pub(super) lenient: bool,
    pub(super) commands_alone: bool,
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
            // They are rules of style, whose levels can be set.
            let _ = rules.set_level(code, Level::Allow);
        }
        Self { path, label, lenient: false, commands_alone: false, scan, rules }
    }

    /// A root of slash commands alone. In a root of skills too, what stands outside of skills and is
    /// named `NAME.command.yaml` is a slash command.
    pub fn commands(path: impl Into<PathBuf>) -> Self {
        Self { commands_alone: true, ..Self::new(path) }
    }

    /// Names the root, for people: the origin of its skills.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Serves skills that others wrote more willingly: what is only wrong with the form of a name is
    /// a warning, and a value with a stray `: ` is read as the text after the first colon. What limits
    /// a skill is never lost that way: where the two flags or the allowed tools cannot be read, the
    /// skill is left out.
    #[must_use]
    pub fn lenient(mut self, yes: bool) -> Self {
        self.lenient = yes;
        self
    }

    /// Follows links out of the root to directories that are skills. What such a directory holds must
    /// stay in it.
    #[must_use]
    pub fn follow_links_out(mut self, yes: bool) -> Self {
        self.scan.follow_skills_out = yes;
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

    /// Allows every lower-case letter and digit in names, not only `a-z` and `0-9`.
    #[must_use]
    pub fn unicode_names(mut self, yes: bool) -> Self {
        self.rules.unicode_names = yes;
        self
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The rules by which its skills are judged.
    pub(super) fn rules(&self) -> Rules {
        if self.lenient { self.rules.clone().lenient_names() } else { self.rules.clone() }
    }

    /// How its path is shown.
    pub(super) fn shown(&self) -> String {
        label(&self.path)
    }
}
