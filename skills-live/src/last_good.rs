//! Which skills are still served although an edit broke them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use skills_source::code::Code;
use skills_source::finding::Finding;
use skills_source::reader::ReadSkill;
use skills_source::root::keeps_out;
use skills_source::rules::limit_lines;
use skills_source::scan::{FoundSkill, SKILL_FILE};

use super::known::Known;
use super::skill_state::SkillOnDisk;

/// A skill that is served: where it is, its text, and whether that is only the last good version.
pub(super) type Served = (Arc<FoundSkill>, Arc<ReadSkill>, bool);

/// Keeps the last good version of a broken skill, unless another skill has its name or it `is_dropped`: the
/// edit that broke the skill also touched its limits, and the old version would be served without them.
/// Returns the directories of broken skills without such a version.
pub(super) fn keep_last_good(
    before: &[Arc<SkillOnDisk>],
    walked: &[&str],
    findings: &[Finding],
    is_dropped: impl Fn(&SkillOnDisk) -> bool,
    served: &mut HashMap<String, Served>,
) -> Vec<String> {
    let last_good: HashMap<&str, &SkillOnDisk> =
        before.iter().map(|skill| (skill.dir.path.as_str(), &**skill)).collect();
    let fresh: BTreeSet<String> = served.values().map(|(dir, ..)| dir.path.clone()).collect();
    let mut keep = |path: &str| {
        let last = last_good.get(path);
        let Some((last, text)) = last.and_then(|last| Some((*last, last.content.text.as_ref()?))) else {
            return false;
        };
        let is_free = !served.contains_key(&text.name) && !is_dropped(last);
        if is_free {
            let stale = (Arc::clone(&last.dir), Arc::clone(&last.content), true);
            served.insert(text.name.clone(), stale);
        }
        is_free
    };
    let broken = walked.iter().filter(|path| !fresh.contains(**path) && !keep(path));
    let broken = broken.map(|path| (*path).to_owned()).collect();
    // If the SKILL.md isn't a file or its directory can't be listed, the scan found no skill and reported
    // why.
    let walked: BTreeSet<&str> = walked.iter().copied().collect();
    let refused: BTreeSet<&str> = findings
        .iter()
        .filter(|finding| keeps_out(finding) || finding.code == Code::E014)
        .map(|finding| {
            finding
                .path
                .strip_suffix(SKILL_FILE)
                .and_then(|dir| dir.strip_suffix('/'))
                .unwrap_or(&finding.path)
        })
        .collect();
    for path in refused.into_iter().filter(|path| !walked.contains(path)) {
        keep(path);
    }
    broken
}

/// Whether what limits a skill has changed since its last good version.
pub(super) fn has_other_limits(last: &SkillOnDisk, now: &Known) -> bool {
    limit_lines(&now.content.bytes) != limit_lines(&last.content.bytes)
}
