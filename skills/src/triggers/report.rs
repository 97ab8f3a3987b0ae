//! What judging cases gives, as plain data, and the same as JSON.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use skills_core::Part;

use super::case::{Case, Problem, Skipped};

/// The outcome of all cases. `Display` writes failures and a summary, but no problems.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// How many skills were ranked: those that a model may call.
    pub skills: usize,
    /// The cases, in the order in which they were read.
    pub cases: Vec<Judged>,
    /// The cases that weren't judged.
    pub skipped: Vec<Skipped>,
    /// What is wrong in files of cases.
    pub problems: Vec<Problem>,
    /// Which skill loses to which, the most frequent first.
    pub confusions: Vec<Confusion>,
    /// The skills without a case, by name.
    pub without_cases: Vec<String>,
}

/// A case and its outcome.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Judged {
    /// The case.
    pub case: Case,
    /// The rank of its skill, from 1, if it is among those that search returns.
    pub rank: Option<usize>,
    /// The rank of its owner.
    pub owner_rank: Option<usize>,
    /// How many skills search returned: at most [`SEARCH_LIMIT`](skills_core::SEARCH_LIMIT), so that more may be found.
    pub returned: usize,
    /// Whether it passed.
    pub passed: bool,
    /// Whether the ranking was `hybrid`, whose scores are in thousandths.
    pub is_hybrid: bool,
    /// The skills above it, best first, at most three.
    pub above: Vec<Rival>,
    /// If it failed: the words of the query that the skill to be found has in no field. Words that search ignores
    /// aren't among them.
    pub words_nowhere: Vec<String>,
    /// If it failed: the words to which the skill that came first owes it, the most decisive first.
    pub winning_words: Vec<String>,
    /// If it failed, or was to be explained and isn't first: which field to change, and how.
    pub advice: String,
}

/// A skill above the one that a case is for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rival {
    /// The name.
    pub name: String,
    /// The score, as search gives it.
    pub score: u32,
    /// The parts of the score, if the case failed.
    pub parts: Vec<Part>,
}

/// How often a skill isn't found because another one is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Confusion {
    /// The skill that should be found.
    pub skill: String,
    /// The one that is found instead.
    pub loses_to: String,
    /// In how many cases.
    pub times: usize,
}

impl Report {
    /// Whether all cases passed, and no file of cases has a problem.
    pub fn is_success(&self) -> bool {
        self.failed() == 0 && self.problems.is_empty()
    }

    /// How many cases passed.
    pub fn passed(&self) -> usize {
        self.count(|judged| judged.passed)
    }

    /// How many cases failed.
    pub fn failed(&self) -> usize {
        self.count(|judged| !judged.passed)
    }

    /// How many cases should find their skill.
    pub fn positives(&self) -> usize {
        self.count(|judged| judged.case.should_trigger)
    }

    /// Of [`positives`](Self::positives), how many find it first.
    pub fn found_first(&self) -> usize {
        self.count(|judged| judged.case.should_trigger && judged.rank == Some(1))
    }

    /// Of [`positives`](Self::positives), how many find it among the first [`Case::top_k`].
    pub fn found_in_top(&self) -> usize {
        self.count(|judged| judged.case.should_trigger && judged.passed)
    }

    /// How many cases should find another skill or none.
    pub fn negatives(&self) -> usize {
        self.count(|judged| !judged.case.should_trigger)
    }

    /// Of [`negatives`](Self::negatives), how many find the skill first.
    pub fn negatives_first(&self) -> usize {
        self.count(|judged| !judged.case.should_trigger && judged.rank == Some(1))
    }

    /// Of [`negatives`](Self::negatives), how many prove nothing: they have no owner, and share no word with the
    /// skill.
    pub fn vacuous(&self) -> usize {
        self.count(Judged::is_vacuous)
    }

    fn count(&self, holds: impl Fn(&Judged) -> bool) -> usize {
        self.cases.iter().filter(|judged| holds(judged)).count()
    }
}

impl Judged {
    fn is_vacuous(&self) -> bool {
        !self.case.should_trigger && self.case.owner.is_none() && self.rank.is_none()
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, count) in [
            ("skills", self.skills),
            ("queries", self.cases.len()),
            ("passed", self.passed()),
            ("failed", self.failed()),
            ("positives", self.positives()),
            ("found_first", self.found_first()),
            ("found_in_top", self.found_in_top()),
            ("negatives", self.negatives()),
            ("negatives_first", self.negatives_first()),
            ("vacuous", self.vacuous()),
        ] {
            map.serialize_entry(name, &count)?;
        }
        map.serialize_entry("cases", &self.cases)?;
        map.serialize_entry("confusions", &self.confusions)?;
        map.serialize_entry("without_cases", &self.without_cases)?;
        map.serialize_entry("skipped", &self.skipped)?;
        map.serialize_entry("problems", &self.problems)?;
        map.end()
    }
}

impl Serialize for Judged {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Case { place, skill, query, should_trigger, owner, top_k } = &self.case;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file", &place.as_ref().map(|place| &place.file))?;
        map.serialize_entry("line", &place.as_ref().map(|place| place.line))?;
        map.serialize_entry("skill", skill)?;
        map.serialize_entry("query", query)?;
        map.serialize_entry("should_trigger", should_trigger)?;
        map.serialize_entry("owner", owner)?;
        map.serialize_entry("top_k", top_k)?;
        map.serialize_entry("rank", &self.rank)?;
        map.serialize_entry("owner_rank", &self.owner_rank)?;
        map.serialize_entry("passed", &self.passed)?;
        map.serialize_entry("above", &self.above)?;
        map.serialize_entry("words_nowhere", &self.words_nowhere)?;
        map.serialize_entry("winning_words", &self.winning_words)?;
        map.serialize_entry("advice", &self.advice)?;
        map.end()
    }
}

impl Serialize for Rival {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("score", &self.score)?;
        if !self.parts.is_empty() {
            map.serialize_entry("parts", &self.parts)?;
        }
        map.end()
    }
}

impl Serialize for Confusion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("skill", &self.skill)?;
        map.serialize_entry("loses_to", &self.loses_to)?;
        map.serialize_entry("times", &self.times)?;
        map.end()
    }
}

impl Serialize for Skipped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file", &self.place.file)?;
        map.serialize_entry("line", &self.place.line)?;
        map.serialize_entry("query", &self.query)?;
        map.serialize_entry("why", &self.why)?;
        map.end()
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file", &self.place.file)?;
        map.serialize_entry("line", &self.place.line)?;
        map.serialize_entry("message", &self.message)?;
        map.serialize_entry("help", &self.help)?;
        map.end()
    }
}
