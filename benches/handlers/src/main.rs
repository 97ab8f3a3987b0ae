//! Measures what the pipeline of a call costs, beside a bare async call that reads and writes JSON.
//!
//! All ways answer the same question in turns, round by round, and what is reported is the median of the
//! differences within a round. What a handler does, and how long a result is, is no part of it.

mod ways;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bench_harness::failure::{Outcome, end, failure};
use bench_harness::markdown::{self, Target};
use bench_harness::prng::Prng;
use bench_harness::{machine, stats};
use clap::Parser;
use tokio::runtime::{Builder, Runtime};

use crate::ways::{Question, WAYS, Ways};

/// The most that a call may take longer than what it is held against.
const MOST_MICROSECONDS: f64 = 20.0;

/// The least that a batch lasts.
const BATCH: Duration = Duration::from_millis(1);

/// Calls that are made at the same time.
const AT_ONCE: usize = 10_000;

/// Measures what the pipeline of a call costs, beside a bare async call that reads and writes JSON.
#[derive(Debug, Parser)]
struct Options {
    /// How often each batch is measured
    #[arg(long, value_name = "N", default_value_t = 300)]
    rounds: usize,
    /// Write the report to this file too
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

fn main() -> ExitCode {
    end(start(&Options::parse()))
}

fn start(options: &Options) -> Outcome<()> {
    if options.rounds == 0 {
        return Err(failure("at least one round is needed"));
    }
    machine::built_with("release")?;
    let machine = machine::describe(env!("CARGO_PKG_NAME"));
    let mut text = head(options, &machine);
    let mut promises = Vec::new();
    let ways = Ways::new().map_err(|error| failure(error.to_string()))?;
    let one = runtime(&mut Builder::new_current_thread())?;
    let many = runtime(&mut Builder::new_multi_thread())?;
    for (title, runtime, in_task) in [
        ("One thread", &one, false),
        ("Several threads, called from a task", &many, true),
        ("Several threads, called from outside", &many, false),
    ] {
        eprintln!("handlers: {title}");
        let _ = write!(
            text,
            "\n## {title}\n\n{}",
            table(&ways, runtime, in_task, options.rounds, &mut promises, title)
        );
    }
    eprintln!("handlers: {AT_ONCE} at once");
    text.push_str(&at_once(&ways, &many)?);
    let _ = write!(text, "\n## What was promised\n\n{}", markdown::targets(&promises));
    markdown::publish(&text, options.write.as_deref())
}

fn runtime(builder: &mut Builder) -> Outcome<Runtime> {
    builder.enable_time().build().map_err(|error| failure(format!("no runtime can be made: {error}")))
}

fn head(options: &Options, machine: &[(&str, String)]) -> String {
    let mut text = "# What a call of a handler costs\n\n".to_owned();
    text.push_str(&markdown::list(machine));
    let _ = writeln!(text, "- Rounds: {}, all ways in turns; cells are medians\n", options.rounds);
    text.push_str(
        "Microseconds of wall time a call, one after the other. The function takes a struct of four fields and gives one \
         back. *Bare* reads the arguments with serde, awaits the function and writes its result; *by hand* puts it into a \
         task of its own with a time limit, as one would to survive a panic and a hang. *Handlers* goes through all \
         stages: name, permissions, schema, time limit, panic, size of the result, trace and counts. In brackets stands what it takes \
         longer than bare, for the blocking function than `spawn_blocking`: the median of the differences within a round. A \
         machine that is busy with other work shows in what crosses threads, and on an idle one a sleeping thread takes its time \
         to wake, so what is promised on several threads is what the stages add to a task *by hand*. Small arguments are 80 bytes, large ones 4 KB.\n",
    );
    text
}

/// Nanoseconds a call, by way, question and round.
fn table(
    ways: &Ways,
    runtime: &Runtime,
    in_task: bool,
    rounds: usize,
    promises: &mut Vec<Target>,
    title: &str,
) -> String {
    let questions = [Question::small(), Question::large()];
    let mut cases: Vec<(usize, usize, usize)> = Vec::new();
    for way in 0..WAYS.len() {
        for (at, question) in questions.iter().enumerate() {
            // The first call of a way is slow, and would make all batches too short.
            time(ways, way, question, 10, runtime, in_task);
            let mut calls = 1;
            while time(ways, way, question, calls, runtime, in_task) < BATCH.as_secs_f64() {
                calls *= 2;
            }
            cases.push((way, at, calls));
        }
    }
    let mut found = vec![vec![Vec::new(); questions.len()]; WAYS.len()];
    let mut order = Prng::new(7);
    for _ in 0..rounds {
        order.shuffle(&mut cases);
        for &(way, at, calls) in &cases {
            let seconds = time(ways, way, &questions[at], calls, runtime, in_task);
            found[way][at].push(seconds * 1e6 / calls as f64);
        }
    }
    let is_one_thread = runtime.metrics().num_workers() == 1;
    let mut text = "| µs a call | small arguments | large arguments |\n| --- | ---: | ---: |\n".to_owned();
    for (way, (label, base, held_against)) in WAYS.iter().enumerate() {
        let _ = write!(text, "| {label} |");
        for (at, question) in questions.iter().enumerate() {
            let median = markdown::cell(stats::median(&found[way][at]), 2);
            let more = stats::difference(&found[way][at], &found[*base][at]);
            let _ = write!(text, " {median} ({}) |", markdown::cell(more, 2));
            // On several threads a task may move to another one and have to wake it first.
            let Some(rival) = held_against.map(|rival| if is_one_thread { *base } else { rival }) else {
                continue;
            };
            if let Some(found) = stats::difference(&found[way][at], &found[rival][at]) {
                promises.push(Target {
                    what: format!("{title}, {}: {label} beside {}", question.name, WAYS[rival].0),
                    most: MOST_MICROSECONDS,
                    found,
                    unit: " µs",
                });
            }
        }
        text.push('\n');
    }
    text
}

/// Seconds that so many calls take, one after the other.
fn time(ways: &Ways, way: usize, question: &Question, calls: usize, runtime: &Runtime, in_task: bool) -> f64 {
    let (ways, question) = (ways.clone(), question.clone());
    let work = async move {
        let begun = Instant::now();
        for _ in 0..calls {
            ways.ask(way, &question).await;
        }
        begun.elapsed().as_secs_f64()
    };
    if !in_task {
        return runtime.block_on(work);
    }
    runtime.block_on(async { tokio::spawn(work).await.unwrap_or(f64::NAN) })
}

/// Very many calls at the same time: how long until the last one has ended.
fn at_once(ways: &Ways, runtime: &Runtime) -> Outcome<String> {
    let question = Question::small();
    let mut text = format!(
        "\n## {AT_ONCE} calls at once\n\nMilliseconds until all have ended, and microseconds a call.\n\n| | ms | µs a call |\n| --- | ---: | ---: |\n"
    );
    for (way, (label, ..)) in WAYS.iter().enumerate() {
        let mut found = Vec::new();
        for _ in 0..9 {
            let begun = Instant::now();
            let ended = runtime.block_on(async {
                let mut calls = tokio::task::JoinSet::new();
                for _ in 0..AT_ONCE {
                    let (ways, question) = (ways.clone(), question.clone());
                    calls.spawn(async move { ways.ask(way, &question).await });
                }
                calls.join_all().await.len()
            });
            if ended != AT_ONCE {
                return Err(failure(format!("of {AT_ONCE} calls only {ended} ended")));
            }
            found.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        let median = stats::median(&found);
        let a_call = median.map(|milliseconds| milliseconds * 1e3 / AT_ONCE as f64);
        let _ = writeln!(text, "| {label} | {} | {} |", markdown::cell(median, 1), markdown::cell(a_call, 2));
    }
    Ok(text)
}
