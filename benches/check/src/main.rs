//! Measures what checking a tree of skills costs, beside a bare read of all its files.
//!
//! Every measurement is a process of its own, this program again, so that what one leaves in memory is not
//! another's; what is compared runs in turns. Prints Markdown; nothing is asserted. What building and
//! serving cost is measured by the benchmarks beside this one.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use bench_harness::failure::{Outcome, end, failure, io};
use bench_harness::markdown::{self, Target, cell};
use bench_harness::run::{self, Usage};
use bench_harness::tree::{self, Tree};
use bench_harness::{machine, stats};
use clap::{Parser, ValueEnum};
use skills_bundle::lock::{self, LOCK_FILE, Lock, LockedFile, LockedSkill, SkillState};
use skills_bundle::{Config, compile, fix};

/// Measures what checking a tree of skills costs, beside a bare read of all its files.
#[derive(Debug, Parser)]
struct Options {
    /// How many skills the tree has that is timed
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    skills: usize,
    /// How many skills the tree has of which the memory is measured
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    many: usize,
    /// How often each is measured
    #[arg(long, value_name = "N", default_value_t = 21)]
    repeats: usize,
    /// Leave out a rule, to see what it costs
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
    /// Write the report to this file too
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Do one piece of work with DIR and stop: what this program asks of itself
    #[arg(long, value_name = "WORK", requires = "dir", hide = true)]
    work: Option<Work>,
    /// The tree to work on
    #[arg(long, value_name = "DIR", hide = true)]
    dir: Option<PathBuf>,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Work {
    /// Walks the tree and reads every file, one after the other.
    Read,
    /// Checks the skills.
    Check,
    /// Looks for what can be mended.
    Fix,
    /// Walks the tree, reads every file and computes its SHA-256, one after the other.
    Hash,
    /// Compares the skills with the lock beside the tree.
    Lock,
}

impl Work {
    fn title(self) -> &'static str {
        match self {
            Self::Read => "bare read of all files",
            Self::Check => "`compile::check`",
            Self::Fix => "`fix::plan`",
            Self::Hash => "bare read and SHA-256 of all files",
            Self::Lock => "`lock::check`",
        }
    }
}

/// What a tree of 1,000 skills may cost, in bare reads.
const MOST_TIMES: f64 = 2.0;
/// What comparing 1,000 skills with their lock may cost, in bare reads with SHA-256.
const MOST_OF_LOCK: f64 = 1.3;
/// What a tree of 20,000 skills may hold, in MB.
const MOST_MEMORY: f64 = 200.0;

fn main() -> ExitCode {
    end(start(&Options::parse()))
}

fn start(options: &Options) -> Outcome<()> {
    if let (Some(work), Some(dir)) = (options.work, &options.dir) {
        return do_work(work, dir, &options.allow);
    }
    machine::built_with("thin")?;
    if options.repeats == 0 {
        return Err(failure("at least one repeat is needed"));
    }
    let trees = env::temp_dir().join(format!("check-bench-{}", std::process::id()));
    let report = report(options, &trees);
    if trees.exists() {
        fs::remove_dir_all(&trees).map_err(io("remove", &trees))?;
    }
    markdown::publish(&report?, options.write.as_deref())
}

fn do_work(work: Work, dir: &Path, allow: &[String]) -> Outcome<()> {
    let config = allow.iter().fold(Config::new(dir), |config, rule| config.allow(rule));
    let done = match work {
        Work::Read => read_all(dir)? > 0,
        Work::Check => {
            let report = compile::check(&config);
            report.skills > 0 && report.denied() == 0
        }
        Work::Fix => fix::plan(&config).is_empty(),
        Work::Hash => hash_all(dir)? > 0,
        Work::Lock => {
            let above = dir.parent().unwrap_or(dir);
            let lock =
                Lock::open(&above.join(LOCK_FILE), LOCK_FILE).map_err(|_| failure("the lock is none"))?;
            let compared = lock::check(&lock, above, &[]);
            !compared.is_empty() && compared.iter().all(|skill| skill.state == SkillState::Ok)
        }
    };
    if done { Ok(()) } else { Err(failure("the tree is not the one that was made")) }
}

/// How many bytes stand in the files under a directory.
fn read_all(dir: &Path) -> Outcome<usize> {
    let mut bytes = 0;
    for entry in fs::read_dir(dir).map_err(io("list", dir))? {
        let entry = entry.map_err(io("list", dir))?;
        let path = entry.path();
        if entry.file_type().map_err(io("look at", &path))?.is_dir() {
            bytes += read_all(&path)?;
        } else {
            bytes += fs::read(&path).map_err(io("read", &path))?.len();
        }
    }
    Ok(bytes)
}

/// How many files there are under a directory, each of which is read and hashed.
fn hash_all(dir: &Path) -> Outcome<usize> {
    let files = files_below(dir, "")?;
    // What it gives is not needed, and must not be left out for that.
    Ok(std::hint::black_box(files).len())
}

/// The files under a directory, with their digests; their paths begin with `prefix`.
fn files_below(dir: &Path, prefix: &str) -> Outcome<Vec<LockedFile>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).map_err(io("list", dir))? {
        let entry = entry.map_err(io("list", dir))?;
        let (path, name) = (entry.path(), format!("{prefix}{}", entry.file_name().to_string_lossy()));
        let metadata = entry.metadata().map_err(io("look at", &path))?;
        if metadata.is_dir() {
            files.extend(files_below(&path, &format!("{name}/"))?);
        } else {
            let is_executable = metadata.permissions().mode() & 0o100 != 0;
            let bytes = fs::read(&path).map_err(io("read", &path))?;
            files.push(LockedFile::of(name, is_executable, &bytes));
        }
    }
    Ok(files)
}

/// Writes the lock of a tree beside it.
fn write_lock(tree: &Tree) -> Outcome<()> {
    let mut locked = Lock::default();
    for entry in fs::read_dir(&tree.root).map_err(io("list", &tree.root))? {
        let directory = entry.map_err(io("list", &tree.root))?.path();
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let of_skill = name(&directory);
        let (dir, source) = (format!("{}/{of_skill}", name(&tree.root)), format!("acme/skills/{of_skill}#v1"));
        locked.skills.push(LockedSkill::new(of_skill, dir, source, files_below(&directory, "")?));
    }
    let file = tree.root.parent().unwrap_or(&tree.root).join(LOCK_FILE);
    fs::write(&file, locked.to_string()).map_err(io("write", &file))
}

fn report(options: &Options, trees: &Path) -> Outcome<String> {
    let mut text = "# What checking costs\n\n".to_owned();
    text.push_str(&markdown::list(&machine::describe(env!("CARGO_PKG_NAME"))));
    let _ = writeln!(text, "- Repeats: {}, in turns; cells are medians\n", options.repeats);
    text.push_str(
        "Each measurement is a process of its own, with the files in the system's cache. In brackets stands how many \
         times the bare read it takes: the median of the ratios within a repeat. The bare read is of one thread; the other \
         two use every processor, so what they cost shows in the CPU time, and how long one waits in the wall time.\n",
    );
    let few = tree::of_skills(&trees.join("few"), options.skills)?;
    write_lock(&few)?;
    let (table, wall, cpu, of_lock) = timed(&few, options)?;
    text.push_str(&table);
    let many = tree::of_skills(&trees.join("many"), options.many)?;
    let (table, peak) = held(&many, options)?;
    text.push_str(&table);
    let target = |what: String, most, found, unit| Target { what, most, found, unit };
    let targets = [
        target(format!("check of {} skills, wall time, in bare reads", few.skills), MOST_TIMES, wall, ""),
        target(format!("check of {} skills, CPU time, in bare reads", few.skills), MOST_TIMES, cpu, ""),
        target(format!("memory of the check of {} skills", many.skills), MOST_MEMORY, peak, " MB"),
        target(
            format!("comparing {} skills with their lock, wall time, in bare reads with SHA-256", few.skills),
            MOST_OF_LOCK,
            of_lock.0,
            "",
        ),
        target(
            format!("comparing {} skills with their lock, CPU time, in bare reads with SHA-256", few.skills),
            MOST_OF_LOCK,
            of_lock.1,
            "",
        ),
    ];
    let _ = write!(text, "\n## What was promised\n\n{}", markdown::targets(&targets));
    Ok(text)
}

/// The table; how many bare reads a check takes, by wall and by CPU time; and how many bare reads with SHA-256
/// a comparison with the lock takes.
fn timed(tree: &Tree, options: &Options) -> Outcome<(String, f64, f64, (f64, f64))> {
    let works = [Work::Read, Work::Check, Work::Fix, Work::Hash, Work::Lock];
    let mut used: [Vec<Usage>; 5] = Default::default();
    for round in 0..=options.repeats {
        for (work, used) in works.iter().zip(&mut used) {
            let usage = measured(*work, &tree.root, options)?;
            // The first round brings the files into the cache.
            if round > 0 {
                used.push(usage);
            }
        }
    }
    let mut text = format!("\n## Time\n\n{}\n\n", about(tree));
    text.push_str("| work | wall ms | CPU ms | peak MB |\n| --- | ---: | ---: | ---: |\n");
    let wall = |used: &[Usage]| millis(used, |usage| usage.wall.as_secs_f64());
    let cpu = |used: &[Usage]| millis(used, |usage| usage.cpu.as_secs_f64());
    let times = |ours: &[f64], bare: &[f64]| cell(stats::ratio(ours, bare), 2);
    let (bare_wall, bare_cpu) = (wall(&used[0]), cpu(&used[0]));
    for (work, used) in works.iter().zip(&used) {
        let (wall, cpu) = (wall(used), cpu(used));
        let _ = writeln!(
            text,
            "| {} | {} ({}) | {} ({}) | {} |",
            work.title(),
            cell(stats::median(&wall), 1),
            times(&wall, &bare_wall),
            cell(stats::median(&cpu), 1),
            times(&cpu, &bare_cpu),
            cell(stats::median(&used.iter().map(peak).collect::<Vec<_>>()), 1),
        );
    }
    let of_check = |ours: &[f64], bare: &[f64]| stats::ratio(ours, bare).unwrap_or(f64::INFINITY);
    let of_lock = (of_check(&wall(&used[4]), &wall(&used[3])), of_check(&cpu(&used[4]), &cpu(&used[3])));
    Ok((text, of_check(&wall(&used[1]), &bare_wall), of_check(&cpu(&used[1]), &bare_cpu), of_lock))
}

fn held(tree: &Tree, options: &Options) -> Outcome<(String, f64)> {
    let mut text =
        format!("\n## Memory\n\n{}\n\n| work | peak MB | CPU s |\n| --- | ---: | ---: |\n", about(tree));
    let mut of_check = f64::INFINITY;
    for work in [Work::Read, Work::Check, Work::Fix] {
        let usage = measured(work, &tree.root, options)?;
        let _ = writeln!(text, "| {} | {:.1} | {:.2} |", work.title(), peak(&usage), usage.cpu.as_secs_f64());
        if work == Work::Check {
            of_check = peak(&usage);
        }
    }
    Ok((text, of_check))
}

fn about(tree: &Tree) -> String {
    format!("{} skills, {} files, {:.1} MB.", tree.skills, tree.files, tree.bytes as f64 / 1e6)
}

fn measured(work: Work, dir: &Path, options: &Options) -> Outcome<Usage> {
    let program = env::current_exe().map_err(|_| failure("this program does not know where it is"))?;
    let name = work.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    let mut command = Command::new(program);
    command.arg("--work").arg(name).arg("--dir").arg(dir);
    for rule in &options.allow {
        command.arg("--allow").arg(rule);
    }
    run::silent(&mut command)
}

fn millis(used: &[Usage], pick: impl Fn(&Usage) -> f64) -> Vec<f64> {
    used.iter().map(|usage| pick(usage) * 1e3).collect()
}

fn peak(usage: &Usage) -> f64 {
    usage.peak as f64 / 1e6
}
