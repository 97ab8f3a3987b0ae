//! Generates the tree of skills of a package `bundle-N` and compiles it as any user would.
//!
//! Both packages share this file, so that their bundles differ in nothing but N. The tree stands in
//! `OUT_DIR`: it is the same on every machine, so it need not be in the repository.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bench_harness::tree;

fn main() -> Result<(), Box<dyn Error>> {
    let package = env::var("CARGO_PKG_NAME")?;
    let skills = package.rsplit('-').next().unwrap_or_default().parse()?;
    let root = PathBuf::from(env::var("OUT_DIR")?).join("tree");
    tree::of_skills(&root, skills).map_err(|failure| failure.to_string())?;
    grow_old(&root)?;
    // A tree in `OUT_DIR` stands outside the package, and here that is meant.
    skills_bundle::Builder::new(root).configure(|config| config.allow("L116")).build();
    Ok(())
}

/// Sets every time stamp to the beginning of time, or Cargo would take the files for newer than this run
/// and run it again at every build.
fn grow_old(path: &Path) -> Result<(), Box<dyn Error>> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            grow_old(&entry?.path())?;
        }
    }
    Ok(File::open(path)?.set_modified(SystemTime::UNIX_EPOCH)?)
}
