//! What the macros say: every file in `ui/` is one mistake, the file's name is the rule.
//!
//! `trybuild` compiles them in a package of its own under the target directory, without a build script.
//! The directories `ui/skills-*` are copied into that package, since `include_skills!` begins there and
//! a symlink would point outside it.

use std::path::Path;
use std::{env, fs, io};

#[test]
fn mistakes_are_explained() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests");
    let copy = target.join("trybuild").join(env!("CARGO_PKG_NAME")).join("ui");
    if copy.exists() {
        fs::remove_dir_all(&copy).unwrap();
    }
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            copy_tree(&path, &copy.join(path.file_name().unwrap())).unwrap();
        }
    }
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let copy = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy_tree(&path, &copy)? } else { fs::copy(&path, &copy).map(drop)? }
    }
    Ok(())
}
