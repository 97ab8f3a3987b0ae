//! Skills in a package that the workspace depends on. Cargo knows where it is, and its lock pins the package.
//!
//! Cargo is only asked, without a network and without a change of Cargo.lock; nothing is built. The bytes are those
//! in the package's directory, which Cargo compared with its lock when it unpacked them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use skills_source::scan::in_words;

use super::open::Source;
use super::{directory, refused};
use crate::failure::Failure;

/// The code where the workspace depends on no such package.
pub(crate) const NO_SUCH_CRATE: &str = "CRATE_NOT_FOUND";

/// A package of the workspace's dependencies.
#[derive(Debug, PartialEq, Eq)]
struct Package {
    version: String,
    directory: PathBuf,
}

/// Opens the skills below a path of a package, as the workspace in `workspace` has it. `version` chooses among
/// several, and may be the beginning of one.
///
/// # Errors
///
/// If Cargo can't say where it is, there are several, or it has no such directory.
pub(crate) fn open(
    workspace: &Path,
    name: &str,
    version: Option<&str>,
    path: &str,
) -> Result<Source, Failure> {
    let package = choose(named(&metadata(workspace)?, name), name, version)?;
    let top = package.directory.canonicalize().unwrap_or(package.directory);
    let place = path.split('/').filter(|part| !part.is_empty()).fold(top.clone(), |at, part| at.join(part));
    let real = place.canonicalize().ok().filter(|real| real.is_dir() && real.starts_with(&top));
    let real = real.ok_or_else(|| {
        let message = format!("the package `{name}` {} has no directory `{path}`", package.version);
        refused(message, "look at what the package contains; its `include` may leave skills out")
    })?;
    let mut skills = directory::skills(&real)?;
    for found in &mut skills {
        let parts = [path, found.path.as_str()];
        found.path = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
    }
    Ok(Source::of_crate(package.version, skills))
}

/// What Cargo says of the workspace and its dependencies.
fn metadata(workspace: &Path) -> Result<Value, Failure> {
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--format-version", "1", "--offline", "--locked", "--quiet"]);
    // A checkout may name programs that Cargo would run to ask for the compiler's version.
    cargo.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "");
    cargo.env("RUSTC", "rustc");
    let output = cargo.current_dir(workspace).stdin(Stdio::null()).output().map_err(|error| {
        let why = in_words(&error);
        Failure::other("CARGO", format!("`cargo` cannot be run: {why}"), "install Cargo, or name a directory")
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let why = said.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or("it says nothing");
        let help = "run `cargo fetch`: it writes Cargo.lock, and downloads every dependency";
        return Err(Failure::other("CARGO", format!("`cargo metadata` failed: {why}"), help));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| {
        Failure::other("CARGO", format!("what `cargo metadata` wrote is not JSON: {error}"), "update Cargo")
    })
}

/// The packages with this name.
fn named(metadata: &Value, name: &str) -> Vec<Package> {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let package = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str()?);
        let (version, directory) = (package["version"].as_str()?, manifest.parent()?);
        Some(Package { version: version.to_owned(), directory: directory.to_owned() })
    };
    packages.iter().filter(|package| package["name"] == name).filter_map(package).collect()
}

fn choose(mut packages: Vec<Package>, name: &str, version: Option<&str>) -> Result<Package, Failure> {
    let versions: Vec<String> = packages.iter().map(|package| package.version.clone()).collect();
    if let Some(version) = version {
        let begins = |rest: &str| rest.is_empty() || rest.starts_with('.');
        packages.retain(|package| package.version.strip_prefix(version).is_some_and(begins));
    }
    match (packages.pop(), packages.is_empty()) {
        (Some(package), true) => Ok(package),
        (Some(_), false) => {
            let message = format!("the workspace has several versions of `{name}`: {}", versions.join(", "));
            Err(Failure::other(
                "SEVERAL_CRATES",
                message,
                format!("name one, as `crate:{name}@VERSION/PATH`"),
            ))
        }
        (None, _) if versions.is_empty() => {
            let message = format!("the workspace does not depend on a package `{name}`");
            Err(Failure::other(NO_SUCH_CRATE, message, format!("`cargo add {name}` adds it")))
        }
        (None, _) => {
            let message = format!("the workspace has other versions of `{name}`: {}", versions.join(", "));
            Err(Failure::other(NO_SUCH_CRATE, message, "name one of these"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(versions: &[&str], version: Option<&str>) -> Result<String, &'static str> {
        let package = |version: &&str| Package { version: (*version).to_owned(), directory: PathBuf::new() };
        match choose(versions.iter().map(package).collect(), "acme", version) {
            Ok(package) => Ok(package.version),
            Err(Failure::Other { code, .. }) => Err(code),
            Err(_) => Err("another"),
        }
    }

    #[test]
    fn of_several_versions_one_must_be_named() {
        let several = ["1.2.0", "1.20.1", "2.0.0"];
        assert_eq!(chosen(&["1.2.0"], None).as_deref(), Ok("1.2.0"));
        assert_eq!(chosen(&several, None), Err("SEVERAL_CRATES"));
        assert_eq!(chosen(&several, Some("1")), Err("SEVERAL_CRATES"));
        assert_eq!(chosen(&several, Some("1.2")).as_deref(), Ok("1.2.0"));
        assert_eq!(chosen(&several, Some("2")).as_deref(), Ok("2.0.0"));
        assert_eq!(chosen(&several, Some("3")), Err(NO_SUCH_CRATE));
        assert_eq!(chosen(&[], None), Err(NO_SUCH_CRATE));
    }
}
