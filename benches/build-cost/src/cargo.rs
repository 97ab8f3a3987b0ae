//! Cargo, started so that nothing of our own environment changes what is measured.
//!
//! Which crates are built, and when, is the business of those who ask: [`leaf`](crate::leaf) and
//! [`first_build`](crate::first_build).

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use bench_harness::failure::{Outcome, io};

/// `cargo` with this action for the crate in `folder`, building into `target`.
pub fn command(action: &str, folder: &Path, target: &Path) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.arg(action).current_dir(folder);
    for (name, _) in env::vars_os() {
        if disturbs(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    command.env("CARGO_TARGET_DIR", target);
    command.env("CARGO_TERM_COLOR", "never").env("CARGO_TERM_PROGRESS_WHEN", "never");
    command
}

/// The packages that a build compiled, by what cargo said on standard error.
pub fn compiled(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.trim_start().strip_prefix("Compiling "))
        .filter_map(|rest| rest.split(' ').next())
        .collect()
}

/// The version of `package` that the crate in `folder` uses, from its lock file.
pub fn version_of(folder: &Path, package: &str) -> Option<String> {
    let lock = fs::read_to_string(folder.join("Cargo.lock")).ok()?;
    let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    rest.split_once('"').map(|(version, _)| version.to_owned())
}

/// Writes a file unless it is there already: a new time stamp would have dependencies checked again.
pub fn put(path: &Path, content: &str) -> Outcome<()> {
    if fs::read_to_string(path).is_ok_and(|found| found == content) {
        return Ok(());
    }
    fs::write(path, content).map_err(io("write", path))
}

/// Whether a variable of our own environment would change what is measured: flags, wrappers that cache, and
/// what the outer `cargo run` left.
fn disturbs(name: &str) -> bool {
    let exact = [
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "MAKEFLAGS",
        "CARGO_MAKEFLAGS",
    ];
    let starts = [
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_PROFILE_",
        "CARGO_BUILD_",
        "CARGO_TERM_",
        "CARGO_INCREMENTAL",
    ];
    exact.contains(&name) || starts.iter().any(|start| name.starts_with(start))
}
