//! Runs a child process and says what it cost; and builds the programs that are run.
//!
//! CPU time and peak memory come from `wait4`, which for a cargo covers all that cargo waited for:
//! rustc, build scripts, the linker. Two processes at the same time do not disturb each other's
//! numbers, so other work on the machine shows in the wall time only.
//! Nothing here knows what is run.

use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use wait4::Wait4;

use crate::failure::{Failure, Outcome, failure};

/// What a process and its descendants cost.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    /// From start to end, whatever else ran on the machine.
    pub wall: Duration,
    /// User and system time, of all descendants together.
    pub cpu: Duration,
    /// The most memory that any one of them held, in bytes.
    pub peak: u64,
}

/// Runs `command` to its end without its output, and fails if it does.
pub fn silent(command: &mut Command) -> Outcome<Usage> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let child = command.spawn().map_err(|_| not_started(command))?;
    let ended = child.wait4().map_err(|_| failure("a child process was lost"))?;
    let wall = started.elapsed();
    if !ended.status.success() {
        return Err(failure(format!("`{}` failed", program(command))));
    }
    Ok(usage(wall, &ended.rusage))
}

/// Runs `command` to its end and gives its standard error besides the cost; fails if it does, and then
/// shows that text.
pub fn heard(command: &mut Command) -> Outcome<(Usage, String)> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = command.spawn().map_err(|_| not_started(command))?;
    let pipe = child.stderr.take();
    // Read beside the wait: a child that fills the pipe would never end.
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        match read {
            Some(Err(_)) | None => String::new(),
            Some(Ok(_)) => String::from_utf8_lossy(&bytes).into_owned(),
        }
    });
    let ended = child.wait4().map_err(|_| failure("a child process was lost"))?;
    let wall = started.elapsed();
    let text = reader.join().map_err(|_| failure("the reader of a child's output stopped"))?;
    if !ended.status.success() {
        return Err(failure(format!("`{}` failed:\n{text}", program(command))));
    }
    Ok((usage(wall, &ended.rusage), text))
}

/// Runs `command` to its end and gives its standard output; fails if it does.
pub fn answer(command: &mut Command) -> Outcome<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|_| not_started(command))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(failure(format!("`{}` failed:\n{text}", program(command))));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Builds a program beside this one, with a profile of the workspace of `manifest`, and finds it. `manifest` is relative
/// to the package of the benchmark that is run.
pub fn built(manifest: &str, profile: &str, package: &str, name: &str) -> Outcome<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join(manifest);
    let own = env::current_exe().map_err(|error| failure(format!("this program is nowhere: {error}")))?;
    let target = own.ancestors().nth(2).unwrap_or(Path::new("target"));
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--profile", profile, "--package", package, "--bin", name]);
    command.arg("--manifest-path").arg(manifest).arg("--target-dir").arg(target);
    answer(&mut command)?;
    let built = target.join(profile).join(name);
    if built.is_file() { Ok(built) } else { Err(failure(format!("`{}` was not built", built.display()))) }
}

/// The resident memory of a process that runs, in MB of 2^20 bytes; `None` on a system without `/proc`.
pub fn resident(process: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib / 1024.0)
}

fn usage(wall: Duration, found: &wait4::ResourceUsage) -> Usage {
    Usage { wall, cpu: found.utime + found.stime, peak: found.maxrss }
}

fn not_started(command: &Command) -> Failure {
    failure(format!("`{}` could not be started", program(command)))
}

fn program(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}
