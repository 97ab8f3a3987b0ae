//! Which skills a host allows, whatever a session does.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString as _};

use skills_pack::{Skill, with_normalised};

/// The names that a session hides, normalised.
pub(super) type Hidden = BTreeSet<String>;

/// Which skills may be served.
///
/// It is about skills, not slash commands. A name that is both allowed and blocked is blocked. A session can't override a policy.
///
/// ```
/// use skills_core::Policy;
///
/// let policy = Policy::block_all().allow("pdf").allow("code-review");
/// assert!(policy.allows("pdf") && !policy.allows("deploy"));
/// let policy = Policy::allow_all().block("deploy");
/// assert!(policy.allows("pdf") && !policy.allows("deploy"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub(super) allows_others: bool,
    pub(super) allowed: BTreeSet<String>,
    pub(super) blocked: BTreeSet<String>,
}

impl Policy {
    /// Allows every skill whose name isn't blocked.
    pub const fn allow_all() -> Self {
        Self { allows_others: true, allowed: BTreeSet::new(), blocked: BTreeSet::new() }
    }

    /// Blocks every skill whose name isn't allowed.
    pub const fn block_all() -> Self {
        Self { allows_others: false, allowed: BTreeSet::new(), blocked: BTreeSet::new() }
    }

    /// Allows a skill, by its name.
    #[must_use]
    pub fn allow(mut self, name: &str) -> Self {
        self.allowed.insert(look_up_form(name));
        self
    }

    /// Blocks a skill, by its name.
    #[must_use]
    pub fn block(mut self, name: &str) -> Self {
        self.blocked.insert(look_up_form(name));
        self
    }

    /// Whether a skill may be served, by its name and its directory's name. If the directory's name is
    /// blocked, the skill stays blocked even when a look-up of that name now finds another skill.
    pub(super) fn lets_pass(&self, skill: &Skill<'_>) -> bool {
        let directory = skill.path().rsplit('/').next().unwrap_or_default();
        self.allows(skill.name())
            && (self.blocked.is_empty() || !with_normalised(directory, |name| self.blocked.contains(name)))
    }

    pub(super) fn blocked(&self) -> impl Iterator<Item = &str> {
        self.blocked.iter().map(String::as_str)
    }

    /// Whether a skill may be served. `name` is the skill's own name.
    pub fn allows(&self, name: &str) -> bool {
        !self.blocked.contains(name) && (self.allows_others || self.allowed.contains(name))
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::allow_all()
    }
}

pub(super) fn look_up_form(name: &str) -> String {
    with_normalised(name, str::to_string)
}
