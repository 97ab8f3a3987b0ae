//! Asks the search for each case, and finds out why a case fails.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use skills_core::{ActionError, Audience, Hit, Registry, SearchOptions};

use super::advice;
use super::case::{Case, Problem, Skipped};
use super::report::{Confusion, Judged, Report, Rival};
use super::words::Vocabulary;

/// How many skills above a case's skill are kept.
const ABOVE: usize = 3;

pub(super) fn judge(
    registry: &Registry<'_>,
    cases: Vec<Case>,
    problems: Vec<Problem>,
    skipped: Vec<Skipped>,
) -> Report {
    let mut judge = Judge::new(registry);
    let skills = judge.registry.skills();
    let with_cases: BTreeSet<&str> = cases.iter().map(|case| case.skill.as_str()).collect();
    let names = skills.iter().map(|entry| entry.skill.name());
    let without_cases = names.filter(|name| !with_cases.contains(name)).map(str::to_owned).collect();
    let cases: Vec<Judged> = cases.into_iter().map(|case| judge.case(case, false)).collect();
    let confusions = confusions(&cases);
    Report { skills: skills.len(), cases, skipped, problems, confusions, without_cases }
}

/// Explains the rank of a skill for a query, among the skills of a registry that a model may call.
///
/// # Errors
///
/// [`ActionError::SkillNotFound`] for an unknown name, [`ActionError::Missing`] for a blank query.
pub fn why(registry: &Registry<'_>, name: &str, query: &str) -> Result<Judged, ActionError> {
    registry.search(query)?;
    let all = registry.clone().for_audience(Audience::Everyone);
    let skill = match all.get(name) {
        Some(entry) => entry.skill.name(),
        None => all.load(name)?.entry.skill.name(),
    };
    Ok(Judge::new(registry).case(Case::positive(skill, query.trim()), true))
}

struct Judge<'r> {
    /// The skills that a model may call.
    registry: Registry<'r>,
    vocabularies: HashMap<String, Vocabulary>,
}

impl<'r> Judge<'r> {
    fn new(registry: &Registry<'r>) -> Self {
        Self { registry: registry.clone().for_audience(Audience::Model), vocabularies: HashMap::new() }
    }

    fn case(&mut self, case: Case, explains_all: bool) -> Judged {
        let found = self.search(&case.query, false);
        let rank_of =
            |name: &str| found.iter().position(|hit| hit.entry.skill.name() == name).map(|at| at + 1);
        let rank = rank_of(&case.skill);
        let owner_rank = case.owner.as_deref().and_then(rank_of);
        let owner_is_above =
            case.owner.is_none() || owner_rank.is_some_and(|owner| rank.is_none_or(|rank| owner < rank));
        let passed = if case.should_trigger {
            rank.is_some_and(|rank| rank <= case.top_k)
        } else {
            rank != Some(1) && owner_is_above
        };
        let is_hybrid = found.first().is_none_or(|hit| hit.confidence.is_some());
        let above = found.iter().take(rank.map_or(ABOVE, |rank| ABOVE.min(rank - 1))).map(rival).collect();
        let mut judged = Judged {
            case,
            rank,
            owner_rank,
            returned: found.len(),
            passed,
            is_hybrid,
            above,
            words_nowhere: Vec::new(),
            winning_words: Vec::new(),
            advice: String::new(),
        };
        if explains_all || !passed {
            self.explain(&mut judged);
        }
        judged
    }

    fn search(&self, query: &str, explain: bool) -> Vec<Hit<'r>> {
        let options = SearchOptions::new().explain(explain);
        // A query that was read from a file isn't blank.
        self.registry.search_with(query, options).map(|found| found.results).unwrap_or_default()
    }

    /// Fills in the words and the advice.
    fn explain(&mut self, judged: &mut Judged) {
        let case = &judged.case;
        if self.registry.get(&case.skill).is_none() {
            judged.advice = advice::not_for_models(&case.skill);
            return;
        }
        let found = self.search(&case.query, true);
        let name_of = |at: usize| found.get(at).map(|hit| hit.entry.skill.name());
        let wanted = if case.should_trigger { Some(case.skill.as_str()) } else { case.owner.as_deref() };
        let winner = if case.should_trigger { name_of(0) } else { Some(case.skill.as_str()) };
        let loser = if winner == wanted { name_of(1) } else { wanted };
        judged.above = found.iter().take(judged.above.len()).map(rival).collect();
        if let Some(wanted) = wanted {
            judged.words_nowhere =
                self.vocabulary(wanted).map_or_else(Vec::new, |own| own.lacks(&case.query));
        }
        let Some(winner) = winner else {
            judged.advice = advice::of(judged, None, &[]);
            return;
        };
        judged.winning_words = winning_words(&found, winner, loser);
        let words = judged.winning_words.clone();
        let fields: Vec<(String, Vec<&str>)> = match self.vocabulary(winner) {
            Some(own) => words
                .into_iter()
                .map(|word| (own.fields_of(&word), word))
                .map(|(of, word)| (word, of))
                .collect(),
            None => Vec::new(),
        };
        judged.advice = advice::of(judged, Some(winner), &fields);
    }

    fn vocabulary(&mut self, name: &str) -> Option<&Vocabulary> {
        if !self.vocabularies.contains_key(name) {
            let all = self.registry.clone().for_audience(Audience::Everyone);
            let vocabulary = Vocabulary::of(&all.get(name)?.skill);
            self.vocabularies.insert(name.to_owned(), vocabulary);
        }
        self.vocabularies.get(name)
    }
}

fn rival(hit: &Hit<'_>) -> Rival {
    Rival { name: hit.entry.skill.name().to_owned(), score: hit.score, parts: hit.parts.clone() }
}

/// The words of the query that add more to the winner's score than to the loser's, the largest difference first;
/// if there are none, all that add to the winner's.
fn winning_words(found: &[Hit<'_>], winner: &str, loser: Option<&str>) -> Vec<String> {
    let words_of = |name: Option<&str>| {
        let mut words: Vec<(&str, u32)> = Vec::new();
        let hit = found.iter().find(|hit| Some(hit.entry.skill.name()) == name);
        for part in hit.iter().flat_map(|hit| &hit.parts) {
            let Some(word) = part.word.as_deref() else { continue };
            match words.iter_mut().find(|(known, _)| *known == word) {
                Some((_, score)) => *score += part.score,
                None => words.push((word, part.score)),
            }
        }
        words
    };
    let (own, other) = (words_of(Some(winner)), words_of(loser));
    let gain = |(word, score): (&str, u32)| {
        score.saturating_sub(other.iter().find(|(known, _)| *known == word).map_or(0, |(_, score)| *score))
    };
    let has_gain = own.iter().any(|word| gain(*word) > 0);
    let mut words: Vec<(u32, &str)> =
        own.iter().map(|word| (if has_gain { gain(*word) } else { word.1 }, word.0)).collect();
    words.retain(|(gain, _)| *gain > 0);
    words.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
    words.into_iter().map(|(_, word)| word.to_owned()).collect()
}

/// Who is found in place of whom: for queries whose skill isn't first, the one that is, and the skill that a query
/// finds though another one owns it.
fn confusions(cases: &[Judged]) -> Vec<Confusion> {
    let mut times: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for judged in cases {
        let case = &judged.case;
        let pair = if case.should_trigger {
            judged.above.first().map(|first| (case.skill.as_str(), first.name.as_str()))
        } else {
            // A skill that isn't found has won nothing.
            let won = |_: &&str| !judged.passed && judged.rank.is_some();
            case.owner.as_deref().filter(won).map(|owner| (owner, case.skill.as_str()))
        };
        if let Some(pair) = pair {
            *times.entry(pair).or_default() += 1;
        }
    }
    let confusion = |((skill, loses_to), times): ((&str, &str), usize)| Confusion {
        skill: skill.to_owned(),
        loses_to: loses_to.to_owned(),
        times,
    };
    let mut confusions: Vec<Confusion> = times.into_iter().map(confusion).collect();
    confusions.sort_by_key(|confusion| std::cmp::Reverse(confusion.times));
    confusions
}
