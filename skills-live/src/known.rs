//! What was read of a SKILL.md, and what it looked like on disk then.

use std::sync::Arc;

use skills_source::reader::ReadSkill;

use crate::guard::Stamp;

/// The parsed SKILL.md of one directory.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) stamp: Stamp,
    /// Whether an equal stamp proves that nothing has changed.
    pub(super) settled: bool,
    pub(super) content: Arc<ReadSkill>,
}
