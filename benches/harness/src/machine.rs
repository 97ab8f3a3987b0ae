//! Says on what machine, with what tools, when and with what command the numbers came about.
//!
//! Nothing here names a path or a user: the text goes into the repository.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::SystemTime;

use crate::failure::{Outcome, failure};
use crate::run;

const UNKNOWN: &str = "unknown";

/// The lines of the head of a report of the benchmark `package`, as pairs of a title and a text.
pub fn describe(package: &str) -> Vec<(&'static str, String)> {
    let cores = thread::available_parallelism().map_or(0, usize::from);
    vec![
        ("Command", format!("`{}`", command(package))),
        ("Date", date()),
        ("Processor", format!("{}, {cores} cores", processor())),
        ("Load average at the start", load()),
        ("Compiler", tool("RUSTC", "rustc")),
        ("Cargo", tool("CARGO", "cargo")),
    ]
}

/// Refuses to measure with a build of another profile than `wanted`, an unoptimised one above all.
pub fn built_with(wanted: &str) -> Outcome<()> {
    let found = profile();
    if found == wanted {
        return Ok(());
    }
    Err(failure(format!(
        "this was built with the profile `{found}`, which says nothing here: use `cargo run{}`",
        flag(wanted)
    )))
}

/// How Cargo built this program: the name of the directory that it is in.
fn profile() -> String {
    let program = env::current_exe().unwrap_or_default();
    let folder = program.parent().and_then(Path::file_name);
    folder.map_or(UNKNOWN.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// What asks Cargo for a profile, with a blank before it.
fn flag(profile: &str) -> String {
    match profile {
        "debug" => String::new(),
        "release" => " --release".to_owned(),
        _ => format!(" --profile {profile}"),
    }
}

/// The command as one would give it at the top of the repository; of an absolute path only the end is told.
fn command(package: &str) -> String {
    let mut text = format!("cargo run{} --manifest-path benches/{package}/Cargo.toml --", flag(&profile()));
    for argument in env::args().skip(1) {
        let path = Path::new(&argument);
        text.push(' ');
        match path.file_name() {
            Some(end) if path.is_absolute() => text.push_str(&end.to_string_lossy()),
            _ => text.push_str(&argument),
        }
    }
    text.trim_end_matches(" --").to_owned()
}

fn date() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models = text.lines().find_map(|line| line.strip_prefix("model name"));
    models.and_then(|rest| rest.split_once(':')).map_or(UNKNOWN, |(_, name)| name.trim()).to_owned()
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|load| !load.is_empty()).unwrap_or(UNKNOWN).to_owned()
}

fn tool(variable: &str, name: &str) -> String {
    let program = env::var_os(variable).unwrap_or_else(|| name.into());
    run::answer(Command::new(program).arg("--version"))
        .map_or(UNKNOWN.to_owned(), |text| text.trim().to_owned())
}
