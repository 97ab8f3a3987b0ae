//! A project with a lock, and git repositories beside it. The system's git is needed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::place::{Place, Ran};

pub(crate) const LOCK: &str = "skill-sources.lock";

/// A project in a directory of its own, so that there is an outside.
pub(crate) fn project() -> Place {
    let place = Place::new();
    place.file("project/Cargo.toml", "[workspace]\n");
    place
}

/// The program in the project.
pub(crate) fn run(place: &Place, args: &[&str]) -> Ran {
    let mut command = place.command(args);
    command.current_dir(place.path().join("project"));
    crate::place::finish(command.output())
}

/// Git in a directory, with nothing of the machine's settings.
pub(crate) fn git(directory: &Path, args: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"])
        .args(args);
    git.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", directory).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = git.current_dir(directory).output().expect("git runs");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text").trim().to_owned()
}

/// A repository beside the project, with two skills.
pub(crate) fn repository(place: &Place) {
    place.skill("repo/skills/pdf", "Fills forms").file("repo/skills/pdf/tools/fill.sh", "#!/bin/sh\n");
    place.skill("repo/skills/csv", "Reads tables").file("repo/README.md", "x\n");
    let repo = place.path().join("repo");
    git(&repo, &["init", "-q", "-b", "topic/one"]);
    make_executable(&repo.join("skills/pdf/tools/fill.sh"));
    git(&repo, &["add", "-A"]);
    git(&repo, &["update-index", "--chmod=+x", "skills/pdf/tools/fill.sh"]);
    git(&repo, &["commit", "-qm", "one"]);
    git(&repo, &["tag", "v1"]);
}

pub(crate) fn lock(place: &Place) -> String {
    fs::read_to_string(place.path().join("project").join(LOCK)).unwrap_or_default()
}

/// The paths of all files of the project, without the repository's own.
pub(crate) fn files(place: &Place) -> Vec<String> {
    let root = place.path().join("project");
    let (mut found, mut todo) = (Vec::new(), vec![root.clone()]);
    while let Some(directory) = todo.pop() {
        for entry in fs::read_dir(directory).expect("it is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() { todo.push(path) } else { found.push(path) }
        }
    }
    let mut found: Vec<String> = found
        .iter()
        .map(|path| path.strip_prefix(&root).expect("below").to_string_lossy().replace('\\', "/"))
        .collect();
    found.sort();
    found
}

#[cfg(unix)]
pub(crate) fn make_executable(file: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("set");
}

#[cfg(not(unix))]
pub(crate) fn make_executable(_: &Path) {}
