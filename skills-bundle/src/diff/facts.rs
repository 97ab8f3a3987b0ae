//! What is new in the texts of a skill: each thing that a reviewer should stop at, where it first is.
//!
//! A fact is new if no old file of the skill had it, so text that moved is no news. Removed facts aren't
//! shown: the text has them.

use std::collections::{HashMap, HashSet};

use super::pair::{FilePair, Pair, Seen};
use super::{Change, Items, Kind};
use crate::rules::masked_in_place;

mod access;
pub(super) mod auto_run;
mod commands;
mod hidden;
mod markdown;
mod packages;
mod padding;
pub(super) mod urls;

/// Something in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) kind: Kind,
    /// By what it is recognised in the old text.
    pub(super) key: String,
    /// The line, from 1.
    pub(super) line: u32,
    /// What it is, in words.
    pub(super) what: String,
    /// The text that it is about, if that isn't in the words.
    pub(super) text: Option<String>,
}

/// A text, and what several kinds of facts need to know of it.
struct Looked<'t> {
    text: &'t str,
    /// Where its lines begin.
    line_starts: Vec<usize>,
    /// The code and the comments of a Markdown file.
    markdown: Option<markdown::Parts>,
}

pub(super) fn find(pair: &Pair<'_>, items: &mut Items<'_, '_>) {
    auto_run::find(pair, items);
    let old: Vec<Fact> = pair.files.iter().filter_map(|file| file.old.as_ref()).flat_map(facts_of).collect();
    let known: HashSet<(Kind, &str)> = old.iter().map(|fact| (fact.kind, fact.key.as_str())).collect();
    let hosts: HashSet<&str> = old.iter().filter_map(urls::host_of_fact).collect();
    let mut found: Vec<(&str, Fact, Option<String>)> = Vec::new();
    let mut places: HashMap<(Kind, String), usize> = HashMap::new();
    // Under another name a text may be taken for something else.
    for file in pair.files.iter().filter(|file| file.is_news() || file.has_new_path()) {
        let Some(new) = &file.new else { continue };
        let lines = Lines::of(new);
        for fact in facts_of(new) {
            if known.contains(&(fact.kind, fact.key.as_str())) {
                continue;
            }
            let count = places.entry((fact.kind, fact.key.clone())).or_default();
            *count += 1;
            if *count == 1 {
                let shown = fact.text.as_deref().map(|text| lines.shown(&fact, text));
                found.push((FilePair::path(file), fact, shown));
            }
        }
    }
    for (path, fact, shown) in found {
        let more = places.get(&(fact.kind, fact.key.clone())).copied().unwrap_or(1) - 1;
        let mut what = match urls::host_of_fact(&fact) {
            Some(host) if !hosts.contains(host) => format!("a new host, `{host}`{}", fact.what),
            Some(_) => fact.what.trim_start_matches(": ").to_owned(),
            None => fact.what.clone(),
        };
        if more > 0 {
            let places = if more == 1 { "place" } else { "places" };
            what.push_str(&format!(" (and in {more} more {places})"));
        }
        items.file(fact.kind, Change::Added, path, fact.line, masked_in_place(&what)).new = shown;
    }
}

/// What is in a file, from its first line to its last for each kind of fact.
pub(super) fn facts_of(seen: &Seen<'_>) -> Vec<Fact> {
    let Some(text) = seen.text() else { return Vec::new() };
    let path = seen.line.path.as_str();
    let looked = Looked::at(path, text);
    let mut facts = Vec::new();
    hidden::find(path, &looked, &mut facts);
    padding::find(&looked, &mut facts);
    commands::find(&looked, &mut facts);
    for (at, line) in text.lines().enumerate() {
        let number = at as u32 + 1;
        urls::find(line, number, &mut facts);
        packages::find(line, number, &mut facts);
        access::find(line, number, &mut facts);
    }
    facts
}

/// The lines of a file, each as it is and as it may be shown.
pub(super) struct Lines<'t>(Vec<(&'t str, &'t str)>);

impl<'t> Lines<'t> {
    pub(super) fn of(seen: &'t Seen<'_>) -> Self {
        let (text, shown) = (seen.text().unwrap_or_default(), seen.shown().unwrap_or_default());
        let mut start = 0;
        let line = |line: &'t str| {
            let at = start;
            start += line.len();
            // Byte for byte as long.
            (line, shown.get(at..start).unwrap_or_default())
        };
        Self(text.split_inclusive('\n').map(line).collect())
    }

    /// The text of a fact without secrets: as the file shows its line if that is the text, for a secret may be one
    /// by what is around it.
    pub(super) fn shown(&self, fact: &Fact, text: &str) -> String {
        let line = (fact.line as usize).checked_sub(1).and_then(|at| self.0.get(at));
        let line = line.filter(|(line, _)| line.trim() == text).map(|(_, shown)| *shown);
        masked_in_place(line.unwrap_or(text).trim())
    }
}

impl<'t> Looked<'t> {
    fn at(path: &str, text: &'t str) -> Self {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, line_starts, markdown: markdown::is_markdown(path).then(|| markdown::parts(text)) }
    }

    /// The line of a place in bytes, from 1.
    fn line_of(&self, at: usize) -> u32 {
        self.line_starts.partition_point(|start| *start <= at) as u32
    }
}

impl Fact {
    /// A fact about a line, which is recognised by both.
    fn of_line(kind: Kind, number: u32, line: &str, what: impl Into<String>) -> Self {
        let (line, what) = (line.trim(), what.into());
        Self { kind, key: format!("{what}: {line}"), line: number, what, text: Some(line.to_owned()) }
    }
}

/// Words of a line: what shells, quotes and Markdown separate.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '(' | ')' | ','))
        .filter(|word| !word.is_empty())
}
