//! Reads SKILL.md files and the files of slash commands through the guard. A SKILL.md is read again only
//! if its stamp has changed. Which of them are served is decided in `layer`.

use std::sync::Arc;
use std::time::SystemTime;

use super::disk::Disk;
use super::known::Known;
use crate::guard::Stamp;
use skills_source::command::{self, CommandText};
use skills_source::finding::Finding;
use skills_source::parallel;
use skills_source::reader::{ReadSkill, open_skill};
use skills_source::root::{judge_commands, keeps_out};
use skills_source::rules::Rules;
use skills_source::scan::{CommandFiles, FoundFile, FoundSkill};

/// Reads a SKILL.md, unless `known` is still current. Returns `None` if there is no such file; the scan
/// has a finding for that.
pub(super) fn read_skill(
    dir: &FoundSkill,
    (rules, lenient): (&Rules, bool),
    disk: &Disk,
    before: SystemTime,
    known: Option<&Known>,
) -> Result<Option<Known>, Box<Finding>> {
    let holds_still = |known: &&Known, file: &FoundFile| {
        known.settled && Stamp::of(&file.disk).is_ok_and(|stamp| stamp == known.stamp)
    };
    let opened = open_skill(dir, rules, |file| match known.filter(|known| holds_still(known, file)) {
        Some(known) => Ok(Err(known.clone())),
        None => disk.read_at(&file.disk, rules.max_skill_bytes).map(Ok),
    })?;
    let opened = match opened {
        None => return Ok(None),
        Some(Err(known)) => return Ok(Some(known)),
        Some(Ok(opened)) => opened,
    };
    let (stamp, settled) = (opened.stamp, opened.stamp.is_settled(before));
    let content = match known.filter(|known| known.content.bytes == opened.bytes) {
        Some(known) => Arc::clone(&known.content),
        None if lenient => Arc::new(ReadSkill::lenient(dir, opened.bytes, rules)),
        None => Arc::new(ReadSkill::of(dir, opened.bytes, rules)),
    };
    Ok(Some(Known { stamp, settled, content }))
}

/// The slash commands that may be served, each with the path of its definition.
pub(super) fn read_commands(
    files: &CommandFiles,
    rules: &Rules,
    disk: &Disk,
    findings: &mut Vec<Finding>,
) -> Vec<(String, CommandText)> {
    let open = |file: &FoundFile| disk.read_at(&file.disk, rules.max_skill_bytes).map(|opened| opened.bytes);
    let read = parallel::map(&files.definitions, |file| command::read_file_with(files, file, rules, open));
    let good = judge_commands(read, findings, keeps_out);
    good.into_iter().map(|(at, text)| (files.shown(&files.definitions[at].path), text)).collect()
}
