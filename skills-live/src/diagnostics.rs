//! One record for each directory that was examined and isn't served as it is.

use skills_source::finding::Finding;
use skills_source::scan::LeftOutReason;

/// A root, or something below one, that isn't served as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The directory or file, as shown to people.
    pub path: String,
    /// The origin: `bundle`, or the label of its root.
    pub origin: String,
    /// Why it isn't served.
    pub reason: Reason,
}

/// Why something isn't served.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The root doesn't exist. Each refresh looks again.
    Missing,
    /// A skill with an error, or something that the scan couldn't read.
    Broken(Vec<Finding>),
    /// A skill with an error, of which the last good version is served.
    Stale(Vec<Finding>),
    /// A skill in an earlier root has the same name.
    Shadowed {
        /// The directory of the skill that is served.
        by_path: String,
        /// The origin of that skill.
        by_origin: String,
    },
    /// It is ignored on purpose.
    LeftOut(LeftOutReason),
    /// The directory has files, but no SKILL.md.
    NoSkill,
}
