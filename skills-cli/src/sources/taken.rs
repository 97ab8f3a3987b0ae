//! A skill that is taken: whether the rules let it in, and its entry in the lock.

use std::collections::HashMap;
use std::path::Path;

use skills_bundle::diff::{self, File, Sides, Skill, render};
use skills_bundle::lock::{LOCK_FILE, Lock, LockedSkill};
use skills_bundle::{Config, compile};

use super::open::Source;
use super::project::Project;
use super::{Content, FIX_THERE, Found, Home};
use crate::failure::Failure;
use crate::output;

/// How the contents of a file begin that is in git LFS.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Refuses a skill that breaks a rule. It was written to the side, into a directory of its name.
///
/// # Errors
///
/// If a finding is at deny.
pub(crate) fn judge(staged: &Path) -> Result<(), Failure> {
    let (above, name) = (staged.parent().unwrap_or(staged), staged.file_name().unwrap_or_default());
    let report = compile::check(&Config::new(name).base(above));
    output::tell_findings(&report.findings);
    if report.denied() == 0 {
        return Ok(());
    }
    let rules = if report.denied() == 1 { "a rule".to_owned() } else { format!("{} rules", report.denied()) };
    let message = format!("the skill `{}` breaks {rules}", name.to_string_lossy());
    Err(Failure::other("SKILL_BROKEN", message, FIX_THERE))
}

/// Refuses what could be written and not be read again, such as two files that are one on some systems.
///
/// # Errors
///
/// Why the lock couldn't be read again.
pub(crate) fn check_lock(lock: &Lock) -> Result<(), Failure> {
    let Err(findings) = Lock::read(LOCK_FILE, &lock.to_string()) else { return Ok(()) };
    let why = findings.first().map_or("", |finding| &finding.message);
    Err(Failure::other("SKILL_REFUSED", format!("the skill cannot be locked: {why}"), FIX_THERE))
}

/// Says in an entry which repository, archive or package, which version of it, and which directory a skill is from;
/// nothing of these for plain files.
///
/// # Errors
///
/// If no relative path leads to a repository on this machine.
pub(crate) fn say_from(
    locked: &mut LockedSkill,
    project: &Project,
    found: &Found,
    source: &Source,
    is_url: bool,
) -> Result<(), Failure> {
    let commit = source.commit.as_ref();
    locked.url = match commit.map(|commit| &commit.repository) {
        None => found.artifact.as_ref().and_then(|artifact| artifact.url.clone()),
        Some(Home::Url(url)) => Some(url.clone()),
        Some(Home::Disk(directory)) => Some(relative(project, directory, is_url)?),
    };
    let path = Some(found.path.clone()).filter(|path| !path.is_empty());
    locked.artifact = found.artifact.as_ref().map(|artifact| artifact.digest);
    let is_plain = commit.is_none() && source.version.is_none() && found.artifact.is_none();
    locked.path = path.filter(|_| !is_plain);
    let of_commit = commit.and_then(|commit| commit.reference.clone());
    locked.reference = of_commit.or_else(|| source.version.clone());
    locked.commit = commit.map(|commit| commit.id.clone());
    locked.tree = commit.and(found.tree.clone());
    Ok(())
}

/// A path as it is written into the lock.
///
/// # Errors
///
/// If no relative path leads there.
pub(crate) fn relative(project: &Project, path: &Path, is_url: bool) -> Result<String, Failure> {
    let seen = project.seen_from_lock(path).ok_or_else(|| {
        let message = format!("no relative path leads to `{}`", path.display());
        Failure::other("SOURCE_OUTSIDE", message, "a lock holds no absolute path: move the source")
    })?;
    Ok(if is_url { format!("file:{seen}") } else { seen })
}

/// What a reader must see of a skill before it is written: what its files have now that the locked ones, of which
/// `mine` may have the contents, didn't.
pub(crate) fn news<'c>(
    locked: &LockedSkill,
    mine: impl IntoIterator<Item = &'c Content>,
    theirs: &[Content],
) -> String {
    let known: HashMap<[u8; 32], &[u8]> =
        mine.into_iter().map(|content| (content.line.sha256, content.bytes.as_slice())).collect();
    let old = locked
        .files
        .iter()
        .map(|line| File { line: line.clone(), bytes: known.get(&line.sha256).map(|bytes| bytes.to_vec()) });
    let new =
        theirs.iter().map(|content| File { line: content.line.clone(), bytes: Some(content.bytes.clone()) });
    let skill = |files| Skill { name: "skill".to_owned(), dir: ".".to_owned(), files, ..Skill::default() };
    let (old, new) = (vec![skill(old.collect())], vec![skill(new.collect())]);
    render::short(&diff::diff(&Sides { old, new, mine: Vec::new() }))
}

/// The files that are in git LFS, of which only pointers are taken.
pub(crate) fn lfs_pointers(contents: &[Content]) -> Vec<&str> {
    let pointers = contents
        .iter()
        .filter(|content| content.bytes.len() < 1024 && content.bytes.starts_with(LFS_POINTER));
    pointers.map(|content| content.line.path.as_str()).collect()
}
