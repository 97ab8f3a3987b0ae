//! What a search takes, side by side with naive loops, and what its tables weigh.

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use bench_harness::prng::Prng;
use bench_harness::text::Text;
use skills::{Pack, Registry};
use skills::search::{Ranking, SearchOptions};
use skills_bundle::SearchIndex;
use skills_source::writer::{PackWriter, Written};
use skills_tests::quality::{add_text, registry};

const ROUNDS: usize = 15;

/// A way to search; gives how many skills it finds.
type Way<'a> = Box<dyn Fn(&str) -> usize + 'a>;

/// How long searches take.
pub fn report() -> Result<String, Box<dyn Error>> {
    let mut report = String::from(
        "\n## Speed\n\nEach query in turns, wall time of one thread, the fastest of the rounds for each query; µs. \
         The naive loops have the same points and read the same texts, the first lowers them for each query, the second \
         had them lowered before.\n\n\
         | | 1,000 skills, mean | p50 | p99 | 10,000 skills, mean | p50 | p99 |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let (thousand, many) = (packed(1_000, SearchIndex::Full)?, packed(10_000, SearchIndex::Full)?);
    let (thousand, many) = (pack(&thousand)?, pack(&many)?);
    let mut rows: Vec<(&str, Vec<Vec<f64>>)> = Vec::new();
    for pack in [thousand, many] {
        let queries = queries(&pack);
        let fields = fields(&pack);
        let registry = registry(pack);
        let with = |ranking| SearchOptions::new().ranking(ranking);
        let cases: [(&str, Way<'_>); 5] = [
            ("naive loop that lowers", Box::new(|query| naive(&fields, query, true))),
            ("naive loop over lowered texts", Box::new(|query| naive(&fields, query, false))),
            ("`reference`", Box::new(|query| hits(&registry, query, with(Ranking::Reference)))),
            ("`hybrid`", Box::new(|query| hits(&registry, query, with(Ranking::Hybrid)))),
            ("`suggest`", Box::new(|query| registry.suggest(query).results.len())),
        ];
        let mut times = vec![vec![f64::INFINITY; queries.len()]; cases.len()];
        for _ in 0..ROUNDS {
            for (at, query) in queries.iter().enumerate() {
                for (case, times) in cases.iter().zip(&mut times) {
                    let start = Instant::now();
                    black_box((case.1)(black_box(query)));
                    times[at] = times[at].min(start.elapsed().as_secs_f64() * 1e6);
                }
            }
        }
        for ((name, _), mut times) in cases.into_iter().zip(times) {
            times.sort_by(f64::total_cmp);
            match rows.iter_mut().find(|row| row.0 == name) {
                Some(row) => row.1.push(times),
                None => rows.push((name, vec![times])),
            }
        }
    }
    for (name, sizes) in &rows {
        write!(report, "| {name}")?;
        for times in sizes {
            write!(report, " | {:.1} | {:.1} | {:.1}", mean(times), part(times, 50), part(times, 99))?;
        }
        report.push_str(" |\n");
    }
    let of = |name: &str, size: usize| &rows.iter().find(|row| row.0 == name).unwrap_or(&rows[0]).1[size];
    let (reference, hybrid) = (of("`reference`", 0), of("`hybrid`", 0));
    writeln!(
        report,
        "\n- naive loop that lowers / `reference`, means at 1,000: {:.1}\n- naive loop over lowered texts / `reference`: {:.1}\n\
         - `hybrid` p99 / `reference` mean at 1,000: {:.2}\n- `hybrid` at 10,000 / at 1,000, means: {:.1}",
        mean(of("naive loop that lowers", 0)) / mean(reference),
        mean(of("naive loop over lowered texts", 0)) / mean(reference),
        part(hybrid, 99) / mean(reference),
        mean(of("`hybrid`", 1)) / mean(hybrid),
    )?;
    Ok(report)
}

/// What the tables weigh, and what making them takes.
pub fn index() -> Result<String, Box<dyn Error>> {
    let profile = if cfg!(debug_assertions) { "unoptimised, as in a build script" } else { "optimised" };
    let mut report = format!(
        "\n## The index\n\n1,000 skills of 6 KB; making the pack is {profile}, the fastest of three, without reading and \
         checking the skills.\n\n| index | bytes a skill | making the pack, CPU s | more than without |\n| --- | ---: | ---: | ---: |\n"
    );
    let bare = size(&packed(1_000, SearchIndex::Off)?);
    let mut without = 0.0;
    for (name, index) in [
        ("off", SearchIndex::Off),
        ("`reference` alone", SearchIndex::Reference),
        ("without bodies", SearchIndex::WithoutBodies),
        ("full", SearchIndex::Full),
    ] {
        let texts = texts(1_000);
        let mut fastest = f64::INFINITY;
        let mut bytes = 0;
        for _ in 0..3 {
            let start = cpu_seconds()?;
            let written = packed_of(&texts, index)?;
            fastest = fastest.min(cpu_seconds()? - start);
            bytes = size(&written) - bare;
        }
        without = if index == SearchIndex::Off { fastest } else { without };
        writeln!(report, "| {name} | {} | {fastest:.2} | {:.2} |", bytes / 1_000, fastest - without)?;
    }
    Ok(report)
}

/// What this thread has had of a processor; other work on the machine does not count.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = schedule.split_whitespace().next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}

fn size(written: &Written) -> usize {
    written.texts.iter().map(String::len).sum::<usize>() + written.tables.len()
}

fn texts(skills: usize) -> Vec<(String, String)> {
    let skill = |number: usize| {
        let mut text = Text::new(0x5eed ^ ((number as u64) << 20));
        let name = text.name(number);
        let skill = text.skill(&name, 6_000);
        (name, skill)
    };
    (0..skills).map(skill).collect()
}

pub fn packed(skills: usize, index: SearchIndex) -> Result<Written, Box<dyn Error>> {
    packed_of(&texts(skills), index)
}

fn packed_of(texts: &[(String, String)], index: SearchIndex) -> Result<Written, Box<dyn Error>> {
    let mut writer = PackWriter::new().with_search(index);
    for (name, text) in texts {
        add_text(&mut writer, name, text);
    }
    Ok(writer.finish()?)
}

pub fn pack(written: &Written) -> Result<Pack<'_>, Box<dyn Error>> {
    Ok(Pack::from_owned(&written.texts, &written.bytes, &written.tables)?)
}

/// Names, triggers, tags, and questions of words that some skill has, and of words that none has.
fn queries(pack: &Pack<'_>) -> Vec<String> {
    let mut prng = Prng::new(7);
    let mut queries = Vec::new();
    for _ in 0..60 {
        let Some(skill) = pack.skill(prng.below(pack.len())) else { continue };
        queries.push(skill.name().to_owned());
        queries.extend(skill.triggers().next().map(str::to_uppercase));
        queries.extend(skill.tags().next().map(str::to_owned));
        let words: Vec<&str> = skill.description().split_whitespace().collect();
        let some: Vec<&str> = (0..8).map(|_| words[prng.below(words.len())]).collect();
        queries.push(format!("How do I {}?", some.join(" ")));
        queries.push(format!("Please help me to {} with the {} zebra", some[0], some[1]));
    }
    queries.push("kubernetes ingress".to_owned());
    queries
}

fn hits(registry: &Registry<'_>, query: &str, options: SearchOptions) -> usize {
    registry.search_with(query, options).map_or(0, |found| found.results.len())
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

/// The value that so many percent of all reach at most.
fn part(sorted: &[f64], percent: usize) -> f64 {
    sorted[((sorted.len() - 1) * percent + 50) / 100]
}

/// The texts of a skill, as they are and in lower case.
struct Fields {
    name: String,
    given: [Vec<String>; 3],
    lower: [Vec<String>; 3],
}

fn fields(pack: &Pack<'_>) -> Vec<Fields> {
    let skill = |skill: skills::Skill<'_>| {
        let given = [
            vec![skill.description().to_owned()],
            skill.tags().map(str::to_owned).collect(),
            skill.triggers().map(str::to_owned).collect(),
        ];
        let lower =
            given.clone().map(|texts: Vec<String>| texts.iter().map(|text| text.to_lowercase()).collect());
        Fields { name: skill.name().to_owned(), given, lower }
    };
    pack.skills().map(skill).collect()
}

/// The points of every skill by a plain loop; returns how many skills are found.
fn naive(fields: &[Fields], query: &str, lowers: bool) -> usize {
    let query = query.to_lowercase();
    let mut hits: Vec<(u32, &str)> = Vec::new();
    for skill in fields {
        let lowered = lowers.then(|| {
            skill
                .given
                .clone()
                .map(|texts: Vec<String>| texts.iter().map(|text| text.to_lowercase()).collect::<Vec<_>>())
        });
        let [description, tags, triggers] = lowered.as_ref().unwrap_or(&skill.lower);
        let name = &skill.name;
        let in_any = |texts: &[String], word: &str| texts.iter().any(|text| text.contains(word));
        let mut score = 0;
        score += if *name == query { 10 } else { 0 };
        score += if triggers.contains(&query) { 9 } else { 0 };
        score += if name.contains(&query) { 6 } else { 0 };
        score += if description[0].contains(&query) { 4 } else { 0 };
        score += if in_any(tags, &query) { 3 } else { 0 };
        let either = |trigger: &String| trigger.contains(&query) || query.contains(trigger.as_str());
        score += if triggers.iter().any(either) { 8 } else { 0 };
        for word in query.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_') {
            let word = word.trim_start_matches(['-', '_']);
            let has_digit = word.contains(|c: char| c.is_ascii_digit());
            score += if (word.len() >= 4 || has_digit) && name.contains(word) { 3 } else { 0 };
            if word.len() >= 6 || has_digit {
                score += u32::from(in_any(tags, word)) + if in_any(triggers, word) { 4 } else { 0 };
            }
        }
        if score > 0 {
            hits.push((score, name));
        }
    }
    hits.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    hits.truncate(25);
    hits.len()
}
