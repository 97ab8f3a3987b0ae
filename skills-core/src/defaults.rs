//! Which skills begin active or hidden in every session.

use alloc::collections::BTreeSet;
use alloc::string::String;

use super::policy::look_up_form;

/// Which skills begin active and which begin hidden in every session, by name. Other than a
/// [`Policy`](crate::Policy), a session can change both.
///
/// ```
/// use skills_core::Defaults;
///
/// let defaults = Defaults::new().active("house-style").hidden("deploy");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Defaults {
    pub(super) active: BTreeSet<String>,
    pub(super) hidden: BTreeSet<String>,
}

impl Defaults {
    /// Nothing begins active or hidden.
    pub const fn new() -> Self {
        Self { active: BTreeSet::new(), hidden: BTreeSet::new() }
    }

    /// Has a skill begin active.
    #[must_use]
    pub fn active(mut self, name: &str) -> Self {
        self.active.insert(look_up_form(name));
        self
    }

    /// Has a skill begin hidden.
    #[must_use]
    pub fn hidden(mut self, name: &str) -> Self {
        self.hidden.insert(look_up_form(name));
        self
    }

    /// Whether a skill begins hidden.
    pub(super) fn hides(&self, name: &str) -> bool {
        self.hidden.contains(name)
    }
}
