//! Measures what overlays cost, beside a bare read of the same files, what others do, and a bundle of the same skills.
//!
//! It lays 1,000 skills on disk, the same ones that are compiled into it, and prints Markdown: medians, ratios, and
//! whether the promised limits are kept. What serving a bundle costs is another benchmark's business.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use bench_harness::clock::{Group, Measured};
use bench_harness::failure::{Outcome, end, failure};
use bench_harness::markdown::{self, Target};
use bench_harness::{machine, tree};
use clap::{Parser, ValueEnum};

use material::Material;

mod catalogue;
mod cold;
mod material;
mod others;
mod packs;
mod readers;
mod scan;
mod serving;
mod steps;

/// Measures what overlays cost, beside a bare read of the same files and a bundle of the same skills.
#[derive(Debug, Parser)]
struct Options {
    /// How often each batch is measured
    #[arg(long, value_name = "N", default_value_t = 60)]
    rounds: usize,
    /// How many skills are read from disk; look-up, search and catalogue need all of them
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    skills: usize,
    /// What to measure
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Subject::value_variants().to_vec())]
    only: Vec<Subject>,
    /// Write the report to this file too
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Something to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// From a directory to a registry, and whether anything has changed.
    Scan,
    /// The program `skills` and another reader, each in a process of its own.
    Cold,
    /// From a name to a skill.
    LookUp,
    /// Ten packs in place of one.
    Packs,
    /// From a query to skills.
    Search,
    /// The catalogue for the system prompt.
    Catalogue,
    /// Reading while another thread refreshes.
    Readers,
}

fn main() -> ExitCode {
    end(start(&Options::parse()))
}

fn start(options: &Options) -> Outcome<()> {
    if options.rounds == 0 {
        return Err(failure("at least one round is needed"));
    }
    machine::built_with("thin")?;
    let machine = machine::describe(env!("CARGO_PKG_NAME"));
    let dir = tempfile::tempdir().map_err(|error| failure(format!("no temporary directory: {error}")))?;
    let tree = tree::of_skills(&dir.path().join("skills"), options.skills)?;
    let copy = tree::of_skills(&dir.path().join("edited"), options.skills)?;
    let odd = tree::of_skills(&dir.path().join("odd"), options.skills)?;
    let material = Material::new(&tree, &copy, &odd)?;
    // A file that was written just now may be written again without a sign of it, so it would be read again.
    sleep(Duration::from_millis(2_500));
    material.live.refresh();
    material.edited.refresh();
    material.odd.refresh();
    let mut report = Report { options, text: head(options, &machine), promises: Vec::new() };
    report.take(Subject::Scan, || scan::group(&material), scan::promised);
    if options.only.contains(&Subject::Scan) {
        let steps = steps::Steps::new(&material);
        report.take(Subject::Scan, || steps::group(&steps), |_| Vec::new());
    }
    if options.only.contains(&Subject::Cold) {
        eprintln!("live: cold");
        report.take_measured(&cold::measure(&material, options.rounds)?, cold::promised);
    }
    report.take(Subject::LookUp, || serving::look_ups(&material), serving::promised);
    report.take(Subject::LookUp, || serving::looks(&material), serving::promised_of_looks);
    if options.only.contains(&Subject::Packs) {
        let roots = packs::Roots::new(&dir.path().join("packs"), options.skills)?;
        let group = || packs::group(&roots, &material.bundled, &material.names, &material.queries);
        report.take(Subject::Packs, group, packs::promised);
    }
    report.take(Subject::Search, || serving::searches(&material), serving::promised);
    report.take(Subject::Catalogue, || catalogue::group(&material), catalogue::promised);
    if options.only.contains(&Subject::Readers) {
        eprintln!("live: readers");
        report.text.push_str(&readers::measure(&tree)?);
    }
    let Report { mut text, promises, .. } = report;
    if !promises.is_empty() {
        let _ = write!(text, "\n## What was promised\n\n{}", markdown::targets(&promises));
    }
    markdown::publish(&text, options.write.as_deref())
}

fn head(options: &Options, machine: &[(&str, String)]) -> String {
    let mut text = "# What overlays cost\n\n".to_owned();
    text.push_str(&markdown::list(machine));
    let _ = writeln!(text, "- Rounds: {}, all cases of a table in turns; cells are medians", options.rounds);
    let _ = writeln!(text, "- Skills: {}, of four files and about 18 KB each\n", options.skills);
    text.push_str(
        "Time is wall time a call, in a build with Cargo's own release profile and thin LTO; dropping the answer belongs \
         to the call. In brackets stands how many times as long it takes as the first row of the table: the median of \
         the ratios within a round. The files are in the system's cache.\n",
    );
    text
}

/// A report while it is written.
struct Report<'o> {
    options: &'o Options,
    text: String,
    promises: Vec<Target>,
}

impl Report<'_> {
    fn take<'a>(
        &mut self,
        subject: Subject,
        group: impl FnOnce() -> Group<'a>,
        promised: fn(&Measured) -> Vec<Target>,
    ) {
        if !self.options.only.contains(&subject) {
            return;
        }
        let group = group();
        eprintln!("live: {}", group.title);
        self.take_measured(&group.measure(self.options.rounds), promised);
    }

    fn take_measured(&mut self, measured: &Measured, promised: fn(&Measured) -> Vec<Target>) {
        self.promises.extend(promised(measured));
        self.text.push_str(&measured.table());
    }
}
