//! Everything about the skills of one place, as data for a report: states, findings, files, and what they hold.
//!
//! The caller reads the disk or a program and asks the lock; [`Overview`] puts the parts together, and counts and
//! groups them. Nothing is judged here that isn't judged elsewhere: findings are those of a check, signs those of
//! a [`diff`](crate::diff). The renderers are siblings over the same data.

use std::collections::HashMap;

use skills_source::code::Level;
use skills_source::finding::Finding;

use crate::diff::{Fields, Inventory, Kind, Sign};
use crate::lock::{Digest, FileState, LockedSkill};
use crate::rules::masked_in_place;

mod groups;
pub mod render;

pub use groups::{Group, KINDS, Matrix, Tool, groups, matrix};

/// The skills of a directory, or those of the lock in a program.
#[derive(Debug, Clone, Default)]
#[allow(clippy::exhaustive_structs, reason = "callers make it")]
pub struct Overview {
    /// The directory or the program as it was named.
    pub root: String,
    /// Whether it is a program: then only what its lock says is known.
    pub is_program: bool,
    /// The skills, by directory.
    pub skills: Vec<Row>,
    /// How many slash commands there are.
    pub commands: usize,
    /// All findings, in their order.
    pub findings: Vec<Finding>,
    /// What a model sees of the skills, if they can be served.
    pub catalogue: Option<Catalogue>,
}

/// One skill.
#[derive(Debug, Clone, Default)]
#[allow(clippy::exhaustive_structs, reason = "callers make it")]
pub struct Row {
    /// Its name, or its directory's name if it has none.
    pub name: String,
    /// Its directory as findings show it.
    pub dir: String,
    /// Whether the lock knows it, and how it stands to it.
    pub state: State,
    /// The files that aren't as locked.
    pub differing: Vec<(String, FileState)>,
    /// Its entry in the lock.
    pub locked: Option<LockedSkill>,
    /// Who reviewed these bytes, in order; `None` where nobody is asked to, empty where nobody did.
    pub reviewed_by: Option<Vec<String>>,
    /// The digest of its files; `None` if one can't be read.
    pub digest: Option<Digest>,
    /// Its files, by path.
    pub files: Vec<FileRow>,
    /// What is in them.
    pub inventory: Inventory,
}

/// How a skill stands to the lock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum State {
    /// It is in no lock.
    #[default]
    NotLocked,
    /// It is in the lock of a program, which has no files to compare.
    InProgram,
    /// A command that was about it was stopped.
    Interrupted,
    /// It was compared with the lock.
    Compared(crate::lock::SkillState),
}

impl State {
    /// The state in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotLocked => "not locked",
            Self::InProgram => "in the program",
            Self::Interrupted => "interrupted",
            Self::Compared(state) => state.words(),
        }
    }

    /// Whether somebody has to look at it.
    pub fn is_bad(self) -> bool {
        match self {
            Self::NotLocked | Self::InProgram => false,
            Self::Interrupted => true,
            Self::Compared(state) => state != crate::lock::SkillState::Ok,
        }
    }
}

/// A file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "callers make it")]
pub struct FileRow {
    /// Its path in the skill's directory.
    pub path: String,
    /// Its length in bytes.
    pub size: u64,
    /// Whether it may be executed.
    pub executable: bool,
    /// Its SHA-256; `None` if it can't be read.
    pub sha256: Option<[u8; 32]>,
}

/// The list of skills that is in every prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "callers make it")]
pub struct Catalogue {
    /// The text.
    pub text: String,
    /// How many skills are in it with their whole description.
    pub full: usize,
    /// How many are shortened.
    pub shortened: usize,
    /// How many are left out, since there is no room for them.
    pub left_out: usize,
}

/// A text with stars in the place of each secret that L111 finds in it, byte for byte as long.
pub fn masked(text: &str) -> String {
    masked_in_place(text)
}

/// The numbers of an overview.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// Skills, broken ones included.
    pub skills: usize,
    /// Those with a finding at deny.
    pub broken: usize,
    /// Files.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: u64,
    /// Tokens of all names and descriptions.
    pub catalogue_tokens: u64,
    /// Tokens of all bodies.
    pub body_tokens: u64,
    /// Tokens of the text of all other files.
    pub file_tokens: u64,
    /// Findings at deny.
    pub denied: usize,
    /// Findings at warn.
    pub warned: usize,
    /// How many skills there are of each state, by state.
    pub states: Vec<(&'static str, usize)>,
    /// How many skills nobody reviewed, though there are reviews.
    pub not_reviewed: usize,
}

impl Overview {
    /// Its numbers.
    pub fn totals(&self) -> Totals {
        let of_level = |level| self.findings.iter().filter(|finding| finding.level == level).count();
        let mut states: Vec<(State, usize)> = Vec::new();
        for row in &self.skills {
            match states.iter_mut().find(|(state, _)| *state == row.state) {
                Some((_, count)) => *count += 1,
                None => states.push((row.state, 1)),
            }
        }
        states.sort_unstable();
        let findings = self.findings_of_skills();
        let sum = |of: fn(&Inventory) -> u64| self.skills.iter().map(|row| of(&row.inventory)).sum();
        let is_denied = |of: &&Vec<&Finding>| of.iter().any(|finding| finding.level == Level::Deny);
        let is_unreviewed = |row: &&Row| row.reviewed_by.as_ref().is_some_and(Vec::is_empty);
        Totals {
            skills: self.skills.len(),
            broken: findings.iter().filter(is_denied).count(),
            files: self.skills.iter().map(|row| row.files.len()).sum(),
            bytes: self.skills.iter().map(Row::bytes).sum(),
            catalogue_tokens: sum(|inventory| inventory.catalogue_tokens),
            body_tokens: sum(|inventory| inventory.body_tokens),
            file_tokens: sum(|inventory| inventory.file_tokens),
            denied: of_level(Level::Deny),
            warned: of_level(Level::Warn),
            states: states.into_iter().map(|(state, count)| (state.words(), count)).collect(),
            not_reviewed: self.skills.iter().filter(is_unreviewed).count(),
        }
    }

    /// The findings of each skill: those whose path is in its directory, and in none of a skill inside of it.
    pub fn findings_of_skills(&self) -> Vec<Vec<&Finding>> {
        let places: HashMap<&str, usize> =
            self.skills.iter().enumerate().map(|(at, row)| (row.dir.as_str(), at)).collect();
        let mut of_skills = vec![Vec::new(); self.skills.len()];
        for finding in &self.findings {
            let above = std::iter::successors(Some(finding.path.as_str()), |path| {
                path.rsplit_once('/').map(|(above, _)| above)
            });
            if let Some(at) = above.into_iter().find_map(|path| places.get(path)) {
                of_skills[*at].push(finding);
            }
        }
        of_skills
    }
}

impl Row {
    /// The length of all its files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// About how many tokens all its text has.
    pub fn tokens(&self) -> u64 {
        let Inventory { catalogue_tokens, body_tokens, file_tokens, .. } = &self.inventory;
        catalogue_tokens + body_tokens + file_tokens
    }

    /// The value of a field of its frontmatter as it reads.
    pub fn field(&self, key: &str) -> Option<&str> {
        let entries = &self.inventory.fields.as_ref()?.entries;
        entries.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The fields of its frontmatter, if that can be read.
    pub fn fields(&self) -> Option<&Fields> {
        self.inventory.fields.as_ref()
    }

    /// The licence that it names, or that the lock has for it.
    pub fn license(&self) -> Option<&str> {
        self.field("license").or_else(|| self.locked.as_ref()?.license.as_deref())
    }

    /// Its signs of a kind.
    pub fn signs(&self, kind: Kind) -> impl Iterator<Item = &Sign> {
        self.inventory.signs.iter().filter(move |sign| sign.kind == kind)
    }
}
