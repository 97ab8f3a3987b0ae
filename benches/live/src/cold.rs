//! A process of its own for each reading: the program `skills`, which lists a directory, and one that finds the
//! same skills with `agent-skills`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use bench_harness::clock::{Measured, US};
use bench_harness::failure::{Outcome, failure};
use bench_harness::markdown::Target;
use bench_harness::run;

use crate::material::Material;

const OTHER: &str = "`agent-skills` 0.3.0, a process";
const OURS: &str = "`skills --root DIR list`";

/// Both, in turns.
pub fn measure(material: &Material, rounds: usize) -> Outcome<Measured> {
    let root = &material.root;
    let (ours, other) = (
        // The project's own release profile has thin LTO, too.
        run::built("../../Cargo.toml", "release", "skills-cli", "skills")?,
        run::built("../Cargo.toml", "thin", "live", "agent-skills")?,
    );
    let mut ours = command(&ours, &["--no-bundle", "--root"], root, &["list"]);
    let mut other = command(&other, &[], root, &[]);
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..=rounds {
        let took = [time(&mut other)?, time(&mut ours)?];
        // The first round fills the caches.
        if round > 0 {
            times.iter_mut().zip(took).for_each(|(times, took)| times.push(took));
        }
    }
    let [other, ours] = times;
    Ok(Measured {
        title: "A process from start to end",
        about: "`skills` reads and checks the skills as a scan does, and prints the list, here to nowhere. The other one finds and \
                reads them and prints how many there are.",
        unit: US,
        columns: vec![format!("{} skills", material.files.len())],
        rows: vec![(OTHER, vec![other]), (OURS, vec![ours])],
    })
}

/// What was promised of it.
pub fn promised(measured: &Measured) -> Vec<Target> {
    let found = measured.ratio((OURS, 0), (OTHER, 0));
    found
        .map(|found| Target { what: format!("{OURS}, of: {OTHER}"), most: 1.5, found, unit: "" })
        .into_iter()
        .collect()
}

fn command(program: &Path, before: &[&str], root: &Path, after: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(before)
        .arg(root)
        .args(after)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Nanoseconds from the start of a process to its end.
fn time(command: &mut Command) -> Outcome<f64> {
    let started = Instant::now();
    let status = command.status().map_err(|error| failure(format!("a program does not start: {error}")))?;
    let took = started.elapsed().as_secs_f64() * 1e9;
    if status.success() { Ok(took) } else { Err(failure(format!("a program ended with {status}"))) }
}
