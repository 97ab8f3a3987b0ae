//! Asks Cargo, or else git, which files a published package would lack.
//!
//! Both run from the root of the file system and with absolute paths, so that no configuration beside the skills
//! can make them run a program: `check` is also for skills of other people.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use skills_bundle::Published;

/// What is known of the packages that the roots are in, and a note for each that nobody could be asked about.
pub(crate) fn ask(roots: &[PathBuf]) -> (Vec<Published>, Vec<String>) {
    let (mut known, mut notes) = (Vec::new(), Vec::new());
    for package in roots.iter().filter_map(|root| package_of(root)).collect::<BTreeSet<_>>() {
        match by_cargo(&package).or_else(|| by_git(&package)) {
            Some(published) => known.push(published),
            None => notes.push(format!(
                "cannot tell which files the published package would lack (L128): neither `cargo package --list` \
                 nor git works in `{}`",
                package.display()
            )),
        }
    }
    (known, notes)
}

/// The directory of the package that a root is in, unless that is never published.
#[allow(clippy::disallowed_methods, reason = "it reads a manifest, and no skill")]
fn package_of(root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    root.ancestors().find_map(|dir| {
        let text = std::fs::read_to_string(dir.join("Cargo.toml")).ok()?;
        skills_bundle::publishes(&text).map(|publishes| publishes.then(|| dir.to_owned()))
    })?
}

fn by_cargo(package: &Path) -> Option<Published> {
    let manifest = package.join("Cargo.toml");
    let list = run(Command::new("cargo")
        .args(["package", "--list", "--allow-dirty", "--offline", "--quiet", "--manifest-path"])
        .arg(manifest))?;
    let files = String::from_utf8(list).ok()?;
    Some(Published::only(package, files.lines().map(PathBuf::from)))
}

fn by_git(package: &Path) -> Option<Published> {
    let list = run(Command::new("git").args(["-c", "core.fsmonitor=false", "-C"]).arg(package).args([
        "ls-files",
        "-z",
        "--others",
        "--ignored",
        "--exclude-standard",
        "--",
        ".",
    ]))?;
    let files = list.split(|byte| *byte == 0).filter(|file| !file.is_empty());
    let files = files.map(|file| PathBuf::from(String::from_utf8_lossy(file).into_owned()));
    Some(Published::all_except(package, files))
}

/// What a command prints if it succeeds.
fn run(command: &mut Command) -> Option<Vec<u8>> {
    let top = std::env::temp_dir();
    let top = top.ancestors().last().unwrap_or(&top);
    let output = command.current_dir(top).stdin(Stdio::null()).output().ok()?;
    output.status.success().then_some(output.stdout)
}
