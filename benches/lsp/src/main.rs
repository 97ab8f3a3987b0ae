//! How soon the language server answers a keystroke in a root of many skills, and whether its memory grows.
//!
//! The server is the program `skills` as it is released, in a process of its own; this is its editor. A time is that from
//! before a `textDocument/didChange` is written until the diagnostics of the new text have been read. Nothing is asserted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use bench_harness::failure::{Outcome, end, failure, io};
use bench_harness::markdown::{self, Target, cell};
use bench_harness::tree::{self, Tree};
use bench_harness::{machine, run, stats};
use clap::Parser;

mod client;

use client::Client;

/// Measures how soon the language server answers a keystroke.
#[derive(Debug, Parser)]
struct Options {
    /// How many skills the root has
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    skills: usize,
    /// How often something is typed
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    edits: usize,
    /// How often a query of a test begins or ends to fail
    #[arg(long, value_name = "N", default_value_t = 40)]
    queries: usize,
    /// Write the report to this file too
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// The limit of the 99th percentile, in milliseconds.
const LIMIT: f64 = 50.0;
/// How much memory the server may have after all edits, of what it had after the first tenth of them.
const GROWTH: f64 = 1.05;
/// How many edits are made before anything is measured.
const WARM_UP: usize = 100;

/// What is typed and taken out again, in turns.
struct Kind {
    title: &'static str,
    /// The line, and where in it.
    line: usize,
    column: usize,
    text: &'static str,
    times: Vec<f64>,
}

fn main() -> ExitCode {
    end(measure(&Options::parse()))
}

fn measure(options: &Options) -> Outcome<()> {
    machine::built_with("release")?;
    let program = run::built("../../Cargo.toml", "release", "skills-cli", "skills")?;
    let place = tempfile::tempdir().map_err(|error| failure(format!("no temporary directory: {error}")))?;
    let workspace = place.path().canonicalize().map_err(io("find", place.path()))?;
    let tree = tree::of_skills(&workspace.join("skills"), options.skills)?;
    let file = tree.root.join(&tree.middle).join("SKILL.md");
    let text = fs::read_to_string(&file).map_err(io("read", &file))?;

    let mut client = Client::start(&program, &workspace)?;
    let first = client.open(&file, &text)?;
    let mut kinds = kinds(&text)?;
    type_all(&mut client, &mut kinds, WARM_UP)?;
    for kind in &mut kinds {
        kind.times.clear();
    }
    let mut memory = vec![(0, client.memory())];
    for tenth in 1..=10 {
        type_all(&mut client, &mut kinds, options.edits / 10)?;
        memory.push((tenth * (options.edits / 10), client.memory()));
    }
    client.leave()?;
    let queries = queries(&program, &workspace, &tree, options.queries)?;
    let report = report(options, first, &kinds, &memory, &queries);
    markdown::publish(&report, options.write.as_deref())
}

/// In the description, where a finding comes and goes, and in the body.
fn kinds(text: &str) -> Outcome<Vec<Kind>> {
    let line_of = |start: &str| {
        let found = text.lines().position(|line| line.starts_with(start));
        found.ok_or_else(|| failure(format!("the skill has no line `{start}`")))
    };
    let kind = |title, line, column, text| Kind { title, line, column, text, times: Vec::new() };
    let described = "description: ".len();
    Ok(vec![
        kind("a letter in the description", line_of("description: ")?, described + 1, "x"),
        kind(
            "a colon in the description, which makes the frontmatter invalid",
            line_of("description: ")?,
            described + 1,
            ": ",
        ),
        kind(
            "a letter in the name, which the directory doesn't have",
            line_of("name: ")?,
            "name: ".len(),
            "x",
        ),
        kind("a letter in the body", line_of("See [the guide]")?, 0, "x"),
        kind(
            "a letter in a link, which is dead then",
            line_of("See [the guide]")?,
            "See [the guide](".len(),
            "x",
        ),
    ])
}

/// Types and takes out again so often, each kind in turns.
fn type_all(client: &mut Client, kinds: &mut [Kind], edits: usize) -> Outcome<()> {
    let turns = kinds.len();
    for number in 0..edits / 2 {
        let Some(kind) = kinds.get_mut(number % turns) else { break };
        let Kind { line, column, text, .. } = *kind;
        for (columns, text) in [([column; 2], text), ([column, column + text.len()], "")] {
            kind.times.push(milliseconds(client.edit(line, columns, text)?));
        }
    }
    Ok(())
}

/// Gives every skill a file of two queries, and times from a keystroke that makes one of them fail or pass until the
/// editor knows.
fn queries(program: &Path, workspace: &Path, tree: &Tree, repeats: usize) -> Outcome<Vec<f64>> {
    let rows = "[\n  { \"query\": \"quokka xylophone\", \"should_trigger\": true },\n  \
                { \"query\": \"ukulele of a wombat\", \"should_trigger\": false }\n]\n";
    for entry in fs::read_dir(&tree.root).map_err(io("read", &tree.root))? {
        let evals = entry.map_err(io("read", &tree.root))?.path().join("evals");
        fs::create_dir(&evals).map_err(io("make", &evals))?;
        fs::write(evals.join("triggers.json"), rows).map_err(io("write", &evals))?;
    }
    let file = tree.root.join(&tree.middle).join("SKILL.md");
    let text = fs::read_to_string(&file).map_err(io("read", &file))?;
    let line = text.lines().position(|line| line.starts_with("description: "));
    let line = line.ok_or_else(|| failure("the skill has no description"))?;
    let mut client = Client::start(program, workspace)?;
    client.open(&file, &text)?;
    let (column, words) = ("description: ".len(), "Quokka xylophone ");
    let mut times = Vec::new();
    for _ in 0..repeats / 2 {
        for (columns, text, fails) in
            [([column; 2], words, false), ([column, column + words.len()], "", true)]
        {
            times.push(milliseconds(client.edit_until(line, columns, text, "L130", fails)?));
        }
    }
    client.leave()?;
    Ok(times)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn report(
    options: &Options,
    first: Duration,
    kinds: &[Kind],
    memory: &[(usize, Option<f64>)],
    queries: &[f64],
) -> String {
    let all: Vec<f64> = kinds.iter().flat_map(|kind| kind.times.iter().copied()).collect();
    let mut head = machine::describe("lsp");
    head.push(("Skills", format!("{}, of four files and about 18 KB each", options.skills)));
    head.push((
        "Edits",
        format!("{}, of each kind in turns, half of them typing and half taking out", all.len()),
    ));
    let row = |title: &str, times: &[f64]| {
        let [median, p99, most] = [0.5, 0.99, 1.0].map(|share| cell(stats::percentile(times, share), 2));
        format!("| {title} | {median} | {p99} | {most} |\n")
    };
    let rows: String = kinds.iter().map(|kind| row(kind.title, &kind.times)).collect();
    let sizes: Vec<String> =
        memory.iter().map(|(edits, size)| format!("| {edits} | {} |", cell(*size, 1))).collect();
    let sizes = sizes.join("\n");
    let mut targets = Vec::new();
    if let Some(found) = stats::percentile(&all, 0.99) {
        let what = "a keystroke, 99th percentile".to_owned();
        targets.push(Target { what, most: LIMIT, found, unit: " ms" });
    }
    let at = |number: usize| memory.get(number).and_then(|(_, size)| *size);
    if let Some((early, late)) = at(1).zip(at(memory.len().saturating_sub(1))) {
        let what = format!("memory after {} edits, of that after a tenth of them", options.edits);
        targets.push(Target { what, most: GROWTH, found: late / early, unit: "" });
    }
    format!(
        "# What a keystroke costs in the language server\n\n{}\n\
         From before a change is written to the server until the diagnostics of the new text have been read, over stdin \
         and stdout. The server waits for nothing before it judges: there is no delay for typing. While more messages are \
         there it judges none, so a client that types faster gets the diagnostics of its last text.\n\n\
         | ms | median | p99 | longest |\n| --- | ---: | ---: | ---: |\n{rows}{}\n\
         Opening the file, with which the whole root is read: {} ms.\n\n\
         ## Queries of tests\n\n\
         Every skill has a file of two queries. They are judged after nothing was typed for 200 ms, which is in these times: \
         from a keystroke that makes a query of the open skill fail or pass until the editor is told.\n\n\
         | ms | median | p99 | longest |\n| --- | ---: | ---: | ---: |\n{}\n\
         ## Memory\n\nThe resident memory of the server, where the system has `/proc`.\n\n\
         | edits | MB |\n| ---: | ---: |\n{sizes}\n\n\
         ## What was promised\n\n{}",
        markdown::list(&head),
        row("**all**", &all),
        cell(Some(milliseconds(first)), 0),
        row("a query fails or passes", queries),
        markdown::targets(&targets),
    )
}
