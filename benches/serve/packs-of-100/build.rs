//! Compiles the skills of `bundle-1000` into ten bundles, as `include_skills!` does in ten crates.
//!
//! Only the SKILL.md files are kept: look-up and search read nothing else.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bench_harness::tree;

const SKILLS: usize = 1000;
const PACKS: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let tree = out.join("tree");
    tree::of_skills(&tree, SKILLS).map_err(|failure| failure.to_string())?;
    let names = fs::read_dir(&tree)?.map(|entry| Ok(entry?.file_name()));
    let mut names: Vec<_> = names.collect::<Result<_, std::io::Error>>()?;
    names.sort_unstable();
    let mut code = String::new();
    for (number, names) in names.chunks(SKILLS / PACKS).enumerate() {
        let root = out.join(number.to_string());
        for name in names {
            let (skill, text) = (root.join(name), "SKILL.md");
            fs::create_dir_all(&skill)?;
            fs::rename(tree.join(name).join(text), skill.join(text))?;
            grow_old(&skill.join(text))?;
        }
        let expanded = skills_bundle::expand::include_skills(root.to_str().ok_or("OUT_DIR is not UTF-8")?);
        if let Some(error) = expanded.errors.first() {
            return Err(error.clone().into());
        }
        writeln!(code, "pub static PACK_{number}: skills::Bundle = {};", expanded.code)?;
    }
    fs::remove_dir_all(&tree)?;
    Ok(fs::write(out.join("packs.rs"), code)?)
}

/// Sets a time stamp to the beginning of time, or Cargo would take the file for newer than this run.
fn grow_old(path: &Path) -> Result<(), Box<dyn Error>> {
    Ok(File::open(path)?.set_modified(SystemTime::UNIX_EPOCH)?)
}
