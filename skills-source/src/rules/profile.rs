//! The profiles: named sets of levels, one for each kind of reader that a skill may be written for.
//!
//! A profile changes the level of rules and which fields and names are known. What a rule looks for
//! is the same in all of them, and levels that the user sets come on top.

use std::fmt;

use crate::code::{Code, Level};
use crate::frontmatter::FIELDS;

/// A named set of levels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// The levels of the table of rules.
    #[default]
    Default,
    /// What Claude accepts: its fields are known, and tag-like text, which it refuses, is an error.
    Claude,
    /// What the Agent Skills specification and its reference validator accept: six fields, names in
    /// any script, the directory's name; silent on what only this project knows.
    Standard,
}

impl Profile {
    /// Every profile.
    pub const ALL: &[Self] = &[Self::Default, Self::Claude, Self::Standard];

    /// The name by which it is chosen: `default`, `claude` or `standard`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Claude => "claude",
            Self::Standard => "standard",
        }
    }

    /// The profile of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|profile| profile.name() == name || profile.aliases().contains(&name))
    }

    /// Other names that are accepted.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Default => &["contract"],
            Self::Claude | Self::Standard => &[],
        }
    }

    /// The level at which this profile reports a rule.
    pub fn level(self, code: Code) -> Level {
        let changed = match self {
            Self::Default => &[][..],
            Self::Claude => CLAUDE,
            Self::Standard => STANDARD,
        };
        changed.iter().find(|(changed, _)| *changed == code).map_or(code.rule().level, |&(_, level)| level)
    }

    /// Whether names may hold any lower-case letter or digit, not only `a-z` and `0-9`.
    pub fn unicode_names(self) -> bool {
        self == Self::Standard
    }

    /// The top-level fields that readers of this profile know.
    pub(crate) fn fields(self) -> Vec<&'static str> {
        match self {
            Self::Default => {
                let named = FIELDS.iter().flat_map(|field| field.names);
                named.copied().filter(|name| !name.contains('.')).chain([PARAMETERS]).collect()
            }
            Self::Claude => STANDARD_FIELDS.iter().chain(CLAUDE_FIELDS).copied().collect(),
            Self::Standard => STANDARD_FIELDS.to_vec(),
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where Claude differs: uploads with tag-like text are refused, and a name may differ from the
/// directory's.
const CLAUDE: &[(Code, Level)] =
    &[(Code::L103, Level::Allow), (Code::L108, Level::Deny), (Code::L109, Level::Allow)];

/// Where the standard differs: the reference validator refuses other names than the directory's and
/// other fields than its own; of what is this project's own, the standard says nothing.
const STANDARD: &[(Code, Level)] = &[
    (Code::L103, Level::Deny),
    (Code::L104, Level::Deny),
    (Code::L107, Level::Allow),
    (Code::L108, Level::Allow),
    (Code::L109, Level::Allow),
    (Code::L110, Level::Allow),
    (Code::L112, Level::Allow),
    (Code::L115, Level::Allow),
    (Code::L118, Level::Allow),
    (Code::L120, Level::Allow),
];

/// The fields of the specification.
const STANDARD_FIELDS: &[&str] =
    &["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// What Claude Code reads besides. It takes other spellings of them too, which L104 sees to.
const CLAUDE_FIELDS: &[&str] = &[
    "when_to_use",
    "argument-hint",
    "arguments",
    "disable-model-invocation",
    "user-invocable",
    "disallowed-tools",
    "model",
    "effort",
    "context",
    "agent",
    "background",
    "hooks",
    "paths",
    "shell",
];

/// The schema of a skill that is bound to a function.
const PARAMETERS: &str = "parameters";

/// Whether `is_it` holds for a field that is known in any profile.
pub(super) fn is_known(is_it: impl Fn(&str) -> bool) -> bool {
    Profile::ALL.iter().any(|profile| profile.fields().iter().any(|field| is_it(field)))
}

/// Whether Claude Code reads a field that other readers do not.
pub(crate) fn is_of_claude_alone(key: &str) -> bool {
    CLAUDE_FIELDS.contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::RULES;

    #[test]
    fn a_profile_is_found_by_its_name_and_lowers_no_fixed_level() {
        for profile in Profile::ALL {
            assert_eq!(Profile::parse(profile.name()), Some(*profile));
            for rule in RULES {
                let level = profile.level(rule.code);
                assert!(rule.code.has_settable_level() || level == Level::Deny, "{profile}: {}", rule.code);
            }
        }
        assert_eq!(Profile::parse("contract"), Some(Profile::Default));
        assert_eq!(Profile::parse("Standard"), None);
    }
}
