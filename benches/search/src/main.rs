//! Measures how well search finds, and how fast.
//!
//! Quality comes from labelled queries, whose form `skills_tests::quality` describes; speed and size from
//! generated skills. Run without `--release`, the cost of the index is that of a build script.

mod naive;
mod quality;
mod speed;
mod triggers;

use std::path::PathBuf;

use bench_harness::{machine, markdown};
use clap::Parser;

/// Measures how well search finds, and how fast
#[derive(Debug, Parser)]
struct Args {
    /// Labelled queries: source, kind, skill, alternatives, lang, query, with tabs between
    #[arg(long, requires = "skills")]
    queries: Option<PathBuf>,

    /// Skills: source, name, description, tags, triggers, with tabs between
    #[arg(long, requires = "queries")]
    skills: Option<PathBuf>,

    /// Leave out speed and size
    #[arg(long)]
    quality_only: bool,

    /// Measure nothing but what making the index costs
    #[arg(long)]
    index_only: bool,

    /// Measure nothing but tests of triggers
    #[arg(long)]
    triggers_only: bool,

    /// Write the report into FILE too
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let mut report = String::from("# What search finds, and what it costs\n\n");
    report.push_str(&markdown::list(&machine::describe("search")));
    if !args.index_only
        && let (Some(queries), Some(skills)) = (&args.queries, &args.skills)
    {
        report.push_str(&quality::report(
            &std::fs::read_to_string(queries)?,
            &std::fs::read_to_string(skills)?,
        )?);
    }
    if !args.quality_only && !args.index_only {
        if !args.triggers_only {
            report.push_str(&speed::report()?);
        }
        report.push_str(&triggers::report()?);
    }
    if !args.quality_only && !args.triggers_only {
        report.push_str(&speed::index()?);
    }
    print!("{report}");
    if let Some(file) = args.write {
        std::fs::write(file, report)?;
    }
    Ok(())
}
