//! Skills that an agent cannot tell apart by what it can see of them: L107.
//!
//! Every description becomes a set of words. Two are nearly the same if they share [`SHARED`] of all
//! their words; such a pair also shares one of its few rarest words, so each skill is compared only
//! with those that do, and with a bounded number of them.

use std::collections::{BTreeMap, HashMap};

use skills_source::code::Code;
use skills_source::finding::{Finding, Related};
use skills_source::frontmatter::{FIELDS, Frontmatter};
use skills_source::source::Span;
use skills_source::yaml::Value;

use crate::good::Good;

/// Of a hundred words in both descriptions together, how many must be in each of the two.
const SHARED: usize = 85;

/// Descriptions of fewer different words are only compared as they are.
const MIN_WORDS: usize = 8;

/// How many of its rarest words a skill is found by. Only descriptions past the standard's limit have
/// more that count.
const MAX_RARE: usize = 32;

/// With how many others that share a rare word a skill is compared.
const MAX_COMPARED: usize = 16;

/// Judges the skills of a bundle, in the order of their paths.
pub(crate) fn check(skills: &[&Good]) -> Vec<Finding> {
    let mut findings = same_triggers(skills);
    findings.extend(same_descriptions(skills));
    findings
}

fn same_triggers(skills: &[&Good]) -> Vec<Finding> {
    let mut first_with: HashMap<String, usize> = HashMap::new();
    let mut findings = Vec::new();
    for (at, skill) in skills.iter().enumerate() {
        let mut shared: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for trigger in &skill.text().frontmatter.triggers {
            let first = *first_with.entry(trigger.to_lowercase()).or_insert(at);
            if first != at {
                shared.entry(first).or_default().push(trigger);
            }
        }
        for (first, triggers) in shared {
            findings.extend(shared_triggers(skill, skills[first], &triggers));
        }
    }
    findings
}

fn shared_triggers(skill: &Good, first: &Good, triggers: &[&str]) -> Option<Finding> {
    let one = triggers.first()?;
    let shown = one.escape_debug();
    let message = match triggers.len() {
        1 => format!("the trigger `{shown}` is one of `{}` too", first.dir.path),
        count => format!("{count} triggers, such as `{shown}`, are those of `{}` too", first.dir.path),
    };
    let place = |skill: &Good, label: &str| {
        Related::new(&skill.text().head, trigger_span(&skill.text().frontmatter, one), label)
    };
    let help = "give each skill triggers of its own, or make one skill of the two";
    let finding = Finding::at(place(skill, "a trigger of both"), Code::L107, message, help.to_owned());
    Some(finding.with_related(place(first, "the other one")))
}

fn trigger_span(frontmatter: &Frontmatter, trigger: &str) -> Span {
    let names = FIELDS.iter().find(|field| field.name() == "triggers").map_or(&[][..], |field| field.names);
    let entry = frontmatter.entries.iter().find(|entry| names.contains(&entry.key.as_str()));
    let Some(entry) = entry else { return 0..0 };
    let is_it = |text: &str| text.trim().to_lowercase() == trigger.to_lowercase();
    match &entry.node.value {
        Value::List(items) => {
            let item =
                items.iter().find(|item| matches!(&item.value, Value::Scalar(scalar) if is_it(&scalar.text)));
            item.map_or(entry.key_span.clone(), |item| item.span.clone())
        }
        _ => entry.node.span.clone(),
    }
}

/// A description as words: their numbers in order, and the same sorted and each once.
struct Words {
    all: Vec<u32>,
    set: Vec<u32>,
}

/// Numbers for words, by their first appearance, and how many descriptions have each.
#[derive(Default)]
struct Vocabulary {
    numbers: HashMap<String, u32>,
    counts: Vec<u32>,
}

impl Vocabulary {
    fn read(&mut self, text: &str) -> Words {
        let mut all = Vec::new();
        for_each_word(text, |word| {
            let next = self.numbers.len() as u32;
            let number = if let Some(number) = self.numbers.get(word) {
                *number
            } else {
                self.numbers.insert(word.to_owned(), next);
                self.counts.push(0);
                next
            };
            all.push(number);
        });
        let mut set = all.clone();
        set.sort_unstable();
        set.dedup();
        for word in &set {
            self.counts[*word as usize] += 1;
        }
        Words { all, set }
    }

    /// Whether a skill's name has a word of a description.
    fn is_in_name(&self, word: u32, name: &str) -> bool {
        name.split('-').any(|part| self.numbers.get(part) == Some(&word))
    }
}

/// Words in lower case; of scripts that put no blanks between them, pairs of letters.
fn for_each_word(text: &str, mut take: impl FnMut(&str)) {
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let run = run.to_lowercase();
        if run.is_ascii() || !run.contains(|c: char| ('\u{2e80}'..'\u{ac00}').contains(&c)) {
            take(&run);
            continue;
        }
        let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
        for pair in starts.windows(3.min(starts.len())) {
            take(&run[pair[0]..pair[pair.len() - 1]]);
        }
    }
}

fn same_descriptions(skills: &[&Good]) -> Vec<Finding> {
    let mut vocabulary = Vocabulary::default();
    let words: Vec<Words> =
        skills.iter().map(|skill| vocabulary.read(&skill.text().frontmatter.whole_description())).collect();
    let mut same: HashMap<&[u32], usize> = HashMap::new();
    let mut with_rare_word: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut findings = Vec::new();
    for (at, skill) in skills.iter().enumerate() {
        if words[at].all.is_empty() {
            continue;
        }
        let first = *same.entry(&words[at].all).or_insert(at);
        if first != at {
            findings.extend(look_alike(skill, skills[first], "the same as"));
            continue;
        }
        if words[at].set.len() < MIN_WORDS {
            continue;
        }
        let rare = rarest(&words[at].set, &vocabulary.counts);
        let near = rare
            .iter()
            .filter_map(|word| with_rare_word.get(word))
            .flat_map(|others| others.iter().rev().take(MAX_COMPARED))
            .copied()
            .filter(|other| is_near(&words[at].set, &words[*other].set))
            .filter(|other| {
                !names_tell_apart(&vocabulary, (skill, &words[at]), (skills[*other], &words[*other]))
            })
            .min();
        if let Some(other) = near {
            findings.extend(look_alike(skill, skills[other], "nearly the same as"));
        }
        for word in rare {
            with_rare_word.entry(word).or_default().push(at);
        }
    }
    findings
}

/// So many of a set's rarest words that a set which has none of them shares too few words with it.
fn rarest(set: &[u32], counts: &[u32]) -> Vec<u32> {
    let must_share = (set.len() * SHARED).div_ceil(100);
    let mut words = set.to_vec();
    words.sort_unstable_by_key(|word| (counts[*word as usize], *word));
    words.truncate((set.len() - must_share + 1).min(MAX_RARE));
    words
}

fn is_near(a: &[u32], b: &[u32]) -> bool {
    // Of `a + b - shared` words, `shared` are at least so many of a hundred.
    let must_share = ((a.len() + b.len()) * SHARED).div_ceil(100 + SHARED);
    let Some(mut may_miss) = a.len().checked_sub(must_share) else { return false };
    // The words that were numbered last are the least common: most pairs end after a few of them.
    for word in a.iter().rev() {
        if b.binary_search(word).is_err() {
            if may_miss == 0 {
                return false;
            }
            may_miss -= 1;
        }
    }
    true
}

/// Whether the names have all that differs too: `deploy-aws` and `deploy-azure` may say the same
/// of different things.
fn names_tell_apart(vocabulary: &Vocabulary, a: (&Good, &Words), b: (&Good, &Words)) -> bool {
    let says_so = |(skill, words): (&Good, &Words), other: &Words| {
        let own: Vec<u32> =
            words.set.iter().copied().filter(|word| other.set.binary_search(word).is_err()).collect();
        !own.is_empty() && own.iter().all(|word| vocabulary.is_in_name(*word, &skill.text().name))
    };
    says_so(a, b.1) && says_so(b, a.1)
}

fn look_alike(skill: &Good, first: &Good, what: &str) -> Option<Finding> {
    let place = |skill: &Good, label: &str| {
        let description = skill.text().frontmatter.description.as_ref()?;
        Some(Related::new(&skill.text().head, description.span.clone(), label))
    };
    let message = format!("the description is {what} that of `{}`", first.dir.path);
    let help = "say in each what the other does not do, or make one skill of the two";
    let at = place(skill, "an agent cannot choose by this")?;
    let finding = Finding::at(at, Code::L107, message, help.to_owned());
    Some(finding.with_related(place(first, "the other one")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &str, b: &str) -> bool {
        let mut vocabulary = Vocabulary::default();
        let (a, b) = (vocabulary.read(a), vocabulary.read(b));
        let shares_a_rare_word = rarest(&a.set, &vocabulary.counts)
            .iter()
            .any(|word| rarest(&b.set, &vocabulary.counts).contains(word));
        is_near(&a.set, &b.set) && shares_a_rare_word
    }

    #[test]
    fn nearly_the_same_is_a_word_in_ten() {
        let text = "Reads and fills PDF forms, merges pages and splits documents. Use when asked to work with a PDF file.";
        assert!(near(text, &text.to_uppercase()));
        assert!(near(text, &text.replace("splits", "cuts")));
        assert!(near(text, &format!("{text} Carefully.")));
        assert!(!near(
            text,
            "Reads and fills Excel sheets, merges tables. Use when asked to work with a spreadsheet."
        ));
        let text = "读取并填写表单，合并页面，拆分文档";
        assert!(near(text, text) && !near(text, "写一份每周报告，列出完成的任务和计划"));
    }

    #[test]
    fn words_of_all_scripts_are_read() {
        let words = |text: &str| {
            let mut words = Vec::new();
            for_each_word(text, |word| words.push(word.to_owned()));
            words
        };
        assert_eq!(words("PDF-Forms, 2nd"), ["pdf", "forms", "2nd"]);
        assert_eq!(words("填写表 é 单"), ["填写", "写表", "é", "单"]);
    }
}
