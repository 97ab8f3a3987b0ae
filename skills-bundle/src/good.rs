//! A skill that may be served, as the phases after the reading of single skills see it.

use std::path::Path;
use std::sync::Arc;

use crate::hidden::Named;
use skills_source::finding::Finding;
use skills_source::scan::FoundSkill;
use skills_source::skill::SkillText;

/// A skill without a finding at deny.
#[derive(Debug)]
pub(crate) struct Good {
    pub(crate) dir: FoundSkill,
    pub(crate) read: Arc<Read>,
    /// The directory as it is shown in the pack.
    pub(crate) pack_path: String,
    /// The root, as it is shown.
    pub(crate) root: String,
}

/// What was read of a SKILL.md.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) text: SkillText,
    /// The bytes, as they were judged; none where the skill is only checked.
    pub(crate) bytes: Vec<u8>,
    /// The secrets in it, which count once it is known that the skill is served.
    pub(crate) secrets: Vec<Finding>,
}

impl Good {
    /// The skill as it was read.
    pub(crate) fn text(&self) -> &SkillText {
        &self.read.text
    }

    /// Where its SKILL.md is, with every link resolved.
    pub(crate) fn file(&self) -> Option<&Path> {
        Some(&self.dir.skill_file()?.disk)
    }

    pub(crate) fn named(&self) -> Named<'_> {
        let (name, place) = (self.text().name.as_str(), self.text().name_place());
        Named { name, place, root: &self.root, pack_path: &self.pack_path }
    }
}
