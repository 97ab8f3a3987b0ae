//! Measures the first build of a program with one skill: its dependencies, the build script and the program itself.
//!
//! Each build starts with an empty target directory, and with the sources of all dependencies on disk, so no network is
//! in it. Path dependencies are compiled without `incremental`, as crates from a registry are: that is what a
//! user has. A second program uses serde's `derive` and `serde_json` itself, since Cargo may then have to compile a
//! crate twice, with other features for a build script. What the dependency tree of `skills-bundle` holds is counted
//! beside it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_harness::failure::{Outcome, failure, io};
use bench_harness::markdown::{self, NONE, Target, cell};
use bench_harness::run;
use bench_harness::tree;

use crate::cargo;
use crate::measure::{self, Plan};
use crate::variant::Variant;

/// How often each program is built; the lower time counts, since a busy machine only ever adds to it.
const RUNS: usize = 2;
/// The most that a first build may cost, in times of the same program with rust-embed.
const MOST_TIMES: f64 = 3.3;
/// The most crates that `skills-bundle` may compile, itself among them.
const MOST_CRATES: f64 = 50.0;
/// What serves roots on disk at run time, which no build script needs.
const OF_RUN_TIME: [&str; 4] = ["cap-std", "rustix", "arc-swap", "notify"];

/// The programs: a title, and whether it uses serde itself.
const PROGRAMS: [(&str, bool); 2] =
    [("one skill", false), ("one skill, and serde's `derive` and serde_json", true)];

/// The lines of the manifest for [`PROGRAMS`] that use serde.
const SERDE: &str = "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\n";

/// All that was measured.
#[derive(Debug)]
pub struct FirstBuilds {
    /// The ways to embed, with their versions.
    variants: Vec<(Variant, Option<String>)>,
    /// For each of [`PROGRAMS`] the lower cost in each way to embed.
    rows: Vec<Vec<Cost>>,
    /// What `skills-bundle` compiles, itself among it.
    crates: Vec<String>,
}

/// What a first build costs.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Seconds of CPU time.
    cpu: f64,
    /// How many packages cargo compiled, the program among them.
    crates: usize,
}

/// Builds every program in every way that has dependencies to build, in turns.
pub fn measure(plan: &Plan) -> Outcome<FirstBuilds> {
    let crates = crates_of_bundle(&plan.repo)?;
    let mut variants = Vec::new();
    let mut rows = Vec::new();
    for (title, serde) in PROGRAMS {
        let embeds = plan.variants.iter().filter(|variant| variant.package().is_some());
        let programs = embeds.map(|variant| Program::write(plan, *variant, serde));
        let programs = programs.collect::<Outcome<Vec<_>>>()?;
        let mut lower: Vec<Option<Cost>> = vec![None; programs.len()];
        for round in 0..RUNS {
            for at in measure::turn(programs.len(), round) {
                eprintln!("build-cost: first build: {}: {title}", programs[at].variant.label());
                let found = programs[at].build()?;
                lower[at] = lower[at].filter(|cost| cost.cpu <= found.cpu).or(Some(found));
            }
        }
        variants = programs.iter().map(Program::version).collect();
        rows.push(lower.into_iter().flatten().collect());
    }
    Ok(FirstBuilds { variants, rows, crates })
}

/// The section of the report.
pub fn report(found: &FirstBuilds) -> String {
    let mut text = format!(
        "\n## First build\n\nOf a program with one skill and all its dependencies, from an empty target directory, in the debug \
         profile, with `CARGO_INCREMENTAL=0` and without the network: the lower of {RUNS} runs, in turns. Crates are \
         packages that cargo compiled, the program among them; one that is compiled twice counts once.\n\n"
    );
    let ours = found.place(Variant::is_ours);
    let rivals = [Variant::IncludeDir, Variant::RustEmbed].into_iter();
    let rivals: Vec<usize> = rivals.filter_map(|rival| found.place(|variant| variant == rival)).collect();
    let mut line = "| program |".to_owned();
    for (variant, version) in &found.variants {
        let version = version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
        let _ = write!(line, " {}{version} |", variant.label());
    }
    for rival in &rivals {
        let label = ours.map_or(NONE, |ours| found.variants[ours].0.label());
        let _ = write!(line, " {label} / {} |", found.variants[*rival].0.label());
    }
    let _ = writeln!(text, "{line}\n| --- |{}", " ---: |".repeat(found.variants.len() + rivals.len()));
    for ((title, _), costs) in PROGRAMS.iter().zip(&found.rows) {
        let mut line = format!("| {title}, CPU s |");
        let mut next = format!("| {title}, crates |");
        for cost in costs {
            let _ = write!(line, " {:.1} |", cost.cpu);
            let _ = write!(next, " {} |", cost.crates);
        }
        for rival in &rivals {
            let _ = write!(line, " {} |", cell(ours.map(|ours| costs[ours].cpu / costs[*rival].cpu), 2));
            let _ = write!(next, " {NONE} |");
        }
        let _ = writeln!(text, "{line}\n{next}");
    }
    let names = found.of_run_time();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let _ = writeln!(
        text,
        "\n`skills-bundle` compiles {} crates, itself among them (`cargo tree --edges normal,build`). Of {} it has: {names}.\n",
        found.crates.len(),
        OF_RUN_TIME.join(", "),
    );
    text.push_str(&markdown::targets(&targets(found)));
    text
}

impl FirstBuilds {
    fn place(&self, wanted: impl Fn(Variant) -> bool) -> Option<usize> {
        self.variants.iter().position(|(variant, _)| wanted(*variant))
    }

    /// Those of [`OF_RUN_TIME`] that `skills-bundle` compiles.
    fn of_run_time(&self) -> Vec<&'static str> {
        let is_there =
            |name: &&str| self.crates.iter().any(|package| package.split(' ').next() == Some(name));
        OF_RUN_TIME.into_iter().filter(is_there).collect()
    }
}

fn targets(found: &FirstBuilds) -> Vec<Target> {
    let target = |what: &str, most, found| Target { what: what.to_owned(), most, found, unit: "" };
    let mut targets = Vec::new();
    let both = found.place(Variant::is_ours).zip(found.place(|variant| variant == Variant::RustEmbed));
    if let (Some((ours, rival)), Some(costs)) = (both, found.rows.first()) {
        let ratio = costs[ours].cpu / costs[rival].cpu;
        targets.push(target("first build with one skill, CPU, of rust-embed", MOST_TIMES, ratio));
    }
    targets.push(target("crates that `skills-bundle` compiles", MOST_CRATES, found.crates.len() as f64));
    targets.push(target("… of them for run time alone", 0.0, found.of_run_time().len() as f64));
    targets
}

/// The packages that a build of `skills-bundle` compiles on this machine: `NAME vVERSION` each.
fn crates_of_bundle(repo: &Path) -> Outcome<Vec<String>> {
    let package = repo.join("skills-bundle");
    let mut command = cargo::command("tree", &package, &repo.join("target"));
    command.args([
        "--package",
        "skills-bundle",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    Ok(packages(&run::answer(&mut command)?))
}

/// The packages of a list that has some several times, with a note or a path behind the version.
fn packages(list: &str) -> Vec<String> {
    let name = |line: &str| {
        let mut words = line.split(' ');
        Some(format!("{} {}", words.next().filter(|word| !word.is_empty())?, words.next()?))
    };
    let mut found: Vec<String> = list.lines().filter_map(name).collect();
    found.sort();
    found.dedup();
    found
}

/// A program that is on disk, with its dependencies fetched.
#[derive(Debug)]
struct Program {
    variant: Variant,
    package: String,
    folder: PathBuf,
    target: PathBuf,
    skill: String,
}

impl Program {
    fn write(plan: &Plan, variant: Variant, serde: bool) -> Outcome<Self> {
        let (more, suffix) = if serde { (SERDE, "-serde") } else { ("", "") };
        let package = format!("first-{}{suffix}", variant.slug());
        let folder = plan.work.join(&package);
        let target = plan.work.join(format!("target-{package}"));
        let sources = folder.join("src");
        fs::create_dir_all(&sources).map_err(io("make", &sources))?;
        cargo::put(&folder.join("Cargo.toml"), &variant.manifest(&package, &plan.repo, more)?)?;
        cargo::put(&sources.join("main.rs"), &variant.program(serde))?;
        if let Some(script) = variant.build_script() {
            cargo::put(&folder.join("build.rs"), script)?;
        }
        let skill = tree::of_skills(&folder.join("skills"), 1)?.middle;
        run::heard(&mut cargo::command("fetch", &folder, &target))?;
        Ok(Self { variant, package, folder, target, skill })
    }

    /// How it embeds, and the version of what it embeds with.
    fn version(&self) -> (Variant, Option<String>) {
        let package = self.variant.package();
        (self.variant, package.and_then(|package| cargo::version_of(&self.folder, package)))
    }

    /// Builds all of it, makes sure that the program finds its skill, and leaves nothing behind.
    fn build(&self) -> Outcome<Cost> {
        self.clear()?;
        let mut command = cargo::command("build", &self.folder, &self.target);
        let (usage, text) = run::heard(command.arg("--offline").env("CARGO_INCREMENTAL", "0"))?;
        let answer =
            run::answer(Command::new(self.target.join("debug").join(&self.package)).arg(&self.skill))?;
        if answer.trim().parse().unwrap_or(0) == 0 {
            return Err(failure(format!("`{}` answered {answer:?} for `{}`", self.package, self.skill)));
        }
        self.clear()?;
        Ok(Cost { cpu: usage.cpu.as_secs_f64(), crates: cargo::compiled(&text).len() })
    }

    fn clear(&self) -> Outcome<()> {
        if self.target.exists() {
            fs::remove_dir_all(&self.target).map_err(io("remove", &self.target))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_counts_once() {
        let list = "skills-bundle v0.1.0 (/some/where)\nserde v1.0.228\nserde_core v1.0.228\n\n\
                    serde v1.0.228 (*)\nsyn v2.0.119\nsyn v3.0.10 (proc-macro)\n";
        let found = packages(list);
        let wanted =
            ["serde v1.0.228", "serde_core v1.0.228", "skills-bundle v0.1.0", "syn v2.0.119", "syn v3.0.10"];
        assert_eq!(found, wanted);
    }
}
