//! What a check or a build reports besides what it makes.

use skills_source::code::Level;
use skills_source::finding::Finding;
use skills_source::scan::LeftOut;

/// What a check found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// All findings of all files, by path, then line.
    pub findings: Vec<Finding>,
    /// How many skills were looked at, broken ones included.
    pub skills: usize,
    /// How many slash commands were looked at, broken ones included.
    pub commands: usize,
    /// What was left out on purpose: hidden names, generated directories, the ignore list, loops.
    pub left_out: Vec<LeftOut>,
    /// Directories with files that belong to no skill.
    pub without_skill: Vec<String>,
    /// Skills and slash commands that an earlier root hides.
    pub shadowed: Vec<Hidden>,
    /// Those of the warnings that are errors where debug assertions are off.
    pub(crate) denied_in_release: Vec<Finding>,
}

/// A skill or slash command that one of the same name in an earlier root hides.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hidden {
    /// The name of both, of a command with its slash.
    pub name: String,
    /// The directory of the one that is hidden, or its definition.
    pub path: String,
    /// The same of the one that is served.
    pub by: String,
}

impl Report {
    pub(crate) fn add(&mut self, findings: impl IntoIterator<Item = Finding>) {
        let before = self.findings.len();
        self.findings.extend(findings);
        if self.findings.len() == before {
            return;
        }
        self.findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    }

    /// How many findings are errors.
    pub fn denied(&self) -> usize {
        self.findings.iter().filter(|finding| finding.level == Level::Deny).count()
    }

    /// How many findings are warnings.
    pub fn warned(&self) -> usize {
        self.findings.iter().filter(|finding| finding.level == Level::Warn).count()
    }
}
