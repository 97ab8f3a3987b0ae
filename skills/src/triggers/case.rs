//! A case, where it is, and what can be wrong with it.

use std::fmt;

use skills_core::SEARCH_LIMIT;

/// A positive passes if the skill is among this many, unless the case says otherwise.
pub const TOP_K: usize = 3;

/// A query, and the skill that it should find, or shouldn't.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Case {
    /// Where it is written, unless it was made in a program.
    pub place: Option<Place>,
    /// The name of the skill.
    pub skill: String,
    /// The words of the user.
    pub query: String,
    /// Whether the query should find the skill.
    pub should_trigger: bool,
    /// For a query that should not: the skill that should be found instead.
    pub owner: Option<String>,
    /// For a query that should: the last rank that passes, from 1.
    pub top_k: usize,
}

impl Case {
    /// The query should find the skill among the first [`TOP_K`].
    pub fn positive(skill: impl Into<String>, query: impl Into<String>) -> Self {
        Self {
            place: None,
            skill: skill.into(),
            query: query.into(),
            should_trigger: true,
            owner: None,
            top_k: TOP_K,
        }
    }
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The file, as shown.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Something that is wrong in a file of cases. `Display` writes it in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Problem {
    /// A problem in a file, at a line from 1.
    pub fn new(
        file: impl Into<String>,
        line: usize,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let place = Place { file: file.into(), line };
        Self { place, message: message.into(), help: help.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.place, self.message, self.help)
    }
}

/// A case that isn't judged.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Where it is written.
    pub place: Place,
    /// The words of the user.
    pub query: String,
    /// Why it isn't judged.
    pub why: String,
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Cases, or problems in what should be cases.
    Cases,
    /// Tests of what a skill does once it is loaded, `{"evals": […]}`, which are for other programs.
    Behaviour,
    /// None of the forms that are read.
    Unknown,
}

/// The highest value of [`Case::top_k`].
pub(super) const MAX_TOP_K: usize = SEARCH_LIMIT;
