//! Collects cases from files, and finds out which skill each is for.

use std::collections::HashMap;

use skills_core::{Audience, Entry, Registry};
use skills_pack::nearest;
use skills_source::scan::EVALS;

use super::case::{Case, Form, Place, Problem, Skipped, TOP_K};
use super::document::{self, Broken};
use super::forms::{self, Expects, Row, Rows, Wrong};
use super::report::Report;
use super::{judge, words};

/// The most bytes of a file of cases.
pub const MAX_CASE_FILE: u64 = 1024 * 1024;

/// A file that may hold cases.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::exhaustive_structs, reason = "callers make it")]
pub struct CaseFile<'f> {
    /// Its path, with `/`, as shown. A skill is found by it: a file in `evals/` of a skill's directory is for that
    /// skill, and so is one whose name, up to the first dot, is a skill's.
    pub path: &'f str,
    /// Its content.
    pub bytes: &'f [u8],
}

/// Cases that are to be judged, and what is wrong with others.
#[derive(Debug, Clone, Default)]
pub struct Cases {
    to_judge: Vec<Case>,
    problems: Vec<Problem>,
    skipped: Vec<Skipped>,
    /// The label of each skill and query, and where it is.
    labels: HashMap<(String, String), (bool, Place)>,
}

impl Cases {
    /// No cases.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a case.
    pub fn push(&mut self, case: Case) {
        self.to_judge.push(case);
    }

    /// Adds a problem that a caller has found, such as a file that can't be read.
    pub fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Keeps the cases for which `keep` is true; the others aren't judged.
    pub fn retain(&mut self, keep: impl FnMut(&Case) -> bool) {
        self.to_judge.retain(keep);
    }

    /// What is wrong in the files that were read.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether there is no case to judge.
    pub fn is_empty(&self) -> bool {
        self.to_judge.is_empty()
    }

    /// Adds the cases of a file, for the skills of a registry, and returns what the file holds. What can't be read
    /// becomes a problem of the report.
    pub fn read(&mut self, registry: &Registry<'_>, file: &CaseFile<'_>) -> Form {
        let mut reading = Reading {
            all: registry.clone().for_audience(Audience::Everyone),
            file: *file,
            home: home(registry, file.path),
            to: self,
        };
        let Ok(text) = std::str::from_utf8(file.bytes) else {
            return reading.unreadable(1, "the file is not UTF-8", "save it as UTF-8");
        };
        let root = match document::parse(text) {
            Ok(Some(root)) => root,
            Ok(None) => return Form::Unknown,
            Err(Broken { line, message, help }) => {
                return reading.unreadable(line, message, help);
            }
        };
        let Rows { rows, wrong } = forms::rows(&root);
        let is_known = |row: &Row| row.skill.as_ref().is_some_and(|name| reading.all.get(name).is_some());
        let are_of_another_kind = rows.iter().all(|row| row.is_guess && !is_known(row));
        if are_of_another_kind && (!rows.is_empty() || wrong.is_empty()) {
            return if forms::is_behaviour(&root) { Form::Behaviour } else { Form::Unknown };
        }
        for Wrong { line, message, help } in wrong {
            reading.wrong(line, message, help);
        }
        let mut has_homeless = false;
        for row in rows {
            reading.take(row, &mut has_homeless);
        }
        Form::Cases
    }

    /// Judges the cases by the ranks that the registry's search gives to skills that a model may call.
    pub fn judge(self, registry: &Registry<'_>) -> Report {
        judge::judge(registry, self.to_judge, self.problems, self.skipped)
    }
}

impl CaseFile<'_> {
    /// Whether the file has a key that only tests of triggers have, also where the rest of it can't be read.
    pub fn is_meant(&self) -> bool {
        let has = |key: &&str| self.bytes.windows(key.len()).any(|part| part == key.as_bytes());
        forms::SIGNS.iter().any(has)
    }
}

/// One file.
struct Reading<'r, 'c> {
    /// The skills, for any audience.
    all: Registry<'r>,
    file: CaseFile<'r>,
    /// The skill that the file's path names.
    home: Option<String>,
    to: &'c mut Cases,
}

impl Reading<'_, '_> {
    fn wrong(&mut self, line: usize, message: impl Into<String>, help: impl Into<String>) {
        self.to.problems.push(Problem::new(self.file.path, line, message, help));
    }

    /// A file that can't be read has a problem if it is meant to have cases.
    fn unreadable(&mut self, line: usize, message: impl Into<String>, help: impl Into<String>) -> Form {
        if !self.file.is_meant() {
            return Form::Unknown;
        }
        self.wrong(line, message, help);
        Form::Cases
    }

    fn skip(&mut self, place: Place, query: String, why: impl Into<String>) {
        self.to.skipped.push(Skipped { place, query, why: why.into() });
    }

    fn take(&mut self, row: Row, has_homeless: &mut bool) {
        let place = Place { file: self.file.path.to_owned(), line: row.line };
        if row.expects == Expects::AnyOf {
            self.skip(
                place,
                row.query,
                "any of several skills will do: write a row for each that should be found",
            );
            return;
        }
        let skill = match &row.skill {
            Some(name) => self.name(name, row.line),
            None if self.home.is_some() => self.home.clone(),
            None if row.expects == Expects::None => {
                let why = "it names no skill, and search ranks some for any words: name one that it should not find";
                self.skip(place, row.query, why);
                return;
            }
            None => {
                if !*has_homeless {
                    *has_homeless = true;
                    let help = "give each row a `skill`, name the file after the skill, or put it into the skill's `evals`";
                    self.wrong(row.line, "this query names no skill", help);
                }
                return;
            }
        };
        let Some(skill) = skill else { return };
        let owner = match &row.owner {
            None => None,
            Some(name) => match self.name(name, row.line) {
                None => return,
                some => some,
            },
        };
        if owner.as_ref() == Some(&skill) {
            let message = format!("`{skill}` can't be the owner of a query that should not find it");
            self.wrong(row.line, message, "name the skill that should be found instead");
            return;
        }
        let of_model = self.all.clone().for_audience(Audience::Model);
        if row.should_trigger && of_model.get(&skill).is_none() {
            let why = format!("a model may not call `{skill}`");
            self.skip(place, row.query, why);
            return;
        }
        let key = (skill.clone(), words::plain(&row.query));
        match self.to.labels.get(&key) {
            Some((label, first)) if *label != row.should_trigger => {
                let message = format!("this query has another label for `{skill}` at {first}");
                self.wrong(row.line, message, "keep one of them");
                return;
            }
            Some(_) => {}
            None => drop(self.to.labels.insert(key, (row.should_trigger, place.clone()))),
        }
        self.to.to_judge.push(Case {
            place: Some(place),
            skill,
            query: row.query,
            should_trigger: row.should_trigger,
            owner,
            top_k: row.top_k.unwrap_or(TOP_K),
        });
    }

    /// The name of a skill as it is spelled; reported if there is none.
    fn name(&mut self, given: &str, line: usize) -> Option<String> {
        if let Some(entry) = self.all.get(given) {
            return Some(entry.skill.name().to_owned());
        }
        let skills = self.all.skills();
        let near = nearest::question(given, skills.iter().map(|entry| entry.skill.name()));
        let help = near.unwrap_or_else(|| "name a skill that is tested here".to_owned());
        self.wrong(line, format!("no skill is named `{given}`"), help);
        None
    }
}

/// The skill that a path names.
fn home(registry: &Registry<'_>, path: &str) -> Option<String> {
    let all = registry.clone().for_audience(Audience::Everyone);
    let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
    let of_folder = dir.strip_suffix(EVALS).and_then(|dir| dir.strip_suffix('/')).and_then(|dir| {
        let is_it = |entry: &Entry<'_>| {
            let shown = entry.skill.path();
            shown == dir || Some(shown) == dir.strip_prefix("./")
        };
        let named = all.get(dir.rsplit('/').next()?);
        named.filter(is_it).or_else(|| all.skills().into_iter().find(is_it)).or(named)
    });
    let of_file = || all.get(file.split('.').next()?);
    Some(of_folder.or_else(of_file)?.skill.name().to_owned())
}
