//! What judging tests of triggers takes, side by side with the searches alone.

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use bench_harness::prng::Prng;
use skills::Pack;
use skills::triggers::{CaseFile, Cases};
use skills_tests::quality::registry;

use crate::speed::{pack, packed};

const SKILLS: usize = 1_000;
const QUERIES: usize = 1_400;
const ROUNDS: usize = 7;

/// How long 1,400 queries over 1,000 skills take.
pub fn report() -> Result<String, Box<dyn Error>> {
    let written = packed(SKILLS, skills_bundle::SearchIndex::WithoutBodies)?;
    let pack = pack(&written)?;
    let queries = queries(&pack);
    let file = file(&pack, &queries);
    let registry = registry(pack);
    let [mut searching, mut judging] = [f64::INFINITY; 2];
    let mut failed = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for (_, query) in &queries {
            black_box(registry.search(black_box(query))?);
        }
        searching = searching.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let mut cases = Cases::new();
        cases.read(&registry, &CaseFile { path: "cases.json", bytes: file.as_bytes() });
        let report = black_box(cases.judge(&registry));
        judging = judging.min(start.elapsed().as_secs_f64());
        failed = report.failed();
        if report.cases.len() < QUERIES - QUERIES / 10 {
            return Err(format!("only {} queries were judged", report.cases.len()).into());
        }
    }
    let mut report = String::from("\n## Tests of triggers\n\n");
    writeln!(
        report,
        "{QUERIES} queries of eight words over {SKILLS} skills, of which {failed} fail and are explained; wall time of one \
         thread, the fastest of {ROUNDS} rounds.\n\n\
         - searching alone: {:.0} ms\n- reading the file, searching and explaining: {:.0} ms, {:.1} times as long",
        searching * 1e3,
        judging * 1e3,
        judging / searching
    )?;
    Ok(report)
}

/// Queries in words of the skill that they are for; each fourth is in those of another one, so that many fail.
fn queries(pack: &Pack<'_>) -> Vec<(usize, String)> {
    let mut prng = Prng::new(11);
    let query = |number: usize| {
        let skill = number % pack.len();
        let of = if number.is_multiple_of(4) { prng.below(pack.len()) } else { skill };
        let words: Vec<&str> = pack.skill(of).map_or("", |skill| skill.description()).split_whitespace().collect();
        let some: Vec<&str> = (0..8).map(|_| words[prng.below(words.len())]).collect();
        (skill, some.join(" "))
    };
    (0..QUERIES).map(query).collect()
}

fn file(pack: &Pack<'_>, queries: &[(usize, String)]) -> String {
    let row = |(skill, query): &(usize, String)| {
        let name = pack.skill(*skill).map_or("", |skill| skill.name());
        format!("{{\"skill\": {name:?}, \"query\": {query:?}, \"should_trigger\": true}}")
    };
    format!("[\n{}\n]\n", queries.iter().map(row).collect::<Vec<_>>().join(",\n"))
}
