//! `list` and `search` as a program has them that keeps its skills in a list of plain fields.
//!
//! The fields are strings in static memory, the same bytes that this project reads, and each query starts
//! from them. The score is that of the ranking `reference`, so the answers are the same.

use std::cmp::Reverse;
use std::fmt::Write as _;

use skills::Bundle;
use skills::search::SEARCH_LIMIT;

/// The fields of one skill that an agent sees in a list.
#[derive(Debug)]
pub struct Fields {
    name: &'static str,
    description: &'static str,
    version: Option<&'static str>,
    tags: Vec<&'static str>,
    triggers: Vec<&'static str>,
}

/// The fields of all skills, by name.
pub fn fields(bundle: &Bundle) -> Vec<Fields> {
    let skills = bundle.skills().map(|skill| Fields {
        name: skill.name(),
        description: skill.description(),
        version: skill.version(),
        tags: skill.tags().collect(),
        triggers: skill.triggers().collect(),
    });
    skills.collect()
}

/// The text of `list`, put together from strings.
pub fn list(skills: &[Fields]) -> String {
    let mut text = format!("Available skills ({}):\n", skills.len());
    for skill in skills {
        let _ = write!(text, "- {}", skill.name);
        if let Some(version) = skill.version {
            let _ = write!(text, " v{version}");
        }
        if !skill.tags.is_empty() {
            let _ = write!(text, " tags={}", skill.tags.join(","));
        }
        let short: String = skill.description.chars().take(200).collect();
        let cut = if short.len() < skill.description.len() { "…" } else { "" };
        let line = short.trim_end_matches(|c: char| !cut.is_empty() && c.is_whitespace()).replace('\n', " ");
        let _ = writeln!(text, ": {line}{cut}");
    }
    text.push_str("\nTip: use skills_tool action=search or action=load for details.");
    text
}

/// The names and scores of what `search` finds, best first.
pub fn search<'s>(skills: &'s [Fields], query: &str) -> Vec<(&'s str, u32)> {
    let query = query.trim().to_lowercase();
    let mut hits: Vec<(&str, u32)> = skills
        .iter()
        .map(|skill| (skill.name, score(skill, &query)))
        .filter(|(_, score)| *score > 0)
        .collect();
    hits.sort_by_key(|(_, score)| Reverse(*score));
    hits.truncate(SEARCH_LIMIT);
    hits
}

fn score(skill: &Fields, query: &str) -> u32 {
    let name = skill.name.to_lowercase();
    let description = skill.description.to_lowercase();
    let tags: Vec<String> = skill.tags.iter().map(|tag| tag.to_lowercase()).collect();
    let triggers: Vec<String> = skill.triggers.iter().map(|trigger| trigger.to_lowercase()).collect();
    let mut score = 0;
    score += if name == query { 10 } else { 0 };
    score += if triggers.iter().any(|trigger| trigger == query) { 9 } else { 0 };
    score += if name.contains(query) { 6 } else { 0 };
    score += if description.contains(query) { 4 } else { 0 };
    score += if tags.iter().any(|tag| tag.contains(query)) { 3 } else { 0 };
    let either = |trigger: &String| trigger.contains(query) || query.contains(trigger.as_str());
    score += if triggers.iter().any(either) { 8 } else { 0 };
    for word in query.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_') {
        let word = word.trim_start_matches(['-', '_']);
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        if word.len() >= 4 || has_digit {
            score += if name.contains(word) { 3 } else { 0 };
        }
        if word.len() >= 6 || has_digit {
            score += u32::from(tags.iter().any(|tag| tag.contains(word)));
            score += if triggers.iter().any(|trigger| trigger.contains(word)) { 4 } else { 0 };
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::search::reference;
    use crate::material::Material;

    #[test]
    fn the_naive_answers_are_the_same() {
        let many = Material::many().unwrap();
        let fields = fields(many.bundle);
        assert_eq!(list(&fields), many.registry.list().to_string());
        let mut found = 0;
        for query in bundle_1000::queries().iter().map(String::as_str).chain(["e", "a b", "9", "-"]) {
            let results = reference(&many, query).unwrap().results;
            let ours: Vec<_> = results.iter().map(|hit| (hit.entry.skill.name(), hit.score)).collect();
            assert_eq!(search(&fields, query), ours, "{query}");
            found += ours.len();
        }
        assert!(found > 50, "{found} hits are too few to compare");
    }
}
