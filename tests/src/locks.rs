//! Locks for tests, made from what is on disk.

#![allow(clippy::panic, reason = "a test that cannot make its files has nothing to test")]

use std::path::Path;

use skills_bundle::lock::{self, Lock, LockedFile, LockedSkill};

use crate::disk;

/// A lock of the skills in these directories below `root`, with all their files as they are now.
pub fn of(root: &Path, dirs: &[&str]) -> Lock {
    let mut lock = Lock::default();
    lock.skills = dirs.iter().map(|dir| skill(root, dir)).collect();
    lock
}

/// Writes `skill-sources.lock` in `root` for the skills in these directories below it.
pub fn write(root: &Path, dirs: &[&str]) {
    disk::write(root, lock::LOCK_FILE, of(root, dirs).to_string());
}

fn skill(root: &Path, dir: &str) -> LockedSkill {
    let directory = root.join(dir);
    let line = |path: &Path| {
        let (shown, file) = (path.to_string_lossy().replace('\\', "/"), directory.join(path));
        LockedFile::of(shown, is_executable(&file), &disk::read(&file))
    };
    let files = disk::files(&directory).iter().map(|path| line(path)).collect();
    let name = dir.rsplit('/').next().unwrap_or(dir);
    LockedSkill::new(name, dir, format!("acme/skills/{dir}#v1"), files)
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    false
}
