//! Measures what it costs to embed a tree of skills in a program, beside other ways to embed it.
//!
//! It generates a tree, writes one small crate a way to embed it, builds those crates with cargo in turns
//! and prints a Markdown table. Everything it writes is in `build-cost-work` in its own target directory. What
//! the look-ups cost at run time is another benchmark's business.

mod binary;
mod cargo;
mod first_build;
mod leaf;
mod measure;
mod report;
mod targets;
mod variant;

use std::env;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use bench_harness::failure::{Outcome, end, failure, io};
use bench_harness::{machine, markdown, tree};
use clap::{Parser, ValueEnum};

use crate::first_build::FirstBuilds;
use crate::leaf::Profile;
use crate::measure::Plan;
use crate::report::Table;
use crate::variant::Variant;

/// Measures what it costs to embed a tree of skills in a program, beside other ways to embed it.
#[derive(Debug, Parser)]
struct Options {
    /// Number of skills in the tree
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    skills: usize,
    /// How often each build is measured
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeats: usize,
    /// How often each program is started
    #[arg(long, value_name = "N", default_value_t = 200)]
    starts: usize,
    /// Ways to embed to measure; the empty program always is
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Variant::Skills, Variant::IncludeDir, Variant::RustEmbed, Variant::Digests])]
    only: Vec<Variant>,
    /// Profiles to build in
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Profile::Debug, Profile::Release, Profile::DebugLines, Profile::ReleaseLines])]
    profile: Vec<Profile>,
    /// What to measure
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Measure::value_variants().to_vec())]
    measure: Vec<Measure>,
    /// Directory with this project's crates [default: two above this package]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Write the report to this file too
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Only generate the tree in this directory, which must not exist yet
    #[arg(long, value_name = "DIR")]
    generate: Option<PathBuf>,
}

/// What to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Measure {
    /// Many skills of four text files.
    Skills,
    /// One skill with an asset of 10 MiB.
    Asset,
    /// The first build of a program with one skill, dependencies included.
    FirstBuild,
}

fn main() -> ExitCode {
    end(start(&Options::parse()))
}

fn start(options: &Options) -> Outcome<()> {
    if options.skills == 0 || options.repeats == 0 {
        return Err(failure("at least one skill and one repeat are needed"));
    }
    if let Some(folder) = &options.generate {
        return generate(options, folder);
    }
    let plan = plan(options)?;
    let machine = machine::describe(env!("CARGO_PKG_NAME"));
    let (mut skills, mut asset) = (Vec::new(), Vec::new());
    for profile in options.profile.iter().copied() {
        if options.measure.contains(&Measure::Skills) {
            skills.push(Table { profile, columns: measure::skills(&plan, profile)? });
        }
        if options.measure.contains(&Measure::Asset) {
            asset.push(Table { profile, columns: measure::asset(&plan, profile)? });
        }
    }
    let first = options.measure.contains(&Measure::FirstBuild);
    let first = first.then(|| first_build::measure(&plan)).transpose()?;
    let report = render(options, &machine, &skills, &asset, first.as_ref());
    markdown::publish(&report, options.write.as_deref())
}

fn generate(options: &Options, folder: &std::path::Path) -> Outcome<()> {
    if folder.exists() {
        return Err(failure(format!("`{}` exists already and is left as it is", folder.display())));
    }
    let tree = if options.measure.contains(&Measure::Skills) {
        tree::of_skills(folder, options.skills)?
    } else {
        tree::with_asset(folder)?
    };
    println!("{} skills, {} files, {} bytes", tree.skills, tree.files, tree.bytes);
    Ok(())
}

fn plan(options: &Options) -> Outcome<Plan> {
    let program = env::current_exe().map_err(|_| failure("this program could not find itself"))?;
    let work =
        measure::work_folder(&program).ok_or_else(|| failure("there is no place for temporary crates"))?;
    let mut variants = options.only.clone();
    variants.retain(|variant| *variant != Variant::Empty);
    variants.push(Variant::Empty);
    Ok(Plan {
        work,
        repo: repo(options)?,
        variants,
        skills: options.skills,
        repeats: options.repeats,
        starts: options.starts,
    })
}

fn repo(options: &Options) -> Outcome<PathBuf> {
    // Cargo says at run time where this package is; nothing of it is compiled in.
    let package = env::var_os("CARGO_MANIFEST_DIR").map(|package| PathBuf::from(package).join("../.."));
    let folder = options.repo.clone().or(package);
    let folder = folder.ok_or_else(|| failure("say with `--repo` where this project's crates are"))?;
    folder.canonicalize().map_err(io("find", &folder))
}

fn render(
    options: &Options,
    machine: &[(&str, String)],
    skills: &[Table],
    asset: &[Table],
    first: Option<&FirstBuilds>,
) -> String {
    let mut text = "# What embedding costs\n\n".to_owned();
    text.push_str(&markdown::list(machine));
    if !skills.is_empty() || !asset.is_empty() {
        let _ = writeln!(text, "- Repeats: {}, all variants in turns; cells are medians\n", options.repeats);
        text.push_str(
            "A clean build is one of the crate that embeds, build script and its run included, with its dependencies \
             built before. CPU is user and system time of all processes of a build; peak is the most memory that \
             one of them held. A ratio is the median of the ratios within a repeat. Programs are weighed with all \
             that is in them: digests and search tables too. \"With the lines\" is with those of the README in every \
             manifest, rivals' too: they have the library optimised that computes SHA-256 in build scripts and macros. \
             \"Bytes and digests\" is the least that can be done: its build script reads every file, computes its SHA-256 and \
             writes one file of all, without a look at what is in them.\n",
        );
    }
    if let Some(first) = skills.first().and_then(|table| table.columns.first()) {
        let kib = first.raw as f64 / 1024.0;
        let _ = writeln!(text, "\n## {} skills, {} files, {kib:.0} KiB", options.skills, options.skills * 4);
    }
    for table in skills {
        let _ = write!(text, "\n{}", report::skills(table, options.skills));
    }
    if !asset.is_empty() {
        text.push_str("\n## One skill with an asset of 10 MiB\n");
    }
    for table in asset {
        let _ = write!(text, "\n{}", report::asset(table));
    }
    if let Some(first) = first {
        text.push_str(&first_build::report(first));
    }
    let targets = targets::check(skills, asset, options.skills);
    if !targets.is_empty() {
        let _ = write!(text, "\n## What was promised for a tree of 1000 skills\n\n{targets}");
    }
    text
}
