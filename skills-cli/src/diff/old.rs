//! The contents that a lock names by their digests: from the other side, from the disk, from this project's own
//! history, or from the source at the locked commit.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use skills_bundle::diff::{File, Skill};
use skills_bundle::lock;

use crate::failure::Failure;
use crate::sources::disk;
use crate::sources::history::{self, Contents};
use crate::sources::trust::Trust;
use crate::sources::upstream::Sources;

/// Finds contents.
#[derive(Debug)]
pub(crate) struct Old {
    directory: PathBuf,
    trust: Trust,
    is_offline: bool,
    sources: Sources,
    notes: Vec<String>,
}

impl Old {
    /// In the project that this directory is in.
    pub(crate) fn new(is_offline: bool) -> Result<Self, Failure> {
        let place = lock::find(Path::new("."));
        if let Some(finding) = place.findings.first() {
            // A setting that isn't understood may be one that forbids something.
            let message = format!("a setting for skills is wrong: {finding}");
            return Err(Failure::other("SETTINGS", message, finding.help.clone()));
        }
        let trust = Trust::of(&place);
        let sources = Sources::new(&place.directory);
        Ok(Self { directory: place.directory, trust, is_offline, sources, notes: Vec::new() })
    }

    /// Why contents couldn't be had.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Gives the skills the contents that they lack and that differ from the other side.
    pub(crate) fn fill(&mut self, skills: &mut [Skill], other: &[Skill]) -> Result<(), Failure> {
        give(skills, other);
        for skill in skills.iter_mut() {
            let directory = skill.locked.as_ref().map(|locked| self.directory.join(&locked.dir));
            let lacks = skill.files.iter().any(|file| file.bytes.is_none());
            if let Some(directory) = directory.filter(|directory| lacks && directory.is_dir()) {
                let there = disk::all(&directory)?.0.into_values();
                let contents = there.map(|content| (content.line.sha256, content.bytes)).collect();
                put(std::slice::from_mut(skill), &contents);
            }
        }
        if lacking(skills).next().is_none() {
            return Ok(());
        }
        let dirs: Vec<&str> = skills
            .iter()
            .filter_map(|skill| skill.locked.as_ref().map(|locked| locked.dir.as_str()))
            .collect();
        let wanted = lacking(skills).map(|file| &file.line);
        let contents = history::contents(&self.directory, &dirs, wanted)?;
        put(skills, &contents);
        for skill in skills {
            let lacks = skill.files.iter().any(|file| file.bytes.is_none());
            let Some(locked) = skill.locked.as_ref().filter(|_| lacks) else { continue };
            if self.is_offline {
                continue;
            }
            match self.sources.locked_files(&self.trust, locked) {
                Ok(files) => {
                    let contents =
                        files.into_iter().map(|content| (content.line.sha256, content.bytes)).collect();
                    put(std::slice::from_mut(skill), &contents);
                }
                Err(why) => {
                    self.notes
                        .push(format!("{}: the source does not have the locked files: {why}", locked.dir));
                }
            }
        }
        Ok(())
    }
}

fn lacking(skills: &[Skill]) -> impl Iterator<Item = &File> {
    skills.iter().flat_map(|skill| &skill.files).filter(|file| file.bytes.is_none())
}

/// Gives the skills the contents that others have.
pub(crate) fn give(skills: &mut [Skill], from: &[Skill]) {
    let known: HashMap<[u8; 32], &Vec<u8>> = from
        .iter()
        .flat_map(|skill| &skill.files)
        .filter_map(|file| Some((file.line.sha256, file.bytes.as_ref()?)))
        .collect();
    for file in skills.iter_mut().flat_map(|skill| &mut skill.files).filter(|file| file.bytes.is_none()) {
        file.bytes = known.get(&file.line.sha256).map(|bytes| (*bytes).clone());
    }
}

fn put(skills: &mut [Skill], contents: &Contents) {
    for file in skills.iter_mut().flat_map(|skill| &mut skill.files).filter(|file| file.bytes.is_none()) {
        file.bytes = contents.get(&file.line.sha256).cloned();
    }
}
