//! What the walk finds, follows and refuses, on trees made in a temporary directory.

#![allow(clippy::disallowed_methods, reason = "the tests make their own trees")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

use std::fs;

use tempfile::TempDir;

use super::*;

mod commands;
mod faults;
mod finds;
#[cfg(unix)]
mod follows;

/// A tree with one file for each path, empty but for the SKILL.md of a skill; a path that ends in `/` makes a
/// directory.
fn tree(paths: &[&str]) -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for path in paths {
        let at = dir.path().join(path);
        if path.ends_with('/') {
            fs::create_dir_all(at).expect("a directory");
        } else {
            fs::create_dir_all(at.parent().expect("a file is in a directory")).expect("its directory");
            let is_skill = at.file_name().is_some_and(|name| name == SKILL_FILE);
            let text = if is_skill { "---\nname: a\ndescription: b\n---\n" } else { "" };
            fs::write(at, text).expect("a file");
        }
    }
    dir
}

/// The scan of `skills` in the tree.
fn scan_skills(tree: &TempDir) -> Scan {
    scan_with(tree, |_| {})
}

fn scan_with(tree: &TempDir, set: impl FnOnce(&mut ScanOptions)) -> Scan {
    let mut options = ScanOptions::default();
    set(&mut options);
    scan(&tree.path().join("skills"), "skills", &options)
}

fn skills(scan: &Scan) -> Vec<&str> {
    scan.skills.iter().map(|skill| skill.path.as_str()).collect()
}

fn files<'s>(scan: &'s Scan, skill: &str) -> Vec<&'s str> {
    let skill = scan.skills.iter().find(|it| it.path == skill).expect("the skill is found");
    skill.files.iter().map(|file| file.path.as_str()).collect()
}

/// Findings as `path E014: message`.
fn findings(scan: &Scan) -> Vec<String> {
    let short = |finding: &Finding| format!("{} {}: {}", finding.path, finding.code, finding.message);
    scan.findings.iter().map(short).collect()
}

fn left_out(scan: &Scan) -> Vec<(&str, LeftOutReason)> {
    scan.left_out.iter().map(|left| (left.path.as_str(), left.reason)).collect()
}

#[cfg(unix)]
pub(super) fn make_pipe(at: &Path) {
    let made = std::process::Command::new("mkfifo").arg(at).status().expect("mkfifo runs");
    assert!(made.success(), "mkfifo makes {}", at.display());
}

#[cfg(unix)]
fn link(tree: &TempDir, at: &str, target: &str) {
    let at = tree.path().join(at);
    fs::create_dir_all(at.parent().expect("a link is in a directory")).expect("its directory");
    std::os::unix::fs::symlink(target, at).expect("a link");
}
