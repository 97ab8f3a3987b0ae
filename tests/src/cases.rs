//! The cases in `fixtures/cases`: problems that people had elsewhere. Each is a directory, which is copied
//! for a test.
//!
//! A file that a case lists as a symlink holds the target as text and becomes a symlink in the copy. Files
//! with names that Windows can't have are created in the copy too, since a repository with them couldn't be
//! checked out there.

use std::path::{Path, PathBuf};

use crate::disk::{self, TempDir};

/// Where the cases are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cases")
}

/// A copy of a case.
pub fn case(id: &str) -> TempDir {
    let from = folder().join(id);
    assert!(from.is_dir(), "there is no case `{id}`");
    let dir = disk::temp();
    disk::copy(&from, dir.path());
    if !cfg!(windows) {
        for (_, path, content) in NOT_ON_WINDOWS.iter().filter(|(case, ..)| *case == id) {
            disk::write(dir.path(), path, content);
        }
    }
    dir
}

/// A copy of a case in which these files are symlinks.
#[cfg(unix)]
pub fn linked_case(id: &str, links: &[&str]) -> TempDir {
    let dir = case(id);
    for path in links {
        let target = disk::read_text(&dir.path().join(path));
        disk::remove(&dir.path().join(path));
        disk::link(dir.path(), path, target.trim_end());
    }
    dir
}

/// The case, the file in it, and what it holds.
const NOT_ON_WINDOWS: &[(&str, &str, &str)] = &[
    ("029-binary-assets-corrupted", "skills/bin-assets/assets/nul.txt", "a\0b\n"),
    ("098-drive-letters-and-long-paths", LONG_PATH, "a\n"),
    ("106-terminal-escapes", "skills/esc/assets/a\nb.txt", "x"),
    ("208-percent-names-over-mcp", "skills/guide/references/caf\u{e9} #1?.md", "odd"),
];

const LONG_PATH: &str = concat!(
    "skills/deep/references",
    "/segment-of-a-long-path-0123456789",
    "/segment-of-a-long-path-0123456789",
    "/segment-of-a-long-path-0123456789",
    "/segment-of-a-long-path-0123456789",
    "/segment-of-a-long-path-0123456789",
    "/segment-of-a-long-path-0123456789",
    "/segment-of-a-long-path-0123456789",
    "/a.md"
);
