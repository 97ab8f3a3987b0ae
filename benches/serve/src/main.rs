//! Measures what serving compiled-in skills costs, beside what a program would do without this project.
//!
//! It asks bundles of 10 and of 1,000 skills the same questions in several ways, in turns, and prints Markdown:
//! medians, ratios, allocations, and whether the promised limits are kept. What building such a program
//! costs is another benchmark's business.

use std::env;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use bench_harness::clock::{Group, Measured};
use bench_harness::failure::{Outcome, end, failure};
use bench_harness::markdown::{self, Target};
use bench_harness::{machine, run};
use clap::{Parser, ValueEnum};
use serve::actions::ACTIONS;
use serve::groups::{self, call, list, load, lookup, read_file, search};
use serve::material::Material;
use serve::{naive, targets};

/// Measures what serving compiled-in skills costs, beside what a program would do without this project.
#[derive(Debug, Parser)]
struct Options {
    /// How often each batch is measured
    #[arg(long, value_name = "N", default_value_t = 300)]
    rounds: usize,
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
    /// From a name to a skill.
    LookUp,
    /// From a name to the text for the model.
    Load,
    /// From a name and a path to a file.
    ReadFile,
    /// All skills.
    List,
    /// From a query to skills.
    Search,
    /// From JSON to the text for the model.
    Call,
    /// How often each action allocates.
    Allocations,
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
    let mut report = Report { options, text: head(options, &machine), promises: Vec::new() };
    report.times()?;
    report.allocations()?;
    let Report { mut text, promises, .. } = report;
    if !promises.is_empty() {
        let _ = write!(text, "\n## What was promised\n\n{}", markdown::targets(&promises));
    }
    markdown::publish(&text, options.write.as_deref())
}

fn head(options: &Options, machine: &[(&str, String)]) -> String {
    let mut text = "# What serving costs\n\n".to_owned();
    text.push_str(&markdown::list(machine));
    let _ =
        writeln!(text, "- Rounds: {}, all cases of a table in turns; cells are medians\n", options.rounds);
    text.push_str(
        "Time is wall time a call, of one thread, in a build with Cargo's own release profile; dropping the answer \
         belongs to the call. In brackets stands how many times as long it takes as the first row of \
         the table: the median of the ratios within a round, which may differ a little from what the cells divide \
         to. \"The same ten\" asks a bundle of 1,000 for the skills that the bundle of 10 has, so the memory \
         that is touched is the same; \"each in turn\" touches more than a processor's caches hold, the plain copy too.\n",
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
    fn times(&mut self) -> Outcome<()> {
        let (few, many) = (Material::few()?, Material::many()?);
        let columns = groups::columns(&few, &many);
        let fields = naive::fields(many.bundle);
        let queries = bundle_1000::queries();
        let trees = [list::Listed::new("10 skills", &few), list::Listed::new("1,000 skills", &many)];
        let nothing = |_: &Measured| Vec::new();
        self.take(Subject::LookUp, || lookup::group(&columns), targets::of_lookup);
        self.take(Subject::Load, || load::group(&columns), targets::of_load);
        self.take(Subject::ReadFile, || read_file::group(&columns), targets::of_read_file);
        self.take(Subject::List, || list::group(&trees), nothing);
        self.take(Subject::Search, || search::group(&many, &fields, &queries), nothing);
        self.take(Subject::Call, || call::group(&columns), nothing);
        Ok(())
    }

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
        eprintln!("serve: {}", group.title);
        let measured = group.measure(self.options.rounds);
        self.promises.extend(promised(&measured));
        self.text.push_str(&measured.table());
    }

    /// Has the other program count, and shows what it found.
    fn allocations(&mut self) -> Outcome<()> {
        if !self.options.only.contains(&Subject::Allocations) {
            return Ok(());
        }
        let counted = count_allocations()?;
        self.text.push_str("\n## Allocations a call\n\nThe most for any skill, and their bytes.\n\n");
        self.text.push_str("| action | 10 skills | bytes | 1,000 skills | bytes |\n");
        self.text.push_str("| --- | ---: | ---: | ---: | ---: |\n");
        for (at, (action, most, _)) in ACTIONS.iter().enumerate() {
            let _ = write!(self.text, "| {action} |");
            let mut worst = None;
            for skills in [10, 1_000] {
                let found = counted.iter().find(|line| line.starts_with(&[skills, at as u64]));
                let Some([_, _, count, bytes]) = found.map(Vec::as_slice) else {
                    return Err(failure(format!("allocations of {action} were not counted")));
                };
                worst = worst.max(Some(*count));
                let _ = write!(self.text, " {count} | {bytes} |");
            }
            self.text.push('\n');
            self.promises.extend(worst.and_then(|worst| targets::of_allocations(action, *most, worst)));
        }
        Ok(())
    }
}

/// The lines of the program `allocations`, as numbers.
fn count_allocations() -> Outcome<Vec<Vec<u64>>> {
    eprintln!("serve: allocations");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("Cargo.toml");
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--release", "--bin", "allocations", "--manifest-path"]).arg(manifest);
    let text = run::answer(&mut command)?;
    Ok(text.lines().map(|line| line.split(' ').filter_map(|number| number.parse().ok()).collect()).collect())
}
