//! The search that most people would write first: TF-IDF, with the cosine between the query and a skill's name,
//! counted twice, and description.

use std::collections::HashMap;

/// Words that say nothing, a line each.
const STOP_WORDS: &str = include_str!("../../../skills-pack/src/words/stop.txt");

/// The skills of a library, each with the weights of its words, whose squares add up to 1.
pub struct Naive<'s> {
    skills: Vec<(&'s str, HashMap<String, f64>)>,
    /// How rare each word is.
    rarity: HashMap<String, f64>,
}

impl<'s> Naive<'s> {
    /// Prepares the skills, each a name and a description.
    pub fn new(skills: impl Iterator<Item = (&'s str, &'s str)>) -> Self {
        let counted = skills.map(|(name, text)| (name, counts(&format!("{name} {name} {text}"))));
        let mut skills: Vec<_> = counted.collect();
        let mut rarity: HashMap<String, f64> = HashMap::new();
        for word in skills.iter().flat_map(|(_, words)| words.keys()) {
            *rarity.entry(word.clone()).or_default() += 1.0;
        }
        let all = skills.len() as f64;
        rarity.values_mut().for_each(|with| *with = (all / *with).ln());
        for (_, words) in &mut skills {
            words.iter_mut().for_each(|(word, count)| *count *= rarity[word]);
            let length = words.values().map(|weight| weight * weight).sum::<f64>().sqrt();
            words.values_mut().for_each(|weight| *weight /= length);
        }
        Self { skills, rarity }
    }

    /// The names of the skills that share a word with the query, best first.
    pub fn search(&self, query: &str) -> Vec<&'s str> {
        let mut asked: Vec<(String, f64)> = counts(query).into_iter().collect();
        // Sums of floats depend on their order.
        asked.sort_by(|a, b| a.0.cmp(&b.0));
        let part = |words: &HashMap<String, f64>, (word, count): &(String, f64)| {
            Some(words.get(word)? * self.rarity.get(word)? * count)
        };
        let score = |words| asked.iter().filter_map(|word| part(words, word)).sum::<f64>();
        let mut found: Vec<_> = self.skills.iter().map(|(name, words)| (score(words), *name)).collect();
        found.retain(|(score, _)| *score > 0.0);
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        found.into_iter().map(|(_, name)| name).collect()
    }
}

/// How often each word stands in a text, in lower case and without stop words. Of Chinese, Japanese and Korean,
/// every two neighbouring characters are a word.
fn counts(text: &str) -> HashMap<String, f64> {
    let mut counts = HashMap::new();
    for run in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        let chars: Vec<char> = run.chars().collect();
        for part in chars.chunk_by(|one, other| (*one < '\u{3000}') == (*other < '\u{3000}')) {
            let size = if part[0] < '\u{3000}' { part.len() } else { part.len().min(2) };
            for word in part.windows(size) {
                *counts.entry(word.iter().collect()).or_default() += 1.0;
            }
        }
    }
    counts.retain(|word: &String, _| !STOP_WORDS.lines().any(|stop| stop == word));
    counts
}
