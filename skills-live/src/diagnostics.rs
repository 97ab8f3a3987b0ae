//! One record for each directory that was looked at and is not served as it stands.

use skills_source::finding::Finding;
use skills_source::scan::LeftOutReason;

/// Something under a root, or a root, that is not served as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The directory or file, as shown.
    pub path: String,
    /// Where it is from: `bundle`, or the label of its root.
    pub origin: String,
    /// Why it is not served.
    pub reason: Reason,
}

/// Why something is not served.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The root is not there. It is looked for again with each refresh.
    Missing,
    /// A skill with an error, or something that the walk could not look at.
    Broken(Vec<Finding>),
    /// A skill with an error, whose last good version is served.
    Stale(Vec<Finding>),
    /// A skill of an earlier root has the same name.
    Shadowed {
        /// The directory of the skill that is served.
        by_path: String,
        /// Where that skill is from.
        by_origin: String,
    },
    /// It is left out on purpose.
    LeftOut(LeftOutReason),
    /// There are files, but no SKILL.md.
    NoSkill,
}
