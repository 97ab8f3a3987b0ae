//! The ranking `reference`, compared with a second, slow implementation.

use skills::search::{Matches, Ranking, SearchOptions};
use skills::{Audience, Registry, Skill};
use skills_bundle::Config;
use skills_bundle::compile::compile_good;
use skills_tests::prng::Prng;
use skills_tests::{SKILLS, disk};

/// A skill as a search sees it, in lower case.
struct Model {
    name: String,
    description: String,
    tags: Vec<String>,
    triggers: Vec<String>,
}

impl Model {
    fn new(skill: Skill<'_>) -> Self {
        Self {
            name: skill.name().to_lowercase(),
            description: skill.description().to_lowercase(),
            tags: skill.tags().map(str::to_lowercase).collect(),
            triggers: skill.triggers().map(str::to_lowercase).collect(),
        }
    }

    /// The table, row by row.
    fn score(&self, query: &str) -> u32 {
        let q = query.trim().to_lowercase();
        let in_tag = |text: &str| self.tags.iter().any(|tag| tag.contains(text));
        let in_trigger = |text: &str| self.triggers.iter().any(|trigger| trigger.contains(text));
        let mut score = 0;
        if q == self.name {
            score += 10;
        }
        if self.triggers.contains(&q) {
            score += 9;
        }
        if self.name.contains(&q) {
            score += 6;
        }
        if self.description.contains(&q) {
            score += 4;
        }
        if in_tag(&q) {
            score += 3;
        }
        if in_trigger(&q) || self.triggers.iter().any(|trigger| q.contains(trigger.as_str())) {
            score += 8;
        }
        for word in words(&q) {
            let has_digit = word.contains(|c: char| c.is_ascii_digit());
            if (word.len() >= 4 || has_digit) && self.name.contains(&word) {
                score += 3;
            }
            if word.len() >= 6 || has_digit {
                score += u32::from(in_tag(&word)) + 4 * u32::from(in_trigger(&word));
            }
        }
        score
    }
}

/// The runs `[a-z0-9][a-z0-9_-]*`, found letter by letter.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars().chain(Some(' ')) {
        let starts = c.is_ascii_lowercase() || c.is_ascii_digit();
        if starts || (!word.is_empty() && (c == '_' || c == '-')) {
            word.push(c);
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    words
}

fn search<'a>(registry: &Registry<'a>, query: &str) -> Matches<'a> {
    let options = SearchOptions::new().ranking(Ranking::Reference);
    registry.search_with(query, options).expect("the query is not blank")
}

/// Compares every score, the order, and what is left out.
fn assert_ranks(registry: &Registry<'_>, query: &str) {
    let found = search(registry, query);
    let mut expected: Vec<(u32, String)> = registry
        .skills()
        .into_iter()
        .map(|entry| (Model::new(entry.skill).score(query), entry.skill.name().to_owned()))
        .filter(|(score, _)| *score > 0)
        .collect();
    expected.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    expected.truncate(25);
    let found: Vec<(u32, String)> =
        found.results.iter().map(|hit| (hit.score, hit.entry.skill.name().to_owned())).collect();
    assert_eq!(found, expected, "{query:?}");
}

const WORDS: [&str; 30] = [
    "form",
    "forms",
    "pdf",
    "PDF",
    "weekly",
    "report",
    "a",
    "in",
    "fill",
    "note",
    "v2",
    "7",
    "long-term",
    "_private",
    "snake_case",
    "x--y",
    "Ünï",
    "STRASSE",
    "straße",
    "ΣΑΣ",
    "İstanbul",
    "園芸",
    "release",
    "windows",
    "references",
    "deep",
    "tree",
    "-",
    "e-mail",
    "naïve",
];

fn phrase(prng: &mut Prng, most: usize) -> String {
    let count = 1 + prng.below(most);
    let separators = [" ", " ", " ", "  ", "-", ", ", "/", ""];
    (0..count).map(|_| format!("{}{}", prng.pick(&WORDS), prng.pick(&separators))).collect()
}

#[test]
fn scores_of_the_bundle() {
    let registry = Registry::new(&SKILLS).for_audience(Audience::Everyone);
    let mut prng = Prng::new(3);
    for skill in SKILLS.skills() {
        let texts = skill.triggers().chain(skill.tags()).chain([skill.name(), skill.description()]);
        for text in texts {
            assert_ranks(&registry, text);
            assert_ranks(&registry, &text.to_uppercase());
            for _ in 0..20 {
                let skip = prng.below(text.chars().count());
                let part: String = text.chars().skip(skip).take(1 + prng.below(12)).collect();
                if !part.trim().is_empty() {
                    assert_ranks(&registry, &part);
                    assert_ranks(&registry, &format!("{part} {}", phrase(&mut prng, 2)));
                }
            }
        }
    }
}

#[test]
fn scores_of_random_skills_and_queries() {
    let mut prng = Prng::new(2);
    let dir = disk::temp();
    for at in 0..80 {
        let name =
            format!("{}-{at}", prng.pick(&["form", "pdf-forms", "weekly", "note", "long-term", "v2", "x"]));
        let quoted = |text: String| format!("'{}'", text.trim());
        let list = |prng: &mut Prng, most| {
            let items: Vec<String> = (0..prng.below(4)).map(|_| quoted(phrase(prng, most))).collect();
            items.join(", ")
        };
        let (tags, triggers) = (list(&mut prng, 2), list(&mut prng, 4));
        let description = quoted(format!("x {}", phrase(&mut prng, 12)));
        let text = format!(
            "---\nname: {name}\ndescription: {description}\ntags: [{tags}]\ntriggers: [{triggers}]\n---\n"
        );
        disk::write(dir.path(), &format!("skills/{name}/SKILL.md"), text);
    }
    let config = Config::new("skills").base(dir.path()).allow("L107");
    let generated = compile_good(&config);
    assert!(generated.report.findings.is_empty(), "{:#?}", generated.report.findings);
    let registry = Registry::empty().with_pack("random", generated.pack().expect("the blocks fit"));
    let mut hits = 0;
    for _ in 0..1500 {
        let query = phrase(&mut prng, 5);
        if query.trim().is_empty() {
            continue;
        }
        assert_ranks(&registry, &query);
        hits += usize::from(!search(&registry, &query).results.is_empty());
    }
    assert!(hits > 750, "only {hits} queries found something");
}

#[test]
fn repeated_words_count_repeatedly() {
    let registry = Registry::new(&SKILLS);
    let score = |query: &str| {
        let found = search(&registry, query);
        found.results.iter().find(|hit| hit.entry.skill.name() == "pdf-forms").map_or(0, |hit| hit.score)
    };
    assert_eq!(score("forms zzz"), 3);
    assert_eq!(score("forms zzz forms"), 6);
    assert_eq!(score("pdf"), 6 + 4 + 3, "in the name, the description and a tag; too short for a term");
    assert_eq!(score("PDF-forms"), 10 + 6 + 3, "the name, in itself, and its one word");
}
