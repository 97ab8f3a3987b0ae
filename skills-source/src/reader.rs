//! Reads the SKILL.md of a skill that a scan found: the one way, for the build, a check, a fix and a live
//! root.
//!
//! The bytes come through a function of the caller, who knows how a file may be opened. The limit on
//! its size and what is reported of a file that cannot be read are decided here; what is in it is for
//! [`skill`].

use std::io;

use crate::code::{Code, Level};
use crate::document;
use crate::finding::Finding;
use crate::fix::{Fixed, fix_skill};
use crate::frontmatter::LIMITS;
use crate::rules::Rules;
use crate::scan::{FoundFile, FoundSkill, in_words};
use crate::skill::{self, SkillText};

/// What was read of a SKILL.md.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct ReadSkill {
    /// The bytes of the file; none where it was not opened.
    pub bytes: Vec<u8>,
    /// The bytes that were judged in their place, where a lenient reading fixed something.
    fixed: Option<Vec<u8>>,
    /// The skill, where its frontmatter could be read. It may be used if no finding is at
    /// [`Level::Deny`].
    pub text: Option<SkillText>,
    /// What was found in it, at the levels of the rules.
    pub findings: Vec<Finding>,
}

impl ReadSkill {
    /// Judges the `bytes` of the SKILL.md of `dir`.
    pub fn of(dir: &FoundSkill, bytes: Vec<u8>, rules: &Rules) -> Self {
        let (text, findings) = skill::read(&skill_path(dir), &dir.dir_name, &bytes, rules);
        Self { bytes, fixed: None, text, findings }
    }

    /// The same, but a value that a stray `: ` broke is read as it was meant, with a warning.
    pub fn lenient(dir: &FoundSkill, bytes: Vec<u8>, rules: &Rules) -> Self {
        let path = skill_path(dir);
        let lines = document::decode(&bytes).map(|text| text.lines().collect::<Vec<_>>()).unwrap_or_default();
        let fixed = fix_skill(&path, &dir.dir_name, &bytes, rules, |finding| may_pass(&lines, finding));
        let Some(Fixed { bytes: fixed, findings: passed }) = fixed else {
            return Self::of(dir, bytes, rules);
        };
        let (text, mut findings) = skill::read(&path, &dir.dir_name, &fixed, rules);
        findings.extend(passed.into_iter().map(|finding| Finding { level: Level::Warn, ..finding }));
        findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        Self { bytes, fixed: Some(fixed), text, findings }
    }

    /// The bytes that the offsets in the skill are for.
    pub fn judged_bytes(&self) -> &[u8] {
        self.fixed.as_deref().unwrap_or(&self.bytes)
    }
}

/// Opens the SKILL.md of a directory through `open` and judges it.
pub fn read_skill(
    dir: &FoundSkill,
    rules: &Rules,
    open: impl FnOnce(&FoundFile) -> io::Result<Vec<u8>>,
) -> ReadSkill {
    judge_skill(dir, rules, open_skill(dir, rules, open))
}

/// Judges the SKILL.md of a directory as [`open_skill`] gave it.
pub fn judge_skill(
    dir: &FoundSkill,
    rules: &Rules,
    opened: Result<Option<Vec<u8>>, Box<Finding>>,
) -> ReadSkill {
    match opened {
        Ok(bytes) => bytes.map_or_else(ReadSkill::default, |bytes| ReadSkill::of(dir, bytes, rules)),
        Err(finding) => ReadSkill { findings: vec![*finding], ..ReadSkill::default() },
    }
}

/// Opens the SKILL.md of a directory through `open`, and reads nothing in it. It is `None` where there
/// is no such file that could be looked at, of which the scan has a finding.
///
/// # Errors
///
/// The finding on a file that is larger than the rules allow, or cannot be opened.
pub fn open_skill<T>(
    dir: &FoundSkill,
    rules: &Rules,
    open: impl FnOnce(&FoundFile) -> io::Result<T>,
) -> Result<Option<T>, Box<Finding>> {
    let Some(file) = dir.skill_file() else { return Ok(None) };
    if file.len > rules.max_skill_bytes {
        return Err(Box::new(too_large(dir, file, rules)));
    }
    open(file).map(Some).map_err(|error| Box::new(unreadable(dir, file, &error)))
}

/// The path of the SKILL.md, to be shown; of the directory where there is none.
pub fn skill_path(dir: &FoundSkill) -> String {
    dir.skill_file().map_or_else(|| dir.path.clone(), |file| file_path(dir, file))
}

/// The path of a skill's file, to be shown.
pub fn file_path(dir: &FoundSkill, file: &FoundFile) -> String {
    if dir.path.is_empty() { file.path.clone() } else { format!("{}/{}", dir.path, file.path) }
}

/// The finding on a file of a skill that cannot be read.
pub fn unreadable(dir: &FoundSkill, file: &FoundFile, error: &io::Error) -> Finding {
    let message = format!("the file cannot be read: {}", in_words(error));
    let help = "make it a plain file that the build may read";
    Finding::on_path(Code::E017, file_path(dir, file), message, help.to_owned())
}

fn too_large(dir: &FoundSkill, file: &FoundFile, rules: &Rules) -> Finding {
    let message = format!("the file is larger than {} bytes: it has {}", rules.max_skill_bytes, file.len);
    let help = "move what is long into files beside SKILL.md, which are read when they are needed";
    Finding::on_path(Code::E018, file_path(dir, file), message, help.to_owned())
}

/// Whether a lenient reading fixes this: a value on one line, and none that limits the skill. `lines` are
/// those of the file.
fn may_pass(lines: &[&str], finding: &Finding) -> bool {
    let line = finding.excerpt().map_or("", |excerpt| excerpt.text);
    // An item of a list belongs to the field above it.
    let above = lines.iter().take(finding.line as usize).rev();
    let field =
        above.copied().find(|line| !line.starts_with([' ', '\t', '-', '#']) && !line.trim().is_empty());
    finding.code == Code::E003
        && key_of(line).is_some()
        && field.and_then(key_of).is_some_and(|key| !is_limit(key))
}

/// The key of a line. One with an escape may be any key.
fn key_of(line: &str) -> Option<&str> {
    let (key, _) = line.split_once(':')?;
    let key = key.trim_matches(['"', '\'', ' ']);
    (!key.is_empty() && !key.contains(['\\', '?', '&', '!', '{'])).then_some(key)
}

fn is_limit(key: &str) -> bool {
    LIMITS.iter().any(|field| field.names.contains(&key))
}
