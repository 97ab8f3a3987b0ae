//! What this project's own history has: old contents of files, found by their digests.
//!
//! Where a lock says which bytes a skill had, a commit of the project usually has them. Nothing is checked out,
//! and no network is used.

use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::thread;

use skills_bundle::lock::LockedFile;

use super::git::{self, Repository};
use super::{At, MAX_BYTES, Place};
use crate::failure::Failure;

/// Contents by their SHA-256.
pub(crate) type Contents = HashMap<[u8; 32], Vec<u8>>;

/// The contents of these files that any commit has below the directories, which are relative to `directory`. A
/// project that is in no repository has none.
///
/// # Errors
///
/// If git can't be run.
pub(crate) fn contents<'f>(
    directory: &Path,
    dirs: &[&str],
    wanted: impl Iterator<Item = &'f LockedFile>,
) -> Result<Contents, Failure> {
    let wanted: HashMap<[u8; 32], u64> = wanted.map(|file| (file.sha256, file.size)).collect();
    let sizes: HashSet<u64> = wanted.values().copied().collect();
    let mut found = Contents::new();
    if wanted.is_empty() || dirs.is_empty() {
        return Ok(found);
    }
    for bytes in versions(directory, dirs, |size| sizes.contains(&size))? {
        let sha256 = LockedFile::of("", false, &bytes).sha256;
        if wanted.contains_key(&sha256) {
            found.insert(sha256, bytes);
        }
    }
    Ok(found)
}

/// Every content that a file at one of these paths ever had in a commit, if it has a size that is wanted.
pub(crate) fn versions(
    directory: &Path,
    paths: &[&str],
    is_wanted: impl Fn(u64) -> bool,
) -> Result<Vec<Vec<u8>>, Failure> {
    let Some(repository) = Repository::at(directory)? else { return Ok(Vec::new()) };
    let mut list = repository.git(&["rev-list", "--all", "--full-history", "--objects", "--"]);
    let output = list.args(paths).env("GIT_LITERAL_PATHSPECS", "1").output();
    let output = output.map_err(|error| git::not_run(&error))?;
    if !output.status.success() {
        // A repository without a commit has no history.
        return Ok(Vec::new());
    }
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    // Commits have no path behind them.
    let objects: Vec<String> =
        listed.lines().filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect();
    let blobs = blobs(&repository, objects, is_wanted)?;
    let place = |object: String| Place { path: object.clone(), executable: false, at: At::Object(object) };
    let places: Vec<Place> = blobs.into_iter().map(place).collect();
    // What isn't here, as in a partial clone, isn't fetched.
    Ok(repository.read(&places, MAX_BYTES).unwrap_or_default())
}

/// Those objects that are contents of files, of a size that is wanted.
fn blobs(
    repository: &Repository,
    objects: Vec<String>,
    is_wanted: impl Fn(u64) -> bool,
) -> Result<Vec<String>, Failure> {
    let mut command =
        repository.git(&["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| git::not_run(&error))?;
    let stdin = child.stdin.take();
    // Both ends of a pipe must move: git answers while it is asked.
    let writer = thread::spawn(move || {
        let text: String = objects.iter().map(|object| format!("{object}\n")).collect();
        stdin.map(|mut stdin| stdin.write_all(text.as_bytes()))
    });
    let output = child.wait_with_output().map_err(|error| git::not_run(&error))?;
    let _ = writer.join();
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    let blob = |line: &str| {
        let mut parts = line.split(' ');
        let (object, kind, size) = (parts.next()?, parts.next()?, parts.next()?.parse().ok()?);
        (kind == "blob" && is_wanted(size)).then(|| object.to_owned())
    };
    Ok(listed.lines().filter_map(blob).collect())
}
