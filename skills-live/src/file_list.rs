//! The files of one skill, looked at when the skill is loaded.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use super::root::Root;
use super::stamps::{Links, real};
use crate::guard::Stamp;
use skills_pack::Pack;
use skills_source::finding::Finding;
use skills_source::reader::ReadSkill;
use skills_source::scan::{self, FoundFile, FoundSkill, SKILL_FILE, SkillFiles};
use skills_source::writer::{FileBytes, FileSource, PackWriter, SearchIndex, SkillSource, Written};

/// The files of a skill, as they were at one moment.
#[derive(Debug)]
pub(super) struct FileList {
    /// A pack of this skill alone, with its files.
    written: Written,
    /// By path.
    files: Vec<FoundFile>,
    findings: Vec<Finding>,
    directories: Vec<(PathBuf, Option<Stamp>)>,
    links: Links,
    /// Whether equal stamps prove that nothing has changed.
    settled: AtomicBool,
}

impl FileList {
    /// Looks at the files of a skill, of which `served` is the SKILL.md.
    pub(super) fn of(dir: &FoundSkill, served: &ReadSkill, (root, way): (&Root, &Path)) -> Self {
        let before = SystemTime::now();
        let SkillFiles { files, findings, directories, links, is_partial, .. } = look(dir, (root, way));
        let stamp = |path: PathBuf| {
            let stamp = Stamp::of(&path).ok();
            (path, stamp)
        };
        let directories: Vec<(PathBuf, Option<Stamp>)> = directories.into_iter().map(stamp).collect();
        let settled = !is_partial && is_settled(&directories, before);
        let written = pack(dir, served, &files).unwrap_or_default();
        Self { written, files, findings, directories, links, settled: settled.into() }
    }

    /// The pack of it. If it is invalid, the skill has no list, which can't happen: this crate built it.
    pub(super) fn pack(&self) -> Option<Pack<'_>> {
        Pack::from_owned(&self.written.texts, &self.written.bytes, &self.written.tables).ok()
    }

    /// The file with this path.
    pub(super) fn file(&self, path: &str) -> Option<&FoundFile> {
        let at = self.files.binary_search_by(|known| known.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }

    /// What is wrong with the files.
    pub(super) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Whether the disk still has these files.
    pub(super) fn is_current(&self, dir: &FoundSkill, place: (&Root, &Path)) -> bool {
        if !self.directories.iter().all(|(path, stamp)| Stamp::of(path).ok() == *stamp)
            || !self.links.iter().all(|(link, end)| real(link) == *end)
        {
            return false;
        }
        if self.settled.load(Ordering::Relaxed) {
            return true;
        }
        let now = SystemTime::now();
        let found = look(dir, place);
        let listed = |file: &FoundFile| (file.path.clone(), file.disk.clone(), file.executable);
        if !found.files.iter().map(listed).eq(self.files.iter().map(listed)) {
            return false;
        }
        // What was the same after the clock has ticked is known for certain.
        if !found.is_partial && is_settled(&self.directories, now) {
            self.settled.store(true, Ordering::Relaxed);
        }
        true
    }
}

/// The files, SKILL.md among them in any case.
fn look(dir: &FoundSkill, (root, way): (&Root, &Path)) -> SkillFiles {
    // A directory above may have become a symlink; nothing is opened through it, and nothing is listed.
    let is_there = real(dir.home()).is_some_and(|home| home == dir.home());
    let mut found =
        if is_there { scan::files_of(way, &root.shown(), &root.scan, dir) } else { SkillFiles::default() };
    found.files.retain(|file| file.path != SKILL_FILE);
    found.files.extend(dir.skill_file().cloned());
    found.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    found
}

fn is_settled(directories: &[(PathBuf, Option<Stamp>)], now: SystemTime) -> bool {
    directories.iter().all(|(_, stamp)| stamp.is_some_and(|stamp| stamp.is_settled(now)))
}

/// A pack of one skill with these files.
pub(super) fn pack(dir: &FoundSkill, served: &ReadSkill, files: &[FoundFile]) -> Option<Written> {
    let mut writer = PackWriter::new().with_search(SearchIndex::Off);
    writer.add(&source(dir, served, files)?);
    writer.finish().ok()
}

/// A skill for a pack. The contents of its files stay on disk.
pub(super) fn source<'s>(
    dir: &'s FoundSkill,
    served: &'s ReadSkill,
    files: &'s [FoundFile],
) -> Option<SkillSource<'s>> {
    let file = |file: &'s FoundFile| {
        let content = if file.path == SKILL_FILE {
            FileBytes::OnDiskSkill(served.judged_bytes())
        } else {
            // A pack holds no larger number; the file is too large to be read anyway.
            FileBytes::OnDisk(file.len.min(u64::from(u32::MAX)))
        };
        FileSource { path: &file.path, content, executable: file.executable }
    };
    let text = served.text.as_ref()?;
    Some(SkillSource {
        path: &dir.path,
        dir_name: &dir.dir_name,
        text,
        files: files.iter().map(file).collect(),
    })
}
