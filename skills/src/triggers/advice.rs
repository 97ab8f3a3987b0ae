//! What to change so that a case passes: a field of a skill, and the words.

use skills_pack::text::Quoted;

use super::report::Judged;
use super::words::rarest_first;

/// How many words an advice names.
const WORDS: usize = 3;
/// A query of at most this many words can be a trigger.
const MAX_TRIGGER: usize = 5;

/// Why a skill can't be found.
pub(super) fn not_for_models(skill: &str) -> String {
    format!("a model may not call `{skill}`: take `disable-model-invocation` out of its frontmatter")
}

/// What to change. `fields` are the winner's words, each with the fields that have it.
pub(super) fn of(judged: &Judged, winner: Option<&str>, fields: &[(String, Vec<&str>)]) -> String {
    let case = &judged.case;
    if case.should_trigger {
        let strengthen = strengthen(&case.skill, judged);
        return match winner.filter(|winner| *winner != case.skill) {
            None if judged.rank == Some(1) => String::new(),
            None => strengthen,
            Some(winner) => match weaken(winner, fields) {
                None => strengthen,
                Some(weaken) => format!("{strengthen}; or, if this is not for `{winner}`, {weaken}"),
            },
        };
    }
    let skill = &case.skill;
    let weaken = match weaken(skill, fields) {
        Some(weaken) => weaken,
        None if fields.is_empty() => format!("narrow the description of `{skill}`"),
        None => format!("give `{skill}` another name, since no other field has the words"),
    };
    match &case.owner {
        Some(owner) if judged.rank.is_none() => strengthen(owner, judged),
        Some(owner) => format!("{}; or {weaken}", strengthen(owner, judged)),
        None => format!(
            "{weaken}; or, if another skill is for this, say so in the description of `{skill}`, in a sentence of its \
             own with that skill's name"
        ),
    }
}

/// How a skill would be found by the query.
fn strengthen(skill: &str, judged: &Judged) -> String {
    let lacks = rarest_first(judged.words_nowhere.clone());
    if !lacks.is_empty() {
        return format!("add {} to the description of `{skill}`", list(lacks.iter().map(String::as_str)));
    }
    let query = judged.case.query.as_str();
    if query.split_whitespace().count() <= MAX_TRIGGER {
        return format!("add `{query}` to the triggers of `{skill}`");
    }
    let words = judged.winning_words.iter().map(String::as_str);
    if judged.winning_words.is_empty() {
        return format!("make the description of `{skill}` shorter, so that each of its words counts more");
    }
    format!("add a trigger of two to four words with {} to `{skill}`", list(words))
}

/// How a skill would be found less by the words that made it win; `None` if only its name has them.
fn weaken(skill: &str, fields: &[(String, Vec<&str>)]) -> Option<String> {
    for field in ["triggers", "tags", "description"] {
        let words: Vec<&str> =
            fields.iter().filter(|(_, of)| of.contains(&field)).map(|(word, _)| word.as_str()).collect();
        if !words.is_empty() {
            return Some(format!("take {} out of the {field} of `{skill}`", list(words.into_iter())));
        }
    }
    None
}

/// Some words, the first few of them.
fn list<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let words: Vec<String> = words.take(WORDS).map(|word| Quoted(word).to_string()).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
