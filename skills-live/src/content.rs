//! What stands in the SKILL.md of a skill and in the files of slash commands: read through the guard, and
//! a SKILL.md not again while it holds still. Who is served is not known here.

use std::sync::Arc;
use std::time::SystemTime;

use super::disk::Disk;
use crate::guard::Stamp;
use skills_source::code::{Code, Level};
use skills_source::command::{self, CommandText};
use skills_source::finding::Finding;
use skills_source::frontmatter::LIMITS;
use skills_source::mending::{Mended, mend};
use skills_source::parallel;
use skills_source::root::{judge_commands, keeps_out, skill_path, too_large, unreadable};
use skills_source::rules::Rules;
use skills_source::scan::{CommandFiles, SKILL_FILE, SkillDir, SkillFile};
use skills_source::skill::{self, SkillText};

/// What was read of the SKILL.md of one directory.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) stamp: Stamp,
    settled: bool,
    pub(super) content: Arc<Content>,
}

/// The bytes of a SKILL.md, and what was read in them.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    /// The bytes that were read instead, where a lenient reading mended something.
    mended: Option<Vec<u8>>,
    pub(super) text: Option<SkillText>,
    pub(super) findings: Vec<Finding>,
}

impl Content {
    /// Reads a SKILL.md; leniently, what a stray `: ` broke is read as it was meant, with a warning.
    fn read(path: &str, dir_name: &str, bytes: Vec<u8>, rules: &Rules, lenient: bool) -> Self {
        let mended =
            lenient.then(|| mend(path, dir_name, &bytes, rules, |finding| is_let_pass(finding, &bytes)));
        let Some(Mended { bytes: mended, findings: passed, .. }) = mended.flatten() else {
            let (text, findings) = skill::read(path, dir_name, &bytes, rules);
            return Self { bytes, mended: None, text, findings };
        };
        let (text, mut findings) = skill::read(path, dir_name, &mended, rules);
        findings.extend(passed.into_iter().map(|mut finding| {
            finding.level = Level::Warn;
            finding
        }));
        findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        Self { bytes, mended: Some(mended), text, findings }
    }

    /// The bytes of which the text holds offsets.
    pub(super) fn read_bytes(&self) -> &[u8] {
        self.mended.as_deref().unwrap_or(&self.bytes)
    }
}

/// Whether a lenient reading mends this: a value of one line, and none that limits the skill.
fn is_let_pass(finding: &Finding, bytes: &[u8]) -> bool {
    let line = bytes.split(|byte| *byte == b'\n').nth(finding.line.saturating_sub(1) as usize);
    let line = line.and_then(|line| std::str::from_utf8(line).ok());
    let key =
        line.and_then(|line| line.split_once(':')).map_or("", |(key, _)| key.trim_matches(['"', '\'', ' ']));
    finding.code == Code::E003 && !key.is_empty() && !LIMITS.iter().any(|field| field.names.contains(&key))
}

/// Reads a SKILL.md, unless what is known of it holds still.
pub(super) fn read_skill(
    dir: &SkillDir,
    (rules, lenient): (&Rules, bool),
    disk: &Disk,
    before: SystemTime,
    known: Option<&Known>,
) -> Result<Known, Box<Finding>> {
    let Some(file) = dir.skill_file() else {
        return Err(Box::new(Finding::on_path(
            Code::E017,
            dir.path.clone(),
            format!("there is no {SKILL_FILE} any more"),
            "refresh again".to_owned(),
        )));
    };
    let path = skill_path(dir, file);
    if let Some(finding) = too_large(&path, file.len, rules) {
        return Err(Box::new(finding));
    }
    if let Some(known) = known.filter(|known| known.settled)
        && Stamp::of(&file.disk).is_ok_and(|stamp| stamp == known.stamp)
    {
        return Ok(known.clone());
    }
    let opened = match disk.read_at(&file.disk, rules.max_skill_bytes) {
        Ok(opened) => opened,
        Err(error) => return Err(Box::new(unreadable(path, &error))),
    };
    let (stamp, settled) = (opened.stamp, opened.stamp.is_settled(before));
    if let Some(known) = known.filter(|known| known.content.bytes == opened.bytes) {
        return Ok(Known { stamp, settled, content: Arc::clone(&known.content) });
    }
    let content = Content::read(&path, &dir.dir_name, opened.bytes, rules, lenient);
    Ok(Known { stamp, settled, content: Arc::new(content) })
}

/// The slash commands that may be served, each with the path of its definition.
pub(super) fn read_commands(
    files: &CommandFiles,
    rules: &Rules,
    disk: &Disk,
    findings: &mut Vec<Finding>,
) -> Vec<(String, CommandText)> {
    let open = |file: &SkillFile| disk.read_at(&file.disk, rules.max_skill_bytes).map(|opened| opened.bytes);
    let read = parallel::map(&files.definitions, |file| command::read_file_with(files, file, rules, open));
    let good = judge_commands(read, findings, keeps_out);
    good.into_iter().map(|(at, text)| (files.shown(&files.definitions[at].path), text)).collect()
}
