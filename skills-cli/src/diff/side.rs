//! One side of a comparison: a directory, a lock, a commit of this repository, or a program.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use skills_bundle::diff::{File, Skill};
use skills_bundle::lock::{self, LOCK_FILE, Lock, LockedSkill};
use skills_source::scan::{self, ScanOptions};

use crate::failure::Failure;
use crate::form::Form;
use crate::program;
use crate::sources::git::Repository;
use crate::sources::open::{self, Source};
use crate::sources::project::unreadable;
use crate::sources::{Content, Found, disk};

/// What was opened.
#[derive(Debug)]
pub(crate) struct Side {
    pub(crate) skills: Vec<Skill>,
    /// As it was named.
    pub(crate) shown: String,
    /// Whether it is the lock of this project.
    pub(crate) is_disk_lock: bool,
    /// Whether it is a directory of this project, where a skill is known by its directory.
    pub(crate) is_in_project: bool,
    /// That directory relative to the lock.
    pub(crate) dir: String,
    has_entries: bool,
    /// Where the lock is.
    home: PathBuf,
}

impl Side {
    fn new(shown: &str, skills: Vec<Skill>, has_entries: bool) -> Self {
        Self {
            skills,
            shown: shown.to_owned(),
            is_disk_lock: false,
            is_in_project: false,
            dir: String::new(),
            has_entries,
            home: PathBuf::new(),
        }
    }

    /// Whether it is a list of locked skills.
    pub(crate) fn is_lock(&self) -> bool {
        self.has_entries
    }

    /// The lock of this project.
    pub(crate) fn of_lock(form: Form) -> Result<Self, Failure> {
        let place = lock::find(Path::new("."));
        let Some(file) = &place.file else {
            let message = format!("there is no lock: `{}` does not exist", place.shown);
            let help = "name both sides, or run this in the project whose skills are locked";
            return Err(Failure::other("LOCK_NOT_FOUND", message, help));
        };
        let lock = Lock::open(file, &place.shown).map_err(|findings| unreadable(&findings, form))?;
        let side = Self::new(&place.shown, lock.skills.into_iter().map(entry).collect(), true);
        Ok(Self { is_disk_lock: true, home: place.directory, ..side })
    }

    /// What was named on the command line.
    pub(crate) fn open(named: &str, form: Form) -> Result<Self, Failure> {
        if let Some(rest) = named.strip_prefix("git:") {
            let (revision, path) = rest.split_once(':').unwrap_or((rest, ""));
            return in_git(named, revision, path, form);
        }
        let path = Path::new(named);
        if path.is_dir() {
            return directory(named, path);
        }
        if path.file_name().is_some_and(|name| name == LOCK_FILE) {
            let place = lock::find(Path::new("."));
            let same = |file: &PathBuf| file.canonicalize().ok() == path.canonicalize().ok();
            if place.file.as_ref().is_some_and(same) {
                return Ok(Self { shown: named.to_owned(), ..Self::of_lock(form)? });
            }
            let lock = Lock::open(path, named).map_err(|findings| unreadable(&findings, form))?;
            return Ok(Self::new(named, lock.skills.into_iter().map(entry).collect(), true));
        }
        if path.symlink_metadata().is_err() {
            let message = format!("`{named}` does not exist");
            let help = match Repository::at(Path::new(".")) {
                Ok(Some(repository)) if repository.commit_of(named).is_ok() => {
                    format!("it is a commit of this repository: write `git:{named}`")
                }
                _ => "give a directory, a lock, `git:REV` or `git:REV:PATH`, or a program".to_owned(),
            };
            return Err(Failure::other("SIDE_NOT_FOUND", message, help));
        }
        let found = lock::in_program(&program::read(path)?, named);
        let skills: Vec<Skill> = found.locks.into_iter().flat_map(|lock| lock.skills).map(entry).collect();
        if skills.is_empty() || found.damaged > 0 {
            let message = format!("there is no whole lock in `{named}`");
            let help = "a program has one if locked skills are compiled in, and if it is not compressed";
            return Err(Failure::other("LOCK_NOT_FOUND", message, help));
        }
        Ok(Self::new(named, skills, true))
    }

    /// The locked skills as they are on disk.
    pub(crate) fn edits(&self) -> Result<Vec<Skill>, Failure> {
        let locked = self.skills.iter().filter_map(|skill| skill.locked.as_ref());
        let there = locked.filter(|locked| self.home.join(&locked.dir).is_dir());
        there.map(|locked| on_disk(&self.home.join(&locked.dir), locked)).collect()
    }
}

/// A locked skill, without contents.
pub(crate) fn entry(locked: LockedSkill) -> Skill {
    let files = locked.files.iter().map(|line| File { line: line.clone(), bytes: None }).collect();
    let (name, dir) = (locked.name.clone(), locked.dir.clone());
    Skill { name, dir, locked: Some(locked), files, others: Vec::new() }
}

/// A locked skill as it is on disk. As for a build, what is left out by its name counts only if it is locked.
pub(crate) fn on_disk(directory: &Path, locked: &LockedSkill) -> Result<Skill, Failure> {
    let place = lock::find(Path::new("."));
    let mut options = ScanOptions::default();
    options.ignore.extend(place.ignore);
    let scan = scan::scan(directory, "", &options);
    let of_skill = scan.skills.iter().filter(|skill| skill.path.is_empty()).flat_map(|skill| &skill.files);
    let seen: HashSet<&str> = of_skill.map(|file| file.path.as_str()).collect();
    let (found, mut others) = disk::all(directory)?;
    let counts = |path: &str| seen.contains(path) || locked.file(path).is_some();
    others.retain(|(path, _)| !path.split('/').any(|part| part.starts_with('.')));
    let mut files: Vec<File> =
        found.into_values().filter(|content| counts(&content.line.path)).map(file).collect();
    if cfg!(not(unix)) {
        // Where the system has no mode, there is nothing to compare.
        for file in &mut files {
            file.line.executable = locked.file(&file.line.path).is_some_and(|line| line.executable);
        }
    }
    Ok(Skill { name: locked.name.clone(), dir: locked.dir.clone(), locked: None, files, others })
}

fn file(content: Content) -> File {
    File { line: content.line, bytes: Some(content.bytes) }
}

fn directory(named: &str, path: &Path) -> Result<Side, Failure> {
    let place = lock::find(Path::new("."));
    let home = place.directory.canonicalize().unwrap_or(place.directory);
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let inside = real.strip_prefix(&home).ok();
    let dir = inside.and_then(Path::to_str).map(|dir| dir.replace('\\', "/"));
    let lock = place.file.as_ref().and_then(|file| Lock::open(file, &place.shown).ok()).unwrap_or_default();
    let mut options = ScanOptions::default();
    options.ignore.extend(place.ignore);
    let scan = scan::scan(path, "", &options);
    let mut skills = Vec::new();
    for found in scan.skills.iter().filter(|skill| !skill.misspelt) {
        let below = found.path.trim_start_matches('/');
        let directory =
            below.split('/').filter(|part| !part.is_empty()).fold(path.to_owned(), |at, part| at.join(part));
        let shown = match &dir {
            Some(dir) => [dir.as_str(), below]
                .iter()
                .filter(|part| !part.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join("/"),
            None => format!("{}/{below}", named.trim_end_matches('/')).trim_end_matches('/').to_owned(),
        };
        let locked = lock.skills.iter().find(|locked| dir.is_some() && locked.dir == shown);
        if let Some(locked) = locked {
            skills.push(on_disk(&directory, locked)?);
            continue;
        }
        let (files, others) = disk::all(&directory)?;
        let files = files.into_values().map(file).collect();
        skills.push(Skill { name: found.dir_name.clone(), dir: shown, locked: None, files, others });
    }
    if let (true, Some(finding)) = (skills.is_empty(), scan.findings.first()) {
        let message = format!("`{named}` cannot be read: {}", finding.message);
        return Err(Failure::other("ROOT_UNREADABLE", message, &finding.help));
    }
    let side = Side::new(named, skills, false);
    Ok(Side { is_in_project: dir.is_some(), dir: dir.unwrap_or_default(), home, ..side })
}

/// The skills in a commit of the repository that this directory is in, or those of a lock in it.
fn in_git(named: &str, revision: &str, path: &str, form: Form) -> Result<Side, Failure> {
    let repository = Repository::at(Path::new("."))?.ok_or_else(|| {
        let message = "this directory is not in a git repository".to_owned();
        Failure::other("SIDE_NOT_FOUND", message, "give a directory or a lock, or run this in a repository")
    })?;
    let id = repository.commit_of(if revision.is_empty() { "HEAD" } else { revision })?;
    let inside = repository.inside(path);
    let lock_dir = match inside.strip_suffix(LOCK_FILE) {
        Some("") => Some(String::new()),
        Some(above) => above.strip_suffix('/').map(str::to_owned),
        None => None,
    };
    if let Some(lock_dir) = lock_dir {
        let bytes = repository.file(&id, &inside)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let lock = Lock::read(named, &text).map_err(|findings| unreadable(&findings, form))?;
        let source = open::at(repository, id, &lock_dir)?;
        let mut skills: Vec<Skill> = lock.skills.into_iter().map(entry).collect();
        let mut there = Vec::new();
        for skill in &skills {
            let place =
                if lock_dir.is_empty() { skill.dir.clone() } else { format!("{lock_dir}/{}", skill.dir) };
            if let Some(found) = source.skill_at(&place)? {
                there.push(of_source(&source, &found)?);
            }
        }
        super::old::give(&mut skills, &there);
        return Ok(Side::new(named, skills, true));
    }
    let home = Path::new(".").canonicalize().unwrap_or_default();
    let source = open::at(repository, id, &inside)?;
    if source.skills.is_empty() {
        let message = format!("there are no skills in `{named}`");
        return Err(Failure::other(
            "NO_SKILLS",
            message,
            "give the path of a directory of skills behind a colon",
        ));
    }
    let skills: Result<Vec<Skill>, Failure> =
        source.skills.iter().map(|found| of_source(&source, found)).collect();
    Ok(Side { home, ..Side::new(named, skills?, false) })
}

fn of_source(source: &Source, found: &Found) -> Result<Skill, Failure> {
    let files = source.read_files(found)?.into_iter().map(file).collect();
    Ok(Skill {
        name: found.dir_name.clone(),
        dir: if found.path.is_empty() { found.dir_name.clone() } else { found.path.clone() },
        locked: None,
        files,
        others: found.others.clone(),
    })
}
