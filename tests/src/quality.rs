//! Measures search quality: labelled queries on libraries of skills.
//!
//! Queries are lines of `source`, `kind`, `skill`, `alternatives`, `lang` and `query`, with tabs between
//! and `|` between alternatives. Of kind `pos` the skill, or an alternative, is right; of kind `near` the
//! skill must not come first; of kind `null` no skill fits. Skills are lines of `source`, `name`,
//! `description`, `tags` and `triggers`. A first line names the columns, and `-` is nothing.

#![allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use skills::search::{Ranking, SearchOptions};
use skills::{Audience, Pack, Registry};
use skills_source::rules::Rules;
use skills_source::skill;
use skills_source::writer::{FileBytes, FileSource, PackWriter, SearchIndex, SkillSource, Written};

/// A labelled query.
#[derive(Debug, Clone)]
pub struct Query {
    /// The library that is searched.
    pub source: String,
    /// The expected answer.
    pub kind: Kind,
    /// The expected skill, and others that are equally good.
    pub skills: Vec<String>,
    /// Whether it is Chinese, Japanese or Korean.
    pub is_cjk: bool,
    /// The text of the query.
    pub text: String,
}

/// The expected answer to a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The skill comes first.
    Positive,
    /// Another one comes first.
    Near,
    /// Nothing is suggested.
    Null,
}

/// The queries of a file; invalid lines are ignored.
pub fn queries(tsv: &str) -> Vec<Query> {
    let line = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [source, kind, skill, alternatives, lang, text] = columns[..] else { return None };
        let kind = match kind {
            "pos" => Kind::Positive,
            "near" => Kind::Near,
            "null" => Kind::Null,
            _ => return None,
        };
        let skills = alternatives.split('|').chain([skill]).filter(|name| *name != "-").map(str::to_owned);
        Some(Query {
            source: source.to_owned(),
            kind,
            skills: skills.collect(),
            is_cjk: lang == "cjk",
            text: text.to_owned(),
        })
    };
    tsv.lines().skip(1).filter_map(line).collect()
}

/// The skills of one source, packed.
#[derive(Debug)]
pub struct Library {
    /// The source.
    pub name: String,
    /// The pack.
    pub written: Written,
}

impl Library {
    /// The skills, ready to be served.
    ///
    /// # Errors
    ///
    /// None for what this version packed.
    pub fn pack(&self) -> Result<Pack<'_>, skills_pack::Mismatch> {
        Pack::from_owned(&self.written.texts, &self.written.bytes, &self.written.tables)
    }
}

/// The skills of a file, a library for each source in order.
pub fn libraries(tsv: &str, index: SearchIndex) -> Vec<Library> {
    let mut libraries: Vec<(String, PackWriter)> = Vec::new();
    for row in tsv.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [source, name, description, tags, triggers, ..] = columns[..] else { continue };
        if libraries.last().is_none_or(|(last, _)| last != source) {
            libraries.push((source.to_owned(), PackWriter::new().with_search(index)));
        }
        if let Some((_, writer)) = libraries.last_mut() {
            add(writer, name, description, &list(tags), &list(triggers), "");
        }
    }
    let finish =
        |(name, writer): (String, PackWriter)| Some(Library { name, written: writer.finish().ok()? });
    libraries.into_iter().filter_map(finish).collect()
}

/// The skills of all these sources in one library.
pub fn merged(tsv: &str, index: SearchIndex, leave_out: &str) -> Option<Library> {
    let rows = tsv.lines().filter(|row| row.split('\t').next() != Some(leave_out));
    let one_source = rows.filter_map(|row| row.split_once('\t')).map(|(_, rest)| format!("merged\t{rest}\n"));
    libraries(&one_source.collect::<String>(), index).pop()
}

fn list(column: &str) -> Vec<&str> {
    column.split('|').map(str::trim).filter(|item| !matches!(*item, "" | "-")).collect()
}

/// Adds a skill with these fields to a pack.
pub fn add(
    writer: &mut PackWriter,
    name: &str,
    description: &str,
    tags: &[&str],
    triggers: &[&str],
    body: &str,
) {
    // `{:?}` of a string without control characters is also a valid YAML string.
    let text = format!(
        "---\nname: {name:?}\ndescription: {}\ntags: {tags:?}\ntriggers: {triggers:?}\n---\n{body}",
        quoted(description)
    );
    add_text(writer, name, &text);
}

/// Adds a skill with this SKILL.md to a pack.
pub fn add_text(writer: &mut PackWriter, name: &str, text: &str) {
    let mut rules = Rules::default();
    rules.unicode_names = true;
    let (Some(read), _) = skill::read("SKILL.md", name, text.as_bytes(), &rules) else { return };
    // A pack keeps files of one digest once, so each needs its own; no one reads it here.
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let mut sha256 = [0; 32];
    sha256[..8].copy_from_slice(&hasher.finish().to_le_bytes());
    let file = FileSource {
        path: "SKILL.md",
        content: FileBytes::Packed(text.as_bytes(), sha256),
        executable: false,
    };
    writer.add(&SkillSource { path: name, dir_name: name, text: &read, files: vec![file] });
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Counts, from which rates are computed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Positive queries.
    pub positive: usize,
    /// Of these, how many have a right skill first, and among the first five.
    pub first: usize,
    /// Among the first five.
    pub in_five: usize,
    /// The sum of 1 / rank, where a right skill is among the first ten.
    pub reciprocal: f64,
    /// Positive queries whose first suggestion is right.
    pub suggested: usize,
    /// Positive queries in Chinese, Japanese or Korean.
    pub cjk: usize,
    /// Of these, how many have a right skill first.
    pub cjk_first: usize,
    /// Queries whose skill must not come first.
    pub near: usize,
    /// Of these, how many have it first.
    pub near_first: usize,
    /// Queries that no skill fits.
    pub null: usize,
    /// Of these, how many get a suggestion.
    pub alarms: usize,
}

impl Counts {
    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Self) {
        self.positive += other.positive;
        self.first += other.first;
        self.in_five += other.in_five;
        self.reciprocal += other.reciprocal;
        self.suggested += other.suggested;
        self.cjk += other.cjk;
        self.cjk_first += other.cjk_first;
        self.near += other.near;
        self.near_first += other.near_first;
        self.null += other.null;
        self.alarms += other.alarms;
    }
}

/// A ratio; NaN for nothing of nothing.
pub fn rate(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// The mean over those libraries in which there is something to count.
pub fn macro_mean(all: &[Counts], rate: impl Fn(&Counts) -> f64) -> f64 {
    let rates: Vec<f64> = all.iter().map(rate).filter(|rate| !rate.is_nan()).collect();
    rates.iter().sum::<f64>() / rates.len() as f64
}

/// Asks a registry these queries.
pub fn evaluate<'q>(
    registry: &Registry<'_>,
    queries: impl Iterator<Item = &'q Query>,
    ranking: Ranking,
) -> Counts {
    count(queries, |query| {
        let options = SearchOptions::new().ranking(ranking);
        let found = registry.search_with(query, options).map(|found| found.results).unwrap_or_default();
        let suggested = match ranking {
            Ranking::Hybrid => registry.suggest(query).results.first().map(|hit| hit.entry.skill.name()),
            // Without a measure of confidence, everything found is shown.
            _ => found.first().map(|hit| hit.entry.skill.name()),
        };
        (found.iter().map(|hit| hit.entry.skill.name()).collect(), suggested)
    })
}

/// Asks any search these queries. `search` gives the names of the skills that it finds, best first, and the
/// first that it would suggest unasked.
pub fn count<'q, 'a>(
    queries: impl Iterator<Item = &'q Query>,
    search: impl Fn(&str) -> (Vec<&'a str>, Option<&'a str>),
) -> Counts {
    let mut counts = Counts::default();
    for query in queries {
        let (names, suggested) = search(&query.text);
        let is_right = |name: &str| query.skills.iter().any(|right| is_name(right, name));
        let rank = names.iter().position(|name| is_right(name));
        match query.kind {
            Kind::Positive => {
                let is_first = usize::from(rank == Some(0));
                counts.positive += 1;
                counts.first += is_first;
                counts.in_five += usize::from(rank.is_some_and(|rank| rank < 5));
                counts.reciprocal +=
                    rank.filter(|rank| *rank < 10).map_or(0.0, |rank| 1.0 / (rank + 1) as f64);
                counts.suggested += usize::from(suggested.is_some_and(is_right));
                counts.cjk += usize::from(query.is_cjk);
                counts.cjk_first += usize::from(query.is_cjk) * is_first;
            }
            Kind::Near => {
                counts.near += 1;
                counts.near_first += usize::from(rank == Some(0));
            }
            Kind::Null => {
                counts.null += 1;
                counts.alarms += usize::from(suggested.is_some());
            }
        }
    }
    counts
}

/// Whether a skill called `given` is kept as `name`. Names of tools that aren't skills have capitals and
/// underscores.
fn is_name(given: &str, name: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace(['_', ' '], "-");
    plain(given) == plain(name)
}

/// A registry that serves a library without filtering.
pub fn registry(pack: Pack<'_>) -> Registry<'_> {
    Registry::empty().with_pack("library", pack).for_audience(Audience::Everyone)
}
