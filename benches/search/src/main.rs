//! Measures how well search finds, by labelled queries.

use std::path::PathBuf;

use clap::Parser;
use skills::Ranking;
use skills_bundle::SearchIndex;
use skills_tests::quality::{self, Counts, Query, macro_mean, rate};

/// Measures how well search finds
#[derive(Debug, Parser)]
struct Args {
    #[arg(long)]
    queries: PathBuf,
    #[arg(long)]
    skills: PathBuf,
}

fn main() {
    let args = Args::parse();
    let queries = quality::queries(&std::fs::read_to_string(&args.queries).unwrap());
    let skills = std::fs::read_to_string(&args.skills).unwrap();
    let libraries = quality::libraries(&skills, SearchIndex::Full);
    for ranking in [Ranking::Reference, Ranking::Hybrid] {
        println!("## {}", ranking.as_str());
        let mut all = Vec::new();
        let row = |name: &str, c: &Counts| println!("| {name} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |", c.positive, rate(c.first, c.positive), rate(c.in_five, c.positive), c.reciprocal / c.positive as f64, rate(c.cjk_first, c.cjk), rate(c.near_first, c.near), rate(c.alarms, c.null), rate(c.suggested, c.positive));
        for library in &libraries {
            let registry = quality::registry(library.pack().unwrap());
            let own = |q: &&Query| q.source == library.name;
            let c = quality::evaluate(&registry, queries.iter().filter(own), ranking);
            row(&library.name, &c);
            all.push(c);
        }
        let mut sum = Counts::default();
        all.iter().for_each(|c| sum.add(c));
        row("all", &sum);
        println!("| macro | | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
            macro_mean(&all, |c| rate(c.first, c.positive)), macro_mean(&all, |c| rate(c.in_five, c.positive)), macro_mean(&all, |c| c.reciprocal / c.positive as f64), macro_mean(&all, |c| rate(c.cjk_first, c.cjk)), macro_mean(&all, |c| rate(c.near_first, c.near)), macro_mean(&all, |c| rate(c.alarms, c.null)), macro_mean(&all, |c| rate(c.suggested, c.positive)));
        let merged = quality::merged(&skills, SearchIndex::Full, "metatool").unwrap();
        let registry = quality::registry(merged.pack().unwrap());
        row("merged", &quality::evaluate(&registry, queries.iter().filter(|q| q.source != "metatool"), ranking));
    }
}
