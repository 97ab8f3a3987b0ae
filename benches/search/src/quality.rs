//! Tables of what is found.

use std::error::Error;
use std::fmt::Write as _;

use skills::Pack;
use skills::search::Ranking;
use skills_bundle::SearchIndex;
use skills_tests::quality::{
    Counts, Query, count, evaluate, libraries, macro_mean, merged, queries, rate, registry,
};

use crate::naive::Naive;

/// The source whose entries are no skills; it counts for itself alone.
const NO_SKILLS: &str = "metatool";

const HEAD: &str = "| library | queries | hit@1 | hit@5 | MRR@10 | CJK hit@1 | near misses first | suggested and right | false alarms |\n\
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";

/// What is compared: our rankings, and a search that is written in an hour.
const WAYS: [(&str, Option<Ranking>); 3] = [
    ("`reference`", Some(Ranking::Reference)),
    ("`hybrid`", Some(Ranking::Hybrid)),
    ("a naive TF-IDF: cosine over the name twice and the description", None),
];

/// A table for each way.
pub fn report(queries_tsv: &str, skills_tsv: &str) -> Result<String, Box<dyn Error>> {
    let queries = queries(queries_tsv);
    let libraries = libraries(skills_tsv, SearchIndex::Full);
    let merged = merged(skills_tsv, SearchIndex::Full, NO_SKILLS);
    let mut report = String::new();
    for (way, ranking) in WAYS {
        write!(report, "\n## Quality of {way}\n\n{HEAD}")?;
        let mut all = Vec::new();
        for library in &libraries {
            let own = queries.iter().filter(|query| query.source == library.name);
            let counts = ask(library.pack()?, own, ranking);
            row(&mut report, &library.name, &[counts], counts.positive)?;
            all.push((library.name.as_str(), counts));
        }
        let mut sum = Counts::default();
        for (_, counts) in &all {
            sum.add(counts);
        }
        row(&mut report, "**all queries**", &[sum], sum.positive)?;
        let of_skills: Vec<Counts> =
            all.iter().filter(|(name, _)| *name != NO_SKILLS).map(|(_, counts)| *counts).collect();
        let every: Vec<Counts> = all.iter().map(|(_, counts)| *counts).collect();
        let with_null: Vec<Counts> = every.iter().filter(|counts| counts.null > 0).copied().collect();
        row(&mut report, "**macro, every library**", &every, 0)?;
        row(&mut report, "**macro, libraries of skills**", &of_skills, 0)?;
        row(&mut report, "**macro, libraries with null queries**", &with_null, 0)?;
        if let Some(merged) = &merged {
            let asked: Vec<&Query> = queries.iter().filter(|query| query.source != NO_SKILLS).collect();
            let counts = ask(merged.pack()?, asked.into_iter(), ranking);
            row(&mut report, "**all skills in one library**", &[counts], counts.positive)?;
        }
    }
    Ok(report)
}

fn ask<'q>(pack: Pack<'_>, queries: impl Iterator<Item = &'q Query>, ranking: Option<Ranking>) -> Counts {
    let Some(ranking) = ranking else {
        let naive = Naive::new(pack.skills().map(|skill| (skill.name(), skill.description())));
        return count(queries, |query| {
            let found = naive.search(query);
            let first = found.first().copied();
            (found, first)
        });
    };
    evaluate(&registry(pack), queries, ranking)
}

fn row(report: &mut String, name: &str, all: &[Counts], queries: usize) -> std::fmt::Result {
    let rates: [fn(&Counts) -> f64; 7] = [
        |counts| rate(counts.first, counts.positive),
        |counts| rate(counts.in_five, counts.positive),
        |counts| counts.reciprocal / counts.positive as f64,
        |counts| rate(counts.cjk_first, counts.cjk),
        |counts| rate(counts.near_first, counts.near),
        |counts| rate(counts.suggested, counts.positive),
        |counts| rate(counts.alarms, counts.null),
    ];
    write!(report, "| {name} | {}", if queries > 0 { queries.to_string() } else { String::new() })?;
    for rate in rates {
        let mean = macro_mean(all, rate);
        write!(report, " | {}", if mean.is_nan() { "–".to_owned() } else { format!("{mean:.3}") })?;
    }
    report.push_str(" |\n");
    Ok(())
}
