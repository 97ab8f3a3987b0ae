//! The parts of a match's score. They are computed again for the few matches that are shown.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::best::Found;
use super::hybrid::{self, Hybrid};
use super::reference;
use skills_pack::Skill;
use skills_pack::search::Weight;
use skills_pack::words;

/// A part of a score.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The reason for this part, in words.
    pub what: String,
    /// The amount, in the unit of the score.
    pub score: u32,
    /// The word of the query, in lower case, if this part is for a word.
    pub word: Option<String>,
}

/// The parts of a `reference` score: the rows of the table that apply.
pub(super) fn points(query: &str, skill: Skill<'_>) -> Vec<Part> {
    let query = query.to_lowercase();
    let lower = |texts: skills_pack::Texts<'_>| texts.map(str::to_lowercase).collect::<Vec<String>>();
    let (name, description) = (skill.name().to_lowercase(), skill.description().to_lowercase());
    let (tags, triggers) = (lower(skill.tags()), lower(skill.triggers()));
    let in_any = |texts: &[String], word: &str| texts.iter().any(|text| text.contains(word));
    let inside = |trigger: &String| trigger.contains(&query) || query.contains(trigger.as_str());
    let mut parts = Vec::new();
    let mut add = |holds: bool, what: String, score: u32| {
        if holds {
            parts.push(Part { what, score, word: None });
        }
    };
    add(name == query, "the query is the name".to_owned(), 10);
    add(triggers.contains(&query), "the query is a trigger".to_owned(), 9);
    add(name.contains(&query), "the name contains the query".to_owned(), 6);
    add(description.contains(&query), "the description contains the query".to_owned(), 4);
    add(in_any(&tags, &query), "a tag contains the query".to_owned(), 3);
    add(triggers.iter().any(inside), "a trigger contains the query, or the query a trigger".to_owned(), 8);
    let mut add = |holds: bool, term: &str, field: &str, score: u32| {
        if holds {
            parts.push(Part { what: format!("`{term}` in {field}"), score, word: Some(term.to_owned()) });
        }
    };
    for term in reference::terms(&query) {
        let is_long = reference::is_long(term);
        add(name.contains(term), term, "the name", 3);
        add(is_long && in_any(&tags, term), term, "a tag", 1);
        add(is_long && in_any(&triggers, term), term, "a trigger", 4);
    }
    parts
}

/// The parts of a `hybrid` score.
pub(super) fn score(search: &Hybrid<'_, '_>, found: &Found<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    let Some(tables) = search.tables(found.pack as usize) else { return parts };
    let skill = found.skill as usize;
    let mut add = |what: String, word: Option<&str>, score: u32| {
        parts.push(Part { what, score: hybrid::thousandths(score), word: word.map(str::to_owned) });
    };
    match found.rank.tier {
        2 => add("the query is the name, so the skill comes first".to_owned(), None, 0),
        1 => add(
            "the query is a trigger, so the skill comes before all but the one with that name".to_owned(),
            None,
            0,
        ),
        _ => {}
    }
    let mut name = 0;
    let mut seen = Vec::new();
    words::scan(search.text, &mut |word| {
        let Some(term) = words::term(word).filter(|term| !seen.contains(term)) else { return true };
        seen.push(term);
        let Some(known) = search.query.terms().iter().find(|known| known.term == term) else { return true };
        let posting = tables.find_term(term.0).and_then(|place| {
            let (start, end) = tables.postings_of(place);
            let postings = tables.postings.slice(start as usize, end as usize);
            let at = postings.lower_bound(1, (skill as u32) << 16);
            Some(Weight(postings.get(at))).filter(|posting| at < postings.len() && posting.skill() == skill)
        });
        if let Some(posting) = posting {
            add(format!("`{}`", word.text), Some(word.text), hybrid::part(known.idf, posting));
            name += if posting.in_name() { known.idf } else { 0 };
        }
        true
    });
    search.query.each_neighbours(|one, other| {
        let mut has = false;
        hybrid::each_skill_with_neighbours(tables, one, other, |with| has |= with == skill);
        if has {
            let words = [one, other].map(|term| text_of(search.text, term.term));
            let score = hybrid::neighbours_part(one, other);
            add(format!("`{} {}` side by side", words[0], words[1]), None, score);
        }
    });
    let mut trigger = 0;
    search.each_trigger_inside(tables, |with, mass, _| {
        if with == skill {
            trigger = trigger.max(mass);
        }
    });
    if trigger > 0 {
        add("the query contains a trigger".to_owned(), None, trigger / 2);
    }
    if name > 0 {
        add("words of the name".to_owned(), None, search.name_part(tables, skill, name));
    }
    parts
}

/// The first word of the query that has this term.
fn text_of(query: &str, wanted: words::Term) -> String {
    let mut text = String::new();
    words::scan(query, &mut |word| {
        let is_it = words::term(word) == Some(wanted);
        if is_it {
            word.text.clone_into(&mut text);
        }
        !is_it
    });
    text
}
