//! What the macros say: every file in `ui/` is one mistake, the file's name is the rule.
//!
//! `trybuild` compiles them in a package of its own under the target directory, without a build script.
//! The directories `ui/skills-*` are copied into that package, since `include_skills!` begins there and
//! a link would lead out of it.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use skills_tests::disk;

#[test]
fn mistakes_are_explained() {
    // Cargo runs a test with the `OUT_DIR` of its package, and the compiler below would inherit it.
    if env::var_os("OUT_DIR").is_some() {
        let mut again = Command::new(env::current_exe().unwrap());
        again.args(["--exact", "mistakes_are_explained", "--nocapture"]).env_remove("OUT_DIR");
        assert!(again.status().unwrap().success(), "the messages above");
        return;
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests");
    let copy = target.join("trybuild").join(env!("CARGO_PKG_NAME")).join("ui");
    if copy.exists() {
        fs::remove_dir_all(&copy).unwrap();
    }
    for skills in disk::directories(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")) {
        disk::copy(&skills, &copy.join(disk::name(&skills)));
    }
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
