//! Skills in a directory that isn't in a repository.

use std::path::Path;

use skills_source::scan::{self, FoundSkill, ScanOptions};

use super::{At, Found, Place, refused, too_much};
use crate::failure::Failure;

/// The skills in a directory, or the one that it is.
pub(super) fn skills(path: &Path) -> Result<Vec<Found>, Failure> {
    let scan = scan::scan(path, "", &ScanOptions::default());
    if let Some(finding) = scan.findings.first() {
        let place = if finding.path.is_empty() { path.display().to_string() } else { finding.path.clone() };
        return Err(refused(format!("`{place}`: {}", finding.message), &finding.help));
    }
    let root = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    Ok(scan.skills.iter().filter(|skill| !skill.misspelt).map(|skill| found(skill, &root)).collect())
}

fn found(skill: &FoundSkill, root: &Path) -> Found {
    let path = skill.path.trim_start_matches('/').to_owned();
    let (mut files, mut others) = (Vec::with_capacity(skill.files.len()), Vec::new());
    for file in &skill.files {
        let parts = path.split('/').chain(file.path.split('/')).filter(|part| !part.is_empty());
        if file.disk != parts.fold(root.to_owned(), |place, part| place.join(part)) {
            others.push((file.path.clone(), "a symlink".to_owned()));
        }
        files.push(Place {
            path: file.path.clone(),
            executable: file.executable,
            at: At::Disk(file.disk.clone()),
        });
    }
    Found { path, dir_name: skill.dir_name.clone(), tree: None, artifact: None, files, others }
}

/// The bytes of these files, at most so many together.
pub(super) fn read(files: &[Place], most: u64) -> Result<Vec<Vec<u8>>, Failure> {
    let mut left = most;
    files.iter().map(|file| read_one(file, &mut left)).collect()
}

fn read_one(file: &Place, left: &mut u64) -> Result<Vec<u8>, Failure> {
    let At::Disk(disk) = &file.at else { return Ok(Vec::new()) };
    let (Some(directory), Some(name)) = (disk.parent(), disk.file_name().and_then(|name| name.to_str()))
    else {
        return Ok(Vec::new());
    };
    // It is opened as any file of a skill, so that no symlink that took its place is followed.
    let unreadable = |error: std::io::Error| {
        refused(format!("`{}` cannot be read: {}", file.path, scan::in_words(&error)), "look at the file")
    };
    let found = scan::find_file(directory, name).map_err(unreadable)?;
    *left = left.checked_sub(found.len).ok_or_else(|| too_much(&file.path))?;
    scan::read_file(&found).map_err(unreadable)
}
